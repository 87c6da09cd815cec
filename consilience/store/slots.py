"""Slots: the evidence that settling one asks for, read in one query, and what came of it, written in one transaction (design §4)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, LiteralString

from neo4j import AsyncManagedTransaction

from consilience.schema.audit import Act
from consilience.schema.beliefs import Decision, DecisionKind, Vote
from consilience.schema.domain import Role, Status
from consilience.schema.ids import new_id
from consilience.schema.migrations import vector_label, words_label
from consilience.schema.statements import Arity, Change, StatementKind
from consilience.store.audit import append_events
from consilience.store.driver import Row, Store, fetch
from consilience.store.rows import instant

LIST_EVIDENCE: Final[LiteralString] = """
UNWIND $slots AS id
MATCH (s:Slot {space: $space, id: id})-[:ABOUT]->(x:Entity)
RETURN s.id AS slot, s.predicate AS predicate, s.version AS version, x.id AS subject, x.name AS subject_name,
  [(p:Contributor)-[:SELF]->(x) | p.id][0] AS owner,
  COLLECT {
    MATCH (s)<-[:IN_SLOT]-(t:Statement)<-[:SAYS]-(e:Episode)-[:FROM]->(o:Source)
    OPTIONAL MATCH (e)-[:OF]->(g:Origin)
    RETURN {t: t {.*}, e: e.id, contributor: e.contributor, session: e.session, role: e.role, recordedAt: e.recordedAt,
      channel: o.channel, trust: e.trust, origin: g.id}
  } AS votes,
  COLLECT { MATCH (s)<-[:ON]-(d:Decision) RETURN d {.*} } AS decisions,
  COLLECT { MATCH (s)<-[:IN_SLOT]-(f:Fact) RETURN {f: f {.id, .key, .status, .confidence, .text, .settled},
    episodes: [(f)-[:SUPPORTED_BY]->(e:Episode) | e.id]} } AS facts,
  [(c:Conflict)-[:IN_SLOT]->(s) | c {.*}][0] AS conflict
"""
LOCK_SLOTS: Final[LiteralString] = """
UNWIND $slots AS r
MATCH (s:Slot {space: $space, id: r.id})
SET s._lock = randomUUID()
WITH s, s.version = r.version AS same
SET s.version = s.version + CASE WHEN same THEN 1 ELSE 0 END
RETURN s.id AS slot, same
"""
DELETE_FACTS: Final[LiteralString] = """
UNWIND $facts AS id
MATCH (f:Fact {space: $space, id: id})
DETACH DELETE f
"""
WRITE_FACTS: Final[LiteralString] = """
UNWIND $facts AS r
MATCH (s:Slot {space: $space, id: r.slot})
MERGE (f:Fact {space: $space, id: r.id})
ON CREATE SET f.recordedAt = $now, f.kind = 'FACT'
SET f += r.properties
MERGE (f)-[:IN_SLOT]->(s)
WITH f, r
CALL (f, r) {
  WITH f, r WHERE r.embedding IS NOT NULL
  CALL db.create.setNodeVectorProperty(f, 'embedding', r.embedding)
}
WITH f, r
FOREACH (_ IN CASE WHEN r.served THEN [1] ELSE [] END | SET f:$([$words_label, $vector_label]))
FOREACH (_ IN CASE WHEN r.served THEN [] ELSE [1] END | REMOVE f:$([$words_label, $vector_label]))
"""
CUT_EDGES: Final[LiteralString] = """
UNWIND $facts AS r
MATCH (f:Fact {space: $space, id: r.id})-[old:SUPPORTED_BY|SUPERSEDES]->()
DELETE old
"""
WRITE_SUPPORT: Final[LiteralString] = """
UNWIND $support AS r
MATCH (f:Fact {space: $space, id: r.fact})
MATCH (e:Episode {space: $space, id: r.episode})
MERGE (f)-[b:SUPPORTED_BY {statement: r.statement}]->(e)
SET b.stance = 'FOR', b.at = r.at
"""
WRITE_SUPERSESSIONS: Final[LiteralString] = """
UNWIND $supersessions AS r
MATCH (w:Fact {space: $space, id: r.winner})
MATCH (l:Fact {space: $space, id: r.loser})
MERGE (w)-[b:SUPERSEDES]->(l)
SET b += r.properties
"""
WRITE_CONFLICTS: Final[LiteralString] = """
UNWIND $conflicts AS r
MATCH (s:Slot {space: $space, id: r.slot})
MERGE (c:Conflict {space: $space, id: r.id})
ON CREATE SET c.recordedAt = $now
SET c += r.properties
MERGE (c)-[:IN_SLOT]->(s)
WITH c, r
OPTIONAL MATCH (c)-[old:SIDE]->(:Fact)
DELETE old
WITH DISTINCT c, r
UNWIND range(0, size(r.sides) - 1) AS place
MATCH (f:Fact {space: $space, id: r.sides[place]})
MERGE (c)-[b:SIDE]->(f)
SET b.place = place
"""
# An episode with a quarantined vote is out of every index; its other statements still support (design §4).
SET_QUARANTINE: Final[LiteralString] = """
UNWIND $statements AS r
MATCH (t:Statement {space: $space, id: r.id})<-[:SAYS]-(e:Episode)
SET t.quarantined = r.reason
WITH DISTINCT e
WITH e, EXISTS { (e)-[:SAYS]->(q:Statement) WHERE q.quarantined IS NOT NULL } AS out
WHERE e.status IN ['ACTIVE', 'QUARANTINED']
SET e.status = CASE WHEN out THEN 'QUARANTINED' ELSE 'ACTIVE' END
FOREACH (_ IN CASE WHEN out THEN [1] ELSE [] END | REMOVE e:$([$words_label, $vector_label]))
FOREACH (_ IN CASE WHEN out OR e.digestedAt IS NULL THEN [] ELSE [1] END | SET e:$([$words_label, $vector_label]))
"""
# An episode is believed as much as the best of what rests on it, 0.5 if nothing does. What only supports replaced facts is devalued (S40).
SET_CONFIDENCE: Final[LiteralString] = """
UNWIND $episodes AS id
MATCH (e:Episode {space: $space, id: id})
CALL (e) {
  OPTIONAL MATCH (e)<-[:SUPPORTED_BY]-(f:Fact)
  RETURN coalesce(max(f.confidence), 0.5) AS best, count(f) > 0 AND NOT any(status IN collect(f.status) WHERE NOT status IN $over) AS over
}
SET e.confidence = best, e.devalued = over
"""
DELETE_CONFLICTS: Final[LiteralString] = """
UNWIND $conflicts AS id
MATCH (c:Conflict {space: $space, id: id})
DETACH DELETE c
"""


PAGE_SLOTS: Final[LiteralString] = """
MATCH (s:Slot {space: $space})
WHERE s.id > $after
RETURN s.id AS id ORDER BY s.id LIMIT $limit
"""
COUNT_ORPHANS: Final[LiteralString] = """
MATCH (f:Fact {space: $space})
WHERE NOT EXISTS { (f)-[:SUPPORTED_BY]->(:Episode) }
RETURN count(f) AS orphans
"""
DELETE_ORPHANS: Final[LiteralString] = """
MATCH (f:Fact {space: $space})
WHERE NOT EXISTS { (f)-[:SUPPORTED_BY]->(:Episode) }
DETACH DELETE f
RETURN count(*) AS orphans
"""


@dataclass(frozen=True, slots=True)
class KnownFact:
    """A fact as it stands before settling."""

    id: str
    key: str
    status: str
    confidence: float
    text: str
    settled: str  # hash of all that was written of it: equal means nothing changed
    episodes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SlotRead:
    """A slot with its evidence and what was settled before. `arity` ONE if any statement says so."""

    id: str
    predicate: str
    version: int
    subject: str
    subject_name: str
    owner: str | None
    arity: Arity
    votes: tuple[Vote, ...]
    decisions: tuple[Decision, ...]
    facts: tuple[KnownFact, ...]
    conflict: str | None
    quarantined: tuple[str, ...]  # statements that are so far


@dataclass(frozen=True, slots=True)
class SlotWrite:
    """All that changes in one slot. Rows are parameters of the queries above, made by consolidation.settling."""

    id: str
    version: int
    facts: tuple[Mapping[str, object], ...]
    gone: tuple[str, ...]
    support: tuple[Mapping[str, object], ...]
    supersessions: tuple[Mapping[str, object], ...]
    conflict: Mapping[str, object] | None
    conflict_gone: str | None
    quarantine: tuple[Mapping[str, object], ...]  # statements whose quarantine begins (with a reason) or ends (None)
    touched: tuple[str, ...]  # episodes that supported what is gone
    acts: tuple[Act, ...]


async def read_slots(store: Store, *, space: str, ids: Sequence[str]) -> list[SlotRead]:
    """The slots with all that votes in them; one query, however many."""
    return [_slot(row) for row in await store.read(LIST_EVIDENCE, space=space, slots=list(ids))] if ids else []


async def write_slots(store: Store, *, space: str, writes: Sequence[SlotWrite], dimensions: int, now: datetime) -> list[str]:
    """Writes what changed; returns the ids of slots whose evidence has changed since it was read: they must be settled again.

    Locks in the order Slot, Fact, AuditHead (design §2).
    """

    async def work(tx: AsyncManagedTransaction) -> list[str]:
        held = await fetch(
            tx, LOCK_SLOTS, space=space, slots=[{"id": w.id, "version": w.version} for w in sorted(writes, key=lambda w: w.id)]
        )
        same = {row["slot"] for row in held if row["same"]}
        fresh = [write for write in writes if write.id in same]
        await _write(tx, space=space, writes=fresh, dimensions=dimensions, now=now)
        return [write.id for write in writes if write.id not in same]

    return await store.write_with(work) if writes else []


async def list_slots(store: Store, *, space: str, after: str, limit: int) -> list[str]:
    """Ids of the space's slots in order, those after `after`."""
    return [row["id"] for row in await store.read(PAGE_SLOTS, space=space, after=after, limit=limit)]


async def delete_orphans(store: Store, *, space: str, write: bool) -> int:
    """Facts that rest on no episode: counted, and deleted if `write`."""
    rows = await store.write(DELETE_ORPHANS, space=space) if write else await store.read(COUNT_ORPHANS, space=space)
    return int(rows[0]["orphans"])


async def _write(tx: AsyncManagedTransaction, *, space: str, writes: Sequence[SlotWrite], dimensions: int, now: datetime) -> None:
    facts = [fact for write in writes for fact in write.facts]
    labels = {"words_label": words_label(space), "vector_label": vector_label(dimensions)}
    conflicts = [write.conflict for write in writes if write.conflict is not None]
    await _some(tx, DELETE_FACTS, "facts", [gone for write in writes for gone in write.gone], space=space)
    await _some(tx, CUT_EDGES, "facts", facts, space=space)
    await _some(tx, WRITE_FACTS, "facts", facts, space=space, now=now, **labels)
    await _some(tx, WRITE_SUPPORT, "support", [row for write in writes for row in write.support], space=space)
    await _some(tx, WRITE_SUPERSESSIONS, "supersessions", [row for write in writes for row in write.supersessions], space=space)
    await _some(tx, WRITE_CONFLICTS, "conflicts", conflicts, space=space, now=now)
    await _some(tx, DELETE_CONFLICTS, "conflicts", [write.conflict_gone for write in writes if write.conflict_gone], space=space)
    await _some(tx, SET_QUARANTINE, "statements", [row for write in writes for row in write.quarantine], space=space, **labels)
    touched = {str(row["episode"]) for write in writes for row in write.support} | {
        episode for write in writes for episode in write.touched
    }
    await _some(tx, SET_CONFIDENCE, "episodes", sorted(touched), space=space, over=[Status.SUPERSEDED, Status.RETRACTED])
    await append_events(tx, space=space, now=now, acts=[act for write in writes for act in write.acts])


async def _some(tx: AsyncManagedTransaction, query: LiteralString, name: str, rows: Sequence[object], **params: object) -> None:
    if rows:
        await fetch(tx, query, **{name: list(rows)}, **params)


def _slot(row: Row) -> SlotRead:
    votes = tuple(sorted((_vote(vote) for vote in row["votes"]), key=lambda vote: vote.statement))
    one = any(vote["t"]["arity"] == Arity.ONE for vote in row["votes"])
    return SlotRead(
        id=row["slot"],
        predicate=row["predicate"],
        version=row["version"],
        subject=row["subject"],
        subject_name=row["subject_name"],
        owner=row["owner"],
        arity=Arity.ONE if one else Arity.MANY,
        votes=votes,
        decisions=tuple(_decision(decision) for decision in row["decisions"]),
        facts=tuple(
            KnownFact(
                fact["f"]["id"],
                fact["f"]["key"],
                fact["f"]["status"],
                fact["f"]["confidence"],
                fact["f"]["text"],
                fact["f"]["settled"],
                tuple(fact["episodes"]),
            )
            for fact in row["facts"]
        ),
        conflict=row["conflict"]["id"] if row["conflict"] else None,
        quarantined=tuple(sorted(vote["t"]["id"] for vote in row["votes"] if vote["t"].get("quarantined"))),
    )


def _vote(row: Row) -> Vote:
    t = row["t"]
    return Vote(
        statement=t["id"],
        episode=row["e"],
        contributor=row["contributor"],
        group=row["origin"] or row["e"],
        session=row["session"],
        value_key=t["valueKey"],
        display=t["value"],
        words=t["words"],
        at=instant(t["at"]),
        recorded_at=instant(row["recordedAt"]),
        channel=row["channel"],
        trust=row["trust"],
        extractor_confidence=t["confidence"],
        negated=t["negated"],
        hedged=t["hedged"],
        explicit=t["explicit"],
        vague=t["vague"],
        change=Change(t["change"]) if t.get("change") else None,
        kind=StatementKind(t["kind"]),
        role=Role(row["role"]),
        valid_from=instant(t["validFrom"]),
        valid_to=instant(t["validTo"]),
        instruction_like=t["instructionLike"],
    )


def _decision(row: Row) -> Decision:
    return Decision(
        row["id"], DecisionKind(row["kind"]), row["valueKey"], row["negated"], row["run"], instant(row["recordedAt"]), row["actor"]
    )


def fresh_fact_id() -> str:
    """An id for a fact that was not there before."""
    return new_id("Fact")
