"""What a sentence says, as plain values: made once by a named extractor, never merged with others' (design §2, §3)."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

# The predicate of what fits no pattern: its value is the cleaned sentence, so nothing said is lost.
STATES: Final = "states"
# "Ana, also known as A. Berg": the subject is the name in use, the value the other name.
ALIAS_OF: Final = "alias_of"


class SubjectKind(StrEnum):
    """Who a statement is about, before names are linked to entities."""

    SPEAKER = "SPEAKER"
    ADDRESSEE = "ADDRESSEE"
    AGENT = "AGENT"  # the program people talk to
    NAMED = "NAMED"


class StatementKind(StrEnum):
    FACT = "FACT"
    PREFERENCE = "PREFERENCE"
    EVENT = "EVENT"
    TODO = "TODO"
    RULE = "RULE"
    PROCEDURE = "PROCEDURE"
    IDENTITY = "IDENTITY"
    OUTBURST = "OUTBURST"  # a short-lived event; never reaches a profile (S12)


class Change(StrEnum):
    """How a sentence marks that something is no longer what it was."""

    NOW = "NOW"  # now, currently, these days, 现在
    MOVED = "MOVED"  # moved to, switched to, became, 搬到, 改成
    NO_LONGER = "NO_LONGER"  # no longer, stopped, quit, 不再
    USED_TO = "USED_TO"  # used to, formerly, 以前: true then, not now


class Arity(StrEnum):
    ONE = "ONE"
    MANY = "MANY"


class Grain(StrEnum):
    """How exactly a time was named; ordered from coarse to fine in GRAINS."""

    YEAR = "YEAR"
    QUARTER = "QUARTER"
    MONTH = "MONTH"
    WEEK = "WEEK"
    DAY = "DAY"
    HOUR = "HOUR"
    MINUTE = "MINUTE"


GRAINS: Final = tuple(Grain)


class EntityKind(StrEnum):
    PERSON = "PERSON"
    ORGANISATION = "ORGANISATION"
    PLACE = "PLACE"
    OTHER = "OTHER"


@dataclass(frozen=True, slots=True)
class EntityMention:
    """A name used in a session. `feminine`: True she, False he, None unknown; pronouns look for the last that fits."""

    name: str
    kind: EntityKind = EntityKind.OTHER
    feminine: bool | None = None


@dataclass(frozen=True, slots=True)
class SubjectRef:
    """Who a statement is about. `name` is set for NAMED only.

    `via` names a relation to follow from there: (SPEAKER, via "has_mother") is the speaker's mother, which is the entity
    in that slot if it is filled and else an entity of its own, called as `label` says.
    """

    kind: SubjectKind
    name: str | None = None
    via: str | None = None

    def label(self, *, speaker: str, addressee: str | None, agent: str = "agent") -> str:
        """A name to show or to link by: `Alice`, `Alice's mother`."""
        names = {SubjectKind.SPEAKER: speaker, SubjectKind.ADDRESSEE: addressee or agent, SubjectKind.AGENT: agent}
        owner = self.name or names.get(self.kind, speaker)
        return owner if self.via is None else f"{owner}'s {self.via.removeprefix('has_').replace('_', ' ')}"


@dataclass(frozen=True, slots=True)
class ValidTime:
    """When something is true in the world: half-open [start, end), aware UTC, None is open; as exactly as `grain` says."""

    start: datetime | None
    end: datetime | None
    grain: Grain


@dataclass(frozen=True, slots=True)
class Draft:
    """One statement read out of one text, its subject not yet linked. Never says more than the words it came from.

    `value`: as said, but dates of date-valued predicates in ISO form (2026, 2026-04, 2026-04-15). `value_entity`: the name,
    if the value is an entity; `value_ref`: who it is, if it is the speaker, the addressee or the agent ("I am the CEO of
    Acme"). `alternatives`: predicates the verb may also mean ("moved to"); `choose` takes the one whose
    slot is filled. `reported`: what somebody else is said to have said. `explicit`: said outright: neither hedged nor
    reported. `vague`: neither actionable nor verifiable nor stable (S12). `span`: [start, end) of `words` in the text,
    in characters. `confidence` in 0..1. `instruction_like`: tries to instruct an agent or to change a rule of the system.
    """

    subject: SubjectRef
    predicate: str
    value: str
    words: str
    span: tuple[int, int]
    kind: StatementKind = StatementKind.FACT
    arity: Arity = Arity.MANY
    value_entity: str | None = None
    value_ref: SubjectRef | None = None
    alternatives: tuple[str, ...] = ()
    negated: bool = False
    hedged: bool = False
    reported: bool = False
    explicit: bool = True
    vague: bool = False
    change: Change | None = None
    valid: ValidTime | None = None
    instruction_like: bool = False
    confidence: float = 0.5
    extractor: str = ""
