"""From nothing to a service and back: Neo4j found or started, schema brought up, embedder loaded, workers running."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, replace
from typing import Protocol
from urllib.parse import urlsplit

import structlog

from consilience.app.service import Services
from consilience.config import Settings
from consilience.embedding import Embedder, load_embedder
from consilience.errors import CannotStart, StoreUnavailable
from consilience.server.home import HomeLock, layout, store_password
from consilience.server.managed import USER, ManagedNeo4j, Running
from consilience.server.state import read_state
from consilience.store.driver import Store, open_store, probe
from consilience.store.migrate import check_server, ensure_vector_index, migrate
from consilience.store.spaces import check_embedder, list_spaces

RESTARTS = 5
STEADY_S = 3600  # a server that ran so long is not counted among those that keep dying

log: structlog.stdlib.BoundLogger = structlog.get_logger("app")


class Reporter(Protocol):
    """Who is told how a start goes: whole lines, and moments of work that goes on."""

    def say(self, line: str) -> None: ...
    def moving(self, line: str) -> None: ...


class Quiet:
    """A reporter nobody listens to."""

    def say(self, line: str) -> None:
        del line

    def moving(self, line: str) -> None:
        del line


@dataclass(frozen=True, slots=True)
class Address:
    """Where Neo4j answers, and the server we started there, if it is ours."""

    uri: str
    user: str
    password: str
    managed: ManagedNeo4j | None = None
    running: Running | None = None


@asynccontextmanager
async def running_services(
    settings: Settings, *, report: Reporter
) -> AsyncGenerator[tuple[Services, Address, "asyncio.Task[None] | None"]]:
    """A service of this data folder with its workers at work; everything is stopped at the end.

    The task, if there is one, keeps the managed server running; it ends, with an error, when that is not possible any more.

    Raises CannotStart with what to do, StoreUnavailable if NEO4J_URI does not answer.
    """
    async with AsyncExitStack() as stack:
        stack.enter_context(HomeLock(settings))
        loading = asyncio.create_task(asyncio.to_thread(load_embedder, settings.embedder))
        try:
            address = await neo4j_address(settings, report=report, stack=stack)
            embedder = await loading
        except BaseException:
            loading.cancel()
            raise
        services = await open_services(settings, address=address, embedder=embedder)
        stack.push_async_callback(services.store.close)
        tasks = [asyncio.create_task(services.add_worker().run()) for _ in range(settings.workers)]
        keeper = asyncio.create_task(_keep_running(settings, address=address, report=report)) if address.running else None
        stack.push_async_callback(_cancel, [*tasks, *([keeper] if keeper else [])])
        yield services, address, keeper


async def open_services(settings: Settings, *, address: Address, embedder: Embedder) -> Services:
    """The use cases on this Neo4j, its schema brought up to date. Raises CannotStart, StoreUnavailable."""
    store = await open_ready_store(settings, address=address)
    try:
        await ensure_vector_index(_patient(store, settings), dimensions=embedder.dimensions)
        await check_embedders(store, embedder=embedder)
        neo4j_version, gds_version = await check_server(store)
    except BaseException:
        await store.close()
        raise
    return Services(settings, store, embedder, neo4j_version, gds_version)


async def open_ready_store(settings: Settings, *, address: Address) -> Store:
    """The store of this Neo4j once it answers, a supported server, its schema brought up to date. Raises CannotStart, StoreUnavailable."""
    store = open_store(
        address.uri, user=address.user, password=address.password, database=settings.neo4j_database, timeout_s=settings.store_timeout_s
    )
    try:
        await _wait_reachable(store, settings, uri=address.uri)
        await check_server(store)
        await migrate(_patient(store, settings))
    except BaseException:
        await store.close()
        raise
    return store


def _patient(store: Store, settings: Settings) -> Store:
    """The store for work of a start: making indexes, or waiting for another process that does, may outlast what one query may take."""
    return replace(store, timeout_s=max(store.timeout_s, settings.start_timeout_s))


async def check_embedders(store: Store, *, embedder: Embedder) -> None:
    """Raises CannotStart if a space's vectors come from another embedder: vectors of two models are never mixed (O6)."""
    for space in await list_spaces(store):
        check_embedder(space, embedder=embedder.id, dimensions=embedder.dimensions)


def running_address(settings: Settings) -> Address:
    """Neo4j as a second process of this data folder finds it. Raises CannotStart if there is none."""
    if settings.neo4j_uri is not None:
        return _given_address(settings, uri=settings.neo4j_uri)
    state = read_state(settings)
    if state is None:
        raise CannotStart("no Neo4j runs on this data folder", hint="start it with `consilience up`, or set NEO4J_URI")
    return Address(state.bolt_uri, USER, store_password(layout(settings)))


async def any_address(settings: Settings, *, report: Reporter, stack: AsyncExitStack) -> Address:
    """Neo4j as it runs for this data folder, else started for the life of the stack. Raises CannotStart."""
    if settings.neo4j_uri is not None or read_state(settings) is not None:
        return running_address(settings)
    stack.enter_context(HomeLock(settings))
    return await neo4j_address(settings, report=report, stack=stack)


async def neo4j_address(settings: Settings, *, report: Reporter, stack: AsyncExitStack) -> Address:
    """Where Neo4j answers: NEO4J_URI, else the managed server, started now and stopped when the stack closes. Raises CannotStart."""
    if settings.neo4j_uri is not None:
        given = _given_address(settings, uri=settings.neo4j_uri)
        report.say(f"Using Neo4j at {_host(given.uri)}.")
        return given
    managed = ManagedNeo4j()
    running = await managed.start(settings, probe=probe, report=lambda progress: report.moving(progress.text))
    stack.push_async_callback(managed.stop)
    report.say(f"Neo4j {'was running already' if running.adopted else 'runs'} (process {running.pid}, data in {settings.home}).")
    return Address(running.uri, running.user, running.password, managed, running)


def _given_address(settings: Settings, *, uri: str) -> Address:
    """The server of NEO4J_URI. Raises CannotStart if it names no host, or a port there cannot be: no waiting would help."""
    try:
        parts = urlsplit(uri)
        usable = bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise CannotStart(
            "NEO4J_URI names no server", hint="write it as bolt://HOST:PORT, for example bolt://127.0.0.1:7687", field="neo4j_uri"
        )
    return Address(uri, settings.neo4j_user, settings.password)


async def _wait_reachable(store: Store, settings: Settings, *, uri: str) -> None:
    """Returns once the store answers: a container's database may start after its service. Raises CannotStart, StoreUnavailable."""
    deadline = asyncio.get_running_loop().time() + settings.start_timeout_s
    while not await store.ping():
        await store.check_credentials()
        if asyncio.get_running_loop().time() > deadline:
            raise StoreUnavailable(
                f"Neo4j at {_host(uri)} does not answer", hint="check NEO4J_URI, or unset it for the managed server; is it running?"
            )
        await asyncio.sleep(0.5)


async def _keep_running(settings: Settings, *, address: Address, report: Reporter) -> None:
    """Starts the managed server again if it dies: writers wait for it and nothing acknowledged is lost (O10)."""
    managed, running = address.managed, address.running
    assert managed is not None
    assert running is not None
    attempt, clock = 0, asyncio.get_running_loop().time
    while attempt < RESTARTS:
        since = clock()
        status = await running.wait()
        attempt = 1 if clock() - since > STEADY_S else attempt + 1
        log.error("neo4j_ended", exit_status=status, attempt=attempt)
        await managed.stop()
        running = await managed.start(settings, probe=probe, report=lambda progress: report.moving(progress.text))
        if running.uri != address.uri:
            raise CannotStart("Neo4j came back on another port", hint="start the service again")
        log.warning("neo4j_restarted", pid=running.pid, attempt=attempt)
    raise CannotStart(f"Neo4j ended {RESTARTS} times in a row", hint="see `consilience logs --neo4j`")


async def _cancel(tasks: Sequence["asyncio.Task[None]"]) -> None:
    for task in tasks:
        task.cancel()
    for task in tasks:
        with suppress(asyncio.CancelledError, Exception):
            await task


def _host(uri: str) -> str:
    """The address without credentials."""
    parts = urlsplit(uri)
    return f"{parts.scheme}://{parts.hostname}:{parts.port}" if parts.port else f"{parts.scheme}://{parts.hostname}"
