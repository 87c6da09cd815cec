"""What holds for any evidence: settling is total, order-free, idempotent, and explains whatever it does not serve."""

from dataclasses import replace

import hypothesis.strategies as st
from hypothesis import given

from consilience.schema.beliefs import Decision, DecisionKind, SettledFact, Settlement, SlotEvidence, SlotShape, Vote
from consilience.schema.domain import OPEN_END, OPEN_START, Status
from consilience.schema.statements import Arity, Change, StatementKind
from consilience.trust.channels import CHANNEL_TRUST, UNREGISTERED_TRUST
from consilience.trust.settle import settle
from tests.trust.building import DAY, NOW, day

PEOPLE = ("ana", "bob", "eve", "db")
CHANNELS = (*CHANNEL_TRUST, "unregistered", "blog")
days = st.integers(0, 40)


@st.composite
def votes(draw: st.DrawFn, number: int) -> Vote:
    on = day(draw(days))
    channel = draw(st.sampled_from(CHANNELS))
    since, length = draw(st.none() | days), draw(st.none() | st.integers(0, 700))
    start = OPEN_START if since is None else day(since * 20)
    at = on if since is None else start
    end = OPEN_END if length is None else at + length * DAY
    return Vote(
        statement=f"st_{number:03}",
        episode=f"ep_{draw(st.integers(0, number)):03}",
        contributor=draw(st.sampled_from(PEOPLE)),
        group=draw(st.sampled_from(("copies", f"own_{number}", f"own_{number}"))),
        session=draw(st.sampled_from(("", "s", "t"))),
        value_key=draw(st.sampled_from("abc")),
        display=draw(st.sampled_from(("A", "B"))),
        words=draw(st.sampled_from(("It is A.", "A", "B it is"))),
        at=at,
        recorded_at=day(draw(days)),
        channel=channel,
        trust=CHANNEL_TRUST.get(channel, UNREGISTERED_TRUST),
        extractor_confidence=draw(st.sampled_from((0.0, 0.5, 1.0))),
        negated=draw(st.sampled_from((False, False, True))),
        hedged=draw(st.sampled_from((False, False, False, True))),
        explicit=draw(st.booleans()),
        vague=draw(st.sampled_from((False, False, False, True))),
        change=draw(st.sampled_from((None, None, *Change))),
        kind=draw(st.sampled_from((StatementKind.FACT, StatementKind.FACT, *StatementKind))),
        valid_from=start,
        valid_to=end,
        instruction_like=draw(st.sampled_from((False, False, False, True))),
    )


@st.composite
def histories(draw: st.DrawFn) -> SlotEvidence:
    count = draw(st.integers(0, 9))
    decisions = tuple(
        Decision(
            f"dec_{number}",
            draw(st.sampled_from(DecisionKind)),
            draw(st.sampled_from("abc")),
            draw(st.booleans()),
            draw(st.integers(0, 2)),
            day(draw(days)),
            "curator",
        )
        for number in range(draw(st.integers(0, 3)))
    )
    slot = SlotShape(
        id="slot",
        subject="ent",
        predicate="p",
        arity=draw(st.sampled_from(Arity)),
        personal=draw(st.booleans()),
        costly=draw(st.sampled_from((False, False, True))),
        half_life=draw(st.sampled_from((0, 30, 365))) * DAY,
        owner=draw(st.sampled_from((None, "ana"))),
    )
    exclusive = frozenset({("a", "b")}) if draw(st.booleans()) else frozenset[tuple[str, str]]()
    reputations = {"eve": draw(st.sampled_from((0.2, 0.9, 1.0)))}
    return SlotEvidence(slot, tuple(draw(votes(number)) for number in range(count)), decisions, exclusive, reputations)


@given(histories(), st.randoms(use_true_random=False))
def test_the_order_of_evidence_does_not_matter(evidence: SlotEvidence, chance: object) -> None:
    shuffled = list(evidence.votes), list(evidence.decisions)
    for part in shuffled:
        chance.shuffle(part)  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
    moved = replace(evidence, votes=tuple(shuffled[0]), decisions=tuple(shuffled[1]))
    assert settle(moved, now=NOW) == settle(evidence, now=NOW)


@given(histories())
def test_settling_twice_and_evidence_given_twice_change_nothing(evidence: SlotEvidence) -> None:
    once = settle(evidence, now=NOW)
    assert settle(evidence, now=NOW) == once
    assert settle(replace(evidence, votes=evidence.votes * 2), now=NOW) == once


@given(histories(), st.integers(0, 8))
def test_taking_evidence_away_and_adding_it_back_gives_the_same(evidence: SlotEvidence, index: int) -> None:
    before = settle(evidence, now=NOW)
    left, taken = evidence.votes[:index], evidence.votes[index:]
    without = settle(replace(evidence, votes=left), now=NOW)
    assert {statement for fact in without.facts for statement in fact.statements} == {vote.statement for vote in left}
    assert settle(replace(evidence, votes=(*taken, *left)), now=NOW) == before


def _explained(fact: SettledFact, *, settlement: Settlement) -> bool:
    sides = () if settlement.conflict is None else settlement.conflict.sides
    return bool(fact.reason) or fact.key in sides or any(edge.loser == fact.key for edge in settlement.supersessions)


@given(histories())
def test_every_statement_is_in_one_fact_and_every_fact_not_served_says_why(evidence: SlotEvidence) -> None:
    settlement = settle(evidence, now=NOW)
    supported = [statement for fact in settlement.facts for statement in fact.statements]
    assert sorted(supported) == sorted(vote.statement for vote in evidence.votes)
    keys = [fact.key for fact in settlement.facts]
    assert len(keys) == len(set(keys))
    for fact in settlement.facts:
        assert (fact.status is Status.ACTIVE) == (fact.reason == "")
        assert fact.status is Status.ACTIVE or _explained(fact, settlement=settlement)
        assert 0 <= fact.confidence <= 1
        assert 0 <= fact.standing <= 1
        assert fact.valid_from <= fact.valid_to
        assert fact.text in {vote.words for vote in evidence.votes if vote.statement in fact.statements}
        quarantined = {settlement.quarantined.get(statement) for statement in fact.statements} != {None}
        assert quarantined == (fact.status is Status.QUARANTINED)


@given(histories())
def test_edges_and_conflicts_name_facts_that_are_there(evidence: SlotEvidence) -> None:
    settlement = settle(evidence, now=NOW)
    known = {fact.key: fact for fact in settlement.facts}
    for edge in settlement.supersessions:
        assert edge.winner in known
        assert known[edge.loser].status is Status.SUPERSEDED
        assert known[edge.loser].valid_to == edge.at
    if settlement.conflict is not None:
        assert len(settlement.conflict.sides) >= 2
        assert set(settlement.conflict.sides) <= set(known)


@given(histories())
def test_two_active_facts_never_contradict_each_other_now(evidence: SlotEvidence) -> None:
    slot, active = evidence.slot, [fact for fact in settle(evidence, now=NOW).facts if fact.status is Status.ACTIVE]
    current = [fact for fact in active if fact.valid_from <= NOW]
    for one in current:
        for other in current:
            if one is not other and one.key.value_key == other.key.value_key:
                assert slot.arity is Arity.MANY
                assert one.key.negated == other.key.negated
            if one is not other and slot.arity is Arity.ONE:
                assert one.key.negated or other.key.negated


@given(histories())
def test_what_one_contributor_said_has_no_part_in_the_settlement_without_them(evidence: SlotEvidence) -> None:
    """The pure core of E01: nothing of the person is left, because nothing was kept."""
    gone = replace(evidence, votes=tuple(vote for vote in evidence.votes if vote.contributor != "eve"))
    settlement = settle(gone, now=NOW)
    assert settlement == settle(replace(gone, reputations={}), now=NOW)


@given(histories(), st.data())
def test_one_more_agreeing_vote_never_lowers_the_trust_of_a_fact_in_force(evidence: SlotEvidence, data: st.DataObject) -> None:
    """C04: somebody new says the same as a fact that is in force."""
    before = settle(replace(evidence, decisions=()), now=NOW)
    held = [fact for fact in before.facts if fact.status is Status.ACTIVE and fact.valid_to == OPEN_END]
    if not held:
        return
    chosen = data.draw(st.sampled_from(held))
    model = next(vote for vote in evidence.votes if vote.statement == chosen.statements[-1])
    agreeing = replace(
        model,
        statement="st_new",
        episode="ep_new",
        contributor="new",
        group=data.draw(st.sampled_from(("copies", "own_new"))),
        channel="user_input",
        trust=0.5,
        at=max(vote.at for vote in evidence.votes),
        valid_from=OPEN_START,
        valid_to=OPEN_END,
        change=None,
    )
    after = settle(replace(evidence, decisions=(), votes=(*evidence.votes, agreeing)), now=NOW)
    again = [fact for fact in after.facts if fact.key.value_key == chosen.key.value_key and fact.key.negated == chosen.key.negated]
    assert max(fact.measures.trust for fact in again) >= chosen.measures.trust
    assert any(fact.status is Status.ACTIVE for fact in again)
