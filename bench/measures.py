"""Measures of ranked retrieval over sets of right answers. Pure; shares in 0..1."""

import math
import random
from collections.abc import Sequence


def recall_at(found: Sequence[str], right: Sequence[str], k: int) -> float:
    """Share of the right ones among the first k found. Raises ZeroDivisionError without right ones."""
    return len(set(found[:k]) & set(right)) / len(set(right))


def ndcg_at(found: Sequence[str], right: Sequence[str], k: int) -> float:
    """Normalised discounted cumulative gain with gain 1 for a right one (Järvelin & Kekäläinen 2002)."""
    wanted = set(right)
    gained = sum(1.0 / math.log2(place + 2) for place, one in enumerate(found[:k]) if one in wanted)
    return gained / sum(1.0 / math.log2(place + 2) for place in range(min(k, len(wanted))))


def reciprocal_rank(found: Sequence[str], right: Sequence[str]) -> float:
    """1 / place of the first right one, 0 if none was found."""
    return next((1.0 / place for place, one in enumerate(found, start=1) if one in set(right)), 0.0)


def percentile(values: Sequence[float], share: float) -> float:
    """The value at this share of the sorted values (nearest rank); NaN of none."""
    return sorted(values)[min(len(values) - 1, math.ceil(share * len(values)) - 1)] if values else math.nan


def mean(values: Sequence[float]) -> float:
    """The mean; NaN of none."""
    return sum(values) / len(values) if values else math.nan


def wilson(hits: int, of: int, *, z: float = 1.96) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson 1927), (low, high) in 0..1; NaN of none."""
    if not of:
        return (math.nan, math.nan)
    share = hits / of
    centre = (share + z * z / (2 * of)) / (1 + z * z / of)
    half = z * math.sqrt(share * (1 - share) / of + z * z / (4 * of * of)) / (1 + z * z / of)
    return (max(0.0, centre - half), min(1.0, centre + half))


def bootstrap(values: Sequence[float], *, seed: int, rounds: int = 2000) -> tuple[float, float]:
    """The 95 % interval of a mean by resampling (percentile bootstrap, Efron 1979); NaN of none."""
    if not values:
        return (math.nan, math.nan)
    chance = random.Random(seed)
    means = [mean(chance.choices(values, k=len(values))) for _ in range(rounds)]
    return (percentile(means, 0.025), percentile(means, 0.975))


def share(hits: Sequence[bool], *, name: str) -> dict[str, float]:
    """A share in percent under this name, its interval under `<name>_low` and `<name>_high`."""
    low, high = wilson(sum(hits), len(hits))
    return {name: 100 * mean([float(hit) for hit in hits]), f"{name}_low": 100 * low, f"{name}_high": 100 * high}
