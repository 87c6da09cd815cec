"""What rests on what, page by page, for whoever asks: one query a level, however many it is asked for."""

from collections.abc import Sequence
from typing import Final, LiteralString

from consilience.schema.beliefs import Decision, DecisionKind
from consilience.schema.domain import Page, Status
from consilience.store.driver import Row, Store
from consilience.store.rows import instant

PAGE_EVIDENCE: Final[LiteralString] = """
UNWIND $ids AS id
MATCH (f:Fact {space: $space, id: id})
RETURN id,
  COLLECT { MATCH (f)-[:SUPPORTED_BY]->(e:Episode) WHERE e.id > $after AND NOT e.status IN $hidden
    RETURN DISTINCT e.id AS node ORDER BY node LIMIT $limit } AS nodes,
  COUNT { MATCH (f)-[:SUPPORTED_BY]->(e:Episode) WHERE NOT e.status IN $hidden RETURN DISTINCT e } AS total
"""
PAGE_BELIEFS: Final[LiteralString] = """
UNWIND $ids AS id
MATCH (e:Episode {space: $space, id: id})
RETURN id,
  COLLECT { MATCH (e)<-[:SUPPORTED_BY]-(f:Fact) WHERE f.id > $after AND NOT f.status IN $hidden
    RETURN DISTINCT f.id AS node ORDER BY node LIMIT $limit } AS nodes,
  COUNT { MATCH (e)<-[:SUPPORTED_BY]-(f:Fact) WHERE NOT f.status IN $hidden RETURN DISTINCT f } AS total
"""
PAGE_ABOUT: Final[LiteralString] = """
UNWIND $ids AS id
MATCH (x:Entity {space: $space, id: id})
RETURN id,
  COLLECT { MATCH (x)<-[:ABOUT]-(:Slot)<-[:IN_SLOT]-(f:Fact) WHERE f.id > $after AND f.status IN $statuses
    RETURN f.id AS node ORDER BY node LIMIT $limit } AS nodes,
  COUNT { MATCH (x)<-[:ABOUT]-(:Slot)<-[:IN_SLOT]-(f:Fact) WHERE f.status IN $statuses } AS total
"""
LIST_KEYS: Final[LiteralString] = """
UNWIND $ids AS id
MATCH (x:Entity {space: $space, id: id})
RETURN id, x.name AS name, [(m:Name)-[:NAMES]->(x) | m.key] +
  COLLECT { MATCH (x)-[:ALSO*1..32]-(y:Entity)<-[:NAMES]-(m:Name) WHERE y.sameAs = x.id RETURN DISTINCT m.key } AS keys
"""
LIST_SELF: Final[LiteralString] = """
MATCH (p:Contributor {space: $space, externalId: $external_id})-[:SELF]->(x:Entity)
RETURN x.id AS id
"""
LIST_DECISIONS: Final[LiteralString] = """
UNWIND $slots AS slot
MATCH (d:Decision {space: $space, slot: slot})
RETURN d {.*} AS d ORDER BY d.recordedAt, d.id
"""


async def page_evidence(
    store: Store, *, space: str, ids: Sequence[str], hidden: Sequence[Status], first: int, after: str | None
) -> dict[str, Page[str]]:
    """Fact id -> a page of ids of the episodes it rests on, in the order they were recorded, those in a hidden status left out."""
    found = await store.read(PAGE_EVIDENCE, space=space, ids=list(ids), hidden=_codes(hidden), after=after or "", limit=first + 1)
    return {row["id"]: _page(row, first=first) for row in found}


async def page_beliefs(
    store: Store, *, space: str, ids: Sequence[str], hidden: Sequence[Status], first: int, after: str | None
) -> dict[str, Page[str]]:
    """Episode id -> a page of ids of the facts that rest on it, those in a hidden status left out."""
    found = await store.read(PAGE_BELIEFS, space=space, ids=list(ids), hidden=_codes(hidden), after=after or "", limit=first + 1)
    return {row["id"]: _page(row, first=first) for row in found}


async def page_about(
    store: Store, *, space: str, ids: Sequence[str], statuses: Sequence[Status], first: int, after: str | None
) -> dict[str, Page[str]]:
    """Entity id -> a page of ids of the facts about it in one of these statuses."""
    found = await store.read(PAGE_ABOUT, space=space, ids=list(ids), statuses=_codes(statuses), after=after or "", limit=first + 1)
    return {row["id"]: _page(row, first=first) for row in found}


async def list_keys(store: Store, *, space: str, ids: Sequence[str]) -> dict[str, tuple[str, tuple[str, ...]]]:
    """Entity id -> (its name, the keys it is known by)."""
    found = await store.read(LIST_KEYS, space=space, ids=list(ids))
    return {row["id"]: (str(row["name"]), tuple(sorted(row["keys"]))) for row in found}


async def self_of(store: Store, *, space: str, external_id: str) -> tuple[str, ...]:
    """Ids of the entities that are the contributor with this external id: none or one."""
    return tuple(row["id"] for row in await store.read(LIST_SELF, space=space, external_id=external_id))


async def list_decisions(store: Store, *, space: str, slots: Sequence[str]) -> dict[str, list[Decision]]:
    """Slot id -> people's decisions about it, oldest first."""
    found: dict[str, list[Decision]] = {slot: [] for slot in slots}
    for row in await store.read(LIST_DECISIONS, space=space, slots=list(slots)):
        d = row["d"]
        found[d["slot"]].append(
            Decision(d["id"], DecisionKind(d["kind"]), d["valueKey"], d["negated"], d["run"], instant(d["recordedAt"]), d["actor"])
        )
    return found


def _codes(statuses: Sequence[Status]) -> list[str]:
    return [status.value for status in statuses]


def _page(row: Row, *, first: int) -> Page[str]:
    nodes = tuple(str(node) for node in row["nodes"])
    shown = nodes[:first]
    return Page(shown, int(row["total"]), shown[-1] if shown else None, len(nodes) > first)
