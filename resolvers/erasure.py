"""Types of erasure, of the audit and of the other commands of the contract that are not served yet."""

from datetime import datetime
from typing import Self

import strawberry
from strawberry import field

from consilience.errors import NotYet
from consilience.resolvers.beliefs import Lesson
from consilience.resolvers.context import Info
from consilience.resolvers.enums import ErasurePhase, MemoryKind, Status
from consilience.resolvers.facts import Fact
from consilience.resolvers.memory import Episode, Memory, Session, Summary
from consilience.resolvers.pages import DEFAULT_FIRST, PageInfo
from consilience.schema import audit


@strawberry.type(description="What becomes of beliefs of one kind.")
class Impact:
    kept: int = field(description="Stay as they are.")
    rewritten: int = field(description="Stay, worded anew from what remains.")
    demoted: int = field(description="Fall below their needed support.")
    removed: int = field(description="Go.")


@strawberry.type(description="What becomes of one belief.")
class ImpactItem:
    memory: strawberry.ID = field(description="The belief.")
    before: Status = field(description="Where it stands.")
    after: Status = field(description="Where it will stand.")
    support_before: int = field(description="Occasions that support it.")
    support_after: int = field(description="Occasions left.")


@strawberry.type(description="What an erasure would do; changes nothing.")
class ErasurePreview:
    contributor: str | None = field(description="Whose influence.")
    about: str | None = field(description="Entity, for what others said of a person.")
    token: str = field(description="Proves what was shown; the erasure is refused if the picture has changed since.")
    expires_at: datetime = field(description="Until when the token holds.")
    episodes: int = field(description="Episodes that go.")
    facts: Impact = field(description="What becomes of facts.")
    rules: Impact = field(description="What becomes of rules.")
    restores: int = field(description="Facts that come back because what replaced them goes.")
    others_affected: int = field(description="Other contributors whose shared rules change.")

    @field(description="Some of the beliefs it changes.")
    async def sample(self, info: Info, first: int | None = DEFAULT_FIRST) -> list[ImpactItem]:
        raise NotYet("erasure is not built yet", field="sample")


@strawberry.type(description="Proof of an erasure; no personal data in it.")
class Receipt:
    json: str = field(description="Canonical JSON (RFC 8785).")
    signature: str = field(description="Ed25519.")
    public_key: str = field(description="The key it verifies with.")


@strawberry.type(description="An erasure and how far it is.")
class Erasure:
    id: strawberry.ID = field(description="Made by the service.")
    phase: ErasurePhase = field(description="How far it is.")
    done: int = field(description="Items done.")
    total: int = field(description="Items in all.")
    started_at: datetime = field(description="When it began.")
    finished_at: datetime | None = field(description="When it ended.")
    receipt: Receipt | None = field(description="The proof, once it is done.")
    problem: str | None = field(description="What keeps it from going on.")


@strawberry.type(description="One place looked at for traces.")
class Probe:
    name: str = field(description="The place.")
    looked: int = field(description="How many things were looked at.")
    found: int = field(description="How many traces were found.")
    control: bool = field(description="The probe finds a planted canary of someone not erased.")


@strawberry.type(description="Whether anything is left of what was erased.")
class ErasureCheck:
    clean: bool = field(description="No probe found anything, and every control did.")
    probes: list[Probe] = field(description="Place by place.")


@strawberry.type(description="What was forgotten.")
class Forgotten:
    episodes: int = field(description="How many episodes.")
    erasure: Erasure = field(description="The erasure that does it.")


@strawberry.type(description="Asks back instead of guessing.")
class Ambiguous:
    candidates: list[Episode] = field(description="What may have been meant.")


@strawberry.type(description="What a session came to.")
class SessionEnded:
    session: Session = field(description="The session.")
    summary: Summary | None = field(description="What it was about.")
    facts: list[Fact] = field(description="What was learned and is believed; the first hundred.")
    todos: list[str] = field(description="What is left to do, as said.")
    events: list[str] = field(description="What happened, as said.")


@strawberry.type(description="What was changed.")
class Updated:
    memories: list[Memory] = field(description="The memories as they are now.")


@strawberry.type(description="What a trace taught.")
class TraceRecorded:
    episode: Episode = field(description="The trace as remembered.")
    lessons: list[Lesson] = field(description="What was learned.")


@strawberry.type(description="Memory as a document: JSON Lines, versioned, self-describing.")
class Exported:
    document: str = field(description="The document.")
    episodes: int = field(description="Episodes in it.")
    beliefs: int = field(description="Beliefs in it.")


@strawberry.type(description="What came of a document.")
class Imported:
    episodes: int = field(description="Episodes stored.")
    duplicates: int = field(description="Episodes stored before.")
    refused: int = field(description="Episodes suppressed by an erasure.")


@strawberry.type(description="One link of the audit chain.")
class AuditEvent:
    seq: int = field(description="1, 2, ...")
    at: datetime = field(description="When.")
    actor: str = field(description="Who.")
    action: str = field(description="What.")
    target: strawberry.ID | None = field(description="On what.")
    confidence_before: float | None = field(description="0..1.")
    confidence_after: float | None = field(description="0..1.")
    reason: str = field(description="Why.")
    hash: str = field(description="Binds it to the one before.")

    @classmethod
    def of(cls, event: audit.AuditEvent) -> Self:
        act = event.act
        return cls(
            seq=event.seq,
            at=event.at,
            actor=act.actor,
            action=act.action,
            target=None if act.target is None else strawberry.ID(act.target),
            confidence_before=act.confidence_before,
            confidence_after=act.confidence_after,
            reason=act.reason,
            hash=event.hash,
        )


@strawberry.type(description="A page of the audit.")
class AuditConnection:
    nodes: list[AuditEvent] = field(description="The events of this page.")
    page_info: PageInfo = field(description="Whether more follow.")


@strawberry.type(description="Something changed: ids and statuses, no text.")
class ChangeEvent:
    id: strawberry.ID = field(description="The memory.")
    kind: MemoryKind = field(description="What it is.")
    status: Status = field(description="Where it stands now.")
    at: datetime = field(description="When.")
