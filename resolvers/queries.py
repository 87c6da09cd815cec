"""Reading."""

import strawberry
from strawberry import UNSET, field

from consilience.resolvers.answers import Job, Recall, ServiceStatus, Space
from consilience.resolvers.belief_queries import BeliefQueries, find_memory
from consilience.resolvers.companion import CompanionQueries
from consilience.resolvers.context import Info
from consilience.resolvers.enums import JobState
from consilience.resolvers.facts import memory_of
from consilience.resolvers.guard import guarded
from consilience.resolvers.inputs import RecallInput
from consilience.resolvers.memory import Contributor, Memory, Source
from consilience.resolvers.pages import DEFAULT_FIRST, page_size
from consilience.schema.domain import DEFAULT_SPACE


@guarded
@strawberry.type(description="Reading.")
class Query(BeliefQueries, CompanionQueries):
    @field(description="Asks the memory: the best memories for a question, with who said them, when and through what.")
    async def recall(self, info: Info, input: RecallInput) -> Recall:
        page_size(input.first)  # the cost limit counts on it
        return Recall.of(await info.context.ports.recall(input.asked()))

    @field(description="One memory; null: not here, or not yours.")
    async def memory(self, info: Info, id: strawberry.ID, space: str = DEFAULT_SPACE) -> Memory | None:
        found = await find_memory(info, id, space=space)
        return None if found is None else memory_of(found)

    @field(description="Who said something, by the caller's own id; null: not here, or not yours.")
    async def contributor(self, info: Info, external_id: str, space: str = DEFAULT_SPACE) -> Contributor | None:
        found = await info.context.ports.find_contributor(external_id, space=space)
        return None if found is None else Contributor.of(found)

    @field(description="How the service is.")
    async def status(self, info: Info) -> ServiceStatus:
        return ServiceStatus.of(await info.context.ports.status())

    @field(description="The registered sources of a space.")
    async def sources(self, info: Info, space: str = DEFAULT_SPACE) -> list[Source]:
        found = await info.context.ports.list_sources(space=space)
        return [Source.of(source) for source in found]

    @field(description="The spaces there are.")
    async def spaces(self, info: Info) -> list[Space]:
        found = await info.context.ports.list_spaces()
        return [Space.of(space) for space in found]

    @field(description="Background work, oldest first; of all spaces when none is named.")
    async def jobs(
        self, info: Info, space: str | None = UNSET, state: JobState | None = UNSET, first: int | None = DEFAULT_FIRST
    ) -> list[Job]:
        found = await info.context.ports.list_jobs(space=space or None, state=state or None, first=page_size(first))
        return [Job.of(job) for job in found]

    @field(description="One piece of background work; null: not here.")
    async def job(self, info: Info, id: strawberry.ID, space: str = DEFAULT_SPACE) -> Job | None:
        found = await info.context.ports.get_job(id, space=space)
        return None if found is None else Job.of(found)
