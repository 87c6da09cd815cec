"""Entities that are one by a stated alias: kept as nodes of their own, so that taking the alias back makes them two again (design §2)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, LiteralString

from neo4j import AsyncManagedTransaction

from consilience.schema.ids import new_id
from consilience.store.driver import Row, Store, fetch

LOCK_SPACE: Final[LiteralString] = "MATCH (s:Space {name: $space}) SET s._lock = randomUUID()"
LIST_STATED: Final[LiteralString] = """
UNWIND $slots AS id
MATCH (s:Slot {space: $space, id: id})-[:ABOUT]->(x:Entity)
RETURN x.id AS entity, COLLECT { MATCH (s)<-[:IN_SLOT]-(f:Fact) WHERE f.status = 'ACTIVE' AND NOT f.negated RETURN f.value } AS values
"""
LIST_CONNECTED: Final[LiteralString] = """
UNWIND $ids AS id
MATCH (x:Entity {space: $space, id: id})-[:ALSO*0..32]-(y:Entity)
RETURN DISTINCT y.id AS id
"""
CUT_EDGES: Final[LiteralString] = """
UNWIND $ids AS id
MATCH (:Entity {space: $space, id: id})-[old:ALSO]->(:Entity)
DELETE old
"""
WRITE_EDGES: Final[LiteralString] = """
UNWIND $rows AS r
MATCH (x:Entity {space: $space, id: r.id})
MATCH (:Name {space: $space, key: r.key})-[:NAMES]->(y:Entity)
WHERE y <> x
MERGE (x)-[:ALSO]->(y)
"""
LIST_CLUSTER: Final[LiteralString] = """
UNWIND $ids AS id
MATCH (x:Entity {space: $space, id: id})
RETURN x.id AS id, x.name AS name, coalesce(x.sameAs, x.id) AS same_as, EXISTS { (x)<-[:SELF]-(:Contributor) } AS writes,
  COLLECT { MATCH (x)-[:ALSO]->(y:Entity) RETURN y.id } AS also
"""
SET_SAME: Final[LiteralString] = """
UNWIND $rows AS r
MATCH (x:Entity {space: $space, id: r.id})
SET x.sameAs = CASE WHEN r.same_as = r.id THEN null ELSE r.same_as END
"""
# What is said of a name goes with it; the alias itself stays where it was said.
LIST_SAID: Final[LiteralString] = """
UNWIND $rows AS r
MATCH (s:Slot {space: $space, subject: r.before})<-[:IN_SLOT]-(t:Statement {subject: r.id})
WHERE s.predicate <> $alias_of
RETURN t.id AS statement, s.id AS slot, s.predicate AS predicate, r.same_as AS entity
"""
MOVE_SAID: Final[LiteralString] = """
UNWIND $rows AS r
MATCH (x:Entity {space: $space, id: r.entity})
MATCH (t:Statement {space: $space, id: r.statement})-[old:IN_SLOT]->(left:Slot)
MERGE (s:Slot {space: $space, subject: r.entity, predicate: r.predicate})
ON CREATE SET s.id = r.fresh, s.recordedAt = $now, s.version = 0
SET s.version = s.version + 1, left.version = left.version + 1
MERGE (s)-[:ABOUT]->(x)
MERGE (t)-[:IN_SLOT]->(s)
DELETE old
RETURN DISTINCT s.id AS slot
"""


@dataclass(frozen=True, slots=True)
class Known:
    """An entity among those that aliases connect. `writes`: it is a contributor's own; `also`: entities it is said to be."""

    id: str
    name: str
    same_as: str
    writes: bool
    also: tuple[str, ...]


# The connected entities -> each one's representative.
Represent = Callable[[Sequence[Known]], Mapping[str, str]]


async def write_aliases(
    store: Store,
    *,
    space: str,
    slots: Sequence[str],
    name_key: Callable[[str], str],
    represent: Represent,
    alias_of: str,
    now: datetime,
) -> list[str]:
    """Makes the entities stand as the facts of these alias slots say; returns the ids of the slots that statements went to or left.

    One change at a time in a space. `represent` is pure and may run more than once.
    """

    async def work(tx: AsyncManagedTransaction) -> list[str]:
        await fetch(tx, LOCK_SPACE, space=space)
        stated = await fetch(tx, LIST_STATED, space=space, slots=list(slots))
        owners = sorted({row["entity"] for row in stated})
        before = await fetch(tx, LIST_CONNECTED, space=space, ids=owners)
        await fetch(tx, CUT_EDGES, space=space, ids=owners)
        edges = [{"id": row["entity"], "key": name_key(value)} for row in stated for value in row["values"]]
        await fetch(tx, WRITE_EDGES, space=space, rows=edges)
        after = await fetch(tx, LIST_CONNECTED, space=space, ids=sorted({row["id"] for row in before} | set(owners)))
        rows = await fetch(tx, LIST_CLUSTER, space=space, ids=sorted({row["id"] for row in [*before, *after]}))
        known = [Known(row["id"], row["name"], row["same_as"], row["writes"], tuple(sorted(row["also"]))) for row in rows]
        wanted = represent(known)
        changed = [{"id": one.id, "before": one.same_as, "same_as": wanted[one.id]} for one in known if wanted[one.id] != one.same_as]
        return await _move(tx, space=space, changed=changed, alias_of=alias_of, now=now) if changed else []

    return await store.write_with(work)


async def _move(tx: AsyncManagedTransaction, *, space: str, changed: Sequence[Row], alias_of: str, now: datetime) -> list[str]:
    await fetch(tx, SET_SAME, space=space, rows=changed)
    said = await fetch(tx, LIST_SAID, space=space, rows=changed, alias_of=alias_of)
    moves = [{**row, "fresh": new_id("Slot")} for row in said]
    reached = await fetch(tx, MOVE_SAID, space=space, rows=moves, now=now)
    return sorted({row["slot"] for row in said} | {row["slot"] for row in reached})
