"""How well somebody is known, and what use makes of a memory: the constants as data, the rules pure (S05, S31, S63)."""

from dataclasses import dataclass
from typing import Final

from consilience.schema.profiles import Outcome, RelationshipStage


@dataclass(frozen=True, slots=True)
class StagePolicy:
    """What each stage takes at least: sessions somebody spoke in, and facts about them said on two occasions or confirmed."""

    regular_sessions: int = 3
    regular_facts: int = 1
    trusted_sessions: int = 10
    trusted_facts: int = 5


@dataclass(frozen=True, slots=True)
class UsePolicy:
    """The weight of a memory starts at `initial` and moves by `step` within [least, most] (S31)."""

    initial: float = 1.0
    step: float = 0.5
    least: float = 0.0
    most: float = 5.0


DEFAULT_STAGES: Final = StagePolicy()
DEFAULT_USES: Final = UsePolicy()


def stage(sessions: int, *, facts: int, policy: StagePolicy = DEFAULT_STAGES) -> RelationshipStage:
    """The stage of a relationship; both counts have to be reached."""
    if sessions >= policy.trusted_sessions and facts >= policy.trusted_facts:
        return RelationshipStage.TRUSTED
    if sessions >= policy.regular_sessions and facts >= policy.regular_facts:
        return RelationshipStage.REGULAR
    return RelationshipStage.NEW


def weight_step(outcome: Outcome, *, policy: UsePolicy = DEFAULT_USES) -> float:
    """By how much a use moves the weight: up if it helped, down if it misled."""
    return policy.step if outcome is Outcome.HELPED else -policy.step
