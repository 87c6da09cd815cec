"""The queue: leases, heartbeats, failures, the end of a job. On a database of its own: leases span spaces."""

import asyncio
from datetime import timedelta

import pytest

from consilience.app.service import Services
from consilience.clock import utc_now
from consilience.schema.domain import JobState
from consilience.store.driver import Store
from consilience.store.jobs import counts, delete_done, extend_leases, fail_jobs, get_job, lease_jobs, list_jobs, retry_dead

pytest_plugins = ("tests.acceptance.private",)
ATTEMPTS = 5


async def enqueue(store: Store, number: int, *, space: str = "queue", due_in: timedelta = timedelta(0)) -> list[str]:
    """Jobs as `remember` makes them; their ids."""
    rows = await store.write(
        """UNWIND range(1, $number) AS n
        CREATE (j:Job {space: $space, id: 'job_' + randomUUID(), kind: 'digest', state: 'QUEUED', ids: ['ep_' + n], done: 0, total: 1,
          attempts: 0, recordedAt: $now, notBefore: $due}) RETURN j.id AS id""",
        number=number,
        space=space,
        now=utc_now(),
        due=utc_now() + due_in - timedelta(seconds=1),
    )
    return [row["id"] for row in rows]


async def lease(store: Store, worker: str, *, limit: int = 8, lease_s: int = 60) -> list[str]:
    leased = await lease_jobs(store, worker=worker, limit=limit, lease_s=lease_s, attempts=ATTEMPTS)
    return [one.job.id for one in leased]


async def make_due(store: Store) -> None:
    """As if all waiting and all leases were over."""
    await store.write("MATCH (j:Job) SET j.notBefore = datetime() - duration({seconds: 1})")


async def test_eight_workers_at_once_never_lease_one_job_twice(quiet: Services) -> None:
    """Two workers never hold one job. Control: all jobs are handed out in the end, each exactly once."""
    for _ in range(5):
        made = await enqueue(quiet.store, 40)
        handed: list[str] = []
        for _ in range(20):
            rounds = await asyncio.gather(*(lease(quiet.store, f"w{number}", limit=7) for number in range(8)))
            handed += [job for jobs in rounds for job in jobs]
            if len(handed) >= len(made):
                break
        assert sorted(handed) == sorted(made)
        await quiet.store.write("MATCH (j:Job) DELETE j")


async def test_a_lease_that_ran_out_is_anothers(quiet: Services) -> None:
    """A killed worker needs no cleaning up. Control: before its end the lease holds."""
    (job,) = await enqueue(quiet.store, 1)
    assert await lease(quiet.store, "dead", lease_s=1) == [job]
    assert await lease(quiet.store, "next") == []
    await asyncio.sleep(1.1)
    assert await lease(quiet.store, "next") == [job]
    # The first, late, can neither finish nor fail nor prolong what is another's by now.
    await delete_done(quiet.store, worker="dead", ids=[job])
    assert await fail_jobs(quiet.store, worker="dead", ids=[job], error="LATE", attempts=1) == 0
    assert await extend_leases(quiet.store, worker="dead", ids=[job], lease_s=60) == 0
    held = await get_job(quiet.store, space="queue", job_id=job)
    assert held is not None
    assert (held.state, held.error, held.attempts) == (JobState.RUNNING, None, 2)
    await delete_done(quiet.store, worker="next", ids=[job])
    assert await get_job(quiet.store, space="queue", job_id=job) is None


async def test_a_heartbeat_keeps_the_lease(quiet: Services) -> None:
    """Control: the job without a heartbeat is leased by another meanwhile."""
    kept, lost = await enqueue(quiet.store, 2)
    assert len(await lease(quiet.store, "slow", lease_s=1)) == 2
    for _ in range(3):
        await asyncio.sleep(0.5)
        assert await extend_leases(quiet.store, worker="slow", ids=[kept], lease_s=5) == 1
    assert await lease(quiet.store, "next") == [lost]


async def test_failures_wait_longer_each_time_and_the_fifth_is_the_last(quiet: Services) -> None:
    """Backoff doubles; after five failures the job is DEAD with its code, and is leased no more until it is retried."""
    (job,) = await enqueue(quiet.store, 1)
    waits: list[float] = []
    for attempt in range(1, ATTEMPTS + 1):
        assert await lease(quiet.store, "w") == [job]
        dead = await fail_jobs(quiet.store, worker="w", ids=[job], error="BROKEN", attempts=ATTEMPTS, backoff_ms=10_000)
        assert dead == (attempt == ATTEMPTS)
        state = await get_job(quiet.store, space="queue", job_id=job)
        assert state is not None
        assert state.not_before is not None
        waits.append((state.not_before - utc_now()).total_seconds())
        assert await lease(quiet.store, "w") == []
        await make_due(quiet.store)
    assert waits == pytest.approx([10, 20, 40, 80, 160], abs=3)
    assert await lease(quiet.store, "w") == []
    (listed,) = await list_jobs(quiet.store, space="queue", state=JobState.DEAD, first=5)
    assert (listed.id, listed.error, listed.attempts) == (job, "BROKEN", ATTEMPTS)
    assert (await counts(quiet.store)).dead == 1

    assert await retry_dead(quiet.store, space="elsewhere") == 0
    assert await retry_dead(quiet.store, space="queue") == 1
    assert (await counts(quiet.store)).dead == 0
    assert await lease(quiet.store, "w") == [job]


async def test_a_job_that_takes_its_worker_down_five_times_is_dead(quiet: Services) -> None:
    """Leases that ran out count as failures: nothing is tried for ever. Control: after four it is leased once more."""
    (job,) = await enqueue(quiet.store, 1)
    for attempt in range(ATTEMPTS):
        assert await lease(quiet.store, f"crash-{attempt}") == [job]
        await make_due(quiet.store)
    assert await lease(quiet.store, "next") == []
    dead = await get_job(quiet.store, space="queue", job_id=job)
    assert dead is not None
    assert (dead.state, dead.error) == (JobState.DEAD, "LEASE_EXPIRED")
    assert await lease(quiet.store, "next") == []


async def test_what_waits_for_a_time_is_parked_and_what_is_due_or_retried_is_pending(quiet: Services) -> None:
    """C5's number: parked apart from pending, both apart from dead."""
    await enqueue(quiet.store, 3)
    await enqueue(quiet.store, 2, due_in=timedelta(hours=1))
    (failed,) = await enqueue(quiet.store, 1, space="other")
    queue = await counts(quiet.store)
    assert (queue.pending, queue.parked, queue.dead) == (4, 2, 0)
    await quiet.store.write("MATCH (j:Job {id: $id}) SET j.notBefore = datetime() - duration({hours: 1})", id=failed)
    assert await lease(quiet.store, "w", limit=1) == [failed]
    await fail_jobs(quiet.store, worker="w", ids=[failed], error="BROKEN", attempts=ATTEMPTS, backoff_ms=60_000)
    queue = await counts(quiet.store)
    assert (queue.pending, queue.parked, queue.dead) == (4, 2, 0)


async def test_jobs_are_listed_oldest_first_by_space_and_state(quiet: Services) -> None:
    first = await enqueue(quiet.store, 2)
    await enqueue(quiet.store, 2, space="other")
    assert {job.id for job in await list_jobs(quiet.store, space="queue", state=None, first=10)} == set(first)
    assert len(await list_jobs(quiet.store, space=None, state=JobState.QUEUED, first=3)) == 3
    assert await list_jobs(quiet.store, space=None, state=JobState.DEAD, first=3) == []
    everything = await list_jobs(quiet.store, space=None, state=None, first=10)
    created = [job.created_at for job in everything if job.created_at is not None]
    assert created == sorted(created)
    assert len(created) == 4
