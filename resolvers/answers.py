"""Answers of queries and commands: recall, status, jobs, spaces, context, and `Problem`."""

from datetime import datetime
from typing import Self

import strawberry
from strawberry import field

from consilience.errors import Refusal
from consilience.resolvers.enums import JobState
from consilience.resolvers.facts import memory_of
from consilience.resolvers.memory import Episode, Memory
from consilience.resolvers.ports import SpaceInfo
from consilience.schema import domain


@strawberry.type(description="An expected refusal: nothing was changed. Codes are stable; docs/reference/errors.md lists them.")
class Problem:
    code: str = field(description="What kind of refusal; stable.")
    message: str = field(description="What was wrong, without quoting what was said.")
    hint: str | None = field(description="What to do about it.")
    field: str | None = strawberry.field(description="The input it is about, such as episodes[3].text.")

    @classmethod
    def of(cls, refusal: Refusal) -> Self:
        return cls(code=refusal.code, message=refusal.message, hint=refusal.hint, field=refusal.field)


@strawberry.type(description="How well a hit fits, part by part, each 0..1 before weighing.")
class ScoreParts:
    meaning: float = field(description="Closeness of meaning.")
    words: float = field(description="Words in common.")
    recency: float = field(description="How recent.")
    confidence: float = field(description="Belief after settling.")


@strawberry.type(description="One memory found.")
class Hit:
    rank: int = field(description="1 is the best.")
    score: float = field(description="0..1, the parts weighed.")
    parts: ScoreParts = field(description="What the score is made of.")
    memory: Memory = field(description="What was found.")
    suspect: list[str] = field(description="Reasons to be careful with it.")

    @classmethod
    def of(cls, hit: domain.Hit) -> Self:
        parts = hit.parts
        return cls(
            rank=hit.rank,
            score=hit.score,
            parts=ScoreParts(meaning=parts.meaning, words=parts.words, recency=parts.recency, confidence=parts.confidence),
            memory=memory_of(hit.memory),
            suspect=list(hit.suspect),
        )


@strawberry.type(description="What the use gate kept back.")
class GateCut:
    below_floor: int = field(description="Memories trusted less than the risk asks for.")
    quarantined: int = field(description="Memories stopped at the write gate.")


@strawberry.type(description="The answer to a question to the memory.")
class Recall:
    hits: list[Hit] = field(description="Best first.")
    cut: GateCut = field(description="What was kept back.")
    took_ms: float = field(description="Milliseconds inside the service.")

    @classmethod
    def of(cls, recall: domain.Recall) -> Self:
        cut = GateCut(below_floor=recall.below_floor, quarantined=recall.quarantined)
        return cls(hits=[Hit.of(hit) for hit in recall.hits], cut=cut, took_ms=recall.took_ms)


@strawberry.type(description="What was remembered.")
class Remembered:
    episodes: list[Episode] = field(description="In the order given; an earlier one in the place of a duplicate.")
    duplicates: int = field(description="How many were stored before.")
    quarantined: int = field(description="How many were stopped at the write gate.")

    @classmethod
    def of(cls, remembered: domain.Remembered) -> Self:
        episodes = [Episode.of(episode) for episode in remembered.episodes]
        return cls(episodes=episodes, duplicates=remembered.duplicates, quarantined=remembered.quarantined)


@strawberry.type(description="A piece of durable background work.")
class Job:
    id: strawberry.ID = field(description="Made by the service.")
    space: str = field(description="The space it works in.")
    kind: str = field(description="What it does.")
    state: JobState = field(description="Where it stands.")
    done: int = field(description="Items done.")
    total: int = field(description="Items in all.")
    attempts: int = field(description="How often it was tried.")
    error: str | None = field(description="What kind of error stopped the last attempt.")

    @classmethod
    def of(cls, job: domain.Job) -> Self:
        return cls(
            id=strawberry.ID(job.id),
            space=job.space,
            kind=job.kind,
            state=job.state,
            done=job.done,
            total=job.total,
            attempts=job.attempts,
            error=job.error,
        )


@strawberry.type(description="A space and how its memories are embedded.")
class Space:
    name: str = field(description="Its name.")
    embedder: str = field(description="Id of its embedder.")
    dimensions: int = field(description="Dimensions of its vectors.")
    episodes: int = field(description="How many episodes it holds.")

    @classmethod
    def of(cls, space: SpaceInfo) -> Self:
        return cls(name=space.name, embedder=space.embedder, dimensions=space.dimensions, episodes=space.episodes)


@strawberry.type(description="How the service is.")
class ServiceStatus:
    version: str = field(description="Of this service.")
    neo4j: str = field(description="Version of Neo4j.")
    gds: str = field(description="Version of Graph Data Science.")
    embedder: str = field(description="Id of the embedder of new spaces.")
    llm: str | None = field(description="The model in use; null: none, rules do the work.")
    pending_jobs: int = field(description="Jobs waiting or running.")
    parked_jobs: int = field(description="Jobs that wait for a later time.")
    dead_jobs: int = field(description="Jobs that failed too often.")
    healthy: bool = field(description="Nothing is wrong.")

    @classmethod
    def of(cls, status: domain.ServiceStatus) -> Self:
        return cls(
            version=status.version,
            neo4j=status.neo4j,
            gds=status.gds,
            embedder=status.embedder,
            llm=status.llm,
            pending_jobs=status.pending_jobs,
            parked_jobs=status.parked_jobs,
            dead_jobs=status.dead_jobs,
            healthy=status.healthy,
        )


@strawberry.type(description="One part of a prompt.")
class ContextPart:
    name: str = field(description="system, session or scratch.")
    tokens: int = field(description="Tokens used.")
    budget: int = field(description="Tokens allowed.")
    memories: list[strawberry.ID] = field(description="The memories in it.")


@strawberry.type(description="One value of the running task.")
class Slot:
    name: str = field(description="Its name.")
    value: str = field(description="Its value.")
    since: datetime = field(description="Since when.")


@strawberry.type(description="A prompt built from memory.")
class Context:
    text: str = field(description="The prompt; memories in it are fenced as data.")
    tokens: int = field(description="Tokens used.")
    parts: list[ContextPart] = field(description="What it is made of.")
    slots: list[Slot] = field(description="Values of the running task.")
