"""What else follows from evidence: rules and lessons, explanations, the review queue, identities and profiles."""

from datetime import datetime
from typing import Self

import strawberry
from strawberry import field

from consilience.resolvers.enums import RelationshipStage
from consilience.resolvers.facts import Fact, Support
from consilience.resolvers.memory import Contributor, Episode, Memory, Source
from consilience.resolvers.pages import PageInfo
from consilience.schema import profiles
from consilience.schema.beliefs import StoredFact
from consilience.schema.profiles import IdentityCard


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


@strawberry.type(description="A page of rules.")
class RuleConnection:
    nodes: list[Rule] = field(description="The rules of this page.")
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
    id: strawberry.ID = field(description="What `review` takes.")
    memory: Memory = field(description="What it is about.")
    reason: str = field(description="Why it waits.")
    opened_at: datetime = field(description="Since when.")
    support: Support | None = field(description="What it rests on, counted.")

    @classmethod
    def of(cls, fact: StoredFact, *, curator: bool) -> Self:
        """An item is its fact's: the same id."""
        return cls(
            id=strawberry.ID(fact.id),
            memory=Fact.of(fact),
            reason=fact.reason or fact.status.value,
            opened_at=fact.recorded_at,
            support=Support.of(fact, curator=curator),
        )


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
    is_program: bool = field(default=True, description="It is a program and says so when asked: always true.")

    @classmethod
    def of(cls, card: IdentityCard) -> Self:
        return cls(
            agent=card.agent,
            name=card.name,
            role=card.role,
            traits=list(card.traits),
            hard_rules=list(card.hard_rules),
            introduction=card.introduction,
        )


@strawberry.type(description="What is known of a contributor as a person to talk to.")
class Profile:
    contributor: Contributor = field(description="Who.")
    form_of_address: str | None = field(description="How they want to be addressed.")
    stage: RelationshipStage = field(description="How well they are known.")
    preferences: list[Fact] = field(description="What they prefer.")
    observing: list[Fact] = field(description="What may become a preference.")

    @classmethod
    def of(cls, profile: profiles.Profile) -> Self:
        return cls(
            contributor=Contributor.of(profile.contributor),
            form_of_address=profile.form_of_address,
            stage=profile.stage,
            preferences=[Fact.of(fact) for fact in profile.preferences],
            observing=[Fact.of(fact) for fact in profile.observing],
        )
