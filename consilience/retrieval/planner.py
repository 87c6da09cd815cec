"""How a question is looked up: through the indexes, or by reading all that can match. Pure (design §6)."""

from dataclasses import dataclass
from typing import Final

from consilience.schema.domain import Status
from consilience.store.candidates import Filters

# Candidates by meaning and by words (S61); where so few match that reading them all is as quick, they are all candidates.
BY_MEANING: Final = 50
BY_WORDS: Final = 20
FEW: Final = 300
_SELECTIVE: Final = ("contributor", "session", "since", "until", "as_of")


@dataclass(frozen=True, slots=True)
class Plan:
    exact: bool
    by_meaning: int = BY_MEANING
    by_words: int = BY_WORDS


def needs_count(filters: Filters) -> bool:
    """Whether it pays to count the matches first: only where a filter may leave few."""
    return indexed(filters) and any(name in filters.set for name in _SELECTIVE)


def indexed(filters: Filters) -> bool:
    """Whether the indexes hold all that may match: ACTIVE memory only stands in them."""
    return filters.statuses == (Status.ACTIVE,)


def plan(filters: Filters, *, matching: int | None, first: int) -> Plan:
    """`matching`: how many satisfy the filters, None if it was not counted."""
    if not indexed(filters) or (matching is not None and matching <= FEW):
        return Plan(exact=True)
    return Plan(exact=False, by_meaning=max(BY_MEANING, 2 * first), by_words=max(BY_WORDS, first))
