"""The managed Neo4j: one child process on the data folder's store, reached over loopback, stopped with its service.

Readiness is asked through a probe the caller gives, because this package does not speak Bolt.
"""

import asyncio
import hashlib
import shutil
import threading
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Final, TypeAlias

from consilience.clock import utc_now
from consilience.config import NEO4J_VERSION, Settings
from consilience.errors import CannotStart
from consilience.server.conf import admin_arguments, log_configurations, neo4j_conf, server_arguments
from consilience.server.home import HomeLock, Layout, is_first_start, prepare_home, store_password
from consilience.server.jars import JarSet, ensure_jars
from consilience.server.java import Java, find_java, has_vector_module
from consilience.server.memory import MemoryPlan, planned_memory
from consilience.server.ports import LOOPBACK, Ports, choose_ports
from consilience.server.process import POLL_S, Jvm, failed_start, run_admin, spawn
from consilience.server.progress import Progress, Report, Step
from consilience.server.state import ServerState, find_state, write_state

USER: Final = "neo4j"
PROBE_TIMEOUT_S: Final = 20
ADOPT_TIMEOUT_S: Final = 60.0

# probe(uri, user, password): does this server answer a query with this password? Anything else is False, not an error.
Probe: TypeAlias = Callable[[str, str, str], Awaitable[bool]]


class Running:
    """A started server: where to reach it, and how to wait for its end or bring it about."""

    def __init__(self, *, state: ServerState, password: str, jvm: Jvm, place: Layout, adopted: bool, held: ExitStack) -> None:
        self.uri = state.bolt_uri
        self.http_uri = state.http_uri
        self.user = USER
        self.password = password
        self.state = state
        self.adopted = adopted
        self._jvm = jvm
        self._place = place
        self._held = held

    @property
    def pid(self) -> int:
        return self._jvm.pid

    @property
    def alive(self) -> bool:
        return not self._jvm.has_ended()

    async def wait(self) -> int | None:
        """Until the JVM is gone, for whatever reason. Its exit status, -N for signal N; None if it was adopted."""
        await self._jvm.wait()
        return self._jvm.status

    async def stop(self) -> None:
        """Clean stop (some 10 s; killed after 60), then the data folder is free. Can be called again."""
        try:
            await self._jvm.stop()
            self._place.state.unlink(missing_ok=True)
        finally:
            self._held.close()


class ManagedNeo4j:
    """Starts and stops the server of one data folder. Not started, it holds nothing."""

    def __init__(self) -> None:
        self._running: Running | None = None

    async def start(self, settings: Settings, *, probe: Probe, report: Report) -> Running:
        """Fetches what is missing, starts the JVM (or adopts one a killed service left) and waits until it answers the probe.

        Takes 8 to 20 s once the jars are there. `report` is also called from a worker thread. Cancelling it stops what was begun.
        Raises CannotStart with what to do: data folder in use or not writable, disk full, no Java, port busy, no network, a JVM
        that ends early or does not answer within `settings.start_timeout_s`.
        """
        with ExitStack() as held:
            held.enter_context(HomeLock(settings))
            plan = await _plan(settings, report=report)
            jvm, adopted = await _adopt(plan, probe=probe), True
            if jvm is None:
                jvm, adopted = await _start(plan, probe=probe, report=report), False
            state = find_state(plan.place)
            assert state is not None
            self._running = Running(state=state, password=plan.password, jvm=jvm, place=plan.place, adopted=adopted, held=held.pop_all())
        report(Progress(Step.READY))
        return self._running

    async def stop(self) -> None:
        """Stops what `start` started; nothing if it did not."""
        if self._running is not None:
            await self._running.stop()
            self._running = None


@dataclass(frozen=True, slots=True)
class _Plan:
    """All a start needs but the ports, which are chosen last."""

    settings: Settings
    place: Layout
    java: Java
    jars: JarSet
    memory: MemoryPlan
    password: str
    arguments: str

    @property
    def fingerprint(self) -> str:
        """Stands for version, arguments and configuration: a left-over server with another one is not adopted."""
        wanted_ports = Ports(self.settings.bolt_port, self.settings.http_port)
        conf = neo4j_conf(place=self.place, jars=self.jars, ports=wanted_ports, memory=self.memory)
        return hashlib.sha256(f"{NEO4J_VERSION}\n{self.java.path}\n{self.arguments}{conf}".encode()).hexdigest()


async def _plan(settings: Settings, *, report: Report) -> _Plan:
    place = prepare_home(settings)
    java = await asyncio.to_thread(find_java, settings)
    jars = await _jars(settings, report=report)
    memory = planned_memory(settings)
    arguments = server_arguments(place=place, jars=jars, memory=memory, vector_module=await asyncio.to_thread(has_vector_module, java))
    return _Plan(settings, place, java, jars, memory, store_password(place), arguments)


async def _jars(settings: Settings, *, report: Report) -> JarSet:
    cancelled = threading.Event()
    try:
        return await asyncio.to_thread(ensure_jars, settings, report=report, cancelled=cancelled)
    finally:
        cancelled.set()  # a cancelled start must not go on fetching in its thread


async def _adopt(plan: _Plan, *, probe: Probe) -> Jvm | None:
    """The server a killed service left behind, if it is the one we would start and answers. Stops it otherwise."""
    state = find_state(plan.place)
    process = state.process() if state else None
    if state is None or process is None:
        return None
    jvm = Jvm(process)
    if state.fingerprint == plan.fingerprint:
        timeout_s = min(ADOPT_TIMEOUT_S, plan.settings.start_timeout_s)
        if await _answers(jvm, uri=state.bolt_uri, password=plan.password, probe=probe, timeout_s=timeout_s):
            return jvm
    await jvm.stop()
    return None


async def _start(plan: _Plan, *, probe: Probe, report: Report) -> Jvm:
    place, settings = plan.place, plan.settings
    ports = choose_ports(settings, file=place.ports)
    place.arguments.write_text(plan.arguments, encoding="utf-8")
    conf = neo4j_conf(place=place, jars=plan.jars, ports=ports, memory=plan.memory)
    (place.conf / "neo4j.conf").write_text(conf, encoding="utf-8")
    for name, source in log_configurations().items():
        shutil.copyfile(source, place.conf / name)
    if is_first_start(place):
        report(Progress(Step.PASSWORD))
        await asyncio.to_thread(_set_first_password, plan)
    report(Progress(Step.STARTING))
    log_offset = place.log.stat().st_size if place.log.exists() else 0
    jvm = spawn(plan.java, place=place)
    try:
        uri = f"bolt://{LOOPBACK}:{ports.bolt}"
        write_state(place, _state(plan, jvm=jvm, uri=uri, ports=ports))
        await _await_ready(plan, jvm, uri=uri, probe=probe, log_offset=log_offset)
    except BaseException:
        await asyncio.shield(jvm.stop())
        place.state.unlink(missing_ok=True)
        raise
    return jvm


async def _await_ready(plan: _Plan, jvm: Jvm, *, uri: str, probe: Probe, log_offset: int) -> None:
    timeout_s = plan.settings.start_timeout_s
    if await _answers(jvm, uri=uri, password=plan.password, probe=probe, timeout_s=timeout_s):
        return
    if jvm.has_ended():
        raise failed_start(jvm.status, place=plan.place, log_offset=log_offset)
    raise CannotStart(
        f"Neo4j did not answer within {timeout_s} s", hint=f"see {plan.place.log}; raise CONSILIENCE_START_TIMEOUT_S on a slow machine"
    )


def _state(plan: _Plan, *, jvm: Jvm, uri: str, ports: Ports) -> ServerState:
    return ServerState(
        pid=jvm.pid,
        created=jvm.process.create_time(),
        bolt_uri=uri,
        http_uri=f"http://{LOOPBACK}:{ports.http}",
        java=str(plan.java.path),
        fingerprint=plan.fingerprint,
        started_at=utc_now(),
    )


def _set_first_password(plan: _Plan) -> None:
    """Before the first start, so that no server ever listens with the well-known password. The file keeps it off the process list."""
    arguments = plan.place.root / "admin.args"
    arguments.write_text(admin_arguments(plan.jars, command=()), encoding="utf-8")
    (plan.place.data / "dbms" / "auth.ini").unlink(missing_ok=True)  # of a first start that was interrupted
    run_admin(plan.java, place=plan.place, arguments=arguments, command=("dbms", "set-initial-password", f"@{plan.place.password}"))


async def _answers(jvm: Jvm, *, uri: str, password: str, probe: Probe, timeout_s: float) -> bool:
    """Whether it comes to answer the probe before it ends or the time is up."""
    clock = asyncio.get_running_loop().time
    deadline = clock() + timeout_s
    port = int(uri.rsplit(":", 1)[1])
    while clock() < deadline and not jvm.has_ended():
        if await _listens(port):
            try:
                if await asyncio.wait_for(probe(uri, USER, password), PROBE_TIMEOUT_S):
                    return True
            except TimeoutError:
                pass
        await asyncio.sleep(POLL_S)
    return False


async def _listens(port: int) -> bool:
    """Whether something accepts connections there: spares the probe some dozens of refused ones."""
    try:
        _, writer = await asyncio.open_connection(LOOPBACK, port)
    except OSError:
        return False
    writer.close()
    return True
