"""Facts, what they are about, what replaced what, and the conflicts between them. All below a page comes from the loaders."""

from collections.abc import Sequence
from datetime import datetime
from typing import Self

import strawberry
from strawberry import UNSET, Private, field

from consilience.resolvers.context import Info
from consilience.resolvers.enums import ConflictState, MemoryKind, Status
from consilience.resolvers.loaders import Key, SeenKey
from consilience.resolvers.memory import Episode, EpisodeConnection, Memory, Summary
from consilience.resolvers.pages import DEFAULT_FIRST, PageInfo, page_info, page_size
from consilience.resolvers.scalars import Cursor
from consilience.resolvers.seeing import hidden_statuses, open_statuses, shown_count
from consilience.schema import beliefs
from consilience.schema.beliefs import EntityName, StoredFact
from consilience.schema.domain import Page
from consilience.schema.profiles import AnyMemory, StoredSummary
from consilience.store.facts import StoredConflict, StoredSupersession


@strawberry.type(
    description="How much independent experience supports it. Ordinary readers see small counts as the lower bound of their bucket."
)
class Support:
    events: int = field(description="Distinct occasions.")
    origins: int = field(description="Distinct independent origins.")
    contributors: int = field(description="Distinct contributors.")
    needed: int = field(description="Occasions needed to be active.")
    first_at: datetime | None = field(description="The first of them.")
    last_at: datetime | None = field(description="The last of them.")

    @classmethod
    def of(cls, fact: StoredFact, *, curator: bool) -> Self:
        return cls(
            events=shown_count(fact.events, curator=curator),
            origins=shown_count(fact.origins, curator=curator),
            contributors=shown_count(fact.contributors, curator=curator),
            needed=fact.needed,
            first_at=fact.first_at,
            last_at=fact.last_at,
        )


@strawberry.type(description="Why one side won. Pairs are [winner, loser].")
class Grounds:
    summary: str = field(description="In one sentence.")
    reliability: list[float] = field(description="0..1 each.")
    freshness: list[float] = field(description="0..1 each.")
    consistency: list[float] = field(description="0..1 each.")
    decided_by: str = field(description="The rule or the person that decided.")

    @classmethod
    def of(cls, grounds: beliefs.Grounds) -> Self:
        return cls(
            summary=grounds.summary,
            reliability=list(grounds.reliability),
            freshness=list(grounds.freshness),
            consistency=list(grounds.consistency),
            decided_by=grounds.decided_by,
        )


@strawberry.type(description="One fact took another's place.")
class Supersession:
    winner: "Fact" = field(description="The fact that holds.")
    loser: "Fact" = field(description="The fact it replaced; kept.")
    at: datetime = field(description="When.")
    grounds: Grounds = field(description="Why.")
    restored_at: datetime | None = field(default=None, description="When it was undone.")


@strawberry.type(description="A settled statement about one subject.")
class Fact(Memory):
    subject: "Entity" = field(description="What it is about.")
    predicate: str = field(description="Canonical, snake_case.")
    value: str = field(description="What is said of the subject.")
    negated: bool = field(description="It says the opposite.")
    suspect: list[str] = field(description="Reasons to be careful with it.")
    stored: Private[StoredFact]

    @classmethod
    def of(cls, fact: StoredFact) -> Self:
        return cls(
            id=strawberry.ID(fact.id),
            kind=MemoryKind.FACT,
            space=fact.space,
            text=fact.text,
            status=fact.status,
            confidence=fact.confidence,
            trust=fact.trust,
            recorded_at=fact.recorded_at,
            valid_from=fact.valid_from,
            valid_to=fact.valid_to,
            subject=Entity.of(fact.subject, space=fact.space),
            predicate=fact.predicate,
            value=fact.value,
            negated=fact.negated,
            suspect=list(fact.suspect),
            pinned=fact.pinned,
            stored=fact,
        )

    @field(description="What it rests on, counted.")
    async def support(self, info: Info) -> Support:
        return Support.of(self.stored, curator=info.context.curator)

    @field(description="What it replaced.")
    async def supersedes(self, info: Info) -> list[Supersession]:
        return [one for one in await supersessions_of(info, self.stored) if one.winner.id == self.id]

    @field(description="What replaced it.")
    async def superseded_by(self, info: Info) -> list[Supersession]:
        return [one for one in await supersessions_of(info, self.stored) if one.loser.id == self.id]

    @field(description="The conflicts it is a side of.")
    async def conflicts(self, info: Info) -> list["Conflict"]:
        ids = await info.context.loaders.conflicts_of.load(Key(self.space, self.id))
        return [Conflict.of(found, space=self.space) for found in await load_conflicts(info, ids, space=self.space)]

    @field(description="The episodes it rests on, directly: one hop. In the order they were recorded.")
    async def evidence(self, info: Info, first: int | None = DEFAULT_FIRST, after: Cursor | None = UNSET) -> EpisodeConnection:
        hidden = hidden_statuses(curator=info.context.curator)
        page = await info.context.loaders.evidence.load(SeenKey(self.space, page_size(first), after or None, hidden, self.id))
        found = await info.context.loaders.episode.load_many([Key(self.space, id_) for id_ in page.nodes])
        episodes = tuple(one for one in found if one is not None)
        return EpisodeConnection.of(Page(episodes, page.total, page.end_cursor, page.has_next))


@strawberry.type(description="A page of facts.")
class FactConnection:
    nodes: list[Fact] = field(description="The facts of this page.")
    page_info: PageInfo = field(description="Whether more follow.")
    total_count: int = field(description="How many there are on all pages.")

    @classmethod
    def of(cls, page: Page[StoredFact]) -> Self:
        return cls(nodes=[Fact.of(node) for node in page.nodes], page_info=page_info(page), total_count=page.total)


@strawberry.type(description="What facts are about.")
class Entity:
    id: strawberry.ID = field(description="Made by the service.")
    name: str = field(description="Its name.")
    space: Private[str]

    @classmethod
    def of(cls, entity: EntityName, *, space: str) -> Self:
        return cls(id=strawberry.ID(entity.id), name=entity.name, space=space)

    @field(description="The other names it is found by, normalised.")
    async def aliases(self, info: Info) -> list[str]:
        return list(await info.context.loaders.aliases.load(Key(self.space, self.id)))

    @field(description="What is known of it.")
    async def facts(
        self, info: Info, status: Status | None = UNSET, first: int | None = DEFAULT_FIRST, after: Cursor | None = UNSET
    ) -> FactConnection:
        shown = open_statuses(status or None, curator=info.context.curator)
        page = await info.context.loaders.about.load(SeenKey(self.space, page_size(first), after or None, shown, self.id))
        return FactConnection.of(
            Page(tuple(await load_facts(info, page.nodes, space=self.space)), page.total, page.end_cursor, page.has_next)
        )


@strawberry.type(description="One side of a conflict and what speaks for it.")
class ConflictSide:
    fact: Fact = field(description="The fact.")
    reliability: float = field(description="0..1.")
    freshness: float = field(description="0..1.")
    consistency: float = field(description="0..1.")
    support: Support = field(description="What it rests on, counted.")

    @classmethod
    def of(cls, fact: StoredFact, *, curator: bool) -> Self:
        return cls(
            fact=Fact.of(fact),
            reliability=fact.reliability,
            freshness=fact.freshness,
            consistency=fact.consistency,
            support=Support.of(fact, curator=curator),
        )


@strawberry.type(description="Facts about the same that cannot all hold.")
class Conflict:
    id: strawberry.ID = field(description="Made by the service.")
    subject: Entity = field(description="What it is about.")
    predicate: str = field(description="Canonical, snake_case.")
    state: ConflictState = field(description="Where it stands.")
    opened_at: datetime = field(description="When it was found.")
    decided_by: str | None = field(description="The rule or the person that decided.")
    grounds: Grounds | None = field(description="Why.")
    space: Private[str]
    stored: Private[StoredConflict]

    @classmethod
    def of(cls, conflict: StoredConflict, *, space: str) -> Self:
        return cls(
            id=strawberry.ID(conflict.id),
            subject=Entity.of(conflict.subject, space=space),
            predicate=conflict.predicate,
            state=conflict.state,
            opened_at=conflict.opened_at,
            decided_by=conflict.decided_by,
            grounds=None if conflict.grounds is None else Grounds.of(conflict.grounds),
            space=space,
            stored=conflict,
        )

    @field(
        description="The facts that contradict each other, the one that stood first before the others. Curators see quarantined ones too."
    )
    async def sides(self, info: Info) -> list[ConflictSide]:
        found = await load_facts(info, self.stored.sides, space=self.space)
        return [ConflictSide.of(fact, curator=info.context.curator) for fact in found]


@strawberry.type(description="A page of conflicts.")
class ConflictConnection:
    nodes: list[Conflict] = field(description="The conflicts of this page.")
    page_info: PageInfo = field(description="Whether more follow.")
    total_count: int = field(description="How many there are on all pages.")


def memory_of(found: AnyMemory) -> Memory:
    """A memory of any kind as the API shows it."""
    if isinstance(found, StoredSummary):
        return Summary.of(found)
    return Fact.of(found) if isinstance(found, StoredFact) else Episode.of(found)


async def load_facts(info: Info, ids: Sequence[str], *, space: str) -> list[StoredFact]:
    """Those of these facts that are here and that whoever asks may see, in the order of the ids."""
    found = await info.context.loaders.fact.load_many([Key(space, id_) for id_ in ids])
    hidden = hidden_statuses(curator=info.context.curator)
    return [fact for fact in found if fact is not None and fact.status not in hidden]


async def load_conflicts(info: Info, ids: Sequence[str], *, space: str) -> list[StoredConflict]:
    """Those of these conflicts that are here, in the order of the ids."""
    found = await info.context.loaders.conflict.load_many([Key(space, id_) for id_ in ids])
    return [conflict for conflict in found if conflict is not None]


async def supersessions_of(info: Info, fact: StoredFact) -> list[Supersession]:
    """Every supersession the fact is part of whose other side may be seen, oldest first."""
    pairs: Sequence[StoredSupersession] = await info.context.loaders.supersessions.load(Key(fact.space, fact.id))
    sides = sorted({side for pair in pairs for side in (pair.winner, pair.loser)})
    seen = {one.id: Fact.of(one) for one in await load_facts(info, sides, space=fact.space)} | {fact.id: Fact.of(fact)}
    return [
        Supersession(winner=seen[pair.winner], loser=seen[pair.loser], at=pair.at, grounds=Grounds.of(pair.grounds))
        for pair in sorted(pairs, key=lambda pair: (pair.at, pair.winner, pair.loser))
        if pair.winner in seen and pair.loser in seen
    ]
