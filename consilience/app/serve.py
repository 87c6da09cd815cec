"""`serve` and `worker`: processes that run until they are asked to stop."""

import asyncio
import signal
import socket
from collections.abc import Coroutine
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Final, Protocol, TypeVar

import structlog
import uvicorn

from consilience.app.http import LOOPBACK, build_app
from consilience.app.lifecycle import Reporter, open_services, running_address, running_services
from consilience.app.logs import configure_logs
from consilience.config import Settings
from consilience.embedding import load_embedder
from consilience.errors import CannotStart

INTERRUPTED: Final = 130
T = TypeVar("T")

log: structlog.stdlib.BoundLogger = structlog.get_logger("app")


class Announcer(Reporter, Protocol):
    """A reporter that is also told the addresses once the service answers."""

    def ready(self, *, url: str, browser_url: str | None) -> None: ...


class _Server(uvicorn.Server):
    """uvicorn without its own signal handlers: Neo4j is stopped after the last request, so stopping is ours to order."""

    def capture_signals(self) -> AbstractContextManager[None]:  # type: ignore[override]
        return nullcontext()


def serve(settings: Settings, *, report: Announcer, sample: bool = False) -> int:
    """Runs the service until SIGINT or SIGTERM; returns the exit status. Raises CannotStart, StoreUnavailable."""
    del sample  # the announcer shows it
    configure_logs(settings.log_level)
    return asyncio.run(_serve(settings, report=report))


def run_worker(settings: Settings) -> int:
    """Runs one worker on the Neo4j of this data folder, or at NEO4J_URI, until SIGINT or SIGTERM."""
    configure_logs(settings.log_level)
    return asyncio.run(_work(settings))


async def _serve(settings: Settings, *, report: Announcer) -> int:
    stopping = _stop_signals()
    listening = _listen(settings)
    with listening:
        up = running_services(settings, report=report)
        started = await _unless(stopping, up.__aenter__())
        if started is None:
            return INTERRUPTED
        try:
            services, address, keeper = started
            host, port = listening.getsockname()[:2]
            url = f"http://{'[' + host + ']' if ':' in host else host}:{port}"
            server = _Server(
                uvicorn.Config(
                    build_app(services, host=settings.host),
                    loop="asyncio",
                    ws="websockets-sansio",
                    log_config=None,
                    access_log=False,
                    server_header=False,
                    timeout_graceful_shutdown=20,
                    lifespan="off",
                )
            )
            serving = asyncio.create_task(server.serve(sockets=[listening]))
            while not server.started and not serving.done():  # noqa: ASYNC110  # uvicorn has no event for it
                await asyncio.sleep(0.01)
            report.ready(url=url, browser_url=f"{address.running.http_uri}/browser/" if address.running else None)
            log.info("serving", url=url)
            ends = [serving, asyncio.create_task(stopping.wait()), *([keeper] if keeper else [])]
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            server.should_exit = True
            report.say("Stopping: finishing requests, then Neo4j (some 10 s).")
            await serving
            if keeper is not None and keeper.done():
                await keeper
        finally:
            await up.__aexit__(None, None, None)
        report.say("Stopped.")
    return 0


async def _work(settings: Settings) -> int:
    stopping = _stop_signals()
    embedder = await asyncio.to_thread(load_embedder, settings.embedder)
    services = await open_services(settings, address=running_address(settings), embedder=embedder)
    try:
        await _unless(stopping, services.add_worker().run())
    finally:
        await services.store.close()
    return 0


def _listen(settings: Settings) -> socket.socket:
    """The API's socket, bound before anything slow begins. Raises CannotStart for a busy port or an address open to the world."""
    if settings.host not in LOOPBACK and not settings.open_access:
        raise CannotStart(
            f"refusing to serve on {settings.host}: whoever reaches it could read and write everything",
            hint="keep CONSILIENCE_HOST=127.0.0.1, or put it behind a proxy with access control and set CONSILIENCE_OPEN_ACCESS=true",
            field="host",
        )
    listening: socket.socket | None = None
    try:
        family, kind, protocol, _, place = socket.getaddrinfo(settings.host, settings.port, type=socket.SOCK_STREAM)[0]
        listening = socket.socket(family, kind, protocol)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(place)
        listening.listen(256)
    except OSError as error:
        if listening is not None:
            listening.close()
        raise CannotStart(
            f"cannot listen on {settings.host} port {settings.port}: {error.strerror}",
            hint="stop what uses the port, or choose another: --port 0 takes a free one",
            field="port",
        ) from error
    return listening


def _stop_signals() -> asyncio.Event:
    stopping = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stopping.set)
    return stopping


async def _unless(stopping: asyncio.Event, work: Coroutine[Any, Any, T]) -> T | None:
    """The work's result, or None if a stop was asked for first: the work is then cancelled and waited for."""
    task, stop = asyncio.create_task(work), asyncio.create_task(stopping.wait())
    await asyncio.wait([task, stop], return_when=asyncio.FIRST_COMPLETED)
    stop.cancel()
    if task.done():
        return await task
    task.cancel()
    await asyncio.wait([task])
    return None
