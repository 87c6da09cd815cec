"""Writing."""

import strawberry
from strawberry import UNSET, field

from consilience.resolvers.answers import Remembered
from consilience.resolvers.belief_mutations import BeliefMutations
from consilience.resolvers.companion import CompanionMutations
from consilience.resolvers.context import Info
from consilience.resolvers.guard import guarded
from consilience.resolvers.inputs import RememberInput
from consilience.resolvers.memory import Source
from consilience.resolvers.unions import RememberResult, SourceResult
from consilience.schema.domain import DEFAULT_SPACE


@guarded
@strawberry.type(description="Writing.")
class Mutation(BeliefMutations, CompanionMutations):
    @field(description="Remembers what was said. All episodes of a call are stored, or none.")
    async def remember(self, info: Info, input: RememberInput) -> RememberResult:
        episodes, actor = [episode.wanted() for episode in input.episodes], info.context.principal.name
        return Remembered.of(await info.context.ports.remember(episodes, space=input.space, wait=input.wait, actor=actor))

    @field(description="Registers a source and what its channel is worth. For administrators.")
    async def register_source(
        self, info: Info, key: str, channel: str, space: str = DEFAULT_SPACE, trust: float | None = UNSET
    ) -> SourceResult:
        worth, actor = None if trust is UNSET else trust, info.context.principal.name
        return Source.of(await info.context.ports.register_source(key, space=space, channel=channel, trust=worth, actor=actor))

    @field(description="Tries dead jobs again, of all spaces when none is named; returns how many. For administrators.")
    async def retry_jobs(self, info: Info, space: str | None = UNSET) -> int:
        return await info.context.ports.retry_jobs(space=space or None)
