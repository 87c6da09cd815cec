"""Agents' identities, people's profiles and how sessions end, as plain values (S05, S10, S63). Frozen; datetimes aware, UTC."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import TypeAlias

from consilience.schema.beliefs import StoredFact
from consilience.schema.domain import Contributor, Episode, Session, Status


class RelationshipStage(StrEnum):
    NEW = "NEW"
    REGULAR = "REGULAR"
    TRUSTED = "TRUSTED"


class Outcome(StrEnum):
    """How the use of a memory turned out."""

    HELPED = "HELPED"
    MISLED = "MISLED"


@dataclass(frozen=True, slots=True)
class IdentityCard:
    """Who an agent is, as an administrator says. That it is a program is no field: it always is one."""

    agent: str
    name: str
    role: str
    introduction: str
    traits: tuple[str, ...] = ()
    hard_rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Trait:
    """A fact about a contributor, with what a profile asks of it.

    `preference`: a statement it rests on is one. `outright`: the contributor said it, neither hedged nor reported. `confirmed`: a
    curator says so. `events`: distinct occasions. `current`: valid now.
    """

    fact: str
    predicate: str
    value: str
    status: Status
    negated: bool
    events: int
    current: bool
    preference: bool
    outright: bool
    confirmed: bool


@dataclass(frozen=True, slots=True)
class Profile:
    """What is known of a contributor as a person to talk to. `observing`: what may become a preference."""

    contributor: Contributor
    form_of_address: str | None
    stage: RelationshipStage
    preferences: tuple[StoredFact, ...] = ()
    observing: tuple[StoredFact, ...] = ()


@dataclass(frozen=True, slots=True)
class StoredSummary:
    """A session in a few of its own sentences. `episodes`: those it quotes, in order."""

    id: str
    space: str
    session: Session
    text: str
    status: Status
    confidence: float
    trust: float
    recorded_at: datetime
    episodes: tuple[str, ...]
    pinned: bool = False


AnyMemory: TypeAlias = Episode | StoredFact | StoredSummary


@dataclass(frozen=True, slots=True)
class SessionEnd:
    """What a session came to; empty is normal. `todos` and `events` as they were said."""

    session: Session
    summary: StoredSummary | None
    facts: tuple[StoredFact, ...]
    todos: tuple[str, ...]
    events: tuple[str, ...]
