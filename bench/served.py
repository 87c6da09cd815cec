"""What a recall serves, hit by hit: the episodes under a belief, the beliefs over an episode. One public query for all benchmarks."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bench.harness import say
from consilience.client import Client, Refused
from consilience.client.answers import read_as
from consilience.schema.domain import JobState, MemoryKind, NewEpisode, Risk, Status

BATCH: Final = 500
POLL_S: Final = 0.25
TELL_S: Final = 60.0
_FACT: Final = "id text status predicate value negated validFrom subject { id name }"
RECALL: Final = f"""
query Served($input: RecallInput!) {{
  recall(input: $input) {{
    hits {{
      score parts {{ words }}
      memory {{
        id kind text status trust
        ... on Episode {{ externalId contributor {{ externalId }} beliefs(first: 8) {{ nodes {{ ... on Fact {{ {_FACT} }} }} }} }}
        ... on Fact {{
          predicate value negated validFrom subject {{ id name }}
          evidence(first: 8) {{ nodes {{ externalId contributor {{ externalId }} }} }}
        }}
      }}
    }}
    cut {{ belowFloor quarantined }}
  }}
}}
"""
ABOUT: Final = f"""
query About($space: String!, $subject: String!) {{
  active: facts(space: $space, subject: $subject, status: ACTIVE, first: 50) {{ nodes {{ {_FACT} }} }}
  waiting: facts(space: $space, subject: $subject, status: CANDIDATE, first: 50) {{ nodes {{ {_FACT} }} }}
}}
"""


@dataclass(frozen=True, slots=True)
class Name:
    id: str
    name: str


@dataclass(frozen=True, slots=True)
class Fact:
    """A belief as served."""

    id: str
    text: str
    status: Status
    predicate: str
    value: str
    negated: bool
    subject: Name
    valid_from: datetime | None = None


@dataclass(frozen=True, slots=True)
class By:
    external_id: str


@dataclass(frozen=True, slots=True)
class Origin:
    """An episode under a belief."""

    external_id: str | None
    contributor: By


@dataclass(frozen=True, slots=True)
class Facts:
    nodes: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class Origins:
    nodes: tuple[Origin, ...]


@dataclass(frozen=True, slots=True)
class Memory:
    """Fields of both kinds; those of the other kind stay None."""

    id: str
    kind: MemoryKind
    text: str
    status: Status
    trust: float
    external_id: str | None = None
    contributor: By | None = None
    beliefs: Facts | None = None
    predicate: str | None = None
    value: str | None = None
    negated: bool = False
    valid_from: datetime | None = None
    subject: Name | None = None
    evidence: Origins | None = None


@dataclass(frozen=True, slots=True)
class Words:
    words: float


@dataclass(frozen=True, slots=True)
class Served:
    """One hit. `score` as the service gives it; `parts.words` in 0..1."""

    score: float
    parts: Words
    memory: Memory

    @property
    def episodes(self) -> tuple[str, ...]:
        """External ids of what it is or rests on."""
        own = self.memory
        found = (own.external_id,) if own.evidence is None else tuple(one.external_id for one in own.evidence.nodes)
        return tuple(one for one in found if one)

    @property
    def facts(self) -> tuple[Fact, ...]:
        """The fact it is, or the facts that rest on it."""
        own = self.memory
        if own.subject is None or own.predicate is None or own.value is None:
            return own.beliefs.nodes if own.beliefs else ()
        return (Fact(own.id, own.text, own.status, own.predicate, own.value, own.negated, own.subject, own.valid_from),)


@dataclass(frozen=True, slots=True)
class _Cut:
    below_floor: int
    quarantined: int


@dataclass(frozen=True, slots=True)
class _Answer:
    hits: tuple[Served, ...]
    cut: _Cut


async def ask(
    client: Client,
    query: str,
    *,
    space: str,
    first: int,
    risk: Risk = Risk.LOW,
    asker: str | None = None,
    contributor: str | None = None,
) -> tuple[Served, ...]:
    """The hits of one recall, best first."""
    given: dict[str, object] = {"space": space, "query": query, "first": first, "risk": risk.value}
    given |= {name: value for name, value in (("asker", asker), ("contributor", contributor)) if value is not None}
    data = await client.execute(RECALL, {"input": given}, repeatable=True)
    return read_as(_Answer, data["recall"]).hits


async def about(client: Client, subject: str, *, space: str) -> tuple[Fact, ...]:
    """What is believed of one with this name, and of what nothing active is held, what waits for more support."""
    data = await client.execute(ABOUT, {"space": space, "subject": subject}, repeatable=True)
    active, waiting = (read_as(Facts, data[name]).nodes for name in ("active", "waiting"))
    held = {fact.predicate for fact in active}
    return (*active, *(fact for fact in waiting if fact.predicate not in held))


async def first_facts(client: Client, names: Sequence[str], *, space: str) -> tuple[Fact, ...]:
    """One active fact of each of these names that is known at all, in one request; at most 60 names."""
    declared = ", ".join(f"$n{number}: String!" for number in range(len(names)))
    fields = " ".join(
        f"a{number}: facts(space: $space, subject: $n{number}, status: ACTIVE, first: 1) {{ nodes {{ {_FACT} }} }}"
        for number in range(len(names))
    )
    given = {"space": space} | {f"n{number}": name for number, name in enumerate(names)}
    data = await client.execute(f"query First($space: String!, {declared}) {{ {fields} }}", given, repeatable=True)
    return tuple(fact for answer in data.values() for fact in read_as(Facts, answer).nodes)


async def store(client: Client, episodes: Sequence[NewEpisode], *, space: str) -> None:
    """Stores the episodes and waits until all that follows from them is done. Raises RuntimeError if some of that work died."""
    for at in range(0, len(episodes), BATCH):
        await client.remember(episodes[at : at + BATCH], space=space)
    begun = told = time.monotonic()
    # One question for the whole queue: a job that changes its state between two would be seen by neither.
    # One that cannot count it at the moment says so by being unhealthy.
    while (status := await client.status()).pending_jobs or status.parked_jobs or not (status.healthy or status.dead_jobs):
        await asyncio.sleep(POLL_S)
        if time.monotonic() - told > TELL_S:
            told = time.monotonic()
            say(f"  {space}: settling for {told - begun:.0f} s")
    if await client.jobs(space=space, state=JobState.DEAD, first=1):
        raise RuntimeError(f"a job of {space} died: the numbers would be of half the work")


async def register(client: Client, sources: Sequence[tuple[str, str]], *, space: str) -> None:
    """Registers (key, channel) pairs; one that stands already is fine."""
    for key, channel in sources:
        try:
            await client.register_source(key, channel=channel, space=space)
        except Refused:
            if key not in {source.key for source in await client.sources(space=space)}:
                raise
