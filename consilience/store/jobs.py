"""The durable queue: Job nodes, leased by one statement each (design §10). A running job's `notBefore` is the end of its lease,

so a worker that was killed needs no cleaning up: its jobs fall due again. Job statements span spaces (named exemption of T01).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, LiteralString

from consilience.schema.domain import Job, JobState
from consilience.store import rows
from consilience.store.driver import Store

# The lock is taken before the state is read again, so two workers never lease one job.
LEASE_JOBS: Final[LiteralString] = """
MATCH (j:Job)
WHERE j.state IN ['QUEUED', 'RUNNING'] AND j.notBefore <= datetime()
WITH j ORDER BY j.notBefore LIMIT $limit
SET j._lock = $worker
WITH j
WHERE j.state IN ['QUEUED', 'RUNNING'] AND j.notBefore <= datetime()
SET j.state = CASE WHEN j.attempts >= $attempts THEN 'DEAD' ELSE 'RUNNING' END,
    j.error = CASE WHEN j.attempts >= $attempts THEN coalesce(j.error, 'LEASE_EXPIRED') ELSE j.error END,
    j.attempts = j.attempts + 1, j.worker = $worker, j.notBefore = datetime() + duration({seconds: $lease_s})
RETURN j {.*} AS j ORDER BY j.recordedAt
"""
EXTEND_LEASES: Final[LiteralString] = """
UNWIND $ids AS id
MATCH (j:Job {id: id})
WHERE j.state = 'RUNNING' AND j.worker = $worker
SET j.notBefore = datetime() + duration({seconds: $lease_s})
RETURN count(j) AS held
"""
DELETE_DONE: Final[LiteralString] = """
UNWIND $ids AS id
MATCH (j:Job {id: id})
WHERE j.worker = $worker
DETACH DELETE j
"""
FAIL_JOBS: Final[LiteralString] = """
UNWIND $ids AS id
MATCH (j:Job {id: id})
WHERE j.worker = $worker AND j.state = 'RUNNING'
SET j.state = CASE WHEN j.attempts >= $attempts THEN 'DEAD' ELSE 'QUEUED' END, j.error = $error,
    j.notBefore = datetime() + duration({milliseconds: toInteger($backoff_ms * 2 ^ (j.attempts - 1))})
RETURN j.state AS state
"""
RETRY_DEAD: Final[LiteralString] = """
MATCH (j:Job {state: 'DEAD'})
WHERE $space IS NULL OR j.space = $space
SET j.state = 'QUEUED', j.attempts = 0, j.notBefore = datetime(), j.error = null
RETURN count(j) AS retried
"""
COUNT_JOBS: Final[LiteralString] = """
RETURN COUNT { (j:Job) WHERE j.state = 'RUNNING' OR (j.state = 'QUEUED' AND (j.attempts > 0 OR j.notBefore <= datetime())) } AS pending,
       COUNT { (j:Job) WHERE j.state = 'QUEUED' AND j.attempts = 0 AND j.notBefore > datetime() } AS parked,
       COUNT { (j:Job) WHERE j.state = 'DEAD' } AS dead
"""
LIST_JOBS: Final[LiteralString] = """
MATCH (j:Job)
WHERE ($space IS NULL OR j.space = $space) AND ($state IS NULL OR j.state = $state)
RETURN j {.*} AS j ORDER BY j.recordedAt LIMIT $first
"""
GET_JOB: Final[LiteralString] = "MATCH (j:Job {space: $space, id: $id}) RETURN j {.*} AS j"


@dataclass(frozen=True, slots=True)
class Leased:
    """A job in this worker's hands, with the ids it is about."""

    job: Job
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class JobCounts:
    """Due or running; waiting for a time; given up."""

    pending: int
    parked: int
    dead: int


async def lease_jobs(store: Store, *, worker: str, limit: int, lease_s: int, attempts: int) -> list[Leased]:
    """Up to `limit` due jobs, now RUNNING in this worker's name. A job leased `attempts` times before becomes DEAD instead."""
    found = await store.write(LEASE_JOBS, worker=worker, limit=limit, lease_s=lease_s, attempts=attempts)
    leased = [Leased(rows.job(row), tuple(row["j"]["ids"])) for row in found]
    return [one for one in leased if one.job.state is JobState.RUNNING]


async def extend_leases(store: Store, *, worker: str, ids: Sequence[str], lease_s: int) -> int:
    """The heartbeat; returns how many of the jobs are still this worker's."""
    return int((await store.write(EXTEND_LEASES, worker=worker, ids=list(ids), lease_s=lease_s))[0]["held"])


async def delete_done(store: Store, *, worker: str, ids: Sequence[str]) -> None:
    """Takes finished jobs out of the queue; a job another worker has leased meanwhile stays."""
    await store.write(DELETE_DONE, worker=worker, ids=list(ids))


async def fail_jobs(store: Store, *, worker: str, ids: Sequence[str], error: str, attempts: int, backoff_ms: int = 500) -> int:
    """Back into the queue, later each time; after `attempts` failures DEAD. `error` is a code. Returns how many are DEAD now."""
    states = await store.write(FAIL_JOBS, worker=worker, ids=list(ids), error=error, attempts=attempts, backoff_ms=backoff_ms)
    return sum(row["state"] == JobState.DEAD for row in states)


async def retry_dead(store: Store, *, space: str | None) -> int:
    """Dead jobs (of a space, or all) queued again with their attempts forgotten; returns how many."""
    return int((await store.write(RETRY_DEAD, space=space))[0]["retried"])


async def counts(store: Store) -> JobCounts:
    """The queue in three numbers."""
    row = (await store.read(COUNT_JOBS))[0]
    return JobCounts(int(row["pending"]), int(row["parked"]), int(row["dead"]))


async def list_jobs(store: Store, *, space: str | None, state: JobState | None, first: int) -> list[Job]:
    """The oldest `first` jobs, of a space and a state where given."""
    return [rows.job(row) for row in await store.read(LIST_JOBS, space=space, state=state, first=first)]


async def get_job(store: Store, *, space: str, job_id: str) -> Job | None:
    """The job, None if it is not in this space or done and gone."""
    found = await store.read(GET_JOB, space=space, id=job_id)
    return rows.job(found[0]) if found else None
