"""The checks of the machine."""

import socket
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

from consilience.config import Settings, load_settings
from consilience.server.checks import Check
from consilience.server.doctor import machine_checks
from tests.server.conftest import Started


def checks(settings: Settings) -> dict[str, Check]:
    return {check.name: check for check in machine_checks(settings)}


def test_this_machine_passes_and_nothing_is_left_in_a_folder_that_was_not_there(tmp_path: Path) -> None:
    found = checks(load_settings(home=tmp_path / "home"))
    assert [check for check in found.values() if check.ok is False] == []
    assert set(found) == {"Python", "Clock", "Data folder", "Disk", "Java", "Neo4j files", "Memory", "Ports", "Managed Neo4j"}
    assert list(tmp_path.iterdir()) == []


def test_every_failure_comes_with_advice(
    tmp_path: Path, read_only_folder: Path, as_nobody: Callable[[], AbstractContextManager[None]]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as held, as_nobody():
        settings = load_settings(
            home=read_only_folder / "home", cache=tmp_path, java=Path("/no/java"), bolt_port=held.getsockname()[1], heap_mb=100_000_000
        )
        found = checks(settings)
    failed = {name for name, check in found.items() if check.ok is False}
    assert failed == {"Data folder", "Java", "Memory", "Ports"}
    assert all(found[name].advice for name in failed)


def test_with_a_neo4j_of_the_users_own_nothing_is_asked_of_java(tmp_path: Path) -> None:
    found = checks(load_settings(home=tmp_path, neo4j_uri="bolt://db.example:7687"))
    assert found["Managed Neo4j"].ok is None
    assert "Java" not in found


async def test_a_running_server_is_found_and_its_ports_are_not_called_busy(started: Started) -> None:
    found = checks(started.settings)
    assert found["Managed Neo4j"].found == f"running, pid {started.running.pid}"
    assert found["Ports"].ok
