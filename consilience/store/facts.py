"""Facts, conflicts and the steps to them, read for whoever asks. One query a listing, one a level below it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, LiteralString

from consilience.schema.beliefs import ConflictState, EntityName, Grounds, StoredFact
from consilience.schema.domain import Page, Status
from consilience.store.driver import Row, Store
from consilience.store.rows import instant, optional_instant

_FACT: Final[LiteralString] = "f {.*, .id, embedding: null, words: null} AS f, x {.id, .name} AS x"
LIST_FACTS: Final[LiteralString] = (
    """
UNWIND $ids AS id
MATCH (f:Fact {space: $space, id: id})-[:IN_SLOT]->(:Slot)-[:ABOUT]->(x:Entity)
RETURN """
    + _FACT
)
PAGE_FACTS: Final[LiteralString] = (
    """
MATCH (f:Fact {space: $space})
WHERE f.id > $after AND f.status IN $statuses AND ($predicate IS NULL OR f.predicate = $predicate)
  AND ($subjects IS NULL OR f.subject IN $subjects)
  AND ($contributor IS NULL OR EXISTS { (f)-[:SUPPORTED_BY]->(:Episode {space: $space, contributor: $contributor}) })
WITH f ORDER BY f.id LIMIT $limit
MATCH (f)-[:IN_SLOT]->(:Slot)-[:ABOUT]->(x:Entity)
RETURN """
    + _FACT
    + " ORDER BY f.id"
)
COUNT_FACTS: Final[LiteralString] = """
MATCH (f:Fact {space: $space})
WHERE f.status IN $statuses AND ($predicate IS NULL OR f.predicate = $predicate) AND ($subjects IS NULL OR f.subject IN $subjects)
  AND ($contributor IS NULL OR EXISTS { (f)-[:SUPPORTED_BY]->(:Episode {space: $space, contributor: $contributor}) })
RETURN count(f) AS total
"""
LIST_ENTITIES: Final[LiteralString] = """
UNWIND $keys AS key
MATCH (:Name {space: $space, key: key})-[:NAMES]->(x:Entity)
RETURN DISTINCT coalesce(x.sameAs, x.id) AS id
"""
LIST_NAMES: Final[LiteralString] = """
UNWIND $ids AS id
MATCH (x:Entity {space: $space, id: id})
RETURN x.id AS id, x.name AS name, [(m:Name)-[:NAMES]->(x) | m.key] AS keys
"""
LIST_SUPPORTERS: Final[LiteralString] = """
UNWIND $ids AS id
MATCH (f:Fact {space: $space, id: id})-[b:SUPPORTED_BY]->(e:Episode)
RETURN f.id AS fact, e.id AS episode, b.statement AS statement, b.at AS at
ORDER BY b.at, e.id
"""
LIST_SUPERSESSIONS: Final[LiteralString] = """
UNWIND $ids AS id
MATCH (f:Fact {space: $space, id: id})-[b:SUPERSEDES]-(o:Fact)
RETURN id AS fact, startNode(b).id AS winner, endNode(b).id AS loser, b {.*} AS b
"""
LIST_CONFLICTS_OF: Final[LiteralString] = """
UNWIND $ids AS id
MATCH (f:Fact {space: $space, id: id})<-[:SIDE]-(c:Conflict)
RETURN id AS fact, c.id AS conflict
"""
LIST_CONFLICTS: Final[LiteralString] = """
UNWIND $ids AS id
MATCH (c:Conflict {space: $space, id: id})-[:IN_SLOT]->(:Slot)-[:ABOUT]->(x:Entity)
RETURN c {.*} AS c, x {.id, .name} AS x, COLLECT { MATCH (c)-[b:SIDE]->(f:Fact) RETURN f.id ORDER BY b.place } AS sides
"""
PAGE_CONFLICTS: Final[LiteralString] = """
MATCH (c:Conflict {space: $space})
WHERE c.id > $after AND ($state IS NULL OR c.state = $state) AND ($subjects IS NULL OR c.subject IN $subjects)
RETURN c.id AS id ORDER BY c.id LIMIT $limit
"""
COUNT_CONFLICTS: Final[LiteralString] = """
MATCH (c:Conflict {space: $space})
WHERE ($state IS NULL OR c.state = $state) AND ($subjects IS NULL OR c.subject IN $subjects)
RETURN count(c) AS total
"""
PAGE_REVIEWS: Final[LiteralString] = """
MATCH (f:Fact {space: $space})
WHERE f.status IN ['CANDIDATE', 'TO_VERIFY', 'QUARANTINED'] AND f.id > $after
RETURN f.id AS id ORDER BY f.id LIMIT $limit
"""
COUNT_REVIEWS: Final[LiteralString] = """
MATCH (f:Fact {space: $space})
WHERE f.status IN ['CANDIDATE', 'TO_VERIFY', 'QUARANTINED']
RETURN count(f) AS total
"""


@dataclass(frozen=True, slots=True)
class StoredSupersession:
    winner: str
    loser: str
    at: datetime
    grounds: Grounds


@dataclass(frozen=True, slots=True)
class StoredConflict:
    """A conflict; `sides` are fact ids, the incumbent first."""

    id: str
    subject: EntityName
    predicate: str
    state: ConflictState
    opened_at: datetime
    decided_by: str | None
    grounds: Grounds | None
    sides: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FactFilter:
    """Which facts; None where it does not matter. `subjects`: entity ids; `contributor`: id of one whose word they rest on."""

    statuses: tuple[Status, ...] = (Status.ACTIVE,)
    predicate: str | None = None
    subjects: tuple[str, ...] | None = None
    contributor: str | None = None


async def list_facts(store: Store, *, space: str, ids: Sequence[str]) -> dict[str, StoredFact]:
    """The facts with these ids, by id; ids that are not here are left out."""
    rows = await store.read(LIST_FACTS, space=space, ids=list(ids)) if ids else []
    return {fact.id: fact for fact in map(_fact, rows)}


async def page_facts(store: Store, *, space: str, wanted: FactFilter, first: int, after: str | None) -> Page[StoredFact]:
    """A page of facts in order of their ids, with the number of all that match."""
    params = {
        "space": space,
        "statuses": list(wanted.statuses),
        "predicate": wanted.predicate,
        "subjects": None if wanted.subjects is None else list(wanted.subjects),
        "contributor": wanted.contributor,
    }
    found = [_fact(row) for row in await store.read(PAGE_FACTS, **params, after=after or "", limit=first + 1)]
    total = int((await store.read(COUNT_FACTS, **params))[0]["total"])
    shown = tuple(found[:first])
    return Page(shown, total, shown[-1].id if shown else None, len(found) > first)


async def entities_of(store: Store, *, space: str, keys: Sequence[str]) -> tuple[str, ...]:
    """Ids of the entities that these name keys name."""
    return tuple(row["id"] for row in await store.read(LIST_ENTITIES, space=space, keys=list(keys)))


async def names_of(store: Store, *, space: str, ids: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """The keys each entity is known by, by its id."""
    return {row["id"]: tuple(sorted(row["keys"])) for row in await store.read(LIST_NAMES, space=space, ids=list(ids))}


async def supporters(store: Store, *, space: str, ids: Sequence[str]) -> dict[str, list[tuple[str, str, datetime]]]:
    """Fact id -> (episode id, statement id, valid time) of all that supports it, oldest first."""
    found: dict[str, list[tuple[str, str, datetime]]] = {id_: [] for id_ in ids}
    for row in await store.read(LIST_SUPPORTERS, space=space, ids=list(ids)):
        found[row["fact"]].append((row["episode"], row["statement"], instant(row["at"])))
    return found


async def supersessions(store: Store, *, space: str, ids: Sequence[str]) -> dict[str, list[StoredSupersession]]:
    """Fact id -> every supersession it is part of, as winner or loser."""
    found: dict[str, list[StoredSupersession]] = {id_: [] for id_ in ids}
    for row in await store.read(LIST_SUPERSESSIONS, space=space, ids=list(ids)):
        found[row["fact"]].append(StoredSupersession(row["winner"], row["loser"], instant(row["b"]["at"]), _grounds(row["b"], "decidedBy")))
    return found


async def conflicts_of(store: Store, *, space: str, ids: Sequence[str]) -> dict[str, list[str]]:
    """Fact id -> ids of the conflicts it is a side of."""
    found: dict[str, list[str]] = {id_: [] for id_ in ids}
    for row in await store.read(LIST_CONFLICTS_OF, space=space, ids=list(ids)):
        found[row["fact"]].append(row["conflict"])
    return found


async def list_conflicts(store: Store, *, space: str, ids: Sequence[str]) -> dict[str, StoredConflict]:
    """The conflicts with these ids, by id."""
    rows = await store.read(LIST_CONFLICTS, space=space, ids=list(ids)) if ids else []
    return {conflict.id: conflict for conflict in map(_conflict, rows)}


async def page_conflicts(
    store: Store, *, space: str, state: ConflictState | None, subjects: Sequence[str] | None, first: int, after: str | None
) -> Page[str]:
    """A page of conflict ids."""
    params = {"space": space, "state": state, "subjects": None if subjects is None else list(subjects)}
    found = [row["id"] for row in await store.read(PAGE_CONFLICTS, **params, after=after or "", limit=first + 1)]
    total = int((await store.read(COUNT_CONFLICTS, **params))[0]["total"])
    shown = tuple(found[:first])
    return Page(shown, total, shown[-1] if shown else None, len(found) > first)


async def page_reviews(store: Store, *, space: str, first: int, after: str | None) -> Page[str]:
    """A page of ids of facts that wait for a person."""
    found = [row["id"] for row in await store.read(PAGE_REVIEWS, space=space, after=after or "", limit=first + 1)]
    total = int((await store.read(COUNT_REVIEWS, space=space))[0]["total"])
    shown = tuple(found[:first])
    return Page(shown, total, shown[-1] if shown else None, len(found) > first)


def _fact(row: Row) -> StoredFact:
    f, x = row["f"], row["x"]
    start, end = instant(f["validFrom"]), instant(f["validTo"])
    return StoredFact(
        id=f["id"],
        space=f["space"],
        slot=f["slot"],
        subject=EntityName(x["id"], x["name"]),
        predicate=f["predicate"],
        value=f["value"],
        value_key=f["valueKey"],
        negated=f["negated"],
        run=f["run"],
        text=f["text"],
        status=Status(f["status"]),
        confidence=f["confidence"],
        trust=f["trust"],
        reliability=f["reliability"],
        freshness=f["freshness"],
        consistency=f["consistency"],
        recorded_at=instant(f["recordedAt"]),
        valid_from=None if start.year == 1 else start,
        valid_to=None if end.year == 9999 else end,
        events=f["events"],
        origins=f["origins"],
        contributors=f["contributors"],
        needed=f["needed"],
        first_at=optional_instant(f.get("firstAt")),
        last_at=optional_instant(f.get("lastAt")),
        suspect=tuple(f["suspect"]),
        reason=f["reason"],
        pinned=f.get("pinned", False),
    )


def _conflict(row: Row) -> StoredConflict:
    c, x = row["c"], row["x"]
    return StoredConflict(
        id=c["id"],
        subject=EntityName(x["id"], x["name"]),
        predicate=c["predicate"],
        state=ConflictState(c["state"]),
        opened_at=instant(c["openedAt"]),
        decided_by=c.get("decidedBy"),
        grounds=_grounds(c, "groundsBy") if c.get("summary") else None,
        sides=tuple(row["sides"]),
    )


def _grounds(held: Row, decided_by: str) -> Grounds:
    reliability, freshness, consistency = (
        (float(held[name][0]), float(held[name][1])) for name in ("reliability", "freshness", "consistency")
    )
    return Grounds(held["summary"], reliability, freshness, consistency, held[decided_by])
