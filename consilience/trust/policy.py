"""The constants of belief, as data with their sources (S11, S40, S50-S52, design §4-§5). Nothing here is repeated in code paths."""

from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final

# No crowd of cheap voices buys a higher gate: the most that many voices of one channel class reach together (design §4).
RELIABILITY_CAPS: Final[dict[str, float]] = {
    "administrator": 0.99,
    "verified_db": 0.99,
    "internal_tool": 0.99,
    "user_input": 0.79,
    "web_scrape": 0.49,
}


@dataclass(frozen=True, slots=True)
class StandingWeights:
    """How reliability, freshness and consistency make one standing; they add up to 1 (design §4)."""

    reliability: float = 0.60
    freshness: float = 0.25
    consistency: float = 0.15


@dataclass(frozen=True, slots=True)
class Policy:
    """One space's rules of belief. Shares and trusts are 0..1.

    `trusted`: from here on a record can only be contradicted by its like (S51), and a channel may teach procedures.
    `margin`: by how much a standing must be better to win. `loser_factor`: what is left of a loser's confidence (S40).
    `verified`: the trust a curator's CONFIRM gives. `unknown_cap`: the reliability cap of channels without a class.
    `neutral_consistency`: where the consensus pass says nothing. `rule_events`, `rule_origins`: S20. `costly_sources`: S11.
    """

    trusted: float = 0.8
    margin: float = 0.1
    loser_factor: float = 0.5
    verified: float = 1.0
    unknown_cap: float = 0.29
    neutral_consistency: float = 0.5
    rule_events: int = 3
    rule_origins: int = 2
    costly_sources: int = 2
    weights: StandingWeights = field(default_factory=StandingWeights)
    caps: tuple[tuple[str, float], ...] = tuple(sorted(RELIABILITY_CAPS.items()))

    @property
    def caps_top(self) -> float:
        """The cap of the best class, where a confirmed claim stands."""
        return max((cap for _, cap in self.caps), default=self.unknown_cap)

    def cap(self, channel: str) -> float:
        """The most that voices of this channel's class reach together."""
        return dict(self.caps).get(channel, self.unknown_cap)


@dataclass(frozen=True, slots=True)
class ReputationPolicy:
    """Design §5: a contributor starts with `prior` good outcomes; old outcomes fade; nobody falls below `floor`."""

    prior: float = 4.0
    floor: float = 0.2
    half_life: timedelta = timedelta(days=180)


DEFAULT: Final = Policy()
DEFAULT_REPUTATION: Final = ReputationPolicy()
