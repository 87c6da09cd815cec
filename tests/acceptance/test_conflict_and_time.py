"""Contradiction and time, through the service: what is said, what is believed then, and why (T1-T18, I11)."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest

from consilience.app.service import Services
from consilience.errors import InvalidInput
from consilience.schema.beliefs import ConflictState, StoredFact
from consilience.schema.domain import MemoryKind, Risk, Status
from tests.acceptance.believing import (
    CURATOR,
    belief_layer,
    by_value,
    conflicts,
    facts,
    on,
    register,
    replaced_by,
    statuses,
    tell,
)
from tests.acceptance.saying import ask, ids, said, settle


async def test_two_things_that_can_both_be_true_are_both_active(services: Services, space: str) -> None:
    """T1, T7: an employer and a task there; two likes. Control: a second employer said of the same person is a contradiction."""
    await tell(
        services,
        space,
        ("k1", "Ana works at Acme."),
        ("k1", "Ana administers Acme's GitHub organisation."),
        ("ben", "I like green tea."),
        ("ben", "I like coffee."),
    )
    assert set((await statuses(services, space)).values()) == {"ACTIVE"}
    assert len(await facts(services, space)) == 4
    assert await conflicts(services, space) == []
    await tell(services, space, ("k2", "Ana works at Globex."), start=on(2026, 2))
    assert [conflict.state for conflict in await conflicts(services, space)] == [ConflictState.OPEN]


async def test_a_marked_change_closes_the_old_value_with_grounds(services: Services, space: str) -> None:
    """T2: project A is closed at B's time, B supersedes it and says why.

    Control: said by somebody else without any mark of change, B does not close A.
    """
    await tell(services, space, ("k1", "Kiran is on project A."), ("k1", "Kiran is now on project B."))
    found = await by_value(services, space, predicate="on_project")
    assert (found["A"].status, found["B"].status) == (Status.SUPERSEDED, Status.ACTIVE)
    assert found["A"].valid_to == found["B"].valid_from == on(2026, 1, 2)
    assert found["B"].valid_to is None
    (edge,) = await replaced_by(services, space, found["A"])
    assert (edge.winner, edge.at) == (found["B"].id, on(2026, 1, 2))
    assert edge.grounds.summary
    assert edge.grounds.decided_by in {"change", "time"}

    await tell(services, space, ("k1", "Lena is on project A."), ("k2", "Lena is on project B."))
    assert await statuses(services, space, subject="Lena") == {"A": "ACTIVE", "B": "TO_VERIFY"}


async def test_a_value_that_returns_is_a_third_fact_in_a_chain(services: Services, space: str) -> None:
    """T3: A, B, A again: three facts, one active; each can be put back in force. Control: before any restore the last one is active."""
    await tell(
        services, space, ("k1", "Kiran is on project A."), ("k1", "Kiran is now on project B."), ("k1", "Kiran is now on project A.")
    )
    found = await by_value(services, space)
    assert {value: fact.status.value for value, fact in found.items()} == {"A": "SUPERSEDED", "B": "SUPERSEDED", "A#1": "ACTIVE"}
    (first,) = await replaced_by(services, space, found["A"])
    (second,) = await replaced_by(services, space, found["B"])
    assert (first.winner, second.winner) == (found["B"].id, found["A#1"].id)
    assert [fact.valid_to for fact in (found["A"], found["B"], found["A#1"])] == [on(2026, 1, 2), on(2026, 1, 3), None]
    for value in ("B", "A"):
        await services.restore_fact(found[value].id, space=space, note=None, actor=CURATOR)
        active = await facts(services, space, statuses=(Status.ACTIVE,))
        assert [fact.value for fact in active] == [value]


async def test_an_older_fact_that_arrives_late_is_stored_closed(services: Services, space: str) -> None:
    """T4: both when the sentence names its year and when only the episode is older. Control: in order of arrival the newer wins anyway."""
    await tell(services, space, ("k1", "Ana works at Acme since 2025."), start=on(2025, 6))
    await tell(services, space, ("k1", "Ana worked at Globex in 2024."), start=on(2026, 1))
    found = await by_value(services, space, predicate="works_at")
    assert (found["Acme"].status, found["Acme"].valid_to) == (Status.ACTIVE, None)
    assert (found["Globex"].status, found["Globex"].valid_to) == (Status.SUPERSEDED, datetime(2025, 1, 1, tzinfo=UTC))

    await tell(services, space, ("k1", "Ana lives in Paris."), start=on(2025, 6))
    await tell(services, space, ("k1", "Ana lives in Lyon."), start=on(2024, 6))
    found = await by_value(services, space, predicate="lives_in")
    assert (found["Paris"].status, found["Paris"].valid_to) == (Status.ACTIVE, None)
    assert (found["Lyon"].status, found["Lyon"].valid_to) == (Status.SUPERSEDED, on(2025, 6))
    await tell(services, space, ("k1", "Ana lives in Rome."), start=on(2026, 1))
    assert (await statuses(services, space, predicate="lives_in"))["Rome"] == "ACTIVE"


async def test_a_taste_that_turned_is_one_active_and_one_superseded_fact(services: Services, space: str) -> None:
    """T5. Control: the same two feelings about two dishes are both active."""
    await tell(services, space, ("ben", "I love Chinese food."), start=on(2025, 6))
    await tell(services, space, ("ben", "I hate Chinese food now."), ("ben", "I love Thai food."), start=on(2026))
    assert await statuses(services, space) == {"Chinese food": "SUPERSEDED", "not Chinese food": "ACTIVE", "Thai food": "ACTIVE"}


async def test_the_same_sentence_twice_in_a_session_is_one_event(services: Services, space: str) -> None:
    """T6. Control: in another session a day later it is a second event of the same fact."""
    first, again, later = (
        replace(said("I like green tea.", by="ben"), session=s, occurred_at=on(2026, 1, d)) for s, d in (("a", 1), ("a", 1), ("b", 2))
    )
    await settle(services, space, first, again)
    (fact,) = await facts(services, space)
    assert (fact.events, fact.origins, fact.status) == (1, 1, Status.ACTIVE)
    await settle(services, space, later)
    (fact,) = await facts(services, space)
    assert (fact.events, fact.origins) == (2, 1)


async def test_a_year_is_the_interval_of_the_year(services: Services, space: str) -> None:
    """T9: the grain is kept with the words it was read from. Control: a month named is the month, a day the day."""
    await tell(
        services,
        space,
        ("k1", "Ana works at Acme in 2026."),
        ("k1", "Ben works at Acme in March 2026."),
        ("k1", "Cleo works at Acme on 5 March 2026."),
    )
    found = {fact.subject.name: (fact.valid_from, fact.valid_to) for fact in await facts(services, space, predicate="works_at")}
    assert found["Ana"] == (datetime(2026, 1, 1, tzinfo=UTC), datetime(2027, 1, 1, tzinfo=UTC))
    assert found["Ben"] == (datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 4, 1, tzinfo=UTC))
    assert found["Cleo"] == (datetime(2026, 3, 5, tzinfo=UTC), datetime(2026, 3, 6, tzinfo=UTC))
    rows = await services.store.read("MATCH (t:Statement {space: $space}) RETURN DISTINCT t.grain AS grain", space=space)
    assert {row["grain"] for row in rows} == {"YEAR", "MONTH", "DAY"}


async def test_times_are_ordered_by_instant_and_naive_ones_refused(services: Services, space: str) -> None:
    """T11: 10:00+08:00 is before 03:00Z of the same day. Control: ordered by their figures, the other city would win."""
    with pytest.raises(InvalidInput) as refused:
        await settle(services, space, said("Ana lives in Rome.", occurred_at=datetime(2026, 1, 1, 10)))  # noqa: DTZ001
    assert refused.value.field == "episodes[0].occurredAt"
    china = timezone(timedelta(hours=8))
    early = said("Ana lives in Paris.", by="k1", occurred_at=datetime(2026, 1, 5, 10, tzinfo=china))
    late = said("Ana lives in Lyon.", by="k1", occurred_at=datetime(2026, 1, 5, 3, tzinfo=UTC))
    assert early.occurred_at is not None
    assert late.occurred_at is not None
    assert early.occurred_at.replace(tzinfo=None) > late.occurred_at.replace(tzinfo=None)
    await settle(services, space, late, early)
    assert await statuses(services, space) == {"Paris": "SUPERSEDED", "Lyon": "ACTIVE"}
    assert (await by_value(services, space))["Paris"].valid_to == late.occurred_at


async def test_moved_to_a_company_changes_the_employer(services: Services, space: str) -> None:
    """T13. Control: moved to a city, the home changes and the employer stays."""
    await tell(services, space, ("ben", "I work at Apple."), ("ben", "I live in Paris."), ("ben", "I moved to Qualcomm."))
    assert await statuses(services, space, predicate="works_at") == {"Apple": "SUPERSEDED", "Qualcomm": "ACTIVE"}
    assert await statuses(services, space, predicate="lives_in") == {"Paris": "ACTIVE"}
    await tell(services, space, ("ben", "I moved to Berlin."), start=on(2026, 2))
    assert (await statuses(services, space, predicate="works_at"))["Qualcomm"] == "ACTIVE"
    assert await statuses(services, space, predicate="lives_in") == {"Paris": "SUPERSEDED", "Berlin": "ACTIVE"}


async def test_a_weak_newer_source_waits_devalued_until_better_ones_confirm_it(services: Services, space: str) -> None:
    """T14, old at 0.7: the new value is halved and shown in `conflicts`; confirmed through better channels it wins, with grounds and audit.

    Control: the confirmations are what turns it, before them the old value stands.
    """
    await register(services, space, good=("internal_tool", 0.7), bad=("user_input", 0.2))
    await settle(services, space, said("Ana works at Acme.", by="k1", source="good", occurred_at=on(2026, 1, 1)))
    await settle(services, space, said("Ana works at Globex.", by="k2", source="bad", occurred_at=on(2026, 1, 2)))
    found = await by_value(services, space)
    old, new = found["Acme"], found["Globex"]
    assert (old.status, new.status) == (Status.ACTIVE, Status.TO_VERIFY)
    assert new.confidence == pytest.approx(old.confidence * (0.2 / 0.7) * 0.5, rel=0.02)
    (conflict,) = await conflicts(services, space)
    assert set(conflict.sides) == {old.id, new.id}

    confirmed = [said("Ana works at Globex.", by=who, source="good", occurred_at=on(2026, 1, day)) for who, day in (("k3", 5), ("k4", 9))]
    await settle(services, space, *confirmed)
    found = await by_value(services, space)
    assert (found["Acme"].status, found["Globex"].status) == (Status.SUPERSEDED, Status.ACTIVE)
    (edge,) = await replaced_by(services, space, found["Acme"])
    assert edge.grounds.reliability[0] > edge.grounds.reliability[1]
    events = (await services.beliefs.list_events(space=space, first=100, after=0)).nodes
    assert [event.act.action for event in events if event.act.target == new.id] == ["FACT_TO_VERIFY", "FACT_ACTIVE"]


async def test_a_trusted_value_yields_only_to_trusted_votes_or_a_curator(services: Services, space: str) -> None:
    """T14, old at 0.8: user input against it is quarantined, however much of it; three votes of 0.8 turn it, so does a CONFIRM.

    Control: the same three voices through `conversation` turn nothing.
    """
    await register(services, space, tool="internal_tool")
    for who in ("Ana", "Ben"):
        await settle(services, space, said(f"{who} works at Acme.", by="k1", source="tool", occurred_at=on(2026, 1, 1)))
        crowd = [said(f"{who} works at Globex.", by=f"u{n}", occurred_at=on(2026, 1, 2)) for n in range(3)]
        await settle(services, space, *crowd)
        assert await statuses(services, space, subject=who) == {"Acme": "ACTIVE", "Globex": "QUARANTINED"}
    trusted = [said("Ana works at Globex.", by=f"t{n}", source="tool", occurred_at=on(2026, 1, 3 + n)) for n in range(3)]
    await settle(services, space, *trusted)
    assert await statuses(services, space, subject="Ana") == {"Acme": "SUPERSEDED", "Globex": "ACTIVE"}

    waiting = (await by_value(services, space, subject="Ben"))["Globex"]
    await services.review(waiting.id, space=space, confirm=True, note=None, actor=CURATOR)
    assert await statuses(services, space, subject="Ben") == {"Acme": "SUPERSEDED", "Globex": "ACTIVE"}


async def test_equal_voices_in_dispute_leave_the_earlier_served_at_low_risk_only(services: Services, space: str) -> None:
    """T15: the earlier stays, marked; the later waits. Said at the same time, neither is served. T16: the person's own word settles it.

    Control: what nobody disputes is served at MEDIUM as well.
    """
    await tell(services, space, ("k1", "Ana works at Acme."), ("k2", "Ana works at Globex."), ("k1", "Ben works at Initech."))
    found = await by_value(services, space)
    assert (found["Acme"].status, found["Globex"].status) == (Status.ACTIVE, Status.TO_VERIFY)
    assert found["Acme"].suspect == ("DISPUTED",)
    (conflict,) = await conflicts(services, space)
    assert (conflict.state, conflict.sides) == (ConflictState.OPEN, (found["Acme"].id, found["Globex"].id))
    low = ids(await ask(services, space, "Where do Ana and Ben work?", first=20, kinds=(MemoryKind.FACT,)))
    medium = ids(await ask(services, space, "Where do Ana and Ben work?", first=20, kinds=(MemoryKind.FACT,), risk=Risk.MEDIUM))
    assert found["Acme"].id in low
    assert found["Acme"].id not in medium
    assert found["Initech"].id in medium
    assert found["Globex"].id not in low

    same = [said(f"Cleo works at {where}.", by=who, occurred_at=on(2026)) for who, where in (("k1", "Acme"), ("k2", "Globex"))]
    await settle(services, space, *same)
    assert set((await statuses(services, space, subject="Cleo")).values()) == {"TO_VERIFY"}

    await tell(services, space, ("ana", "I work at Initrode."), start=on(2026, 2))
    found = await by_value(services, space, subject="Ana")
    assert {value: fact.status.value for value, fact in found.items()} == {
        "Acme": "SUPERSEDED",
        "Globex": "SUPERSEDED",
        "Initrode": "ACTIVE",
    }
    conflict = next(one for one in await conflicts(services, space) if found["Acme"].id in one.sides)
    assert (conflict.state, conflict.decided_by) == (ConflictState.SETTLED, "subject")


async def test_the_curator_who_resolves_a_dispute_is_obeyed(services: Services, space: str) -> None:
    """T15 resolved by a person: the chosen side holds, the conflict says who decided. Control: a fact that is no side is refused."""
    await tell(services, space, ("k1", "Ana works at Acme."), ("k2", "Ana works at Globex."), ("k1", "Ben works at Initech."))
    found = await by_value(services, space)
    (conflict,) = await conflicts(services, space)
    with pytest.raises(InvalidInput):
        await services.resolve_conflict(conflict.id, space=space, winner=found["Initech"].id, note=None, actor=CURATOR)
    await services.resolve_conflict(conflict.id, space=space, winner=found["Globex"].id, note="asked her", actor=CURATOR)
    assert await statuses(services, space, subject="Ana") == {"Acme": "SUPERSEDED", "Globex": "ACTIVE"}
    (conflict,) = await conflicts(services, space)
    assert conflict.state is ConflictState.REVIEWED


@pytest.mark.parametrize(
    ("one", "other", "contradict"),
    [
        ("The height of the tower is 3 m.", "The height of the tower is 5 m.", True),
        ("The height of the tower is 5 m.", "The height of the tower is 500 cm.", False),
        ("Ana is married.", "Ana is not married.", True),
        ("Ana is married.", "Ana is single.", True),
        ("Ana lives in 台北.", "Ana lives in 臺北.", False),
        ("Ana works at Acme until March 2025.", "Ana works at Globex since April 2025.", False),
        ("Ana works at Acme until 2031.", "Ana works at Globex until 2032.", True),
    ],
)
async def test_contradiction_is_by_structure(services: Services, space: str, one: str, other: str, contradict: bool) -> None:
    """T17: numbers, units, negation, antonyms, scripts, time spans; each with its counterpart as control."""
    await settle(services, space, said(one, by="k1", occurred_at=on(2025, 1)), said(other, by="k2", occurred_at=on(2025, 1)))
    held = await facts(services, space)
    assert {fact.predicate for fact in held} != set()
    assert bool(await conflicts(services, space)) is contradict, held


async def test_a_dose_is_one_in_any_unit_and_waits_for_two_sources(services: Services, space: str) -> None:
    """T17, S11: "5 mg" and "5000 µg" are one dose, believed from two sources; "3 mg" beside them is another.

    Control: one source alone leaves a dose waiting.
    """
    await tell(services, space, ("k1", "The dose of Xarelta is 5 mg."))
    assert [fact.status for fact in await facts(services, space)] == [Status.CANDIDATE]
    await tell(services, space, ("k2", "The dose of Xarelta is 5000 µg."), start=on(2026, 2))
    (dose,) = await facts(services, space)
    assert (dose.status, dose.origins) == (Status.ACTIVE, 2)
    await tell(services, space, ("k3", "The dose of Xarelta is 3 mg."), ("k4", "The dose of Xarelta is 3 mg."), start=on(2026, 3))
    assert len(await facts(services, space)) == 2
    assert len(await conflicts(services, space)) == 1


async def test_supersede_restore_supersede_is_as_the_first_time(services: Services, space: str) -> None:
    """T18: the belief layers are equal, ids and clocks aside. Control: while it is restored the layer is another."""
    await tell(services, space, ("k1", "Kiran is on project A."), ("k1", "Kiran is now on project B."))
    first = await belief_layer(services, space)
    found = await by_value(services, space)
    await services.restore_fact(found["A"].id, space=space, note=None, actor=CURATOR)
    restored = await belief_layer(services, space)
    assert restored != first
    assert await statuses(services, space) == {"A": "ACTIVE", "B": "SUPERSEDED"}
    await services.restore_fact(found["B"].id, space=space, note=None, actor=CURATOR)
    again = await belief_layer(services, space)
    assert again == first


async def test_a_better_source_replaces_and_the_old_stays_readable(services: Services, space: str) -> None:
    """I11: 0.6, then 0.8: the second supersedes, the first keeps its dates. Control: the other way round nothing is replaced."""
    await register(services, space, six=("internal_tool", 0.6), eight="internal_tool")

    async def name(company: str, first: str, second: str) -> dict[str, StoredFact]:
        await settle(services, space, said(f"The CEO of {company} is Xavier.", by="k1", source=first, occurred_at=on(2026, 1, 1)))
        await settle(services, space, said(f"The CEO of {company} is Yvonne.", by="k2", source=second, occurred_at=on(2026, 1, 2)))
        return await by_value(services, space, subject=company)

    found = await name("Acme", "six", "eight")
    assert (found["Xavier"].status, found["Yvonne"].status) == (Status.SUPERSEDED, Status.ACTIVE)
    assert (found["Xavier"].valid_from, found["Xavier"].valid_to) == (on(2026, 1, 1), on(2026, 1, 2))
    found = await name("Globex", "eight", "six")
    assert found["Xavier"].status is Status.ACTIVE
    assert found["Yvonne"].status is not Status.ACTIVE
