"""What the service believes, as values: the contract's types, in snake case."""

from dataclasses import dataclass
from datetime import datetime

from consilience.client.answers import FoundMemory, Speaker, Through
from consilience.schema.beliefs import ConflictState, Support
from consilience.schema.domain import Status


@dataclass(frozen=True, slots=True)
class About:
    """An entity, named."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class FoundFact:
    """A fact. Counts of `support` may be lower bounds: the principal's scopes decide."""

    id: str
    text: str
    status: Status
    confidence: float
    trust: float
    recorded_at: datetime
    valid_from: datetime | None
    valid_to: datetime | None
    subject: About
    predicate: str
    value: str
    negated: bool
    suspect: tuple[str, ...]
    support: Support


@dataclass(frozen=True, slots=True)
class PageEnd:
    has_next_page: bool
    end_cursor: str | None


@dataclass(frozen=True, slots=True)
class FactPage:
    nodes: tuple[FoundFact, ...]
    page_info: PageEnd
    total_count: int


@dataclass(frozen=True, slots=True)
class FoundGrounds:
    """Pairs are (winner, loser), each 0..1."""

    summary: str
    reliability: tuple[float, float]
    freshness: tuple[float, float]
    consistency: tuple[float, float]
    decided_by: str


@dataclass(frozen=True, slots=True)
class FoundSide:
    fact: FoundFact
    reliability: float
    freshness: float
    consistency: float
    support: Support


@dataclass(frozen=True, slots=True)
class FoundConflict:
    """The sides that contradict each other, the one that stood first before the others."""

    id: str
    subject: About
    predicate: str
    state: ConflictState
    sides: tuple[FoundSide, ...]
    opened_at: datetime
    decided_by: str | None
    grounds: FoundGrounds | None


@dataclass(frozen=True, slots=True)
class ConflictPage:
    nodes: tuple[FoundConflict, ...]
    page_info: PageEnd
    total_count: int


@dataclass(frozen=True, slots=True)
class Said:
    """An episode, as a step of an explanation shows it."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class FoundStep:
    at: datetime
    what: str
    episode: Said | None
    contributor: Speaker | None
    source: Through | None


@dataclass(frozen=True, slots=True)
class Explained:
    """Why something is believed: one sentence, then the steps, oldest first."""

    memory: FoundMemory
    sentence: str
    steps: tuple[FoundStep, ...]


@dataclass(frozen=True, slots=True)
class Waiting:
    """An item of the review queue."""

    id: str
    memory: FoundMemory
    reason: str
    opened_at: datetime
    support: Support | None


@dataclass(frozen=True, slots=True)
class ReviewPage:
    nodes: tuple[Waiting, ...]
    page_info: PageEnd
    total_count: int


@dataclass(frozen=True, slots=True)
class Changed:
    """The memories a decision is about, as they stand after it."""

    memories: tuple[FoundMemory, ...]
