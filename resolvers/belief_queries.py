"""Reading what is believed, and why; the review queue; the audit."""

import strawberry
from strawberry import UNSET, field

from consilience.errors import InvalidInput
from consilience.resolvers.beliefs import Explanation, ReviewItem, ReviewItemConnection
from consilience.resolvers.context import Info
from consilience.resolvers.enums import ConflictState, Status
from consilience.resolvers.erasure import AuditConnection, AuditEvent
from consilience.resolvers.facts import Conflict, ConflictConnection, FactConnection, load_conflicts, load_facts
from consilience.resolvers.loaders import Key
from consilience.resolvers.pages import DEFAULT_FIRST, page_info, page_size
from consilience.resolvers.scalars import Cursor
from consilience.resolvers.seeing import hidden_statuses, open_statuses
from consilience.resolvers.why import explain_episode, explain_fact, explain_summary
from consilience.schema.beliefs import StoredFact
from consilience.schema.domain import DEFAULT_SPACE
from consilience.schema.ids import PREFIXES
from consilience.schema.profiles import AnyMemory, StoredSummary

AUDIT_FIRST = 50


@strawberry.type
class BeliefQueries:
    @field(description="What is believed, in any status unless one is named. The subject: a name, or a contributor's own id.")
    async def facts(
        self,
        info: Info,
        space: str = DEFAULT_SPACE,
        subject: str | None = UNSET,
        predicate: str | None = UNSET,
        status: Status | None = UNSET,
        contributor: str | None = UNSET,
        first: int | None = DEFAULT_FIRST,
        after: Cursor | None = UNSET,
    ) -> FactConnection:
        found = await info.context.ports.beliefs.page_facts(
            space=space,
            subject=_given(subject),
            predicate=_given(predicate),
            statuses=open_statuses(status or None, curator=info.context.curator),
            contributor=_given(contributor),
            first=page_size(first),
            after=after or None,
        )
        return FactConnection.of(found)

    @field(description="Facts that cannot all hold, side by side with what speaks for each. `about` as `subject` of `facts`.")
    async def conflicts(
        self,
        info: Info,
        space: str = DEFAULT_SPACE,
        state: ConflictState | None = UNSET,
        about: str | None = UNSET,
        first: int | None = DEFAULT_FIRST,
        after: Cursor | None = UNSET,
    ) -> ConflictConnection:
        page = await info.context.ports.beliefs.page_conflicts(
            space=space, state=state or None, about=_given(about), first=page_size(first), after=after or None
        )
        found = await load_conflicts(info, page.nodes, space=space)
        nodes = [Conflict.of(conflict, space=space) for conflict in found]
        return ConflictConnection(nodes=nodes, page_info=page_info(page), total_count=page.total)

    @field(description="Why something is believed: in one sentence, then step by step down to the words. null: not here, or not yours.")
    async def why(self, info: Info, id: strawberry.ID, space: str = DEFAULT_SPACE) -> Explanation | None:
        found = await find_memory(info, id, space=space)
        if found is None:
            return None
        if isinstance(found, StoredSummary):
            return await explain_summary(info, found)
        return await (explain_fact(info, found) if isinstance(found, StoredFact) else explain_episode(info, found))

    @field(description="What a person should decide. For curators.")
    async def review_queue(
        self, info: Info, space: str = DEFAULT_SPACE, first: int | None = DEFAULT_FIRST, after: Cursor | None = UNSET
    ) -> ReviewItemConnection:
        page = await info.context.ports.beliefs.page_reviews(space=space, first=page_size(first), after=after or None)
        found = await load_facts(info, page.nodes, space=space)
        nodes = [ReviewItem.of(fact, curator=info.context.curator) for fact in found]
        return ReviewItemConnection(nodes=nodes, page_info=page_info(page), total_count=page.total)

    @field(description="What was done, by whom and why, as a chain of hashes: ids and codes, no words. For auditors.")
    async def audit(
        self, info: Info, space: str = DEFAULT_SPACE, first: int | None = AUDIT_FIRST, after: Cursor | None = UNSET
    ) -> AuditConnection:
        page = await info.context.ports.beliefs.list_events(
            space=space, first=page_size(first, default=AUDIT_FIRST), after=_sequence(after or None)
        )
        return AuditConnection(nodes=[AuditEvent.of(event) for event in page.nodes], page_info=page_info(page))


async def find_memory(info: Info, id_: str, *, space: str) -> AnyMemory | None:
    """The memory with this id; None if it is not in the space, or if whoever asks may not see it."""
    loaders, key = info.context.loaders, Key(space, id_)
    found: AnyMemory | None
    if id_.startswith(PREFIXES["Summary"] + "_"):
        found = await loaders.summary.load(key)
    else:
        is_fact = id_.startswith(PREFIXES["Fact"] + "_")
        found = await (loaders.fact.load(key) if is_fact else loaders.episode.load(key))
    return None if found is None or found.status in hidden_statuses(curator=info.context.curator) else found


def _given(value: str | None) -> str | None:
    """None for an argument left out; an empty string stays one, and matches nothing."""
    return None if value is UNSET else value


def _sequence(after: Cursor | None) -> int:
    """The sequence number inside a cursor of the audit, 0 without one. Raises InvalidInput for another cursor."""
    if after is None:
        return 0
    if not (after.isascii() and after.isdecimal() and len(after) < 19):
        raise InvalidInput("the cursor is none of the audit's", hint="pass an endCursor on as it came", field="after")
    return int(after)
