"""Agents and the people they talk to: identities, profiles, ends of sessions, what came of use, pins."""

from collections.abc import Sequence

import strawberry
from strawberry import UNSET, field

from consilience.resolvers.beliefs import Identity, Profile
from consilience.resolvers.context import Info
from consilience.resolvers.erasure import SessionEnded, Updated
from consilience.resolvers.facts import Fact, memory_of
from consilience.resolvers.inputs import FeedbackInput, IdentityInput
from consilience.resolvers.memory import Session, Summary
from consilience.resolvers.seeing import hidden_statuses
from consilience.resolvers.unions import EndSessionResult, IdentityResult, UpdateResult
from consilience.schema.domain import DEFAULT_SPACE
from consilience.schema.profiles import AnyMemory


@strawberry.type
class CompanionQueries:
    @field(description="Who an agent is, as an administrator says; null: nobody has said so.")
    async def identity(self, info: Info, agent: str, space: str = DEFAULT_SPACE) -> Identity | None:
        found = await info.context.ports.companion.identity(agent, space=space)
        return None if found is None else Identity.of(found)

    @field(description="What is known of a contributor as a person to talk to, by the caller's own id; null: not here, or not yours.")
    async def profile(self, info: Info, contributor: str, space: str = DEFAULT_SPACE) -> Profile | None:
        found = await info.context.ports.companion.profile(contributor, space=space)
        return None if found is None else Profile.of(found)


@strawberry.type
class CompanionMutations:
    @field(description="Says who an agent is, in the place of what was said before. For administrators.")
    async def set_identity(self, info: Info, input: IdentityInput) -> IdentityResult:
        actor = info.context.principal.name
        return Identity.of(await info.context.ports.companion.set_identity(input.card(), space=input.space, actor=actor))

    @field(description="Ends a session once all said in it is settled, and says what it came to; empty is normal. Can be repeated.")
    async def end_session(self, info: Info, session: str, space: str = DEFAULT_SPACE) -> EndSessionResult:
        found = await info.context.ports.companion.end_session(session, space=space, actor=info.context.principal.name)
        return SessionEnded(
            session=Session.of(found.session),
            summary=None if found.summary is None else Summary.of(found.summary),
            facts=[Fact.of(fact) for fact in found.facts],
            todos=list(found.todos),
            events=list(found.events),
        )

    @field(description="Says how memories that were used turned out: what helped is kept longer, what misled goes sooner. All, or none.")
    async def feedback(self, info: Info, input: FeedbackInput) -> UpdateResult:
        return _updated(
            await info.context.ports.companion.feedback(
                [str(id_) for id_ in input.memories],
                space=input.space,
                outcome=input.outcome,
                note=None if input.note is UNSET else input.note,
                hidden=hidden_statuses(curator=info.context.curator),
                actor=info.context.principal.name,
            )
        )

    @field(description="Pins a memory, so that no collection takes it, or lets it go again. For curators.")
    async def pin(self, info: Info, id: strawberry.ID, pinned: bool, space: str = DEFAULT_SPACE) -> UpdateResult:
        hidden, actor = hidden_statuses(curator=info.context.curator), info.context.principal.name
        return _updated(await info.context.ports.companion.pin(id, space=space, pinned=pinned, hidden=hidden, actor=actor))


def _updated(found: Sequence[AnyMemory]) -> Updated:
    return Updated(memories=[memory_of(one) for one in found])
