"""Writes consilience/server/neo4j.lock: every jar of the managed server, with its SHA-256 and size.

For maintainers, after a change of versions in consilience/config.py and pom.xml: `python tools/neo4j/lock.py`.
Resolves pom.xml with jgo (pure Python, no Maven needed), downloads each jar once into jgo's own cache, compares it with the
SHA-1 the repository publishes, and writes the rows in a fixed order, so that two runs give the same bytes.
"""

import hashlib
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

import requests
import stamina
from jgo.constants import MAVEN_CENTRAL_URL
from jgo.maven import POM, Artifact, MavenContext

from consilience.config import BROWSER_VERSION, GDS_VERSION, NEO4J_VERSION

HERE: Final = Path(__file__).parent
LOCK: Final = HERE.parents[1] / "consilience" / "server" / "neo4j.lock"
HEADER: Final = "# Made by tools/neo4j/lock.py from tools/neo4j/pom.xml; do not edit. Columns: where, coordinate, SHA-256, size in bytes.\n"
DOWNLOADS: Final = 8


def pom_versions(pom: Path) -> tuple[str, str, str]:
    """Versions of Neo4j, GDS and Neo4j Browser the pom asks for."""
    properties = POM(pom).properties
    return properties["neo4j.version"], properties["gds.version"], properties["browser.version"]


def coordinate(artifact: Artifact) -> str:
    """`group:artifact:version` or `group:artifact:version:classifier`."""
    parts = [artifact.groupId, artifact.artifactId, artifact.version, *([artifact.classifier] if artifact.classifier else [])]
    return ":".join(parts)


@stamina.retry(on=(requests.RequestException, ValueError), attempts=6, wait_initial=1.0)
def row(artifact: Artifact) -> str:
    """One line of the lock. Raises ValueError if the jar is not what the repository says it is."""
    jar = artifact.resolve()
    content = jar.read_bytes()
    address = f"{MAVEN_CENTRAL_URL}/{artifact.component.path_prefix.as_posix()}/{artifact.filename}.sha1"
    published = requests.get(address, timeout=60)
    published.raise_for_status()
    if hashlib.sha1(content, usedforsecurity=False).hexdigest() != published.text.split()[0]:
        jar.unlink()
        raise ValueError(f"{coordinate(artifact)}: the jar differs from its published SHA-1")
    where = "plugins" if artifact.groupId == "org.neo4j.gds" else "lib"
    return f"{where} {coordinate(artifact)} {hashlib.sha256(content).hexdigest()} {len(content)}\n"


def main() -> int:
    """Resolves, downloads, writes. Returns the exit status."""
    pom = HERE / "pom.xml"
    if pom_versions(pom) != (NEO4J_VERSION, GDS_VERSION, BROWSER_VERSION):
        sys.stderr.write("pom.xml and consilience/config.py name different versions: make them equal first\n")
        return 1
    _, nodes = MavenContext(timeout=60).pom_dependency_list(POM(pom))
    artifacts = [node.dep.artifact for node in nodes if node.dep.type == "jar" and node.dep.scope in ("compile", "runtime")]
    names = [artifact.filename for artifact in artifacts]
    if len(set(names)) != len(names):
        sys.stderr.write("two jars have one file name: they cannot share a folder\n")
        return 1
    with ThreadPoolExecutor(DOWNLOADS) as pool:
        rows = sorted(pool.map(row, artifacts))
    LOCK.write_text(HEADER + "".join(rows), encoding="utf-8")
    sys.stdout.write(f"{len(rows)} jars, {sum(int(line.split()[3]) for line in rows) / 1e6:.0f} MB -> {LOCK}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
