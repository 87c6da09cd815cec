"""A profile out of facts about a person: what counts at once, what waits in the observation area (S05). Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from consilience.schema.domain import Status
from consilience.schema.profiles import Trait

# How somebody wants to be called, the most telling first.
ADDRESS_PREDICATES: Final = ("form_of_address", "is_called", "name")
# "My favourite colour is green" is a preference whatever is favoured.
PREFERENCE_FAMILIES: Final = ("favourite_", "favorite_")
# Occasions that make somebody else's word about a person count.
REPEATED: Final = 2
MOST_SHOWN: Final = 50


@dataclass(frozen=True, slots=True)
class Sketch:
    """Fact ids, the most believed first. `confirmed_facts`: facts said on two occasions, or confirmed by a curator."""

    form_of_address: str | None
    confirmed_facts: int
    preferences: tuple[str, ...]
    observing: tuple[str, ...]


def sketch(traits: Sequence[Trait]) -> Sketch:
    """What these facts say of a person: their own outright word counts at once, all else from the second occasion on."""
    current = [trait for trait in traits if trait.current]
    known = [trait for trait in current if _is_known(trait)]
    preferences = [trait for trait in current if _is_preference(trait)]
    called = [trait for name in ADDRESS_PREDICATES for trait in known if trait.predicate == name and not trait.negated]
    return Sketch(
        called[0].value if called else None,
        sum(trait.status is Status.ACTIVE and (trait.confirmed or trait.events >= REPEATED) for trait in current),
        tuple(trait.fact for trait in preferences if _is_known(trait))[:MOST_SHOWN],
        tuple(trait.fact for trait in preferences if not _is_known(trait))[:MOST_SHOWN],
    )


def _is_preference(trait: Trait) -> bool:
    return trait.preference or trait.predicate.startswith(PREFERENCE_FAMILIES)


def _is_known(trait: Trait) -> bool:
    return trait.status is Status.ACTIVE and (trait.outright or trait.confirmed or trait.events >= REPEATED)
