# The service alone: Neo4j runs in a container of its own (docker-compose.yml), so no Java and no jars are in here.
FROM python:3.11-slim AS build
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
WORKDIR /src
RUN python -m venv /opt/consilience
COPY requirements/core.txt requirements/core.txt
RUN /opt/consilience/bin/pip install --require-hashes -r requirements/core.txt
COPY pyproject.toml README.md LICENSE ./
COPY consilience/ consilience/
COPY schema/ schema/
COPY resolvers/ resolvers/
COPY consolidation/ consolidation/
COPY gc/ gc/
RUN /opt/consilience/bin/pip install --no-deps --no-build-isolation .

FROM python:3.11-slim
RUN useradd --system --uid 10001 --home-dir /data --no-create-home consilience && install -d -o consilience -g consilience -m 700 /data
COPY --from=build /opt/consilience /opt/consilience
ENV PATH=/opt/consilience/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 CONSILIENCE_HOME=/data
USER 10001
WORKDIR /data
VOLUME /data
EXPOSE 8765
# The port is asked of the environment, as the service asks it.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=6 \
  CMD ["python", "-c", "import os, urllib.request as r; r.urlopen('http://127.0.0.1:' + os.environ.get('CONSILIENCE_PORT', '8765') + '/readyz', timeout=4)"]
ENTRYPOINT ["consilience"]
CMD ["serve"]
