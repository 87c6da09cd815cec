"""What one vote says, apart from all others: its claim, its weight, its place in time, and which claims it contradicts."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import NamedTuple

from consilience.schema.beliefs import SlotEvidence, SlotShape, Vote
from consilience.schema.domain import OPEN_END, OPEN_START
from consilience.schema.statements import Arity, Change, StatementKind

SUCCEEDING = frozenset({Change.NOW, Change.MOVED, Change.NO_LONGER})


class Claim(NamedTuple):
    """A value with its polarity."""

    value: str
    negated: bool


class Phase(Enum):
    """Where a vote's interval lies as seen from now."""

    PAST = "PAST"  # over: never votes about now
    PRESENT = "PRESENT"
    FUTURE = "FUTURE"  # named to begin later


class Moment(NamedTuple):
    """Total order of votes: valid time, then arrival, then id as the last tie-break. Ids are unique in a slot."""

    at: datetime
    recorded_at: datetime
    statement: str


def unit(number: float) -> float:
    """Into 0..1; what is no number counts 0."""
    return min(1.0, max(0.0, number))


def moment(vote: Vote) -> Moment:
    return Moment(vote.at, vote.recorded_at, vote.statement)


def claim(vote: Vote) -> Claim:
    return Claim(vote.value_key, vote.negated)


def is_dated(vote: Vote) -> bool:
    """Whether the sentence names when it began."""
    return vote.valid_from != OPEN_START


def end_of(vote: Vote) -> datetime:
    """When the vote's interval ends: "used to" without a time is over when it is said."""
    if vote.change is Change.USED_TO and vote.valid_to == OPEN_END:
        return vote.at
    return vote.valid_to


def start_of(vote: Vote) -> datetime:
    """When the vote's interval begins: what is already over when it is said began at an unknown time."""
    return vote.at if vote.at < end_of(vote) else vote.valid_from


def is_event(vote: Vote, slot: SlotShape) -> bool:
    """What happened stays so when its time is over; only states end."""
    return vote.kind is StatementKind.EVENT and slot.arity is Arity.MANY


def phase(vote: Vote, *, slot: SlotShape, now: datetime) -> Phase:
    if is_event(vote, slot):
        return Phase.PRESENT
    if end_of(vote) <= now:
        return Phase.PAST
    return Phase.FUTURE if is_dated(vote) and vote.valid_from > now else Phase.PRESENT


def is_ending(vote: Vote) -> bool:
    """Whether a vote that is over says that a state ended ("until March", "used to"), not only that it held once ("in 2024")."""
    return not is_dated(vote)


def weakness(vote: Vote) -> str:
    """Why this vote alone never makes a belief (S12), as a reason code; empty for a plain vote."""
    if vote.kind is StatementKind.OUTBURST:
        return "OUTBURST"
    if vote.hedged:
        return "HEDGED"
    return "VAGUE" if vote.vague else ""


@dataclass(frozen=True, slots=True)
class Scene:
    """What all votes of a slot are read against."""

    slot: SlotShape
    exclusive: frozenset[tuple[str, str]]
    reputations: Mapping[str, float]
    now: datetime

    @classmethod
    def of(cls, evidence: SlotEvidence, *, now: datetime) -> "Scene":
        return cls(evidence.slot, evidence.exclusive, evidence.reputations, now)

    def trust(self, vote: Vote) -> float:
        """Channel trust x reputation, 0..1."""
        return unit(vote.trust) * unit(self.reputations.get(vote.contributor, 1.0))

    def rival(self, one: Claim, other: Claim) -> bool:
        """Whether two claims cannot both hold: opposite polarity of one value, or two values where one fits."""
        if one.value == other.value:
            return one.negated != other.negated
        if one.negated or other.negated:
            return False
        pair = (one.value, other.value)
        return self.slot.arity is Arity.ONE or pair in self.exclusive or pair[::-1] in self.exclusive

    def replaces(self, new: Claim, old: Claim) -> bool:
        """Whether a contributor's later claim makes their own earlier one history.

        In a slot of arity one a new value also ends what they had denied before: it says more than the denial did.
        """
        return self.rival(new, old) or (self.slot.arity is Arity.ONE and not new.negated and old.negated)

    def by_subject(self, vote: Vote) -> bool:
        """The subject's own outright word."""
        return self.slot.owner is not None and vote.contributor == self.slot.owner and vote.explicit and not weakness(vote)
