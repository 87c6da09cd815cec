"""A start can be broken off at any moment and leaves no process; what was started is started again quickly."""

import asyncio
import signal
import time
from collections.abc import AsyncIterator
from pathlib import Path

import psutil
import pytest

from consilience.config import load_settings
from consilience.server.home import layout
from tests.end_to_end.service import START_S, Service

INTERRUPTED = 130


@pytest.fixture
async def fresh(tmp_path: Path) -> AsyncIterator[Service]:
    one = Service(tmp_path)
    yield one
    await one.leave_nothing()


def processes_of(home: Path) -> list[psutil.Process]:
    """Every process that has this data folder on its command line."""
    found: list[psutil.Process] = []
    for process in psutil.process_iter():
        try:
            if process.status() != psutil.STATUS_ZOMBIE and any(str(home) in argument for argument in process.cmdline()):
                found.append(process)
        except psutil.Error:
            continue
    return found


@pytest.mark.parametrize("moment", ["at once", "while Neo4j starts"])
async def test_sigterm_during_a_start_stops_all_that_was_begun(fresh: Service, moment: str) -> None:
    """Control: in the later moment there is a JVM that has not answered yet."""
    fresh.spawn("--home", str(fresh.home))
    deadline = time.monotonic() + START_S
    awaited = layout(load_settings(home=fresh.home)).state if moment != "at once" else fresh.home / "lock"
    while not awaited.exists():
        assert time.monotonic() < deadline
        await asyncio.sleep(0.05)
    jvm = fresh.jvm()
    assert (jvm is not None) is (moment != "at once")
    assert fresh.pid in {process.pid for process in processes_of(fresh.home)}
    fresh.send_signal(signal.SIGTERM)
    assert await fresh.ended() == INTERRUPTED
    assert processes_of(fresh.home) == []
    assert jvm is None or not jvm.is_running()
    assert not awaited.exists() or moment == "at once"
    assert "Traceback" not in fresh.said()


async def test_a_stopped_service_leaves_no_process_and_starts_again(fresh: Service) -> None:
    """Times are printed, not asserted: they are promises about a quiet machine (second start under 20 s)."""
    first = await fresh.start("--home", str(fresh.home))
    fresh.send_signal(signal.SIGTERM)
    begun = time.monotonic()
    assert await fresh.ended() == 0
    stopped = time.monotonic() - begun
    assert processes_of(fresh.home) == []
    assert not (fresh.home / "service.json").exists()
    second = await fresh.start("--home", str(fresh.home))
    assert await fresh.stop() == 0
    assert processes_of(fresh.home) == []
    said = fresh.said()
    assert (said.count("Stopped."), said.count("Traceback"), said.count("ResourceWarning")) == (2, 0, 0)
    print(f"first start {first:.1f} s, stop {stopped:.1f} s, second start {second:.1f} s")
