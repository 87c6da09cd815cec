"""What follows from statements, as plain values: votes in, settled facts out (design §4). Frozen; datetimes aware, UTC."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum

from consilience.schema.domain import OPEN_END, OPEN_START, Role, Status
from consilience.schema.statements import Arity, Change, StatementKind


class DecisionKind(StrEnum):
    """What a person decided about a slot."""

    CONFIRM = "CONFIRM"  # a review: this is so; counts as verified
    REJECT = "REJECT"  # a review: this is not so
    RESOLVE = "RESOLVE"  # a conflict's winner
    RESTORE = "RESTORE"  # a superseded fact back in force


class ConflictState(StrEnum):
    OPEN = "OPEN"
    SETTLED = "SETTLED"
    REVIEWED = "REVIEWED"


class Suspect(StrEnum):
    """Why a served memory should be looked at twice."""

    DISPUTED = "DISPUTED"  # equal standing on both sides
    CONTRADICTED = "CONTRADICTED"  # several others say otherwise (S55)
    INSTRUCTION_LIKE = "INSTRUCTION_LIKE"
    NO_PROVENANCE = "NO_PROVENANCE"  # S54


@dataclass(frozen=True, slots=True)
class SlotShape:
    """The slot itself. `owner`: id of the contributor who is the subject, None for anybody or anything else."""

    id: str
    subject: str
    predicate: str
    arity: Arity
    personal: bool
    costly: bool  # S11: waits for review or two independent sources
    half_life: timedelta
    owner: str | None = None


@dataclass(frozen=True, slots=True)
class Vote:
    """One statement in a slot, with all of its episode that settling asks for.

    `at`: its valid time: the start of the time the sentence names, else when it was said. `valid_from`/`valid_to`: the interval it is
    about, open ends as OPEN_START / OPEN_END. `group`: the copies it belongs to (origin), its own episode's id if it is no copy.
    `trust`: channel trust of its source, capped by what its writer had read, 0..1. `display`: the value as said.
    """

    statement: str
    episode: str
    contributor: str
    group: str
    session: str
    value_key: str
    display: str
    words: str
    at: datetime
    recorded_at: datetime
    channel: str
    trust: float
    extractor_confidence: float
    negated: bool = False
    hedged: bool = False
    explicit: bool = True
    vague: bool = False
    change: Change | None = None
    kind: StatementKind = StatementKind.FACT
    role: Role = Role.USER
    valid_from: datetime = OPEN_START
    valid_to: datetime = OPEN_END
    instruction_like: bool = False


@dataclass(frozen=True, slots=True, order=True)
class FactKey:
    """What a fact is about within its slot: value, polarity and which run of the timeline (0, 1, ...)."""

    value_key: str
    negated: bool
    run: int

    @property
    def text(self) -> str:
        """As stored: one string, unique in its slot."""
        return f"{self.value_key}|{'-' if self.negated else '+'}|{self.run}"


@dataclass(frozen=True, slots=True)
class Decision:
    """A person's answer, keyed by what it is about, so that it outlives the fact's id."""

    id: str
    kind: DecisionKind
    value_key: str
    negated: bool
    run: int
    at: datetime
    actor: str


@dataclass(frozen=True, slots=True)
class SlotEvidence:
    """All that settling a slot needs. `exclusive`: pairs of value keys that cannot both hold where the arity is many.

    `reputations`: by contributor id, 1 where absent. `consistency`: by FactKey.text, 0.5 where absent. Both empty in pass 0.
    """

    slot: SlotShape
    votes: tuple[Vote, ...]
    decisions: tuple[Decision, ...] = ()
    exclusive: frozenset[tuple[str, str]] = frozenset()
    reputations: dict[str, float] = field(default_factory=dict[str, float])
    consistency: dict[str, float] = field(default_factory=dict[str, float])


@dataclass(frozen=True, slots=True)
class Support:
    """`events`: distinct (group, session, day); `origins`: distinct groups; `contributors`; `needed`: events for the next step."""

    events: int
    origins: int
    contributors: int
    needed: int
    first_at: datetime | None = None
    last_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Measures:
    """Of one value over the groups that vote for it; each 0..1."""

    trust: float
    reliability: float
    freshness: float
    consistency: float

    @property
    def parts(self) -> tuple[float, float, float]:
        return (self.reliability, self.freshness, self.consistency)


@dataclass(frozen=True, slots=True)
class SettledFact:
    """One value over one unbroken run of the slot's timeline. `statements` and `episodes`: all that support it, oldest first."""

    key: FactKey
    display: str
    text: str
    status: Status
    confidence: float
    standing: float
    measures: Measures
    valid_from: datetime
    valid_to: datetime
    support: Support
    statements: tuple[str, ...]
    episodes: tuple[str, ...]
    suspect: tuple[Suspect, ...] = ()
    reason: str = ""  # why it is not ACTIVE, as a code


@dataclass(frozen=True, slots=True)
class Grounds:
    """Why one fact replaced another; pairs are (winner, loser)."""

    summary: str
    reliability: tuple[float, float]
    freshness: tuple[float, float]
    consistency: tuple[float, float]
    decided_by: str  # "time", "subject", "change", "standing", "trust", or a decision's id


@dataclass(frozen=True, slots=True)
class Supersession:
    winner: FactKey
    loser: FactKey
    at: datetime
    grounds: Grounds


@dataclass(frozen=True, slots=True)
class SettledConflict:
    """At most one a slot: the sides that contradict each other now, the incumbent first."""

    sides: tuple[FactKey, ...]
    state: ConflictState
    opened_at: datetime
    grounds: Grounds | None = None
    decided_by: str | None = None


@dataclass(frozen=True, slots=True)
class Settlement:
    """What a slot's evidence comes to. `quarantined`: statement id -> reason code; `superseded_at` edges are in `supersessions`."""

    facts: tuple[SettledFact, ...]
    supersessions: tuple[Supersession, ...] = ()
    conflict: SettledConflict | None = None
    quarantined: dict[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class EntityName:
    id: str
    name: str


@dataclass(frozen=True, slots=True)
class StoredFact:
    """A fact as it stands. Open ends of its validity are None."""

    id: str
    space: str
    slot: str
    subject: EntityName
    predicate: str
    value: str
    value_key: str
    negated: bool
    run: int
    text: str
    status: Status
    confidence: float
    trust: float
    reliability: float
    freshness: float
    consistency: float
    recorded_at: datetime
    valid_from: datetime | None
    valid_to: datetime | None
    events: int
    origins: int
    contributors: int
    needed: int
    first_at: datetime | None
    last_at: datetime | None
    suspect: tuple[str, ...]
    reason: str
    pinned: bool = False
