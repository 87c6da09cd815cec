"""Which service runs on a data folder: `<home>/service.json`, written by `serve`, believed only while its process lives."""

import json
import os
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final, cast

import psutil

from consilience.errors import CannotStart

_FILE: Final = "service.json"
# Kernel clock ticks are coarser than the times written down; ids of processes are not used again that fast.
_SAME_START_S: Final = 1.0


@dataclass(frozen=True, slots=True)
class Running:
    """One running service. `create_time`: of its process, seconds since the epoch, tells it from a later one with the same pid."""

    pid: int
    create_time: float
    url: str
    browser_url: str | None
    started_at: str


def this_process(url: str, *, browser_url: str | None, started_at: str) -> Running:
    """The entry of the service that this process is."""
    return Running(pid=os.getpid(), create_time=psutil.Process().create_time(), url=url, browser_url=browser_url, started_at=started_at)


def write_running(home: Path, running: Running) -> None:
    """Notes the service; a reader sees the old note or the new one, never a half. Raises CannotStart."""
    note = home / f"{_FILE}.{running.pid}"
    try:
        home.mkdir(parents=True, exist_ok=True, mode=0o700)
        note.write_text(json.dumps(asdict(running)), encoding="utf-8")
        note.replace(home / _FILE)
    except OSError as error:
        raise CannotStart(f"cannot write into the data folder {home}: {error.strerror}", hint="choose another with --home") from error


def find_running(home: Path) -> Running | None:
    """The service of this data folder; None if there is none, or its process has ended."""
    try:
        noted: object = json.loads((home / _FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    running = _running_of(noted)
    return running if running is not None and process_of(running) is not None else None


def process_of(running: Running) -> psutil.Process | None:
    """Its living process, or None."""
    try:
        process = psutil.Process(running.pid)
        same = abs(process.create_time() - running.create_time) <= _SAME_START_S
        return process if same and process.status() != psutil.STATUS_ZOMBIE else None
    except psutil.Error:
        return None


def remove_running(home: Path, *, pid: int) -> None:
    """Takes the note away if it is of this process."""
    with suppress(OSError, ValueError):
        noted = _running_of(json.loads((home / _FILE).read_text(encoding="utf-8")))
        if noted is not None and noted.pid == pid:
            (home / _FILE).unlink()


def _running_of(noted: object) -> Running | None:
    if not isinstance(noted, dict):
        return None
    fields = cast("dict[str, object]", noted)
    pid, create_time, url = fields.get("pid"), fields.get("create_time"), fields.get("url")
    browser_url = fields.get("browser_url")
    if not isinstance(pid, int) or pid <= 0 or not isinstance(create_time, (int, float)) or not isinstance(url, str):
        return None
    return Running(
        pid=pid,
        create_time=float(create_time),
        url=url,
        browser_url=browser_url if isinstance(browser_url, str) else None,
        started_at=str(fields.get("started_at", "")),
    )
