"""The enums of the API: the domain's, published with their descriptions, and those only the API has so far.

Import the domain's enums from here in this package: a type that names one before it is published would publish it again.
"""

from collections.abc import Mapping
from enum import Enum, StrEnum
from typing import cast

import strawberry
from strawberry.types.enum import StrawberryEnumDefinition

from consilience.schema.beliefs import ConflictState
from consilience.schema.domain import ContributorState, JobState, MemoryKind, Risk, Role, Status, Wait
from consilience.schema.profiles import Outcome, RelationshipStage

__all__ = [
    "ConflictState",
    "ContributorState",
    "ErasurePhase",
    "JobState",
    "MemoryKind",
    "Outcome",
    "RelationshipStage",
    "ReviewDecision",
    "Risk",
    "Role",
    "Status",
    "Wait",
]


class ReviewDecision(StrEnum):
    CONFIRM = "CONFIRM"
    REJECT = "REJECT"


class ErasurePhase(StrEnum):
    FENCED = "FENCED"
    CLOSURE = "CLOSURE"
    WITHHELD = "WITHHELD"
    REDISTILLED = "REDISTILLED"
    REGATED = "REGATED"
    DELETED = "DELETED"
    REINDEXED = "REINDEXED"
    VERIFIED = "VERIFIED"
    LOGICALLY_ERASED = "LOGICALLY_ERASED"
    PHYSICALLY_ERASED = "PHYSICALLY_ERASED"
    FAILED = "FAILED"


def _publish(enum: type[Enum], description: str, values: Mapping[str, str] | None = None) -> None:
    """Registers an enum with its descriptions, the enum itself unchanged."""
    strawberry.enum(enum, description=description)
    definition = cast(StrawberryEnumDefinition, vars(enum)["__strawberry_definition__"])
    for value in definition.values:
        value.description = (values or {}).get(value.name)


_publish(
    MemoryKind,
    "What a memory is made of.",
    {
        "EPISODE": "One utterance, as it came in.",
        "SUMMARY": "A session or a cluster in a few sentences.",
        "FACT": "A settled statement about one subject.",
        "RULE": "What repeated experience says.",
        "LESSON": "What to do when, learned from tasks.",
    },
)
_publish(
    Status,
    "Where a memory stands.",
    {
        "ACTIVE": "Served.",
        "CANDIDATE": "Not enough independent support yet, or waiting for review.",
        "TO_VERIFY": "Was active; its lifetime ran out, or newer evidence against it is not settled.",
        "SUPERSEDED": "Replaced; kept with grounds; restorable.",
        "QUARANTINED": "Stopped at the write gate.",
        "WITHHELD": "Affected by a running erasure or an unfinished re-distillation: never served.",
        "ARCHIVED": "Cold; out of every index; revivable.",
        "RETRACTED": "No evidence left, or marked wrong by a person.",
    },
)
_publish(Risk, "What the reader is about to decide with the answer: the higher, the more trust a memory needs.")
_publish(Role, "Who spoke, seen from the conversation.")
_publish(
    Wait,
    "When `remember` returns.",
    {"STORED": "When the episodes are stored.", "SETTLED": "When extraction, gates, settling and indexing of these episodes are done."},
)
_publish(
    ContributorState,
    "What may be done with a contributor's memories.",
    {"ACTIVE": "Everything.", "RESTRICTED": "Kept, not used.", "ERASING": "Being erased: never served."},
)
_publish(
    JobState,
    "Where a piece of background work stands.",
    {"QUEUED": "Waiting.", "RUNNING": "A worker has it.", "DONE": "Finished.", "DEAD": "Failed too often; `retryJobs` tries again."},
)
_publish(
    ConflictState,
    "Where a conflict stands.",
    {"OPEN": "Nothing decides between the sides.", "SETTLED": "One side is believed.", "REVIEWED": "Decided by a person."},
)
_publish(RelationshipStage, "How well a contributor is known.")
_publish(Outcome, "How the use of a memory turned out.")
_publish(ReviewDecision, "A person's decision on an item of the review queue.")
_publish(ErasurePhase, "How far an erasure is; each phase can be resumed.")
