"""What tests ask of beliefs: facts and conflicts as the service shows them, and the decisions of curators."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

from consilience.app.service import Services
from consilience.schema.beliefs import StoredFact
from consilience.schema.domain import Remembered, Status
from consilience.store.facts import StoredConflict, StoredSupersession
from tests.acceptance.saying import ACTOR, said, settle

CURATOR: Final = "curator"


def on(year: int, month: int = 1, day: int = 1) -> datetime:
    """Nine in the morning of that day, UTC."""
    return datetime(year, month, day, 9, tzinfo=UTC)


NEW_YEAR: Final = on(2026)


async def tell(services: Services, space: str, *lines: tuple[str, str], start: datetime = NEW_YEAR, **more: object) -> Remembered:
    """Lines of (speaker, text), a day apart, stored and settled together; `more` are fields of NewEpisode."""
    days = [start + timedelta(days=number) for number in range(len(lines))]
    return await settle(
        services, space, *(said(text, by=who, **({"occurred_at": day} | more)) for (who, text), day in zip(lines, days, strict=True))
    )


async def facts(
    services: Services, space: str, *, subject: str | None = None, predicate: str | None = None, statuses: Sequence[Status] = tuple(Status)
) -> list[StoredFact]:
    """All facts that match, whatever their status."""
    page = await services.beliefs.page_facts(
        space=space, subject=subject, predicate=predicate, statuses=statuses, contributor=None, first=100, after=None
    )
    return list(page.nodes)


async def by_value(services: Services, space: str, **wanted: str) -> dict[str, StoredFact]:
    """Facts by value, "not " before a denied one and "#1" after a second run."""
    found = await facts(services, space, **wanted)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    return {("not " if fact.negated else "") + fact.value + (f"#{fact.run}" if fact.run else ""): fact for fact in found}


async def statuses(services: Services, space: str, **wanted: str) -> dict[str, str]:
    """Value -> status, spelt as in `by_value`."""
    return {value: fact.status.value for value, fact in (await by_value(services, space, **wanted)).items()}


async def conflicts(services: Services, space: str) -> list[StoredConflict]:
    page = await services.beliefs.page_conflicts(space=space, state=None, about=None, first=100, after=None)
    return list((await services.beliefs.list_conflicts(page.nodes, space=space)).values())


async def replaced_by(services: Services, space: str, fact: StoredFact) -> list[StoredSupersession]:
    """The supersessions that closed this fact."""
    found = await services.beliefs.list_supersessions([fact.id], space=space)
    return [one for one in found[fact.id] if one.loser == fact.id]


async def register(services: Services, space: str, **channels: str | tuple[str, float]) -> None:
    """Sources by key, each with its channel or with (channel, trust)."""
    for key, given in channels.items():
        channel, trust = (given, None) if isinstance(given, str) else given
        await services.register_source(key, space=space, channel=channel, trust=trust, actor=ACTOR)


async def belief_layer(services: Services, space: str) -> list[tuple[object, ...]]:
    """All that is believed, ids and clocks aside, in an order of its own."""
    found = await facts(services, space)
    names = {fact.id: (fact.subject.name, fact.predicate, fact.value_key, fact.negated, fact.run) for fact in found}
    edges = await services.beliefs.list_supersessions(list(names), space=space)
    layer: set[tuple[object, ...]] = {
        (
            *names[fact.id],
            fact.status,
            fact.confidence,
            fact.valid_from,
            fact.valid_to,
            fact.events,
            fact.origins,
            fact.suspect,
            fact.reason,
        )
        for fact in found
    }
    layer |= {("replaces", names[one.winner], names[one.loser], one.at, one.grounds.summary) for many in edges.values() for one in many}
    layer |= {("conflict", one.state, *(names[side] for side in one.sides)) for one in await conflicts(services, space)}
    return sorted(layer, key=repr)
