"""Calls that share a transaction keep their own answers, their order and their refusals (design §3)."""

import asyncio
from dataclasses import replace

import pytest

from consilience.app.service import Services
from consilience.errors import ExternalIdConflict, TooLarge
from consilience.schema.domain import Remembered
from tests.acceptance.saying import count, said, store


async def transactions(services: Services, space: str) -> int:
    """How many transactions stored this space's episodes: each wrote one job, with the time all its episodes carry."""
    rows = await services.store.read("MATCH (e:Episode {space: $space}) RETURN count(DISTINCT e.recordedAt) AS n", space=space)
    return int(rows[0]["n"])


async def test_one_refused_call_leaves_those_gathered_with_it_alone(services: Services, space: str) -> None:
    """A conflict and a limit, each its caller's alone; the others are stored. Control: they did share one transaction."""
    first = said("The first.", external_id="one")
    await store(services, space, first)
    calls = [store(services, space, said(f"Call {number}.", external_id=f"call-{number}")) for number in range(6)]
    answers = await asyncio.gather(
        *calls[:3],
        store(services, space, said("New."), replace(first, text="Another.")),
        store(services, space, said("x" * 40_000)),
        *calls[3:],
        return_exceptions=True,
    )
    assert isinstance(answers[3], ExternalIdConflict)
    assert isinstance(answers[4], TooLarge)
    kept = [answer for answer in answers if isinstance(answer, Remembered)]
    assert [answer.episodes[0].text for answer in kept] == [f"Call {number}." for number in range(6)]
    assert await count(services.store, "Episode", space=space) == 7
    assert await transactions(services, space) == 2


async def test_two_gathered_calls_with_one_external_id_and_two_bodies_are_one_episode_and_one_refusal(
    services: Services, space: str
) -> None:
    """I5 within a transaction: who came first wins."""
    await store(services, space, said("Warm."))
    first, second = await asyncio.gather(
        store(services, space, said("It is blue.", external_id="x")),
        store(services, space, said("It is red.", external_id="x")),
        return_exceptions=True,
    )
    assert isinstance(first, Remembered)
    assert isinstance(second, ExternalIdConflict)
    assert await count(services.store, "Episode", space=space) == 2


async def test_five_hundred_keep_their_order_and_the_session_goes_on_in_the_next_call(services: Services, space: str) -> None:
    """Order kept: answers, positions and NEXT follow the order given, over three calls of one session."""
    lines = [said(f"Line {number}.", session="long", by=f"p{number % 3}") for number in range(1100)]
    answers = [await store(services, space, *lines[at : at + 500]) for at in range(0, 1100, 500)]
    told = [one for answer in answers for one in answer.episodes]
    assert [one.text for one in told] == [line.text for line in lines]
    rows = await services.store.read("MATCH (e:Episode {space: $space}) RETURN e.id AS id, e.position AS at ORDER BY at", space=space)
    assert [(row["id"], row["at"]) for row in rows] == [(one.id, at) for at, one in enumerate(told)]
    assert sorted(one.id for one in told) == [one.id for one in told]  # ids sort by time, so pages come in order
    rows = await services.store.read("MATCH (a:Episode {space: $space})-[:NEXT]->(b) RETURN a.id AS a, b.id AS b", space=space)
    assert {(row["a"], row["b"]) for row in rows} == set(zip([one.id for one in told], [one.id for one in told][1:], strict=False))

    person = told[0].contributor.id
    seen: list[str] = []
    after: str | None = None
    while True:
        page = (await services.list_episodes_by([person], space=space, first=100, after=after))[person]
        assert page.total == 367
        seen += [one.id for one in page.nodes]
        after = page.end_cursor
        if not page.has_next:
            break
    assert seen == [one.id for one in told if one.contributor.id == person]


async def test_each_caller_gets_whole_episodes(services: Services, space: str) -> None:
    """The answer of STORED is what the store gives back later. Control: of a duplicate as well."""
    wanted = said("Whole.", contributor_name="Ana B.", session="s", external_id="w", metadata=(("k", "v"),))
    made = (await store(services, space, wanted)).episodes[0]
    again = (await store(services, space, wanted)).episodes[0]
    stored = (await services.list_episodes([made.id], space=space))[made.id]
    assert replace(stored, digested_at=None) == replace(made, digested_at=None) == replace(again, digested_at=None)
    assert made.contributor.name == "Ana B."
    assert made.occurred_at <= made.recorded_at


async def test_a_caller_who_goes_away_does_not_take_the_others_along(services: Services, space: str) -> None:
    await store(services, space, said("Warm."))
    leaving = asyncio.create_task(store(services, space, said("I leave.")))
    staying = asyncio.create_task(store(services, space, said("I stay.")))
    await asyncio.sleep(0.005)
    leaving.cancel()
    assert (await staying).episodes[0].text == "I stay."
    with pytest.raises(asyncio.CancelledError):
        await leaving


async def test_many_first_callers_of_a_new_space_all_succeed(services: Services, space: str) -> None:
    """The space, its default source and its index are made once, whoever is first."""
    await asyncio.gather(*(store(services, space, said(f"Hello {number}.")) for number in range(16)))
    assert await count(services.store, "Episode", space=space) == 16
    assert await count(services.store, "Source", space=space) == 1
    assert [one.episodes for one in await services.list_spaces() if one.name == space] == [16]
