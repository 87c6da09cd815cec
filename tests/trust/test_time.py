"""What time alone decides: succession, chains, closed intervals, old news."""

import pytest

from consilience.schema.domain import OPEN_END, OPEN_START, Status
from consilience.schema.statements import Change, StatementKind
from tests.trust.building import MANY, NOW, SLOT, active, day, fact, settled, statuses, vote


def test_a_marked_change_by_the_same_speaker_closes_the_old_value_at_its_time() -> None:
    """T2."""
    found = settled(vote("A", on=0), vote("B", on=30, change=Change.NOW))
    old, new = fact(found, "A"), fact(found, "B")
    assert (old.status, new.status) == (Status.SUPERSEDED, Status.ACTIVE)
    assert (old.valid_from, old.valid_to) == (day(0), day(30))
    assert (new.valid_from, new.valid_to) == (day(30), OPEN_END)
    (edge,) = found.supersessions
    assert (edge.winner, edge.loser, edge.at, edge.grounds.decided_by) == (new.key, old.key, day(30), "change")
    assert old.confidence == pytest.approx(0.5 * 0.9), "it was true then: not halved"


def test_without_the_second_vote_the_first_stays_open() -> None:
    """T2, control."""
    found = settled(vote("A", on=0))
    assert fact(found, "A").valid_to == OPEN_END
    assert not found.supersessions


def test_a_b_a_is_a_chain_of_three_with_one_active() -> None:
    """T3."""
    found = settled(vote("A", on=0), vote("B", on=10), vote("A", on=20))
    assert statuses(found) == {"a|+|0": Status.SUPERSEDED, "b|+|0": Status.SUPERSEDED, "a|+|1": Status.ACTIVE}
    assert [(edge.winner.text, edge.loser.text) for edge in found.supersessions] == [("b|+|0", "a|+|0"), ("a|+|1", "b|+|0")]
    assert {edge.grounds.decided_by for edge in found.supersessions} == {"time"}


def test_a_fact_of_2024_that_arrives_after_that_of_2025_is_stored_closed() -> None:
    """T4."""
    newer = vote("B", on=365, recorded_at=day(400))
    older = vote("A", on=0, recorded_at=day(401))
    found = settled(newer, older)
    assert active(found) == ["B"]
    assert fact(found, "A").valid_to == fact(found, "B").valid_from == day(365)
    assert found.supersessions[0].grounds.decided_by == "time"


def test_a_named_interval_that_is_over_ended_and_does_not_vote_about_now() -> None:
    """T4, an older statement about an interval by another person."""
    found = settled(
        vote("B", by="K1", on=365, change=Change.NOW),
        vote("A", by="K2", on=0, valid_from=day(0), valid_to=day(300), recorded_at=day(500)),
    )
    old = fact(found, "A")
    assert active(found) == ["B"]
    assert (old.status, old.reason, old.valid_from, old.valid_to) == (Status.SUPERSEDED, "ENDED", day(0), day(300))
    assert found.conflict is None
    assert not found.supersessions


def test_loves_then_hates_now_leaves_one_active() -> None:
    """T5."""
    found = settled(vote("Chinese food", on=0), vote("Chinese food", on=180, negated=True, change=Change.NOW), slot=MANY)
    assert active(found) == ["-Chinese food"]
    assert fact(found, "Chinese food").status is Status.SUPERSEDED


def test_two_likings_are_both_active() -> None:
    """T7, and T1 at the level of a slot: many values live beside each other."""
    assert active(settled(vote("green tea", on=0), vote("coffee", on=9), slot=MANY)) == ["coffee", "green tea"]
    assert active(settled(vote("green tea", on=0), vote("coffee", on=9), slot=SLOT)) == ["coffee"], "control: arity one"


def test_values_that_exclude_each_other_are_settled_as_one() -> None:
    """S35."""
    said = (vote("wants", on=0), vote("has", on=5), vote("blue", on=6))
    assert active(settled(*said, slot=MANY, exclusive=frozenset({("has", "wants")}))) == ["blue", "has"]
    assert active(settled(*said, slot=MANY)) == ["blue", "has", "wants"]


def test_until_march_and_since_april_do_not_contradict() -> None:
    """T17, disjoint intervals, before, between and after."""
    said = (vote("A", by="K1", on=0, valid_to=day(60)), vote("B", by="K2", on=90, valid_from=day(90), recorded_at=day(1)))
    for now, holding in ((day(30), ["A", "B"]), (day(75), ["B"]), (day(120), ["B"])):
        found = settled(*said, now=now)
        assert active(found) == holding
        assert found.conflict is None
    assert settled(vote("A", by="K1", on=0), vote("B", by="K2", on=90)).conflict is not None, "control: overlapping intervals"


def test_what_someone_used_to_do_ends_their_own_word_for_it() -> None:
    found = settled(vote("A", on=0), vote("A", on=50, change=Change.USED_TO, valid_to=day(50)))
    (ended,) = found.facts
    assert (ended.status, ended.reason, ended.valid_to, ended.support.events) == (Status.SUPERSEDED, "ENDED", day(50), 2)
    alone = fact(settled(vote("A", on=50, change=Change.USED_TO)), "A")
    assert (alone.status, alone.valid_from, alone.valid_to) == (Status.SUPERSEDED, OPEN_START, day(50))


def test_what_happened_stays_true_when_its_time_is_over() -> None:
    trip = vote("Paris", on=0, valid_from=day(0), valid_to=day(7), kind=StatementKind.EVENT)
    found = fact(settled(trip, slot=MANY), "Paris")
    assert (found.status, found.valid_from, found.valid_to) == (Status.ACTIVE, day(0), day(7))


def test_a_denial_of_another_value_leaves_a_contributors_own_value_alone() -> None:
    assert active(settled(vote("Globex", on=0), vote("Acme", on=5, negated=True))) == ["-Acme", "Globex"]
    assert active(settled(vote("Acme", on=0, negated=True), vote("Globex", on=5))) == ["Globex"]


def test_age_alone_changes_nothing_between_votes() -> None:
    said = (vote("A", by="K1", on=0), vote("B", by="K2", on=100))
    assert settled(*said, now=NOW) == settled(*said, now=NOW.replace(year=2030))
