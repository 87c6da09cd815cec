"""What a command answers: its result, or the Problem why nothing was changed."""

from typing import Annotated, TypeAlias

import strawberry

from consilience.resolvers.answers import Job, Problem, Remembered
from consilience.resolvers.beliefs import Identity
from consilience.resolvers.erasure import Ambiguous, Erasure, Exported, Forgotten, Imported, SessionEnded, TraceRecorded, Updated
from consilience.resolvers.memory import Contributor, Source

RememberResult: TypeAlias = Annotated[Remembered | Problem, strawberry.union("RememberResult", description="Episodes, or why not.")]
EraseResult: TypeAlias = Annotated[Erasure | Problem, strawberry.union("EraseResult", description="The erasure, or why not.")]
ForgetResult: TypeAlias = Annotated[
    Forgotten | Ambiguous | Problem, strawberry.union("ForgetResult", description="What was forgotten, a question back, or why not.")
]
EndSessionResult: TypeAlias = Annotated[
    SessionEnded | Problem, strawberry.union("EndSessionResult", description="What the session came to, or why not.")
]
UpdateResult: TypeAlias = Annotated[Updated | Problem, strawberry.union("UpdateResult", description="What was changed, or why not.")]
ContributorResult: TypeAlias = Annotated[
    Contributor | Problem, strawberry.union("ContributorResult", description="The contributor, or why not.")
]
SourceResult: TypeAlias = Annotated[Source | Problem, strawberry.union("SourceResult", description="The source, or why not.")]
TraceResult: TypeAlias = Annotated[TraceRecorded | Problem, strawberry.union("TraceResult", description="What was learned, or why not.")]
JobResult: TypeAlias = Annotated[Job | Problem, strawberry.union("JobResult", description="The job, or why not.")]
IdentityResult: TypeAlias = Annotated[Identity | Problem, strawberry.union("IdentityResult", description="The identity, or why not.")]
ExportResult: TypeAlias = Annotated[Exported | Problem, strawberry.union("ExportResult", description="The document, or why not.")]
ImportResult: TypeAlias = Annotated[Imported | Problem, strawberry.union("ImportResult", description="What was stored, or why not.")]

UNIONS = (
    RememberResult,
    EraseResult,
    ForgetResult,
    EndSessionResult,
    UpdateResult,
    ContributorResult,
    SourceResult,
    TraceResult,
    JobResult,
    IdentityResult,
    ExportResult,
    ImportResult,
)
