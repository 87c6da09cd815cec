"""Contradictions: who wins, who waits, who is devalued, and what the write gate stops."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from consilience.schema.beliefs import ConflictState, DecisionKind, Suspect, Vote
from consilience.schema.domain import Status
from consilience.schema.statements import Change
from consilience.trust.policy import DEFAULT
from tests.trust.building import MANY, SLOT, active, day, decide, fact, settled, statuses, vote

OWNED = replace(SLOT, owner="ana")


def test_a_reliable_old_source_holds_against_an_unreliable_new_one() -> None:
    """T14."""
    found = settled(vote("A", by="K1", channel="verified_db", trust=0.7), vote("B", by="K2", on=9, channel="blog"))
    new = fact(found, "B")
    assert active(found) == ["A"]
    assert (new.status, new.reason) == (Status.TO_VERIFY, "OUTWEIGHED")
    assert new.confidence == pytest.approx(0.2 * 0.9 * 0.5)
    assert found.conflict is not None
    assert (found.conflict.state, [side.value_key for side in found.conflict.sides]) == (ConflictState.SETTLED, ["a", "b"])


@pytest.mark.parametrize("confirming", [["internal_tool"], ["verified_db"], ["user_input", "user_input", "user_input"]])
def test_confirmations_through_better_channels_flip_the_decision_with_grounds(confirming: list[str]) -> None:
    """T14."""
    more = [vote("B", by=f"C{number}", on=20 + number, channel=channel) for number, channel in enumerate(confirming)]
    old = vote("A", by="K1", channel="verified_db", trust=0.7)
    found = settled(old, vote("B", by="K2", on=9, channel="blog"), *more)
    if len(confirming) == 3:  # three users reach at most their class's cap: not the margin above 0.7
        assert active(found) == ["A"]
        assert found.conflict is not None
        assert found.conflict.state is ConflictState.OPEN
        return
    assert active(found) == ["B"]
    (edge,) = found.supersessions
    assert (edge.loser.value_key, edge.grounds.decided_by) == ("a", "standing")
    assert edge.grounds.reliability[0] > edge.grounds.reliability[1]
    assert fact(found, "A").confidence == pytest.approx(0.7 * 0.9 * 0.5)


def test_an_old_record_of_high_trust_quarantines_what_contradicts_it() -> None:
    """T14, S51."""
    challenger = vote("B", by="K2", on=9)
    found = settled(vote("A", by="K1", channel="internal_tool"), challenger)
    new = fact(found, "B")
    assert active(found) == ["A"]
    assert (new.status, new.reason) == (Status.QUARANTINED, "CONTRADICTS_TRUSTED")
    assert new.confidence == pytest.approx(0.5 * 0.9 * 0.5)
    assert found.quarantined == {challenger.statement: "CONTRADICTS_TRUSTED"}
    assert found.conflict is not None
    assert [side.value_key for side in found.conflict.sides] == ["a", "b"]


def test_only_votes_of_high_trust_or_a_confirm_flip_a_quarantine() -> None:
    """T14, S51."""
    old, challenger = vote("A", by="K1", channel="internal_tool"), vote("B", by="K2", on=9)
    crowd = [vote("B", by=f"C{number}", on=10 + number) for number in range(30)]
    assert active(settled(old, challenger, *crowd)) == ["A"], "no crowd of lower trust"
    tools = [vote("B", by=f"T{number}", on=50 + number, channel="internal_tool") for number in range(2)]
    by_tools = settled(old, challenger, *tools)
    assert active(by_tools) == ["B"]
    assert not by_tools.quarantined
    by_curator = settled(old, challenger, decisions=(decide(DecisionKind.CONFIRM, "B", on=60),))
    assert active(by_curator) == ["B"]
    assert fact(by_curator, "B").measures.trust == 1.0
    assert not by_curator.quarantined


def test_an_earlier_vote_of_low_trust_is_superseded_not_quarantined() -> None:
    """S51 is about later votes only."""
    found = settled(vote("A", by="K1"), vote("B", by="K2", on=9, channel="internal_tool"))
    assert statuses(found) == {"a|+|0": Status.SUPERSEDED, "b|+|0": Status.ACTIVE}
    assert not found.quarantined


@pytest.mark.parametrize("channel", ["blog", "web_scrape"])
def test_a_record_of_low_trust_cannot_supersede_a_trusted_one_by_calling_itself_a_change(channel: str) -> None:
    """A11."""
    for trusted in ("user_input", "internal_tool", "verified_db"):
        found = settled(vote("A", by="K1", channel=trusted), vote("B", by="K2", on=9, channel=channel, change=Change.NOW))
        assert active(found) == ["A"]
        assert fact(found, "B").status in {Status.TO_VERIFY, Status.QUARANTINED}
    weak = settled(vote("A", by="K1", channel=channel), vote("B", by="K2", on=9, channel=channel, change=Change.NOW))
    assert active(weak) == ["B"], "control: between equals the marked change succeeds"


def test_a_contributors_own_weaker_channel_cannot_replace_their_trusted_record() -> None:
    """A11, one account with two channels."""
    found = settled(vote("A", channel="internal_tool"), vote("B", on=9, channel="web_scrape", change=Change.NOW))
    assert active(found) == ["A"]
    assert fact(found, "B").status is Status.QUARANTINED


def test_agreeing_first_gives_nobody_the_right_to_announce_a_change() -> None:
    """A11: "the same contributor" means who gave all of it."""
    found = settled(
        vote("A", by="K1", channel="internal_tool", trust=0.7), vote("A", by="K2", on=1), vote("B", by="K2", on=9, change=Change.NOW)
    )
    assert active(found) == ["A"]


def test_a_contradiction_split_over_two_episodes_is_stopped_in_both() -> None:
    """A18."""
    record = vote("Acme", by="K1", channel="verified_db")
    halves = (vote("Acme", by="K2", on=5, negated=True, change=Change.NO_LONGER), vote("Globex", by="K2", on=6))
    found = settled(record, *halves)
    assert active(found) == ["Acme"]
    assert set(found.quarantined) == {half.statement for half in halves}
    assert active(settled(replace(record, channel="user_input", trust=0.5), *halves)) == ["Globex"], "control: nothing trusted stands"


def test_fifty_accounts_of_one_origin_do_not_outvote_two_people() -> None:
    """A08, C01."""
    honest = [vote("A", by=f"H{number}", on=number) for number in range(2)]

    def crowd(group: str | None) -> list[Vote]:
        accounts = [vote("B", by=f"X{number}", on=20) for number in range(50)]
        return [replace(account, group=group or account.group) for account in accounts]

    copied = settled(*honest, *crowd("copies"))
    assert active(copied) == ["A"]
    assert fact(copied, "B").support.origins == 1
    assert fact(settled(*honest, *crowd(None)), "B").support.origins == 50, "control: independent voices"


def test_two_of_equal_standing_leave_the_conflict_open_and_the_earlier_disputed() -> None:
    """T15."""
    found = settled(vote("A", by="K1"), vote("B", by="K2", on=9))
    assert statuses(found) == {"a|+|0": Status.ACTIVE, "b|+|0": Status.TO_VERIFY}
    assert fact(found, "A").suspect == (Suspect.DISPUTED,)
    assert found.conflict is not None
    assert (found.conflict.state, found.conflict.opened_at) == (ConflictState.OPEN, day(9))
    assert [side.value_key for side in found.conflict.sides] == ["a", "b"]


def test_said_at_the_same_time_neither_is_served() -> None:
    """T15."""
    found = settled(vote("A", by="K1"), vote("B", by="K2"))
    assert set(statuses(found).values()) == {Status.TO_VERIFY}


@pytest.mark.parametrize("value", ["A", "B", "C"])
def test_the_subjects_own_word_settles_it_even_against_two_others(value: str) -> None:
    """T16."""
    others = (vote("A", by="K1"), vote("B", by="K2", on=9), vote("B", by="K3", on=10))
    own = vote(value, by="ana", on=20)
    found = settled(*others, own, slot=OWNED)
    assert active(found) == [value]
    assert not fact(found, value).suspect
    assert found.conflict is not None
    assert (found.conflict.state, found.conflict.decided_by) == (ConflictState.SETTLED, "subject")
    control = settled(*others, replace(own, contributor="K4"), slot=OWNED).conflict
    assert control is not None
    assert control.decided_by != "subject", "somebody else's word"


def test_the_subjects_word_counts_up_to_its_channel_class_only() -> None:
    """T16, S51."""
    found = settled(vote("A", by="db", channel="verified_db"), vote("B", by="ana", on=20), slot=OWNED)
    assert active(found) == ["A"]


def test_a_change_announced_by_others_does_not_beat_the_subjects_own_word() -> None:
    """Order of decision: 4 before 5."""
    said = (vote("A", by="ana"), vote("B", by="K2", on=9, change=Change.NOW))
    assert active(settled(*said, slot=OWNED)) == ["A"]
    assert active(settled(*said, slot=replace(OWNED, personal=False))) == ["B"], "control: not personal"


def test_another_users_preference_never_closes_mine() -> None:
    """I9."""
    mine, theirs = vote("tea", by="ana"), vote("tea", by="bob", on=9, negated=True)
    found = settled(mine, theirs, slot=replace(MANY, owner="ana"))
    assert active(found) == ["tea"]
    own = settled(mine, replace(theirs, contributor="ana"), slot=replace(MANY, owner="ana"))
    assert active(own) == ["-tea"], "control: my own later word does"


def test_a_source_of_better_trust_supersedes_and_the_old_stays_readable_with_its_dates() -> None:
    """I11."""
    found = settled(vote("X", by="K1", channel="internal_tool", trust=0.6), vote("Y", by="K2", on=9, channel="internal_tool"))
    old = fact(found, "X")
    assert active(found) == ["Y"]
    assert (old.status, old.valid_from, old.valid_to, old.text) == (Status.SUPERSEDED, day(0), day(9), "It is X.")
    same = settled(vote("X", by="K1", trust=0.6), vote("Y", by="K2", on=9, trust=0.6))
    assert active(same) == ["X"], "control: newest does not win by itself"


def test_is_and_is_not_contradict() -> None:
    """T17, negation."""
    found = settled(vote("married", by="K1"), vote("married", by="K2", on=3, negated=True), slot=MANY)
    assert found.conflict is not None
    assert settled(vote("married", by="K1"), vote("tall", by="K2", negated=True), slot=MANY).conflict is None


def test_different_values_denied_and_said_do_not_contradict() -> None:
    found = settled(vote("Acme", by="K1", negated=True), vote("Globex", by="K2", on=4))
    assert active(found) == ["-Acme", "Globex"]
    assert found.conflict is None


def test_freshness_counts_only_where_a_change_is_marked() -> None:
    """S40: newest does not win by itself."""
    old, new = vote("A", by="K1", trust=0.55), vote("B", by="K2", on=1400, trust=0.5)
    late = datetime(2031, 1, 1, tzinfo=UTC)
    assert active(settled(old, new, now=late)) == ["A"]
    assert active(settled(old, replace(new, change=Change.NOW), now=late)) == ["B"]


def test_the_order_of_votes_is_valid_time_then_arrival_then_id() -> None:
    one = vote("A", on=5, recorded_at=day(7))
    assert active(settled(one, vote("B", on=5, recorded_at=day(6)))) == ["A"]
    assert active(settled(one, vote("B", on=5, recorded_at=day(7)))) == ["B"]


def test_a_lowered_reputation_lowers_the_voice() -> None:
    said = (vote("A", by="K1"), vote("B", by="K2", on=9))
    assert active(settled(*said, reputations={"K1": 0.4})) == ["B"]
    assert DEFAULT.margin == 0.1
