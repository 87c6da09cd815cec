"""What curators decide: reviews, conflicts, restores. Each is a decision on record; settling does the rest."""

from collections.abc import Sequence

import strawberry
from strawberry import UNSET, field

from consilience.resolvers.context import Info
from consilience.resolvers.enums import ReviewDecision
from consilience.resolvers.erasure import Updated
from consilience.resolvers.facts import Fact
from consilience.resolvers.unions import UpdateResult
from consilience.schema.beliefs import StoredFact
from consilience.schema.domain import DEFAULT_SPACE


@strawberry.type
class BeliefMutations:
    @field(description="Confirms or rejects what waits in the review queue. For curators.")
    async def review(
        self, info: Info, item: strawberry.ID, decision: ReviewDecision, space: str = DEFAULT_SPACE, note: str | None = UNSET
    ) -> UpdateResult:
        confirm, actor = decision is ReviewDecision.CONFIRM, info.context.principal.name
        return _updated(await info.context.ports.review(item, space=space, confirm=confirm, note=note or None, actor=actor))

    @field(description="Decides a conflict for one of its sides: `winner` is the id of that side's fact. For curators.")
    async def resolve_conflict(
        self, info: Info, conflict: strawberry.ID, winner: strawberry.ID, space: str = DEFAULT_SPACE, note: str | None = UNSET
    ) -> UpdateResult:
        actor = info.context.principal.name
        return _updated(await info.context.ports.resolve_conflict(conflict, space=space, winner=winner, note=note or None, actor=actor))

    @field(description="Puts a fact that was replaced back in force. For curators.")
    async def restore_fact(self, info: Info, fact: strawberry.ID, space: str = DEFAULT_SPACE, note: str | None = UNSET) -> UpdateResult:
        actor = info.context.principal.name
        return _updated(await info.context.ports.restore_fact(fact, space=space, note=note or None, actor=actor))


def _updated(found: Sequence[StoredFact]) -> Updated:
    return Updated(memories=[Fact.of(fact) for fact in found])
