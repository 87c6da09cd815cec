"""Votes, decisions and slots in one line each; a settlement read back by value."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count

from consilience.schema.beliefs import Decision, DecisionKind, FactKey, SettledFact, Settlement, SlotEvidence, SlotShape, Vote
from consilience.schema.domain import Status
from consilience.schema.statements import Arity
from consilience.trust.channels import channel_trust
from consilience.trust.policy import DEFAULT, Policy
from consilience.trust.settle import settle

DAY = timedelta(days=1)
START = datetime(2025, 1, 1, tzinfo=UTC)
NOW = datetime(2026, 6, 1, tzinfo=UTC)
_ids = count()

SLOT = SlotShape(id="slot", subject="ent_ana", predicate="works_at", arity=Arity.ONE, personal=True, costly=False, half_life=365 * DAY)
MANY = replace(SLOT, predicate="likes", arity=Arity.MANY)
NO_SHAPE = SlotEvidence(SLOT, ())


def day(number: float) -> datetime:
    """So many days after the start of the story."""
    return START + number * DAY


def vote(value: str, *, by: str = "K1", on: float = 0, channel: str = "user_input", trust: float | None = None, **more: object) -> Vote:
    """A plain vote, a copy of nothing, in a session of its own day."""
    number = next(_ids)
    made = Vote(
        statement=f"st_{number:06}",
        episode=f"ep_{number:06}",
        contributor=by,
        group=f"ep_{number:06}",
        session=f"{by}-{on}",
        value_key=value.casefold(),
        display=value,
        words=f"It is {value}.",
        at=day(on),
        recorded_at=day(on),
        channel=channel,
        trust=channel_trust(channel) if trust is None else trust,
        extractor_confidence=0.9,
    )
    return replace(made, **more)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def decide(kind: DecisionKind, value: str, *, on: float, negated: bool = False, run: int = 0) -> Decision:
    """A person's decision about one fact of the slot."""
    return Decision(f"dec_{next(_ids):06}", kind, value.casefold(), negated, run, day(on), "curator")


def settled(
    *votes: Vote,
    slot: SlotShape = SLOT,
    decisions: tuple[Decision, ...] = (),
    now: datetime = NOW,
    policy: Policy = DEFAULT,
    **more: object,
) -> Settlement:
    """The slot settled from these votes."""
    evidence = replace(SlotEvidence(slot, votes, decisions), **more)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    return settle(evidence, policy=policy, now=now)


def fact(settlement: Settlement, value: str, *, negated: bool = False, run: int = 0) -> SettledFact:
    """The fact with this key."""
    key = FactKey(value.casefold(), negated, run)
    return next(known for known in settlement.facts if known.key == key)


def statuses(settlement: Settlement) -> dict[str, Status]:
    """Key text -> status."""
    return {known.key.text: known.status for known in settlement.facts}


def active(settlement: Settlement) -> list[str]:
    """Values in force, as said, denials with a dash, in alphabetical order."""
    return sorted(("-" if known.key.negated else "") + known.display for known in settlement.facts if known.status is Status.ACTIVE)
