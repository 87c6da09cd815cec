"""The vocabulary as plain values: what the graph holds, without the graph. Frozen; datetimes aware, UTC."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Final, Generic, TypeVar

if TYPE_CHECKING:
    from consilience.schema.beliefs import StoredFact

# Open ends of intervals are stored as sentinels, so that index filters need no null checks (design §6).
OPEN_START: Final = datetime(1, 1, 1, tzinfo=UTC)
OPEN_END: Final = datetime(9999, 12, 31, tzinfo=UTC)
T = TypeVar("T")

DEFAULT_SPACE: Final = "default"
DEFAULT_SOURCE: Final = "conversation"


class MemoryKind(StrEnum):
    EPISODE = "EPISODE"
    SUMMARY = "SUMMARY"
    FACT = "FACT"
    RULE = "RULE"
    LESSON = "LESSON"


class Status(StrEnum):
    ACTIVE = "ACTIVE"
    CANDIDATE = "CANDIDATE"
    TO_VERIFY = "TO_VERIFY"
    SUPERSEDED = "SUPERSEDED"
    QUARANTINED = "QUARANTINED"
    WITHHELD = "WITHHELD"
    ARCHIVED = "ARCHIVED"
    RETRACTED = "RETRACTED"


class Risk(StrEnum):
    LOW = "LOW"
    MEDIUM = "MEDIUM"
    HIGH = "HIGH"


class Role(StrEnum):
    USER = "USER"
    ASSISTANT = "ASSISTANT"
    TOOL = "TOOL"
    SYSTEM = "SYSTEM"


class ContributorState(StrEnum):
    ACTIVE = "ACTIVE"
    RESTRICTED = "RESTRICTED"
    ERASING = "ERASING"


class Wait(StrEnum):
    STORED = "STORED"
    SETTLED = "SETTLED"


class JobState(StrEnum):
    QUEUED = "QUEUED"
    RUNNING = "RUNNING"
    DONE = "DONE"
    DEAD = "DEAD"


@dataclass(frozen=True, slots=True)
class Contributor:
    id: str
    space: str
    external_id: str
    name: str | None
    state: ContributorState
    epoch: int
    recorded_at: datetime


@dataclass(frozen=True, slots=True)
class Source:
    id: str
    space: str
    key: str
    channel: str
    trust: float
    recorded_at: datetime


@dataclass(frozen=True, slots=True)
class Session:
    id: str
    space: str
    external_id: str
    started_at: datetime
    ended_at: datetime | None


@dataclass(frozen=True, slots=True)
class Episode:
    """One utterance as stored, with who, through what and in which session."""

    id: str
    space: str
    text: str
    role: Role
    status: Status
    confidence: float
    trust: float
    occurred_at: datetime
    recorded_at: datetime
    external_id: str | None
    contributor: Contributor
    source: Source
    session: Session | None
    digested_at: datetime | None = None
    metadata: tuple[tuple[str, str], ...] = ()
    pinned: bool = False


@dataclass(frozen=True, slots=True)
class NewEpisode:
    """What a caller asks to remember, validated. `occurred_at` None: when the service receives it."""

    text: str
    contributor: str
    contributor_name: str | None = None
    source: str = DEFAULT_SOURCE
    role: Role = Role.USER
    session: str | None = None
    occurred_at: datetime | None = None
    external_id: str | None = None
    metadata: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Remembered:
    """Answer to one `remember`: its episodes in the order given, an earlier one in the place of a duplicate."""

    episodes: tuple[Episode, ...]
    duplicates: int
    quarantined: int = 0


@dataclass(frozen=True, slots=True)
class Recollection:
    """A question to the memory. `first` 1..100; times aware; `statuses` empty means ACTIVE."""

    query: str
    space: str = DEFAULT_SPACE
    asker: str | None = None
    first: int = 5
    kinds: tuple[MemoryKind, ...] = ()
    risk: Risk = Risk.LOW
    contributor: str | None = None
    about: str | None = None
    session: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    as_of: datetime | None = None
    statuses: tuple[Status, ...] = ()


@dataclass(frozen=True, slots=True)
class ScoreParts:
    """Each in 0..1, before weighing (S60)."""

    meaning: float
    words: float
    recency: float
    confidence: float


@dataclass(frozen=True, slots=True)
class Hit:
    rank: int
    score: float
    parts: ScoreParts
    memory: "Episode | StoredFact"
    suspect: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Recall:
    hits: tuple[Hit, ...]
    below_floor: int
    quarantined: int
    took_ms: float


@dataclass(frozen=True, slots=True)
class Job:
    """A piece of durable background work; ids only, never text."""

    id: str
    space: str
    kind: str
    state: JobState
    done: int
    total: int
    attempts: int = 0
    error: str | None = None
    created_at: datetime | None = None
    not_before: datetime | None = None


@dataclass(frozen=True, slots=True)
class ServiceStatus:
    version: str
    neo4j: str
    gds: str
    embedder: str
    llm: str | None
    pending_jobs: int
    parked_jobs: int
    dead_jobs: int
    healthy: bool


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    nodes: tuple[T, ...]
    total: int
    end_cursor: str | None
    has_next: bool = field(default=False)
