"""STORED comes before digesting, and a worker may die at any point of it (S14): nothing is lost, nothing is done twice."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

import consilience.consolidation.digest as digesting
import consilience.consolidation.worker as working
from consilience.app.service import Services
from consilience.schema.domain import JobState, Wait
from consilience.store.digest import list_undigested, write_digests
from consilience.store.jobs import counts
from tests.acceptance.saying import ask, count, digest_queue, marks, said, store, texts
from tests.store.test_jobs import make_due

pytest_plugins = ("tests.acceptance.private",)
SPACE = "stages"
LINES = [
    said(f"Turn {number}: the valve of tank {number} was replaced.", session="shift", external_id=f"t-{number}") for number in range(12)
]


class Killed(BaseException):
    """Ends a worker as a signal does: no handler of it runs."""


async def test_stored_answers_before_anything_is_digested(quiet: Services) -> None:
    """S14: with no worker at all, STORED returns the episodes and a job waits. Control: SETTLED, without a worker, does not return."""
    answer = await store(quiet, SPACE, *LINES)
    assert [one.text for one in answer.episodes] == [line.text for line in LINES]
    assert all(one.digested_at is None for one in answer.episodes)
    assert (await counts(quiet.store)).pending == 1
    assert (await ask(quiet, SPACE, "valve")).hits == ()
    quiet.ingest.settle_timeout_s = 0.3
    with pytest.raises(Exception, match="stored, but not settled") as waited:
        await store(quiet, SPACE, *LINES, wait=Wait.SETTLED)
    assert getattr(waited.value, "code", None) == "STILL_SETTLING"
    await digest_queue(quiet)
    assert len((await ask(quiet, SPACE, "valve", first=20)).hits) == 12


@asynccontextmanager
async def dying(where: str, monkeypatch: pytest.MonkeyPatch) -> AsyncGenerator[None]:
    """Inside, a worker dies at this point of its work."""

    async def die(*_: object, **__: object) -> object:
        raise Killed

    def die_at_once(*_: object, **__: object) -> object:
        raise Killed

    with monkeypatch.context() as patched:
        match where:
            case "before reading":
                patched.setattr(digesting, "list_undigested", die)
            case "after reading":
                patched.setattr(digesting, "read_episodes", die_at_once)
            case "after embedding":
                patched.setattr(digesting, "write_digests", die)
            case _:
                patched.setattr(working, "delete_done", die)
        yield


@pytest.mark.parametrize("where", ["before reading", "after reading", "after embedding", "before the job is taken off"])
async def test_a_worker_that_dies_between_two_stages_loses_and_doubles_nothing(
    quiet: Services, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    """S14: after the death the job is still there; another worker repeats it, and each episode is digested exactly once.

    Control: at the death nothing was done yet, or all was, and the job was left either way.
    """
    made = await store(quiet, SPACE, *LINES)
    async with dying(where, monkeypatch):
        with pytest.raises(Killed):
            await digest_queue(quiet)
    before = await marks(quiet.store, space=SPACE)
    assert {bool(mark["digested"]) for mark in before.values()} == {where == "before the job is taken off"}
    assert (await counts(quiet.store)).pending == 1

    await digest_queue(quiet)  # the lease of the dead worker still holds
    assert await marks(quiet.store, space=SPACE) == before
    await make_due(quiet.store)
    await digest_queue(quiet)
    after = await marks(quiet.store, space=SPACE)
    assert set(after) == {one.id for one in made.episodes}
    for mark in after.values():
        assert mark["words"]
        assert (mark["dimensions"], mark["fingerprint"]) == (512, 64)
        assert mark["labels"] == ["Recallable512", "Words_stages"]
    if where == "before the job is taken off":
        assert after == before  # seen as done, not done again
    assert (await counts(quiet.store)) == type(await counts(quiet.store))(0, 0, 0)
    assert await count(quiet.store, "Episode", space=SPACE) == 12
    assert sorted(texts(await ask(quiet, SPACE, "valve of tank", first=20))) == sorted(line.text for line in LINES)


async def test_a_worker_that_dies_half_way_leaves_the_first_half_done(quiet: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    """S14: what one batch wrote stays, the rest is done by the next worker; no episode twice."""
    await store(quiet, SPACE, *LINES)
    quiet.digester = replace(quiet.digester, batch=5)
    batches: list[int] = []

    async def write_once(*args: object, **more: object) -> int:
        if batches:
            raise Killed
        batches.append(1)
        return await write_digests(*args, **more)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]

    with monkeypatch.context() as patched:
        patched.setattr(digesting, "write_digests", write_once)
        with pytest.raises(Killed):
            await digest_queue(quiet)
    half = {id_: mark for id_, mark in (await marks(quiet.store, space=SPACE)).items() if mark["digested"]}
    assert len(half) == 5
    await make_due(quiet.store)
    await digest_queue(quiet)
    whole = await marks(quiet.store, space=SPACE)
    assert all(mark["digested"] for mark in whole.values())
    assert {id_: whole[id_] for id_ in half} == half


async def test_two_workers_with_one_job_write_each_digest_once(quiet: Services) -> None:
    """S14: a job that two workers hold, one of them late, is digested once; the later one changes nothing."""
    made = await store(quiet, SPACE, *LINES)
    ids: Sequence[str] = [one.id for one in made.episodes]
    await quiet.digester.digest(space=SPACE, ids=ids)
    once = await marks(quiet.store, space=SPACE)
    await quiet.digester.digest(space=SPACE, ids=ids)
    read = await list_undigested(quiet.store, space=SPACE, ids=ids)
    assert read == []
    assert await marks(quiet.store, space=SPACE) == once


async def test_retries_do_not_lose_a_job_that_failed_while_the_store_was_asked(quiet: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    """S14: an ordinary failure puts the job back with its code; it is not gone, and done once the cause is away."""
    await store(quiet, SPACE, *LINES)

    async def fail(*_: object, **__: object) -> object:
        raise RuntimeError("broken")

    with monkeypatch.context() as patched:
        patched.setattr(digesting, "list_undigested", fail)
        await digest_queue(quiet)
    (job,) = await quiet.list_jobs(space=SPACE, state=None, first=5)
    assert (job.state, job.error, job.attempts) == (JobState.QUEUED, "RuntimeError", 1)
    await make_due(quiet.store)
    await digest_queue(quiet)
    assert await quiet.list_jobs(space=SPACE, state=None, first=5) == []
    assert all(mark["digested"] for mark in (await marks(quiet.store, space=SPACE)).values())
