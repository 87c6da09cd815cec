"""The same things said at the same time: I4, I5, I6."""

import asyncio
from dataclasses import replace
from datetime import timedelta, timezone

import pytest

from consilience.app.service import Services
from consilience.errors import ExternalIdConflict
from consilience.schema.domain import NewEpisode, Role
from consilience.store.audit import verify_chain
from consilience.store.driver import Store
from tests.acceptance.saying import count, minutes, said, store

FIRST = NewEpisode(
    "The freezer of laboratory two is full.",
    "ana",
    session="monday",
    occurred_at=minutes(0),
    external_id="m-1",
    metadata=(("channel", "lab"),),
)


async def test_twenty_identical_writes_at_once_make_one_episode(services: Services, other: Services, space: str) -> None:
    """I4: 20 parallel identical writes with one externalId, from two processes' worth of gatherers, are one episode.

    Control: without the externalId the same 20 writes are 20 episodes.
    """
    answers = await asyncio.gather(*(store((services, other)[number % 2], space, FIRST) for number in range(20)))
    assert {answer.episodes[0].id for answer in answers} == {answers[0].episodes[0].id}
    assert sum(answer.duplicates for answer in answers) == 19
    assert {answer.episodes[0].text for answer in answers} == {FIRST.text}
    for label in ("Episode", "Contributor", "Session", "Job", "AuditEvent"):
        assert await count(services.store, label, space=space) <= 1, label
    assert await count(services.store, "Episode", space=space) == 1

    free = replace(FIRST, external_id=None)
    answers = await asyncio.gather(*(store((services, other)[number % 2], space, free) for number in range(20)))
    assert len({answer.episodes[0].id for answer in answers}) == 20


async def test_identical_batches_at_once_are_stored_once(services: Services, other: Services, space: str) -> None:
    """I4 for batches: each caller gets the ids of all, in its own order."""
    batch = [said(f"Line {number}.", external_id=f"b-{number}", session="tuesday") for number in range(30)]
    answers = await asyncio.gather(*(store((services, other)[number % 2], space, *batch) for number in range(8)))
    assert {tuple(one.id for one in answer.episodes) for answer in answers} == {tuple(one.id for one in answers[0].episodes)}
    assert [one.text for one in answers[0].episodes] == [one.text for one in batch]
    assert await count(services.store, "Episode", space=space) == 30
    assert sum(answer.duplicates for answer in answers) == 7 * 30


@pytest.mark.parametrize(
    "changed",
    [
        replace(FIRST, text="The freezer of laboratory three is full."),
        replace(FIRST, text=FIRST.text + " "),
        replace(FIRST, contributor="ben"),
        replace(FIRST, source="wiki"),
        replace(FIRST, role=Role.ASSISTANT),
        replace(FIRST, session="tuesday"),
        replace(FIRST, session=None),
        replace(FIRST, occurred_at=minutes(1)),
        replace(FIRST, occurred_at=None),
        replace(FIRST, metadata=()),
    ],
    ids=["text", "blank", "contributor", "source", "role", "session", "no session", "time", "no time", "metadata"],
)
async def test_another_body_under_one_external_id_is_a_conflict(services: Services, space: str, changed: NewEpisode) -> None:
    """I5, A21: refused with its field, the first stays as it was, nothing else of the call is stored.

    Control: the same body again, its time written with another offset, is the same episode.
    """
    made = (await store(services, space, FIRST)).episodes[0]
    with pytest.raises(ExternalIdConflict) as refused:
        await store(services, space, said("Something new.", external_id="m-2"), changed)
    assert refused.value.code == "EXTERNAL_ID_CONFLICT"
    assert refused.value.field == "episodes[1].externalId"
    assert "freezer" not in str(refused.value)
    assert await count(services.store, "Episode", space=space) == 1
    assert (await services.list_episodes([made.id], space=space))[made.id].text == FIRST.text

    elsewhere = minutes(0).astimezone(timezone(timedelta(hours=8)))
    again = await store(services, space, replace(FIRST, occurred_at=elsewhere))
    assert (again.duplicates, again.episodes[0].id) == (1, made.id)


async def test_two_bodies_under_one_external_id_within_a_call_are_a_conflict(services: Services, space: str) -> None:
    """I5: nothing of the call is stored. Control: the same body twice in a call is one episode, given twice."""
    with pytest.raises(ExternalIdConflict):
        await store(services, space, FIRST, replace(FIRST, text="Other."))
    assert await count(services.store, "Episode", space=space) == 0
    both = await store(services, space, FIRST, FIRST)
    assert both.duplicates == 1
    assert both.episodes[0] == both.episodes[1]


async def sessions_whole(store: Store, *, space: str) -> dict[str, int]:
    """Session -> its number of episodes, checked: positions without gaps, NEXT from each to the one after, LAST at the end."""
    rows = await store.read(
        """
        MATCH (z:Session {space: $space})<-[:IN]-(e:Episode)
        WITH z, e ORDER BY e.position
        WITH z, collect(e) AS chain
        RETURN z.externalId AS session, z.length AS length, [e IN chain | e.position] AS positions,
               [(z)-[:LAST]->(l) | l.id] AS last, chain[-1].id AS newest,
               all(i IN range(0, size(chain) - 2)
                 WHERE EXISTS { WITH chain, i MATCH (a)-[:NEXT]->(b) WHERE a = chain[i] AND b = chain[i + 1] }) AS chained,
               reduce(n = 0, e IN chain | n + COUNT { (e)-[:NEXT]->() }) AS links
        """,
        space=space,
    )
    for row in rows:
        assert row["positions"] == list(range(row["length"])), row["session"]
        assert row["last"] == [row["newest"]], row["session"]
        assert row["chained"], row["session"]
        assert row["links"] == row["length"] - 1, row["session"]
    return {row["session"]: row["length"] for row in rows}


async def test_sixteen_writers_on_the_same_people_and_sessions_all_succeed(services: Services, other: Services, space: str) -> None:
    """I6: 16 writers of two processes, the same contributors, sources and sessions: no duplicates, chains whole and in order.

    Control: the check finds a chain with a link taken out.
    """

    async def write(writer: int) -> None:
        for call in range(5):
            episodes = [
                said(f"{writer} {call} {turn}", by=f"person-{(writer + turn) % 3}", session=f"room-{turn % 2}", source=f"feed-{turn % 2}")
                for turn in range(4)
            ]
            await store((services, other)[writer % 2], space, *episodes)

    await asyncio.gather(*(write(writer) for writer in range(16)))
    assert await count(services.store, "Contributor", space=space) == 3
    assert await count(services.store, "Source", space=space) == 3  # the two feeds and the default one
    assert await sessions_whole(services.store, space=space) == {"room-0": 160, "room-1": 160}
    assert await verify_chain(services.store, space=space) is None
    assert await count(services.store, "AuditEvent", space=space) == 320
    await in_order(services.store, space=space)

    await services.store.write("MATCH (e:Episode {space: $space, position: 7})-[r:NEXT]->() DELETE r", space=space)
    with pytest.raises(AssertionError):
        await sessions_whole(services.store, space=space)


async def in_order(store: Store, *, space: str) -> None:
    """What one writer said later stands later in its session."""
    rows = await store.read("MATCH (e:Episode {space: $space}) RETURN e.session AS session, e.position AS at, e.text AS text", space=space)
    said_by: dict[tuple[str, str], list[tuple[int, list[int]]]] = {}
    for row in rows:
        writer, call, turn = row["text"].split()
        said_by.setdefault((row["session"], writer), []).append((row["at"], [int(call), int(turn)]))
    for turns in said_by.values():
        assert [turn for _, turn in sorted(turns)] == sorted(turn for _, turn in turns)
