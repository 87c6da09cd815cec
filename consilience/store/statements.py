"""Statements: what was read out of single episodes, whom they are about, and the slots they vote in (design §2, §4)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, LiteralString

from neo4j import AsyncManagedTransaction

from consilience.schema.ids import new_id
from consilience.schema.statements import ALIAS_OF
from consilience.store.driver import Row, Store

# A contributor and the entity that is them. A name somebody else has already taken as theirs gets the external id added. One row after
# the other: two of one name may come in one batch.
UPSERT_SELVES: Final[LiteralString] = """
UNWIND $selves AS r
CALL (r) {
  MATCH (p:Contributor {space: $space, id: r.contributor})
  WHERE NOT EXISTS { (p)-[:SELF]->(:Entity) }
  OPTIONAL MATCH (taken:Name {space: $space, key: r.key})-[:NAMES]->(known:Entity)
  WITH p, known.sameAs IS NOT NULL OR EXISTS { (known)<-[:SELF]-(:Contributor) } AS owned
  WITH p, CASE WHEN owned THEN r.own_key ELSE r.key END AS key
  MERGE (m:Name {space: $space, key: key})
  FOREACH (_ IN CASE WHEN EXISTS { (m)-[:NAMES]->(:Entity) } THEN [] ELSE [1] END |
    CREATE (m)-[:NAMES]->(:Entity {space: $space, id: r.id, name: r.name, kind: 'PERSON', recordedAt: $now}))
  WITH p, m
  MATCH (m)-[:NAMES]->(x:Entity)
  MERGE (p)-[:SELF]->(x)
}
"""
ADD_NAMES: Final[LiteralString] = """
UNWIND $selves AS r
MATCH (p:Contributor {space: $space, id: r.contributor})-[:SELF]->(x:Entity)
UNWIND r.other_keys AS key
MERGE (m:Name {space: $space, key: key})
FOREACH (_ IN CASE WHEN EXISTS { (m)-[:NAMES]->(:Entity) } THEN [] ELSE [1] END | CREATE (m)-[:NAMES]->(x))
"""
UPSERT_NAMED: Final[LiteralString] = """
UNWIND $named AS r
MERGE (m:Name {space: $space, key: r.key})
FOREACH (_ IN CASE WHEN EXISTS { (m)-[:NAMES]->(:Entity) } THEN [] ELSE [1] END |
  CREATE (m)-[:NAMES]->(:Entity {space: $space, id: r.id, name: r.name, kind: r.kind, recordedAt: $now}))
"""
LIST_SELVES: Final[LiteralString] = """
UNWIND $contributors AS id
MATCH (p:Contributor {space: $space, id: id})-[:SELF]->(x:Entity)
RETURN p.id AS key, x.id AS entity, coalesce(x.sameAs, x.id) AS stands
"""
LIST_NAMED: Final[LiteralString] = """
UNWIND $keys AS key
MATCH (m:Name {space: $space, key: key})-[:NAMES]->(x:Entity)
RETURN m.key AS key, x.id AS entity, coalesce(x.sameAs, x.id) AS stands
"""
# MERGE on the id makes a repeated digest harmless; the slot is found or made with it.
WRITE_STATEMENTS: Final[LiteralString] = """
UNWIND $statements AS r
MATCH (e:Episode {space: $space, id: r.episode})
MERGE (t:Statement {space: $space, id: r.id})
ON CREATE SET t += r.properties, t.recordedAt = $now, t.subject = r.subject
MERGE (e)-[:SAYS]->(t)
WITH t, r
WHERE r.entity IS NOT NULL
MATCH (x:Entity {space: $space, id: r.entity})
MERGE (s:Slot {space: $space, subject: r.entity, predicate: r.properties.predicate})
ON CREATE SET s.id = r.slot, s.recordedAt = $now, s.version = 0
SET s.version = s.version + 1
MERGE (s)-[:ABOUT]->(x)
MERGE (t)-[:IN_SLOT]->(s)
RETURN DISTINCT s.id AS slot
"""


@dataclass(frozen=True, slots=True)
class Self:
    """A contributor to be given an entity: the key of their name, a key nobody else has, and other keys they go by."""

    contributor: str
    name: str
    key: str
    own_key: str
    other_keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Named:
    """An entity named in a text."""

    key: str
    name: str
    kind: str


@dataclass(frozen=True, slots=True)
class NewStatement:
    """A statement to be written. `subject`: a contributor's id or a name's key, None for one that votes in no slot.

    `properties` are the stored ones (schema/nodes.py), none of them None.
    """

    id: str
    episode: str
    contributor_subject: str | None
    name_subject: str | None
    properties: dict[str, object]


async def write_statements(
    store: Store, *, space: str, selves: Sequence[Self], named: Sequence[Named], statements: Sequence[NewStatement], now: datetime
) -> list[str]:
    """Writes entities, statements and their slots in one transaction; returns the ids of the slots touched. Idempotent."""

    async def work(tx: AsyncManagedTransaction) -> list[str]:
        people = [
            {
                "contributor": s.contributor,
                "name": s.name,
                "key": s.key,
                "own_key": s.own_key,
                "other_keys": list(s.other_keys),
                "id": new_id("Entity"),
            }
            for s in sorted(selves, key=lambda s: s.contributor)
        ]
        await (await tx.run(UPSERT_SELVES, space=space, selves=people, now=now)).consume()
        await (await tx.run(ADD_NAMES, space=space, selves=people)).consume()
        things = [{"key": n.key, "name": n.name, "kind": n.kind, "id": new_id("Entity")} for n in sorted(named, key=lambda n: n.key)]
        await (await tx.run(UPSERT_NAMED, space=space, named=things, now=now)).consume()
        entities = await _entities(tx, space=space, statements=statements)
        rows = [_row(statement, entities) for statement in statements]
        found = await (await tx.run(WRITE_STATEMENTS, space=space, statements=rows, now=now)).data()
        return [row["slot"] for row in found]

    return await store.write_with(work) if statements or selves else []


async def _entities(
    tx: AsyncManagedTransaction, *, space: str, statements: Sequence[NewStatement]
) -> dict[tuple[str, str], tuple[str, str]]:
    """(contributor or name, key) -> ids of the entity and of the one that stands for it, itself mostly."""
    contributors = sorted({s.contributor_subject for s in statements if s.contributor_subject})
    keys = sorted({s.name_subject for s in statements if s.name_subject})
    selves = await (await tx.run(LIST_SELVES, space=space, contributors=contributors)).data()
    named = await (await tx.run(LIST_NAMED, space=space, keys=keys)).data()
    found = [("contributor", row) for row in selves] + [("name", row) for row in named]
    return {(kind, row["key"]): (row["entity"], row["stands"]) for kind, row in found}


def _row(statement: NewStatement, entities: dict[tuple[str, str], tuple[str, str]]) -> Row:
    subject = ("contributor", statement.contributor_subject) if statement.contributor_subject else ("name", statement.name_subject or "")
    entity, stands = entities.get(subject, (None, None))
    return {
        "id": statement.id,
        "episode": statement.episode,
        "properties": statement.properties,
        "subject": entity,
        "entity": entity if statement.properties["predicate"] == ALIAS_OF else stands,
        "slot": new_id("Slot"),
    }
