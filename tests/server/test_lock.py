"""The lock that ships: complete, well-formed, of the versions the settings name."""

from pathlib import Path

import pytest

from consilience.config import BROWSER_VERSION, GDS_VERSION, NEO4J_VERSION
from consilience.server.lock import Jar, parse_lock, read_lock
from tools.neo4j.lock import pom_versions

ROOT = Path(__file__).parents[2]


def test_pom_lock_and_settings_name_the_same_versions() -> None:
    locked = {jar.coordinate for jar in read_lock()}
    assert pom_versions(ROOT / "tools" / "neo4j" / "pom.xml") == (NEO4J_VERSION, GDS_VERSION, BROWSER_VERSION)
    assert f"org.neo4j:neo4j:{NEO4J_VERSION}" in locked
    assert f"org.neo4j.client:neo4j-browser:{BROWSER_VERSION}" in locked
    assert {f"org.neo4j.gds:{name}:{GDS_VERSION}" for name in ("proc", "opengds-extension", "open-model-catalog")} <= locked


def test_all_jars_of_gds_and_no_others_are_plugins() -> None:
    assert all((jar.where == "plugins") == jar.coordinate.startswith("org.neo4j.gds:") for jar in read_lock())


def test_no_two_jars_share_a_file_name() -> None:
    names = [jar.file_name for jar in read_lock()]
    assert len(names) == len(set(names)) == 391


def test_a_row_gives_the_path_of_mavens_layout() -> None:
    row = Jar("lib", "io.netty:netty-epoll:4.2.9.Final:linux-x86_64", "0" * 64, 1)
    assert row.path == "io/netty/netty-epoll/4.2.9.Final/netty-epoll-4.2.9.Final-linux-x86_64.jar"


@pytest.mark.parametrize(
    "line", ["lib a:b:1 00 5", "conf a:b:1 " + "0" * 64 + " 5", "lib a:b:1 " + "0" * 64, "lib a:b:1 " + "0" * 64 + " five"]
)
def test_a_line_that_is_no_row_is_refused_by_number(line: str) -> None:
    assert parse_lock("# comment\n\n") == ()
    with pytest.raises(ValueError, match="line 2"):
        parse_lock(f"# comment\n{line}\n")
