"""What the tests share: one real Neo4j with GDS for the run, the service's use cases on it, a space of its own for each test.

`NEO4J_URI` names a server to use; `CONSILIENCE_TEST_NEO4J=container` takes a container; else the managed server is started. A missing
Neo4j fails the run, it never skips.
"""

import asyncio
import os
import secrets
from collections.abc import AsyncIterator, Generator
from contextlib import contextmanager
from dataclasses import dataclass

import pytest
import pytest_asyncio

from consilience.app.lifecycle import Address, open_services
from consilience.app.service import Services
from consilience.config import NEO4J_VERSION, Settings, load_settings
from consilience.embedding import load_embedder
from consilience.server.managed import ManagedNeo4j
from consilience.store.driver import probe


@dataclass(frozen=True, slots=True)
class Database:
    """A Neo4j to test on."""

    uri: str
    user: str
    password: str

    @property
    def environment(self) -> dict[str, str]:
        """The variables that point a process at it."""
        return {"NEO4J_URI": self.uri, "NEO4J_USERNAME": self.user, "NEO4J_PASSWORD": self.password}


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def database(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Database]:
    """The run's Neo4j."""
    if uri := os.environ.get("NEO4J_URI"):
        given = load_settings()
        yield Database(uri, given.neo4j_user, given.password)
        return
    if os.environ.get("CONSILIENCE_TEST_NEO4J") == "container":
        with _container() as database:
            yield database
        return
    server = ManagedNeo4j()
    settings = load_settings(home=tmp_path_factory.mktemp("database"), heap_mb=1024, page_cache_mb=128)
    running = await server.start(settings, probe=probe, report=lambda _: None)
    yield Database(running.uri, running.user, running.password)
    await server.stop()


@contextmanager
def _container() -> Generator[Database]:
    from testcontainers.community.neo4j import Neo4jContainer

    container = Neo4jContainer(f"neo4j:{NEO4J_VERSION}-community").with_env("NEO4J_PLUGINS", '["graph-data-science"]')
    with container as started:
        yield Database(started.get_connection_url(), started.username, started.password)


@pytest.fixture(scope="session")
def settings(database: Database, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """Settings of a service on the run's Neo4j."""
    return load_settings(
        home=tmp_path_factory.mktemp("home"),
        neo4j_uri=database.uri,
        neo4j_user=database.user,
        neo4j_password=database.password,
        settle_timeout_s=60,
    )


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def services(settings: Settings, database: Database) -> AsyncIterator[Services]:
    """The use cases with one worker at work, in this process."""
    address = Address(database.uri, database.user, database.password)
    opened = await open_services(settings, address=address, embedder=await asyncio.to_thread(load_embedder, "use"))
    worker = asyncio.create_task(opened.add_worker().run())
    yield opened
    worker.cancel()
    await asyncio.wait([worker])
    await opened.store.close()


@pytest.fixture
def space() -> str:
    """A space nobody else uses."""
    return f"t-{secrets.token_hex(6)}"
