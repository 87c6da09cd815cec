"""Identities, profiles and ends of sessions as the service answers them: the contract's types, in snake case."""

from dataclasses import dataclass
from datetime import datetime

from consilience.client.answers import FoundMemory, Speaker
from consilience.client.beliefs import FoundFact
from consilience.schema.profiles import RelationshipStage


@dataclass(frozen=True, slots=True)
class FoundIdentity:
    """Who an agent is."""

    agent: str
    name: str
    role: str
    traits: tuple[str, ...]
    hard_rules: tuple[str, ...]
    introduction: str
    is_program: bool


@dataclass(frozen=True, slots=True)
class FoundProfile:
    """What is known of a person to talk to."""

    contributor: Speaker
    form_of_address: str | None
    stage: RelationshipStage
    preferences: tuple[FoundFact, ...]
    observing: tuple[FoundFact, ...]


@dataclass(frozen=True, slots=True)
class EndedSession:
    external_id: str
    started_at: datetime
    ended_at: datetime | None


@dataclass(frozen=True, slots=True)
class Ended:
    """What a session came to; empty is normal."""

    session: EndedSession
    summary: FoundMemory | None
    facts: tuple[FoundFact, ...]
    todos: tuple[str, ...]
    events: tuple[str, ...]
