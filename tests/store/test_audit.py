"""The audit of writing: an event for each episode, in a chain that shows every change (T07, T08)."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from consilience.app.service import Services
from consilience.errors import ExternalIdConflict
from consilience.schema.audit import GENESIS, Act, AuditEvent, broken_at, chain
from consilience.store.audit import list_events, verify_chain
from tests.acceptance.saying import count, said, store

NOW = datetime(2026, 3, 1, tzinfo=UTC)
_text = st.text(max_size=12)
_acts = st.lists(
    st.builds(Act, _text, _text, st.none() | _text, _text, st.none() | st.floats(0, 1), st.none() | st.floats(0, 1)), min_size=1, max_size=8
)


async def test_there_are_as_many_events_as_episodes_and_the_chain_is_whole(services: Services, space: str) -> None:
    """T08: after calls at once, duplicates and refused calls. Control: the count is not trivially so: 24 of the 34 sent were new."""
    batches = [[said(f"{call} {turn}", external_id=f"{call}-{turn}", session="s") for turn in range(3)] for call in range(8)]
    await asyncio.gather(*(store(services, space, *batch) for batch in batches))
    await store(services, space, *batches[0], *batches[1])
    for changed in (replace(batches[0][0], text="x"), replace(batches[2][1], contributor="ben")):
        with pytest.raises(ExternalIdConflict):
            await store(services, space, said("new"), changed)
    events = await list_events(services.store, space=space, first=1000)
    rows = await services.store.read("MATCH (e:Episode {space: $space}) RETURN e.id AS id", space=space)
    assert sorted(event.act.target or "" for event in events) == sorted(row["id"] for row in rows)
    assert {(event.act.action, event.act.actor, event.act.reason) for event in events} == {("EPISODE_STORED", "tester", "remember")}
    assert len(events) == await count(services.store, "Episode", space=space) == 24
    assert [event.seq for event in events] == list(range(1, 25))
    assert await verify_chain(services.store, space=space) is None


async def test_registering_a_source_is_an_event_of_the_same_chain(services: Services, space: str) -> None:
    await store(services, space, said("One."))
    await services.register_source("wiki", space=space, channel="web_scrape", trust=0.1, actor="admin")
    events = await list_events(services.store, space=space, first=10)
    assert [(event.act.action, event.act.actor, event.act.confidence_after) for event in events] == [
        ("EPISODE_STORED", "tester", 0.5),
        ("SOURCE_REGISTERED", "admin", 0.1),
    ]
    assert await verify_chain(services.store, space=space) is None


@pytest.mark.parametrize(
    ("tampering", "broken"),
    [
        ("MATCH (a:AuditEvent {space: $space, seq: 3}) SET a.actor = 'nobody'", 3),
        ("MATCH (a:AuditEvent {space: $space, seq: 3}) SET a.target = 'ep_other'", 3),
        ("MATCH (a:AuditEvent {space: $space, seq: 3}) SET a.recordedAt = a.recordedAt + duration({seconds: 1})", 3),
        ("MATCH (a:AuditEvent {space: $space, seq: 3}) SET a.confidenceAfter = 0.9", 3),
        ("MATCH (a:AuditEvent {space: $space, seq: 3}) DELETE a", 3),
        ("MATCH (a:AuditEvent {space: $space, seq: 1}) DELETE a", 1),
        ("MATCH (a:AuditEvent {space: $space, seq: 6}) DELETE a", 6),
        (
            """MATCH (a:AuditEvent {space: $space, seq: 2}), (b:AuditEvent {space: $space, seq: 4})
            SET a.seq = 99 WITH a, b SET b.seq = 2 SET a.seq = 4""",
            2,
        ),
        ("MATCH (h:AuditHead {space: $space}) SET h.seq = 5", 7),
        ("MATCH (h:AuditHead {space: $space}) DELETE h", 7),
        ("MATCH (a:AuditEvent {space: $space}) DETACH DELETE a", 1),
    ],
    ids=[
        "actor",
        "target",
        "time",
        "confidence",
        "deleted",
        "first deleted",
        "truncated",
        "reordered",
        "head back",
        "no head",
        "all deleted",
    ],
)
async def test_tampering_in_the_store_is_found(services: Services, space: str, tampering: Any, broken: int) -> None:
    """T07: change, deletion, reordering and truncation, with the place. Control: before the tampering the chain is whole."""
    await store(services, space, *(said(f"Line {number}.") for number in range(6)))
    assert await verify_chain(services.store, space=space) is None
    await services.store.write(tampering, space=space)
    assert await verify_chain(services.store, space=space) == broken


@given(acts=_acts, data=st.data())
def test_any_change_of_any_chain_is_found(acts: list[Act], data: st.DataObject) -> None:
    """T07 as a property: drop, swap, alter or cut anywhere and the chain does not hold. Control: untouched it does."""
    events = chain(acts, space="s", head_seq=0, head_hash=GENESIS, at=NOW)
    head = {"space": "s", "head_seq": len(events), "head_hash": events[-1].hash}
    assert broken_at(events, **head) is None  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]

    at = data.draw(st.integers(0, len(events) - 1))
    kind = data.draw(st.sampled_from(["drop", "alter", "swap", "cut", "insert"]))
    broken: list[AuditEvent] = list(events)
    match kind:
        case "drop":
            del broken[at]
        case "alter":
            act, longer = broken[at].act, "x" * 13
            others = [
                replace(act, actor=longer),
                replace(act, action=longer),
                replace(act, reason=longer),
                replace(act, confidence_before=2.0),
            ]
            broken[at] = replace(broken[at], act=data.draw(st.sampled_from(others)))
        case "swap":
            other = data.draw(st.integers(0, len(events) - 1).filter(lambda number: len(events) == 1 or number != at))
            broken[at], broken[other] = broken[other], broken[at]
            if at == other:
                return
        case "cut":
            broken = broken[:at]
        case _:
            broken.insert(at, replace(broken[at], seq=at + 1, act=Act("new", "new", None, "new")))
    assert broken_at(broken, **head) is not None  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


@given(first=_acts, second=_acts)
def test_a_chain_goes_on_where_it_ended(first: list[Act], second: list[Act]) -> None:
    """T07: two appends are one chain; under another space's name it does not hold."""
    one = chain(first, space="s", head_seq=0, head_hash=GENESIS, at=NOW)
    two = chain(second, space="s", head_seq=len(one), head_hash=one[-1].hash, at=NOW)
    assert broken_at([*one, *two], space="s", head_seq=len(one) + len(two), head_hash=two[-1].hash) is None
    assert broken_at([*one, *two], space="t", head_seq=len(one) + len(two), head_hash=two[-1].hash) == 1
