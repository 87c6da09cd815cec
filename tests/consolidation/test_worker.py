"""The worker at the edges: poisoned jobs, kinds nobody knows, errors nobody expected."""

import asyncio
from collections.abc import Sequence

from consilience.app.service import Services
from consilience.consolidation.worker import Worker, group
from consilience.schema.domain import Job, JobState
from consilience.store.jobs import Leased, list_jobs
from tests.acceptance.saying import count, digest_queue, said, store, until
from tests.store.test_jobs import make_due

pytest_plugins = ("tests.acceptance.private",)


def leased(number: int, *, kind: str = "digest", space: str = "a", attempts: int = 1) -> Leased:
    job = Job(f"job_{number}", space, kind, JobState.RUNNING, 0, 1, attempts)
    return Leased(job, (f"ep_{number}",))


def test_jobs_of_one_kind_and_space_are_done_together_and_a_failed_one_alone() -> None:
    """Pure. Control: without the failed attempt all three of the space are one group."""
    groups = group([leased(1), leased(2, attempts=2), leased(3), leased(4, space="b"), leased(5, kind="other")])
    assert [[one.job.id for one in together] for together in groups] == [["job_1", "job_3"], ["job_2"], ["job_4"], ["job_5"]]
    assert len(group([leased(1), leased(2), leased(3)])) == 1


async def test_a_poisoned_job_takes_no_other_down(quiet: Services) -> None:
    """Seven sound jobs are done although they were leased with one that always fails, which ends DEAD, by itself."""
    for number in range(8):
        await store(quiet, "sick", said(f"Line {number}.", external_id=f"line-{number}"))
    poisoned = (await store(quiet, "sick", said("Line 3.", external_id="line-3"))).episodes[0].id

    async def handle(space: str, ids: Sequence[str]) -> None:
        if poisoned in ids:
            raise ValueError("poison")
        await quiet.digester.digest(space=space, ids=ids)

    worker = Worker(quiet.store, {"digest": handle}, lease_s=60, attempts=5)
    for _ in range(6):
        while await worker.run_once():
            pass
        await make_due(quiet.store)
    (dead,) = await list_jobs(quiet.store, space=None, state=None, first=10)
    assert (dead.state, dead.error) == (JobState.DEAD, "ValueError")
    rows = await quiet.store.read("MATCH (e:Episode {space: 'sick'}) WHERE e.digestedAt IS NULL RETURN e.id AS id")
    assert [row["id"] for row in rows] == [poisoned]

    await quiet.retry_jobs(space="sick")
    await digest_queue(quiet)
    assert await count(quiet.store, "Words_sick", space="sick") == 8


async def test_a_worker_outlives_what_nobody_expected(quiet: Services) -> None:
    """O1: an error that is none of ours, from the queue itself, makes the worker say so and go on; it does not end it unseen."""
    await store(quiet, "odd", said("Go on."))
    done = asyncio.Event()

    async def handle(space: str, ids: Sequence[str]) -> None:
        await quiet.digester.digest(space=space, ids=ids)
        done.set()

    worker = Worker(quiet.store, {"digest": handle}, lease_s=60, attempts=5)
    worker.lease_s = "soon"  # type: ignore[assignment]  # pyright: ignore[reportAttributeAccessIssue]  # the lease's Cypher fails on it
    running = asyncio.create_task(worker.run())
    await until(lambda: worker.failing)
    worker.lease_s = 60
    worker.wake()
    await asyncio.wait_for(done.wait(), 10)
    await until(lambda: not worker.failing)
    assert not running.done()
    running.cancel()
    await asyncio.wait([running])
