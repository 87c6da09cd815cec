"""The real server: what it offers, what it keeps to itself, how its start refuses."""

import asyncio
import json
import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx
import psutil
import pytest

from consilience.config import NEO4J_VERSION, load_settings
from consilience.errors import CannotStart
from consilience.server.home import layout
from consilience.server.managed import ManagedNeo4j
from consilience.server.progress import Step
from consilience.server.state import read_state
from tests.server.bolt import ask, probe
from tests.server.conftest import Started


async def test_it_starts_from_the_jars_and_answers_bolt_with_gds(started: Started) -> None:
    assert await ask(started.running, "CALL dbms.components() YIELD versions, name WHERE name = 'Neo4j Kernel' RETURN versions[0]") == [
        NEO4J_VERSION
    ]
    assert await ask(started.running, "RETURN gds.version()") == ["2.26.0"]
    assert [report.step for report in started.reports if report.step is not Step.JARS] == [Step.PASSWORD, Step.STARTING, Step.READY]
    assert all(report.text for report in started.reports)


async def test_the_password_is_its_owners_alone_and_the_well_known_one_is_refused(started: Started) -> None:
    file = layout(started.settings).password
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.read_text(encoding="utf-8").strip() == started.running.password
    assert await probe(started.running.uri, "neo4j", started.running.password)
    assert not await probe(started.running.uri, "neo4j", "neo4j")
    assert started.running.password not in " ".join(psutil.Process(started.running.pid).cmdline())


async def test_files_the_server_writes_are_for_their_owner_alone(started: Started) -> None:
    open_to_others = [path for path in (layout(started.settings).root / "data").rglob("*") if path.stat().st_mode & 0o077]
    assert open_to_others == []


async def test_it_listens_on_loopback_only_and_on_no_other_port(started: Started) -> None:
    connections = psutil.Process(started.running.pid).net_connections(kind="inet")
    listening = {
        (connection.laddr.ip.removeprefix("::ffff:"), connection.laddr.port)
        for connection in connections
        if connection.status == psutil.CONN_LISTEN
    }
    expected = {("127.0.0.1", int(uri.rsplit(":", 1)[1])) for uri in (started.running.uri, started.running.http_uri)}
    assert listening == expected
    assert [connection for connection in connections if connection.type == socket.SOCK_DGRAM] == []
    assert [
        connection for connection in connections if connection.raddr and connection.raddr.ip.removeprefix("::ffff:") != "127.0.0.1"
    ] == []


async def test_neo4j_browser_is_served_and_told_where_bolt_is_but_no_query_goes_over_http(started: Started) -> None:
    async with httpx.AsyncClient(base_url=started.running.http_uri) as client:
        browser = await client.get("/browser/")
        assert browser.status_code == 200
        assert "<title>" in browser.text
        discovery = (await client.get("/", headers={"Accept": "application/json"})).json()
        assert discovery["bolt_direct"] == started.running.uri
        query = await client.post("/db/neo4j/query/v2", json={"statement": "RETURN 1"}, auth=("neo4j", started.running.password))
        assert query.status_code == 404


async def test_its_log_holds_no_query_and_no_progress_of_gds(started: Started) -> None:
    """Positive control: the log is written at all, at INFO."""
    await ask(started.running, "CREATE (n:Heard {text: 'a-long-canary-nobody-else-writes'})-[:NEXT]->(:Heard) RETURN n.text")
    await ask(started.running, "MATCH (a:Heard)-[:NEXT]->(b) RETURN gds.graph.project('logged', a, b) AS g")
    await ask(started.running, "CALL gds.pageRank.stream('logged') YIELD nodeId RETURN nodeId")
    logs = {path.name: path.read_text(encoding="utf-8") for path in layout(started.settings).logs.iterdir()}
    assert '"level":"INFO"' in logs["debug.log"]
    assert "Started." in logs["neo4j.log"]
    assert "".join(logs.values()).count("a-long-canary") == 0
    assert [line for text in logs.values() for line in text.splitlines() if "PageRank ::" in line] == []
    assert not logs.get("query.log")


def transaction_log_holds(home: Path, token: str) -> bool:
    folder = home / "neo4j" / "data" / "transactions" / "neo4j"
    return any(token.encode() in path.read_bytes() for path in folder.iterdir())


async def test_a_deleted_text_has_left_the_transaction_log_after_1_mb_of_writes_and_a_checkpoint(started: Started) -> None:
    """Positive control: it is there when written, and still there when only deleted."""
    token, home = "a-canary-long-enough-not-to-be-packed-into-bits", started.settings.home
    await ask(started.running, "CREATE (n:Doomed {text: $token}) RETURN n.text", token=token)
    await ask(started.running, "MATCH (n:Doomed) DETACH DELETE n RETURN count(*)")
    assert transaction_log_holds(home, token)
    filler = [f"{number:0120d}" for number in range(1000)]
    begun = time.monotonic()
    for _ in range(20):
        await ask(started.running, "UNWIND $filler AS text CREATE (n:Filler {text: text}) RETURN count(*)", filler=filler)
        await ask(started.running, "MATCH (n:Filler) DETACH DELETE n RETURN count(*)")
    while transaction_log_holds(home, token):
        assert time.monotonic() - begun < 60, "still there a minute later"
        await ask(started.running, "MERGE (n:Tick) SET n.at = $now RETURN n.at", now=time.monotonic())
        await asyncio.sleep(1)


async def test_settings_that_matter_are_in_force(started: Started) -> None:
    found = await ask(
        started.running,
        "SHOW SETTINGS YIELD name, value WHERE name IN $names RETURN name + '=' + value ORDER BY name",
        names=["db.tx_log.rotation.retention_policy", "db.logs.query.enabled", "dbms.usage_report.enabled", "db.query.default_language"],
    )
    assert found == [
        "db.logs.query.enabled=OFF",
        "db.query.default_language=CYPHER_25",
        "db.tx_log.rotation.retention_policy=keep_none",
        "dbms.usage_report.enabled=false",
    ]


async def test_ctrl_c_in_our_terminal_does_not_reach_it(started: Started) -> None:
    assert os.getsid(started.running.pid) == started.running.pid != os.getsid(0)


async def test_the_state_tells_other_commands_where_it_is(started: Started) -> None:
    state = read_state(started.settings)
    assert state is not None
    assert (state.pid, state.bolt_uri, state.http_uri) == (started.running.pid, started.running.uri, started.running.http_uri)
    assert state.process() is not None


async def test_secrets_of_the_service_are_not_in_the_servers_environment(started: Started) -> None:
    environment = psutil.Process(started.running.pid).environ()
    assert "PATH" in environment, "positive control"
    assert [name for name in environment if name.startswith(("CONSILIENCE_", "NEO4J_"))] == []


async def test_a_second_start_on_the_same_data_folder_is_refused(started: Started) -> None:
    command = [sys.executable, "-m", "tests.server.owner", str(started.settings.home), "second"]
    second = await asyncio.to_thread(subprocess.run, command, capture_output=True, text=True, check=False)
    assert second.returncode == 5
    assert f"another service (pid {os.getpid()}) uses this data folder" in json.loads(second.stdout)["refused"]
    assert started.running.alive


async def test_a_configured_port_that_is_busy_stops_the_start_and_frees_the_data_folder(tmp_path: Path) -> None:
    """O11."""
    with socket.create_server(("127.0.0.1", 0)) as held:
        settings = load_settings(home=tmp_path, bolt_port=held.getsockname()[1])
        for _ in range(2):
            with pytest.raises(CannotStart, match="is busy"):
                await ManagedNeo4j().start(settings, probe=probe, report=lambda _: None)
    assert read_state(settings) is None


async def test_a_jvm_that_ends_at_once_is_told_with_its_status_and_what_it_said(tmp_path: Path) -> None:
    settings = load_settings(home=tmp_path, heap_mb=1)
    with pytest.raises(CannotStart, match=r"(?s)ended during its start with status 1: .*console\.log.*[Hh]eap") as refusal:
        await ManagedNeo4j().start(settings, probe=probe, report=lambda _: None)
    assert refusal.value.exit_status == 5
    assert read_state(settings) is None


async def test_a_configuration_neo4j_refuses_is_told_with_its_own_words(tmp_path: Path) -> None:
    settings = load_settings(home=tmp_path, heap_mb=512, page_cache_mb=1_000_000_000)
    with pytest.raises(CannotStart, match=r"(?s)ended during its start with status \d+: .*End of .*neo4j.*\n.+"):
        await ManagedNeo4j().start(settings, probe=probe, report=lambda _: None)
