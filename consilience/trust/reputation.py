"""What a contributor's past is worth: a pure formula over outcomes, recomputed each time, never incremented (design §5)."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from consilience.trust.policy import DEFAULT_REPUTATION, ReputationPolicy


@dataclass(frozen=True, slots=True)
class Outcome:
    """How something a contributor said in a slot turned out: by pass 0, a review, or use."""

    slot: str
    at: datetime
    good: bool


def reputation(outcomes: Iterable[Outcome], *, policy: ReputationPolicy = DEFAULT_REPUTATION) -> float:
    """max(floor, (prior + good) / (prior + good + bad)), in [floor, 1]; exactly 1 without bad outcomes.

    One outcome a slot, the newest (the bad one of two at the same time); each fades by half-life against the newest of all.
    """
    latest: dict[str, Outcome] = {}
    for outcome in outcomes:
        known = latest.get(outcome.slot)
        if known is None or (outcome.at, not outcome.good) > (known.at, not known.good):
            latest[outcome.slot] = outcome
    if not latest:
        return 1.0
    newest = max(outcome.at for outcome in latest.values())
    weights = {True: 0.0, False: 0.0}
    for outcome in sorted(latest.values(), key=lambda known: known.slot):  # sums of floats depend on their order
        weights[outcome.good] += 0.5 ** ((newest - outcome.at) / policy.half_life)
    good = policy.prior + weights[True]
    return max(policy.floor, good / (good + weights[False]))
