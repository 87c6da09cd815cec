"""Channel trust (S50): what a source's kind is worth before anybody's reputation. Never taken from the writer's own claim."""

from typing import Final

from consilience.errors import InvalidInput
from consilience.schema.domain import Risk

CHANNEL_TRUST: Final[dict[str, float]] = {
    "administrator": 1.0,  # system memory (S53)
    "verified_db": 1.0,
    "internal_tool": 0.8,
    "user_input": 0.5,
    "web_scrape": 0.3,
}
UNREGISTERED: Final = "unregistered"
UNREGISTERED_TRUST: Final = 0.2
DEFAULT_CHANNEL: Final = "user_input"

# Use gate (S52): below the floor of the decision's risk nothing is served, however similar.
RISK_FLOOR: Final[dict[Risk, float]] = {Risk.LOW: 0.3, Risk.MEDIUM: 0.5, Risk.HIGH: 0.8}


def channel_trust(channel: str, trust: float | None = None) -> float:
    """The trust of a source on this channel, 0..1; an administrator may set it lower than the channel's, never higher.

    A channel not in the table is allowed and counts 0.2. Raises InvalidInput for a trust out of range.
    """
    ceiling = CHANNEL_TRUST.get(channel, UNREGISTERED_TRUST)
    if trust is None:
        return ceiling
    if not 0.0 <= trust <= ceiling:
        raise InvalidInput(
            f"trust {trust} is outside 0..{ceiling}, the range of channel {channel}",
            hint="leave it out for the channel's own trust",
            field="trust",
        )
    return trust
