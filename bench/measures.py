"""Measures of ranked retrieval over sets of right answers. Pure; shares in 0..1."""

import math
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
