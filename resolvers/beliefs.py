"""What follows from evidence: facts, rules, lessons, entities, conflicts. Types of the contract; nothing returns them yet."""

from datetime import datetime

import strawberry
from strawberry import UNSET, field

from consilience.errors import NotYet
from consilience.resolvers.context import Info
from consilience.resolvers.enums import ConflictState, RelationshipStage, Status
from consilience.resolvers.memory import Contributor, Episode, Memory, Source
from consilience.resolvers.pages import DEFAULT_FIRST, PageInfo
from consilience.resolvers.scalars import Cursor


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


@strawberry.type(description="Why one side won. Pairs are [winner, loser].")
class Grounds:
    summary: str = field(description="In one sentence.")
    reliability: list[float] = field(description="0..1 each.")
    freshness: list[float] = field(description="0..1 each.")
    consistency: list[float] = field(description="0..1 each.")
    decided_by: str = field(description="The rule or the person that decided.")


@strawberry.type(description="One fact took another's place.")
class Supersession:
    winner: "Fact" = field(description="The fact that holds.")
    loser: "Fact" = field(description="The fact it replaced; kept.")
    at: datetime = field(description="When.")
    grounds: Grounds = field(description="Why.")
    restored_at: datetime | None = field(description="When it was undone.")


@strawberry.type(description="A settled statement about one subject.")
class Fact(Memory):
    subject: "Entity" = field(description="What it is about.")
    predicate: str = field(description="Canonical, snake_case.")
    value: str = field(description="What is said of the subject.")
    negated: bool = field(description="It says the opposite.")
    support: Support = field(description="What it rests on, counted.")
    supersedes: list[Supersession] = field(description="What it replaced.")
    superseded_by: list[Supersession] = field(description="What replaced it.")
    conflicts: list["Conflict"] = field(description="The conflicts it is a side of.")


@strawberry.type(description="One version of a rule.")
class RuleVersion:
    version: int = field(description="1, 2, ...")
    text: str = field(description="The rule in words.")
    condition: str | None = field(description="When it applies.")
    support: Support = field(description="What it rested on then.")
    distillation: strawberry.ID = field(description="The run that made it.")
    at: datetime = field(description="When.")


@strawberry.type(description="What repeated experience says.")
class Rule(Memory):
    condition: str | None = field(description="When it applies; null: always.")
    support: Support = field(description="What it rests on, counted.")
    version: int = field(description="The current version.")
    history: list[RuleVersion] = field(description="All versions, oldest first.")


@strawberry.type(description="What to do when, learned from tasks.")
class Lesson(Memory):
    condition: str = field(description="When.")
    action: str = field(description="What to do.")
    uses: int = field(description="How often it was used.")
    helped: int = field(description="How often that helped.")


@strawberry.type(description="A page of facts.")
class FactConnection:
    nodes: list[Fact] = field(description="The facts of this page.")
    page_info: PageInfo = field(description="Whether more follow.")
    total_count: int = field(description="How many there are on all pages.")


@strawberry.type(description="A page of rules.")
class RuleConnection:
    nodes: list[Rule] = field(description="The rules of this page.")
    page_info: PageInfo = field(description="Whether more follow.")
    total_count: int = field(description="How many there are on all pages.")


@strawberry.type(description="What facts are about.")
class Entity:
    id: strawberry.ID = field(description="Made by the service.")
    name: str = field(description="Its name.")
    aliases: list[str] = field(description="Its other names.")

    @field(description="What is known of it.")
    async def facts(
        self, info: Info, status: Status | None = UNSET, first: int | None = DEFAULT_FIRST, after: Cursor | None = UNSET
    ) -> FactConnection:
        raise NotYet("facts are not built yet", field="facts")


@strawberry.type(description="One side of a conflict and what speaks for it.")
class ConflictSide:
    fact: Fact = field(description="The fact.")
    reliability: float = field(description="0..1.")
    freshness: float = field(description="0..1.")
    consistency: float = field(description="0..1.")
    support: Support = field(description="What it rests on, counted.")


@strawberry.type(description="Facts about the same that cannot all hold.")
class Conflict:
    id: strawberry.ID = field(description="Made by the service.")
    subject: Entity = field(description="What it is about.")
    predicate: str = field(description="Canonical, snake_case.")
    state: ConflictState = field(description="Where it stands.")
    sides: list[ConflictSide] = field(description="The facts that contradict each other.")
    opened_at: datetime = field(description="When it was found.")
    decided_by: str | None = field(description="The rule or the person that decided.")
    grounds: Grounds | None = field(description="Why.")


@strawberry.type(description="A page of conflicts.")
class ConflictConnection:
    nodes: list[Conflict] = field(description="The conflicts of this page.")
    page_info: PageInfo = field(description="Whether more follow.")
    total_count: int = field(description="How many there are on all pages.")


@strawberry.type(description="One step on the way to a belief.")
class ExplanationStep:
    at: datetime = field(description="When.")
    what: str = field(description="What happened.")
    episode: Episode | None = field(description="The episode it rests on.")
    contributor: Contributor | None = field(description="Who was involved.")
    source: Source | None = field(description="Through what.")


@strawberry.type(description="Why something is believed.")
class Explanation:
    memory: Memory = field(description="What is explained.")
    sentence: str = field(description="In one sentence.")
    steps: list[ExplanationStep] = field(description="Step by step, oldest first.")


@strawberry.type(description="Something a person should decide.")
class ReviewItem:
    id: strawberry.ID = field(description="Made by the service.")
    memory: Memory = field(description="What it is about.")
    reason: str = field(description="Why it waits.")
    opened_at: datetime = field(description="Since when.")
    support: Support | None = field(description="What it rests on, counted.")


@strawberry.type(description="A page of the review queue.")
class ReviewItemConnection:
    nodes: list[ReviewItem] = field(description="The items of this page.")
    page_info: PageInfo = field(description="Whether more follow.")
    total_count: int = field(description="How many there are on all pages.")


@strawberry.type(description="Who an agent is.")
class Identity:
    agent: str = field(description="The agent's id.")
    name: str = field(description="Its name.")
    role: str = field(description="What it is there for.")
    traits: list[str] = field(description="How it behaves.")
    hard_rules: list[str] = field(description="What it never does.")
    introduction: str = field(description="How it introduces itself.")
    is_program: bool = field(description="It is a program and says so when asked.")


@strawberry.type(description="What is known of a contributor as a person to talk to.")
class Profile:
    contributor: Contributor = field(description="Who.")
    form_of_address: str | None = field(description="How they want to be addressed.")
    stage: RelationshipStage = field(description="How well they are known.")
    preferences: list[Fact] = field(description="What they prefer.")
    observing: list[Fact] = field(description="What may become a preference.")
