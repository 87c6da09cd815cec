"""What people decide binds the evidence up to its time, and lapses."""

from dataclasses import replace

import pytest

from consilience.schema.beliefs import ConflictState, DecisionKind
from consilience.schema.domain import OPEN_END, Status
from consilience.schema.statements import Change
from tests.trust.building import SLOT, active, day, decide, fact, settled, statuses, vote

A_THEN_B = (vote("A", on=0), vote("B", on=10, change=Change.NOW))
DISPUTE = (vote("A", by="K1"), vote("B", by="K2", on=9))


def test_a_restored_fact_is_in_force_again_and_what_replaced_it_is_not() -> None:
    """T18."""
    restore = decide(DecisionKind.RESTORE, "A", on=20)
    found = settled(*A_THEN_B, decisions=(restore,))
    assert statuses(found) == {"a|+|0": Status.ACTIVE, "b|+|0": Status.SUPERSEDED}
    assert fact(found, "A").valid_to == OPEN_END
    (edge,) = found.supersessions
    assert (edge.winner.value_key, edge.grounds.decided_by) == ("a", restore.id)


def test_restoring_the_other_one_again_gives_the_same_beliefs_as_the_first_time() -> None:
    """T18."""
    first = settled(*A_THEN_B)
    again = settled(*A_THEN_B, decisions=(decide(DecisionKind.RESTORE, "A", on=20), decide(DecisionKind.RESTORE, "B", on=30)))
    assert again == first
    assert settled(*A_THEN_B, decisions=(decide(DecisionKind.RESTORE, "A", on=20),)) != first, "control"


def test_saying_it_again_after_a_restore_supersedes_as_the_first_time() -> None:
    """T18: the same facts, keys, statuses and dates; one more event of support."""
    first = settled(*A_THEN_B)
    again = settled(*A_THEN_B, vote("B", on=30, change=Change.NOW), decisions=(decide(DecisionKind.RESTORE, "A", on=20),))
    assert statuses(again) == statuses(first)
    assert [(known.key, known.valid_from, known.valid_to) for known in again.facts] == [
        (known.key, known.valid_from, known.valid_to) for known in first.facts
    ]
    assert [(edge.winner, edge.loser, edge.at) for edge in again.supersessions] == [
        (edge.winner, edge.loser, edge.at) for edge in first.supersessions
    ]


@pytest.mark.parametrize(("value", "run"), [("A", 0), ("B", 0), ("A", 1)])
def test_each_of_a_chain_can_be_restored(value: str, run: int) -> None:
    """T3."""
    chain = (vote("A", on=0), vote("B", on=10), vote("A", on=20))
    found = settled(*chain, decisions=(decide(DecisionKind.RESTORE, value, on=30, run=run),))
    assert [key for key, status in statuses(found).items() if status is Status.ACTIVE] == [f"{value.lower()}|+|{run}"]
    assert len(found.facts) == 3


def test_a_restore_lapses_with_its_evidence() -> None:
    """T18, E15."""
    restore = decide(DecisionKind.RESTORE, "A", on=20)
    assert active(settled(A_THEN_B[1], decisions=(restore,))) == ["B"]


def test_what_a_rejected_value_had_replaced_comes_back() -> None:
    """E15 for a review instead of an erasure."""
    found = settled(*A_THEN_B, decisions=(decide(DecisionKind.REJECT, "B", on=20),))
    assert statuses(found) == {"a|+|0": Status.ACTIVE, "b|+|0": Status.RETRACTED}
    assert fact(found, "B").reason == "REJECTED"


def test_repeating_what_was_rejected_is_quarantined_unless_the_subject_says_it() -> None:
    decisions = (decide(DecisionKind.REJECT, "B", on=20),)
    repeated = vote("B", by="K3", on=30)
    found = settled(vote("B", by="K2"), repeated, decisions=decisions)
    assert found.quarantined == {repeated.statement: "REJECTED_BEFORE"}
    assert active(found) == []
    assert active(settled(vote("B", by="K2"), replace(repeated, channel="internal_tool", trust=0.8), decisions=decisions)) == ["B"]
    assert active(settled(vote("B", by="K2"), repeated, decisions=decisions, slot=replace(SLOT, owner="K3"))) == ["B"]


@pytest.mark.parametrize("winner", ["A", "B"])
def test_a_resolved_conflict_has_the_winner_a_person_named(winner: str) -> None:
    resolve = decide(DecisionKind.RESOLVE, winner, on=20)
    found = settled(*DISPUTE, decisions=(resolve,))
    loser = "B" if winner == "A" else "A"
    assert active(found) == [winner]
    assert not fact(found, winner).suspect
    assert fact(found, loser).status is Status.SUPERSEDED
    assert found.conflict is not None
    assert (found.conflict.state, found.conflict.decided_by) == (ConflictState.REVIEWED, resolve.id)
    assert found.supersessions[0].grounds.decided_by == resolve.id


def test_a_resolution_holds_against_one_more_equal_vote_and_yields_to_those_that_would_win() -> None:
    resolve = decide(DecisionKind.RESOLVE, "B", on=20)
    one = settled(*DISPUTE, vote("A", by="K3", on=30), decisions=(resolve,))
    assert active(one) == ["B"]
    assert fact(one, "A").status is Status.TO_VERIFY
    assert one.conflict is not None
    assert one.conflict.state is ConflictState.REVIEWED
    two = settled(*DISPUTE, vote("A", by="K3", on=30), vote("A", by="K4", on=31), decisions=(resolve,))
    assert active(two) == ["A"]
    assert two.supersessions[0].grounds.decided_by == "standing"


def test_a_marked_change_after_a_decision_succeeds() -> None:
    resolve = decide(DecisionKind.RESOLVE, "B", on=20)
    assert active(settled(*DISPUTE, vote("C", by="K3", on=30, change=Change.NOW), decisions=(resolve,))) == ["C"]


def test_a_confirmed_fact_is_verified_and_guarded_by_the_gate() -> None:
    """S51: a CONFIRM counts as verified."""
    confirm = decide(DecisionKind.CONFIRM, "A", on=20)
    later = vote("B", by="K3", on=30, change=Change.NOW)
    found = settled(vote("A", by="K1"), later, decisions=(confirm,))
    assert fact(found, "A").measures.trust == 1.0
    assert found.quarantined == {later.statement: "CONTRADICTS_TRUSTED"}
    assert active(settled(vote("A", by="K1"), later)) == ["B"], "control"


def test_only_the_latest_decision_counts() -> None:
    decisions = (decide(DecisionKind.RESOLVE, "A", on=20), decide(DecisionKind.RESOLVE, "B", on=21))
    assert active(settled(*DISPUTE, decisions=decisions)) == ["B"]
    assert active(settled(*DISPUTE, decisions=(*decisions, decide(DecisionKind.REJECT, "B", on=22)))) == ["A"]
    assert active(settled(*DISPUTE, decisions=(decide(DecisionKind.REJECT, "A", on=20), decide(DecisionKind.CONFIRM, "A", on=21)))) == ["A"]


def test_a_key_is_read_as_it_was_meant_when_the_decision_was_made() -> None:
    """Rejecting the middle of A, B, A, C joins the runs of A; the next decision names the runs as they are then."""
    said = (vote("A", on=0), vote("B", on=10), vote("A", on=20), vote("C", on=30))
    rejected = decide(DecisionKind.REJECT, "B", on=40)
    assert statuses(settled(*said, decisions=(rejected,))) == {
        "a|+|0": Status.SUPERSEDED,
        "b|+|0": Status.RETRACTED,
        "c|+|0": Status.ACTIVE,
    }
    restored = settled(*said, decisions=(rejected, decide(DecisionKind.RESTORE, "A", on=50)))
    assert active(restored) == ["A"]
    before = settled(*said, decisions=(decide(DecisionKind.RESTORE, "A", on=35, run=1), rejected))
    assert statuses(before) == statuses(restored)
    assert fact(before, "A").valid_from == day(0)
