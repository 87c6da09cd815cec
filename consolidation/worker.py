"""The worker: leases jobs, keeps the leases alive, runs their handlers, puts failures back (design §10)."""

import asyncio
import os
import socket
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

import structlog

from consilience.errors import ConsilienceError
from consilience.store.driver import Store
from consilience.store.jobs import Leased, delete_done, extend_leases, fail_jobs, lease_jobs

# Runs all jobs of one kind and space that were leased together; raises if any of it failed.
Handler = Callable[[str, Sequence[str]], Awaitable[None]]
LEASE_TOGETHER = 8
IDLE_POLL_S = 0.5

log: structlog.stdlib.BoundLogger = structlog.get_logger("worker")


@dataclass(slots=True)
class Worker:
    """One worker. `wake` ends its idle wait at once; a job is found by polling all the same, so nothing depends on it."""

    store: Store
    handlers: Mapping[str, Handler]
    lease_s: int
    attempts: int
    name: str = field(default_factory=lambda: f"{socket.gethostname()}-{os.getpid()}-{os.urandom(3).hex()}")
    failing: bool = False
    _wake: asyncio.Event = field(default_factory=asyncio.Event)

    def wake(self) -> None:
        """There is work now."""
        self._wake.set()

    async def run(self) -> None:
        """Works until cancelled. A store that is away is waited for; a job under way when cancelled falls due again by its lease."""
        pause = IDLE_POLL_S
        while True:
            try:
                busy = await self.run_once()
                self.failing, pause = False, IDLE_POLL_S
            except Exception as error:  # noqa: BLE001  (a worker that ended would leave its queue standing unseen)
                self.failing, busy, pause = True, False, min(pause * 2, 10.0)
                log.warning("worker_waits", code=_code(error), pause_s=pause)
            if not busy:
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._wake.wait(), timeout=pause)
                self._wake.clear()

    async def run_once(self) -> bool:
        """One round: leases due jobs and does them; False if none was due. Raises StoreUnavailable."""
        leased = await lease_jobs(self.store, worker=self.name, limit=LEASE_TOGETHER, lease_s=self.lease_s, attempts=self.attempts)
        for together in group(leased):
            await self._do(together)
        return bool(leased)

    async def _do(self, together: Sequence[Leased]) -> None:
        kind, space = together[0].job.kind, together[0].job.space
        jobs = [one.job.id for one in together]
        heartbeat = asyncio.create_task(self._heartbeat(jobs))
        try:
            await self.handlers[kind](space, [id_ for one in together for id_ in one.ids])
        except Exception as error:  # noqa: BLE001  (whatever it is, the job goes back and in the end is DEAD, never lost)
            code = _code(error)
            dead = await fail_jobs(self.store, worker=self.name, ids=jobs, error=code, attempts=self.attempts)
            log.error("job_failed", kind=kind, jobs=jobs, code=code, dead=dead)
        else:
            await delete_done(self.store, worker=self.name, ids=jobs)
        finally:
            heartbeat.cancel()
            with suppress(asyncio.CancelledError):
                await heartbeat

    async def _heartbeat(self, jobs: Sequence[str]) -> None:
        while True:
            await asyncio.sleep(self.lease_s / 3)
            try:
                await extend_leases(self.store, worker=self.name, ids=jobs, lease_s=self.lease_s)
            except ConsilienceError as error:
                log.warning("heartbeat_missed", jobs=list(jobs), code=error.code)


def _code(error: Exception) -> str:
    return error.code if isinstance(error, ConsilienceError) else type(error).__name__


def group(leased: Sequence[Leased]) -> list[list[Leased]]:
    """Jobs to be done together: same kind and space. One that has failed before is done alone, so that it cannot take others down. Pure."""
    together: dict[tuple[str, str, str], list[Leased]] = {}
    for one in leased:
        alone = one.job.id if one.job.attempts > 1 else ""
        together.setdefault((one.job.kind, one.job.space, alone), []).append(one)
    return list(together.values())
