"""What the service answers, as values, and how they are read out of its JSON. Pure.

The values follow the contract's types, so a field here is the field of the same name there, in snake case.
"""

import re
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import TypeVar, cast

from pydantic import TypeAdapter, ValidationError

from consilience.errors import ServiceUnavailable
from consilience.schema.domain import MemoryKind, Role, ScoreParts, Status

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Speaker:
    """The contributor of an episode, as an answer names them."""

    external_id: str
    name: str | None = None


@dataclass(frozen=True, slots=True)
class Through:
    """A source. `trust` 0..1; an unregistered key counts 0.2."""

    key: str
    channel: str
    trust: float
    id: str = ""


@dataclass(frozen=True, slots=True)
class Reference:
    """A session, by the caller's own id."""

    external_id: str


@dataclass(frozen=True, slots=True)
class FoundMemory:
    """A memory of any kind. The fields from `external_id` on are those of an episode, None for the rest."""

    id: str
    kind: MemoryKind
    space: str
    text: str
    status: Status
    confidence: float
    trust: float
    recorded_at: datetime
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    external_id: str | None = None
    role: Role | None = None
    contributor: Speaker | None = None
    source: Through | None = None
    session: Reference | None = None
    occurred_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class FoundHit:
    rank: int
    score: float
    parts: ScoreParts
    memory: FoundMemory
    suspect: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GateCut:
    """How many memories the gates held back."""

    below_floor: int
    quarantined: int


@dataclass(frozen=True, slots=True)
class Found:
    """The answer to one `recall`, best hit first. `took_ms`: inside the service, milliseconds."""

    hits: tuple[FoundHit, ...]
    cut: GateCut
    took_ms: float


@dataclass(frozen=True, slots=True)
class StoredEpisode:
    id: str
    external_id: str | None


@dataclass(frozen=True, slots=True)
class Stored:
    """The answer to `remember`: the episodes in the order given, an earlier one in the place of a duplicate."""

    episodes: tuple[StoredEpisode, ...]
    duplicates: int
    quarantined: int

    def __add__(self, other: "Stored") -> "Stored":
        return Stored(
            episodes=self.episodes + other.episodes,
            duplicates=self.duplicates + other.duplicates,
            quarantined=self.quarantined + other.quarantined,
        )


NOTHING_STORED = Stored(episodes=(), duplicates=0, quarantined=0)


def snake_keys(value: object) -> object:
    """The same JSON value with every key of every object in snake case: `tookMs` -> `took_ms`."""
    if isinstance(value, dict):
        return {_snake(key): snake_keys(inner) for key, inner in cast("dict[str, object]", value).items()}
    if isinstance(value, list):
        return [snake_keys(inner) for inner in cast("list[object]", value)]
    return value


@cache
def _snake(key: str) -> str:
    return re.sub(r"(?<=[a-z0-9])([A-Z])", lambda found: "_" + found.group(1).lower(), key)


_ADAPTERS: dict[type[object], TypeAdapter[object]] = {}


def _adapter(shape: type[object]) -> TypeAdapter[object]:
    """Kept, because building one takes milliseconds."""
    if shape not in _ADAPTERS:
        _ADAPTERS[shape] = TypeAdapter(shape)
    return _ADAPTERS[shape]


def read_as(shape: type[T], value: object) -> T:
    """The JSON value as this type; keys that the type does not name are let go.

    Raises ServiceUnavailable if it has another form: whatever answered there does not speak this contract.
    """
    try:
        return cast("T", _adapter(shape).validate_python(snake_keys(value)))
    except ValidationError as error:
        where = ".".join(str(part) for part in error.errors(include_url=False, include_input=False)[0]["loc"])
        raise ServiceUnavailable(
            f"the answer is not of the form the contract gives ({shape.__name__}.{where})",
            hint="check that the address is a Consilience service of this version",
        ) from error
