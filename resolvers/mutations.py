"""Writing."""

import strawberry
from strawberry import UNSET, field

from consilience.errors import InvalidInput
from consilience.resolvers.answers import Remembered
from consilience.resolvers.context import Info
from consilience.resolvers.guard import guarded
from consilience.resolvers.inputs import RememberInput
from consilience.resolvers.memory import Source
from consilience.resolvers.unions import RememberResult, SourceResult
from consilience.schema.domain import DEFAULT_SPACE


def checked_trust(trust: float | None) -> float | None:
    """A trust in 0..1; left out or null: the channel's. Raises InvalidInput outside."""
    if trust is UNSET or trust is None:
        return None
    if not 0.0 <= trust <= 1.0:
        raise InvalidInput(f"trust is {trust}", hint="a number from 0 to 1", field="trust")
    return trust


@guarded
@strawberry.type(description="Writing.")
class Mutation:
    @field(description="Remembers what was said. All episodes of a call are stored, or none.")
    async def remember(self, info: Info, input: RememberInput) -> RememberResult:
        episodes, actor = [episode.wanted() for episode in input.episodes], info.context.principal.name
        return Remembered.of(await info.context.ports.remember(episodes, space=input.space, wait=input.wait, actor=actor))

    @field(description="Registers a source and what its channel is worth. For administrators.")
    async def register_source(
        self, info: Info, key: str, channel: str, space: str = DEFAULT_SPACE, trust: float | None = UNSET
    ) -> SourceResult:
        worth, actor = checked_trust(trust), info.context.principal.name
        return Source.of(await info.context.ports.register_source(key, space=space, channel=channel, trust=worth, actor=actor))

    @field(description="Tries dead jobs again, of all spaces when none is named; returns how many. For administrators.")
    async def retry_jobs(self, info: Info, space: str | None = UNSET) -> int:
        return await info.context.ports.retry_jobs(space=space or None)
