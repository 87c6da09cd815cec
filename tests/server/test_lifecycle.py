"""Deaths: of the JVM, of the service, in either order; and that what was written is still there."""

import json
import signal
import subprocess
import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from consilience.config import load_settings
from consilience.server.home import layout
from consilience.server.managed import ManagedNeo4j, Running
from consilience.server.state import read_state
from tests.server.bolt import ask, probe

NAMES = "MATCH (n:Witness) RETURN n.name ORDER BY n.name"


@contextmanager
def owner(home: Path, name: str) -> Generator[int]:
    """A service in another process that started the server and wrote a node; gives the JVM's pid; killed without warning at the end."""
    with subprocess.Popen([sys.executable, "-m", "tests.server.owner", str(home), name], stdout=subprocess.PIPE, text=True) as service:
        assert service.stdout is not None
        said = json.loads(service.stdout.readline())
        yield int(said["pid"])
        service.kill()
        service.wait()


async def start(home: Path, *, page_cache_mb: int = 128) -> tuple[ManagedNeo4j, Running]:
    server = ManagedNeo4j()
    settings = load_settings(home=home, heap_mb=1024, page_cache_mb=page_cache_mb)
    return server, await server.start(settings, probe=probe, report=lambda _: None)


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    """A data folder whose server does not outlive the test, even one that fails half way."""
    yield tmp_path
    state = read_state(load_settings(home=tmp_path))
    if state is not None and (process := state.process()) is not None:
        process.kill()


async def test_data_outlive_the_death_of_the_service_of_the_server_and_of_both(home: Path) -> None:
    settings = load_settings(home=home)

    with owner(home, "first") as orphan:
        pass
    server, running = await start(home)
    assert running.adopted, "the server a killed service left is taken over"
    assert running.pid == orphan
    assert await ask(running, NAMES) == ["first"]

    psutil.Process(running.pid).send_signal(signal.SIGKILL)
    await running.wait()
    assert not running.alive
    await server.stop()
    assert read_state(settings) is None

    with owner(home, "second") as orphan:
        assert orphan != running.pid
    server, running = await start(home, page_cache_mb=160)
    assert not running.adopted, "one started with other settings is replaced"
    assert not psutil.pid_exists(orphan)
    assert await ask(running, NAMES) == ["first", "second"]

    psutil.Process(running.pid).send_signal(signal.SIGKILL)
    assert await running.wait() == -signal.SIGKILL
    kept = layout(settings).ports.read_text(encoding="utf-8")
    await server.stop()

    server, running = await start(home)
    assert await ask(running, NAMES) == ["first", "second"]
    assert layout(settings).ports.read_text(encoding="utf-8") == kept, "bookmarks stay good"
    pid = running.pid
    await server.stop()
    assert not psutil.pid_exists(pid)
    assert read_state(settings) is None
    assert "Stopped." in layout(settings).log.read_text(encoding="utf-8").splitlines()[-1], "a clean stop"
