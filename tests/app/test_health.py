"""What the service says of itself when its work fails (O1)."""

import asyncio
from collections.abc import Sequence
from datetime import timedelta

import httpx

from consilience.app.http import build_app
from consilience.app.lifecycle import Address
from consilience.app.service import Services
from consilience.store.driver import open_store
from tests.acceptance.saying import said, store, until
from tests.store.test_jobs import enqueue, make_due

pytest_plugins = ("tests.acceptance.private",)


def client(services: Services) -> httpx.AsyncClient:
    transport = httpx.ASGITransport(build_app(services, host="127.0.0.1"))
    return httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1")


async def test_a_worker_that_throws_turns_health_red_and_a_retry_heals_it(quiet: Services) -> None:
    """O1: the handler throws five times: status unhealthy, the dead job counted, /healthz 503, the metrics say so; when the cause is
    away one command brings all back. Control: before the fault, and with jobs waiting, it is healthy.
    """
    broken = True
    digest = quiet.digester.digest

    async def handle(space: str, ids: Sequence[str]) -> None:
        if broken:
            raise RuntimeError("broken")
        await digest(space=space, ids=ids)

    worker = quiet.add_worker()
    worker.handlers = {"digest": handle}
    async with client(quiet) as asked:
        await store(quiet, "health", said("Is anybody well?"))
        assert (await quiet.status()).healthy
        assert (await asked.get("/healthz")).json() == {"healthy": True, "pendingJobs": 1, "parkedJobs": 0, "deadJobs": 0}
        for attempt in range(5):
            assert await worker.run_once()
            assert (await asked.get("/healthz")).status_code == (503 if attempt == 4 else 200)
            await make_due(quiet.store)
        status = await quiet.status()
        assert (status.healthy, status.dead_jobs, status.pending_jobs) == (False, 1, 0)
        answer = await asked.get("/healthz")
        assert (answer.status_code, answer.json()["deadJobs"]) == (503, 1)
        assert (await asked.get("/readyz")).status_code == 200  # it still answers questions
        measured = (await asked.get("/metrics")).text
        assert 'consilience_jobs{state="dead"} 1.0' in measured
        assert "consilience_healthy 0.0" in measured
        assert not await worker.run_once()

        broken = False
        assert await quiet.retry_jobs(space=None) == 1
        assert await worker.run_once()
        assert (await asked.get("/healthz")).status_code == 200
        status = await quiet.status()
        assert (status.healthy, status.dead_jobs, status.pending_jobs) == (True, 0, 0)


async def test_a_worker_that_cannot_reach_its_queue_turns_health_red(quiet: Services) -> None:
    """O1: no job is dead, yet nothing is worked on. Control: with the queue back it is healthy again."""
    worker = quiet.add_worker()
    reachable = worker.store
    away = open_store("bolt://127.0.0.1:9", user="neo4j", password="x", database="neo4j", timeout_s=0.2)
    worker.store = away
    running = asyncio.create_task(worker.run())
    await until(lambda: worker.failing)
    assert not (await quiet.status()).healthy
    worker.store = reachable
    worker.wake()
    await until(lambda: not worker.failing)
    assert (await quiet.status()).healthy
    running.cancel()
    await asyncio.wait([running])
    await away.close()


async def test_an_unreachable_store_is_unhealthy_and_not_ready_but_no_error(quiet: Services) -> None:
    """O1, O10: /healthz and /readyz answer 503 with a reason. Control: both are 200 on the store that is there."""
    nowhere = Address("bolt://127.0.0.1:9", "neo4j", "x")
    away = open_store(nowhere.uri, user=nowhere.user, password=nowhere.password, database="neo4j", timeout_s=0.2)
    lost = Services(quiet.settings, away, quiet.embedder, quiet.neo4j_version, quiet.gds_version)
    async with client(lost) as asked, client(quiet) as control:
        for path in ("/healthz", "/readyz"):
            assert (await asked.get(path)).status_code == 503
            assert (await control.get(path)).status_code == 200
        assert (await asked.get("/readyz")).json() == {"ready": False, "reason": "Neo4j does not answer"}
        assert (await asked.get("/metrics")).status_code == 200
    await away.close()


async def test_parked_jobs_are_counted_apart_and_are_no_illness(quiet: Services) -> None:
    """C5: work that waits for its time is QUEUED, counted as parked, and the service is well."""
    await enqueue(quiet.store, 2, due_in=timedelta(hours=2))
    status = await quiet.status()
    assert (status.healthy, status.pending_jobs, status.parked_jobs, status.dead_jobs) == (True, 0, 2, 0)
