"""Support and independence: what counts as one, what waits, and how trust adds up."""

from dataclasses import replace
from time import perf_counter

import pytest

from consilience.schema.beliefs import DecisionKind, Suspect
from consilience.schema.domain import Status
from consilience.schema.statements import StatementKind
from consilience.trust.settle import support
from tests.trust.building import MANY, SLOT, active, day, decide, fact, settled, statuses, vote

COSTLY = replace(SLOT, costly=True)


def test_the_same_sentence_twice_in_one_session_is_one_fact_with_one_event() -> None:
    """T6."""
    twice = settled(vote("A", session="s"), vote("A", session="s"))
    assert len(twice.facts) == 1
    assert twice.facts[0].support.events == 1
    other = settled(vote("A", session="s"), vote("A", session="t", on=1))
    assert other.facts[0].support.events == 2, "control: another session"


@pytest.mark.parametrize("accounts", [1, 10, 1000])
def test_any_number_of_accounts_of_one_origin_count_as_one(accounts: int) -> None:
    """C01; and it stays quick."""
    crowd = [replace(vote("A", by=f"X{number}"), group="g") for number in range(accounts)]
    started = perf_counter()
    one = fact(settled(*crowd), "A")
    assert perf_counter() - started < 5
    assert (one.support.origins, one.support.events) == (1, 1)
    assert one.measures.reliability == pytest.approx(0.5)
    apart = fact(settled(*(vote("A", by=f"X{number}") for number in range(accounts))), "A")
    assert apart.support.origins == accounts, "control"
    assert apart.measures.reliability == pytest.approx(min(0.79, 1 - 0.5**accounts)), "capped by the class"


def test_one_person_in_three_sessions_is_three_events_and_one_origin() -> None:
    """C02."""
    said = [vote("A", on=number) for number in range(3)]
    counted = support(said, needed=3)
    assert (counted.events, counted.origins, counted.contributors) == (3, 1, 1)
    assert (counted.first_at, counted.last_at, counted.needed) == (day(0), day(2), 3)
    assert support([vote("A", by=f"K{n}", on=n) for n in range(3)], needed=3).origins == 3, "control"


def test_copies_of_one_document_are_one_event_wherever_they_turn_up() -> None:
    """C3 at the level of a slot."""
    copies = [replace(vote("A", on=number), group="doc") for number in range(10)]
    assert support(copies, needed=3).events == 1


@pytest.mark.parametrize("trust", [0.0, 0.2, 0.5, 0.8, 1.0])
@pytest.mark.parametrize("by", ["K1", "K2", "K3"])
def test_one_more_agreeing_vote_never_lowers_trust_or_reliability(by: str, trust: float) -> None:
    """C04."""
    before = [vote("A", by="K1", channel="internal_tool", trust=0.7), vote("A", by="K2", on=3)]
    one, two = fact(settled(*before), "A"), fact(settled(*before, vote("A", by=by, on=9, channel="blog", trust=trust)), "A")
    assert two.measures.trust >= one.measures.trust
    assert two.measures.reliability >= one.measures.reliability - 1e-12


def test_copying_the_words_of_two_people_does_not_make_them_one() -> None:
    """S56: who copies gains nothing and takes nothing."""
    one, two = vote("A", by="K1"), vote("A", by="K2")
    copies = [replace(vote("A", by="X"), group=known.group) for known in (one, two)]
    assert support([one, two, *copies], needed=1).origins == 2
    assert fact(settled(one, two, *copies), "A").measures.reliability == pytest.approx(0.75)


def test_agreement_lifts_reliability_and_never_trust() -> None:
    crowd = fact(settled(*(vote("A", by=f"K{number}", channel="web_scrape") for number in range(40))), "A")
    assert crowd.measures.trust == 0.3
    assert crowd.measures.reliability == 0.49


def test_costly_kinds_wait_for_a_second_source_or_the_subject_or_a_review() -> None:
    """S11."""
    one = vote("A", by="K1")
    alone = fact(settled(one, slot=COSTLY), "A")
    assert (alone.status, alone.reason, alone.support.needed) == (Status.CANDIDATE, "COSTLY", 2)
    assert active(settled(one, vote("A", by="K2", on=5), slot=COSTLY)) == ["A"]
    assert active(settled(one, vote("A", by="K1", on=5), slot=COSTLY)) == [], "no second source"
    assert active(settled(one, slot=replace(COSTLY, owner="K1"))) == ["A"], "said outright by the subject"
    assert active(settled(replace(one, explicit=False), slot=replace(COSTLY, owner="K1"))) == []
    assert active(settled(one, slot=COSTLY, decisions=(decide(DecisionKind.CONFIRM, "A", on=5),))) == ["A"]


def test_what_waits_overthrows_nothing() -> None:
    """S11, S41."""
    held = (vote("A", by="K1"), vote("A", by="K2", on=1))
    found = settled(*held, vote("B", by="K1", on=9), slot=COSTLY)
    assert statuses(found) == {"a|+|0": Status.ACTIVE, "b|+|0": Status.CANDIDATE}


@pytest.mark.parametrize("kind", [StatementKind.PROCEDURE, StatementKind.RULE])
def test_procedures_and_rules_wait_for_three_events_from_two_origins(kind: StatementKind) -> None:
    """S20, A04."""
    taught = [vote("A", by=by, on=on, kind=kind) for on, by in enumerate(("K1", "K1", "K2"))]
    assert active(settled(*taught[:2], slot=MANY)) == []
    assert active(settled(*[replace(known, contributor="K1") for known in taught], slot=MANY)) == [], "one origin"
    assert active(settled(*taught, slot=MANY)) == ["A"]
    assert active(settled(taught[0], slot=MANY, decisions=(decide(DecisionKind.CONFIRM, "A", on=5),))) == ["A"]


def test_a_pattern_about_oneself_needs_three_events() -> None:
    """S05."""
    said = [vote("A", by="ana", on=number, kind=StatementKind.RULE) for number in range(3)]
    mine = replace(MANY, owner="ana")
    assert fact(settled(*said[:2], slot=mine), "A").reason == "PATTERN"
    assert active(settled(*said, slot=mine)) == ["A"]
    assert active(settled(replace(said[0], kind=StatementKind.FACT), slot=mine)) == ["A"], "control: a fact about oneself at once"


def test_an_instruction_from_a_low_channel_waits_and_cannot_drag_down_what_it_agrees_with() -> None:
    """A14."""
    order = vote("A", by="K2", on=3, instruction_like=True)
    alone = fact(settled(order, slot=MANY), "A")
    assert (alone.status, alone.reason, alone.suspect) == (Status.CANDIDATE, "INSTRUCTION", (Suspect.INSTRUCTION_LIKE,))
    assert active(settled(vote("A", by="K1"), order, slot=MANY)) == ["A"]
    assert active(settled(replace(order, channel="internal_tool", trust=0.8), slot=MANY)) == ["A"]


@pytest.mark.parametrize("reason", ["HEDGED", "VAGUE", "OUTBURST"])
def test_weak_words_are_never_believed_alone_and_lose_to_any_plain_one(reason: str) -> None:
    """S12, S05: one angry sentence changes no profile."""
    kind = StatementKind.OUTBURST if reason == "OUTBURST" else StatementKind.FACT
    loved = vote("food", on=0)
    hated = vote("food", on=9, negated=True, hedged=reason == "HEDGED", vague=reason == "VAGUE", kind=kind)
    found = settled(loved, hated, slot=MANY)
    assert active(found) == ["food"]
    lost = fact(found, "food", negated=True)
    assert (lost.status, lost.reason) == (Status.CANDIDATE, reason)
    assert lost.confidence == pytest.approx(0.5 * 0.9 * 0.5)
    assert active(settled(loved, vote("food", on=9, negated=True), slot=MANY)) == ["-food"], "control: said plainly"
    assert active(settled(hated, slot=MANY)) == []


def test_weak_words_that_agree_stand_beside_without_counting() -> None:
    found = settled(vote("A", by="K1"), vote("A", by="K2", on=4, hedged=True))
    (one,) = found.facts
    assert len(one.statements) == 2
    assert one.measures.reliability == pytest.approx(0.5)


def test_a_weak_word_is_outdated_by_a_plain_one_of_the_same_person() -> None:
    found = settled(vote("A", hedged=True), vote("B", on=4))
    assert statuses(found) == {"a|+|0": Status.SUPERSEDED, "b|+|0": Status.ACTIVE}


def test_the_words_of_a_fact_are_those_of_its_best_statement_and_are_chosen_again_without_it() -> None:
    best = vote("A", by="K1", channel="internal_tool", words="A, says the tool.")
    rest = (vote("A", by="K2", on=3, words="It is A, I think I know."), vote("A", by="K3", on=3, words="It is A."))
    assert fact(settled(best, *rest), "A").text == "A, says the tool."
    assert fact(settled(*rest), "A").text == "It is A.", "newest, then shortest"
