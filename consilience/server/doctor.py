"""What this machine offers the managed server, without starting anything. The store's own checks are the service's."""

import sys
from datetime import UTC, datetime
from typing import Final

from consilience.clock import utc_now
from consilience.config import GDS_VERSION, NEO4J_VERSION, Settings
from consilience.errors import CannotStart
from consilience.server.checks import Check
from consilience.server.home import LEAST_FREE_MB, Layout, free_mb, layout, refuse_unwritable
from consilience.server.jars import jar_root, missing_jars
from consilience.server.java import find_java, has_vector_module
from consilience.server.lock import read_lock
from consilience.server.memory import machine_memory_mb, planned_memory
from consilience.server.ports import is_free, kept_ports
from consilience.server.state import ServerState, find_state

LEAST_MEMORY_MB: Final = 2048
EARLIEST: Final = datetime(2026, 1, 1, tzinfo=UTC)


def machine_checks(settings: Settings) -> list[Check]:
    """Python, data folder, disk, clock; and, if the Neo4j is a managed one, Java, jars, memory and ports. Takes about a second."""
    place = layout(settings)
    state = find_state(place)
    running = state if state and state.process() else None
    return [
        _python(),
        _clock(utc_now(), newest=_newest_change(place)),
        _data_folder(settings),
        _disk(settings, needed=running is None),
        *(_managed_checks(settings, place=place, running=running) if settings.neo4j_uri is None else [_external()]),
    ]


def _managed_checks(settings: Settings, *, place: Layout, running: ServerState | None) -> list[Check]:
    return [_java(settings), _jars(settings), _memory(settings), _ports(settings, place=place, running=running), _server(running)]


def _python() -> Check:
    found = sys.version.split()[0]
    return Check("Python", sys.version_info >= (3, 11), found, None if sys.version_info >= (3, 11) else "use Python 3.11 or newer")


def _clock(now: datetime, *, newest: datetime | None) -> Check:
    """A clock before this software, or before what was already written, would put new facts before old ones."""
    ok = now > EARLIEST and (newest is None or now >= newest)
    return Check(
        "Clock",
        ok,
        now.isoformat(timespec="seconds"),
        None if ok else "set the machine's clock: it is behind the data folder's last change",
    )


def _newest_change(place: Layout) -> datetime | None:
    try:
        return datetime.fromtimestamp(place.log.stat().st_mtime, tz=UTC)
    except OSError:
        return None


def _data_folder(settings: Settings) -> Check:
    try:
        refuse_unwritable(settings.home)
    except CannotStart as error:
        return Check("Data folder", False, error.message, error.hint)
    return Check("Data folder", True, str(settings.home))


def _disk(settings: Settings, *, needed: bool) -> Check:
    free = free_mb(settings.home)
    ok = free >= LEAST_FREE_MB or not needed
    return Check(
        "Disk",
        ok,
        f"{free} MB free",
        None if ok else f"free some space: a new store needs {LEAST_FREE_MB} MB; or choose another CONSILIENCE_HOME",
    )


def _external() -> Check:
    return Check("Managed Neo4j", None, "not used: NEO4J_URI names another")


def _java(settings: Settings) -> Check:
    try:
        java = find_java(settings)
    except CannotStart as error:
        return Check("Java", False, error.message, error.hint)
    simd = "with" if has_vector_module(java) else "without"
    return Check("Java", True, f"{java.version} at {java.path}, {simd} SIMD vectors")


def _jars(settings: Settings) -> Check:
    jars = read_lock()
    missing = len(missing_jars(jar_root(settings), jars))
    found = f"Neo4j {NEO4J_VERSION}, GDS {GDS_VERSION}: {len(jars) - missing} of {len(jars)} files in {jar_root(settings)}"
    return Check("Neo4j files", None if missing else True, found, "the next start fetches the rest" if missing else None)


def _memory(settings: Settings) -> Check:
    total, plan = machine_memory_mb(), planned_memory(settings)
    wanted = plan.heap_mb + plan.page_cache_mb
    ok = total >= LEAST_MEMORY_MB and wanted < total
    found = f"{total} MB; Neo4j gets {plan.heap_mb} MB of heap and {plan.page_cache_mb} MB of page cache"
    return Check("Memory", ok, found, None if ok else f"use a machine with {LEAST_MEMORY_MB} MB or more, or lower CONSILIENCE_HEAP_MB")


def _ports(settings: Settings, *, place: Layout, running: ServerState | None) -> Check:
    if running is not None:
        return Check("Ports", True, f"{running.bolt_uri} and {running.http_uri}, in use by the managed Neo4j")
    busy = [port for port in (settings.bolt_port, settings.http_port) if port and not is_free(port)]
    if busy:
        return Check(
            "Ports",
            False,
            f"busy: {', '.join(map(str, busy))}",
            "stop what uses them, or set CONSILIENCE_BOLT_PORT and CONSILIENCE_HTTP_PORT to 0",
        )
    kept = kept_ports(place.ports)
    return Check("Ports", True, f"bolt {kept.bolt}, http {kept.http}" if kept else "free ones are chosen at the first start")


def _server(running: ServerState | None) -> Check:
    return Check("Managed Neo4j", True if running else None, f"running, pid {running.pid}" if running else "not running")
