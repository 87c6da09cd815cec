"""The inputs of the API, field for field as in the contract, and what becomes of them inside."""

from datetime import datetime

import strawberry
from strawberry import UNSET, field

from consilience.resolvers.enums import MemoryKind, Outcome, Risk, Role, Status, Wait
from consilience.schema.domain import DEFAULT_SOURCE, DEFAULT_SPACE, NewEpisode, Recollection
from consilience.schema.profiles import IdentityCard

_SPACE = "The space: memories of different spaces never meet."


@strawberry.input(description="Who says something. The name is taken from the first call that gives one.")
class ContributorInput:
    external_id: str = field(description="The caller's own id of the contributor, 1..256 characters.")
    name: str | None = field(default=UNSET, description="How people call the contributor.")


@strawberry.input(description="One entry of an episode's metadata.")
class MetadataInput:
    key: str = field(description="Name of the entry. `document` and `upstream` say where a copy comes from.")
    value: str = field(description="Its value.")


@strawberry.input(description="One utterance to remember.")
class EpisodeInput:
    text: str = field(description="What was said: 1 character to 32 KiB.")
    contributor: ContributorInput = field(description="Who said it.")
    source: str = field(
        default=DEFAULT_SOURCE, description="Key of a registered source, which sets the trust; an unregistered one counts 0.2."
    )
    role: Role = field(default=Role.USER, description="Who spoke, seen from the conversation.")
    session: str | None = field(default=UNSET, description="The caller's own id of the conversation.")
    occurred_at: datetime | None = field(default=UNSET, description="When it was said; default: now.")
    external_id: str | None = field(default=UNSET, description="The caller's own id of the episode: sent again, it is stored once.")
    metadata: list[MetadataInput] | None = field(default_factory=list[MetadataInput], description="Further entries, at most 32.")

    def wanted(self) -> NewEpisode:
        """The episode as the service takes it."""
        return NewEpisode(
            text=self.text,
            contributor=self.contributor.external_id,
            contributor_name=_given(self.contributor.name),
            source=self.source,
            role=self.role,
            session=_given(self.session),
            occurred_at=self.occurred_at or None,
            external_id=_given(self.external_id),
            metadata=tuple((entry.key, entry.value) for entry in self.metadata or ()),
        )


@strawberry.input(description="Episodes to remember, in order.")
class RememberInput:
    space: str = field(default=DEFAULT_SPACE, description=_SPACE)
    episodes: list[EpisodeInput] = field(description="1..500 episodes, in the order they were said.")
    wait: Wait = field(default=Wait.STORED, description="When to return.")


@strawberry.input(description="A question to the memory.")
class RecallInput:
    space: str = field(default=DEFAULT_SPACE, description=_SPACE)
    query: str = field(description="The question, in plain words.")
    asker: str | None = field(default=UNSET, description='externalId of who asks ("I", "my"); ranks, never filters.')
    first: int = field(default=5, description="How many hits, 1..100.")
    kinds: list[MemoryKind] | None = field(default=UNSET, description="Kinds of memory; default: all but SUMMARY.")
    risk: Risk = field(default=Risk.LOW, description="What is about to be decided with the answer.")
    contributor: str | None = field(default=UNSET, description="Only what this contributor said (externalId).")
    about: str | None = field(default=UNSET, description="Only what concerns this entity.")
    session: str | None = field(default=UNSET, description="Only what was said in this session.")
    since: datetime | None = field(default=UNSET, description="Only what was said at this instant or later.")
    until: datetime | None = field(default=UNSET, description="Only what was said before this instant.")
    as_of: datetime | None = field(default=UNSET, description="Answer as the service would have at that time.")
    include_statuses: list[Status] | None = field(default=UNSET, description="Default: ACTIVE. WITHHELD is never served.")

    def asked(self) -> Recollection:
        """The question as the service takes it."""
        return Recollection(
            query=self.query,
            space=self.space,
            asker=_given(self.asker),
            first=self.first,
            kinds=tuple(self.kinds or ()),
            risk=self.risk,
            contributor=_given(self.contributor),
            about=_given(self.about),
            session=_given(self.session),
            since=self.since or None,
            until=self.until or None,
            as_of=self.as_of or None,
            statuses=tuple(self.include_statuses or ()),
        )


def _given(value: str | None) -> str | None:
    """None for a field left out; an empty string stays one: it is refused or matches nothing, it does not widen the question."""
    return None if value is UNSET else value


@strawberry.input(description="What to put into a prompt.")
class ContextInput:
    space: str = field(default=DEFAULT_SPACE, description=_SPACE)
    query: str = field(description="What the prompt is about.")
    agent: str | None = field(default=UNSET, description="The agent the prompt is for.")
    contributor: str | None = field(default=UNSET, description="externalId of who asks.")
    session: str | None = field(default=UNSET, description="The running session.")
    window_tokens: int = field(default=8192, description="Size of the model's window, in tokens.")
    risk: Risk = field(default=Risk.LOW, description="What is about to be decided with the answer.")


@strawberry.input(description="How memories that were used turned out.")
class FeedbackInput:
    space: str = field(default=DEFAULT_SPACE, description=_SPACE)
    memories: list[strawberry.ID] = field(description="Ids of the memories used.")
    outcome: Outcome = field(description="How it turned out.")
    note: str | None = field(default=UNSET, description="A remark for reviewers.")


@strawberry.input(description="Whose influence to take out.")
class EraseInput:
    space: str = field(default=DEFAULT_SPACE, description=_SPACE)
    contributor: str | None = field(default=UNSET, description="externalId; exactly one of contributor and about.")
    about: str | None = field(default=UNSET, description="Entity; exactly one of contributor and about.")
    token: str = field(description="From previewErasure.")
    request_id: str = field(description="Idempotency key of the request.")
    basis: str = field(default="GDPR Art. 17", description="Legal basis, for the receipt.")
    wait: bool = field(default=False, description="Return when the erasure is done.")


@strawberry.input(description="A task, its steps and its outcome.")
class TraceInput:
    space: str = field(default=DEFAULT_SPACE, description=_SPACE)
    contributor: ContributorInput = field(description="Who did it.")
    session: str | None = field(default=UNSET, description="The session it belongs to.")
    task: str = field(description="What was to be done.")
    steps: list[str] = field(description="What was done, in order.")
    outcome: Outcome = field(description="How it turned out.")
    critique: str | None = field(default=UNSET, description="What went well or badly.")


@strawberry.input(description="Who an agent is.")
class IdentityInput:
    space: str = field(default=DEFAULT_SPACE, description=_SPACE)
    agent: str = field(description="The agent's id.")
    name: str = field(description="Its name.")
    role: str = field(description="What it is there for.")
    traits: list[str] | None = field(default_factory=list[str], description="How it behaves.")
    hard_rules: list[str] | None = field(default_factory=list[str], description="What it never does.")
    introduction: str = field(description="How it introduces itself.")

    def card(self) -> IdentityCard:
        """The card as the service takes it."""
        return IdentityCard(self.agent, self.name, self.role, self.introduction, tuple(self.traits or ()), tuple(self.hard_rules or ()))
