"""How good the evidence for a run is (design §4, "Measures"); all numbers 0..1."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from consilience.schema.beliefs import FactKey, Measures
from consilience.trust.policy import Policy
from consilience.trust.settle.runs import Run, run_trust
from consilience.trust.settle.voices import voices
from consilience.trust.settle.votes import Scene, unit


@dataclass(frozen=True, slots=True)
class Yardstick:
    """What a slot's runs are measured with. `newest`: the slot's newest vote, against which freshness fades."""

    scene: Scene
    policy: Policy
    consistency: Mapping[str, float]
    newest: datetime


def key_of(run: Run) -> FactKey:
    return FactKey(run.claim.value, run.claim.negated, run.number)


def _freshness(last: datetime, *, newest: datetime, half_life: timedelta) -> float:
    """0.5 ** (distance from the newest vote / half-life); without a half-life only the newest is fresh."""
    idle = max(timedelta(0), newest - last)
    if half_life <= timedelta(0):
        return 1.0 if idle == timedelta(0) else 0.0
    return float(0.5 ** min(1000.0, idle / half_life))


def _reliability(run: Run, *, yardstick: Yardstick) -> float:
    """1 - prod(1 - trust) over independent voices, capped by the best class among them."""
    policy, speaking = yardstick.policy, run.speaking
    doubt = 1.0 - (policy.verified if run.is_verified else 0.0)
    for voice in voices(speaking, trust=yardstick.scene.trust):
        doubt *= 1.0 - voice
    cap = max(policy.caps_top if run.is_verified else 0.0, *(policy.cap(vote.channel) for vote in speaking))
    return unit(min(1.0 - doubt, cap))


def measure(run: Run, *, yardstick: Yardstick) -> Measures:
    """Of the votes that speak for it."""
    return Measures(
        trust=run_trust(run, scene=yardstick.scene, policy=yardstick.policy),
        reliability=_reliability(run, yardstick=yardstick),
        freshness=_freshness(max(vote.at for vote in run.speaking), newest=yardstick.newest, half_life=yardstick.scene.slot.half_life),
        consistency=unit(yardstick.consistency.get(key_of(run).text, yardstick.policy.neutral_consistency)),
    )


def standing(measures: Measures, *, policy: Policy, with_freshness: bool = True) -> float:
    """The weighed mean of the parts; without freshness the other weights are scaled up, so that a margin means the same."""
    weights = policy.weights
    fresh = weights.freshness if with_freshness else 0.0
    total = weights.reliability + fresh + weights.consistency
    if total <= 0.0:
        return 0.0
    return (weights.reliability * measures.reliability + fresh * measures.freshness + weights.consistency * measures.consistency) / total
