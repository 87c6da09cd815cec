"""How sessions end: what was said in them that counts, the summary, the end itself (S10)."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final, LiteralString

from neo4j import AsyncManagedTransaction

from consilience.schema.audit import Act
from consilience.schema.domain import Session
from consilience.schema.ids import new_id
from consilience.schema.statements import StatementKind
from consilience.store.audit import append_events
from consilience.store.driver import Row, Store

LIST_WAITING: Final[LiteralString] = """
MATCH (e:Episode {space: $space, session: $session})
WHERE e.digestedAt IS NULL
RETURN e.id AS id
"""
# Nothing vague, hedged, shouted, stopped at the gate or meant to instruct; nothing of somebody who is restricted or being erased.
LIST_SAID: Final[LiteralString] = """
MATCH (e:Episode {space: $space, session: $session})
WHERE e.status = 'ACTIVE'
MATCH (e)-[:BY]->(p:Contributor {state: 'ACTIVE'}), (e)-[:SAYS]->(t:Statement)
WHERE t.predicate <> 'states' AND t.kind <> 'OUTBURST' AND t.quarantined IS NULL
  AND NOT t.vague AND NOT t.hedged AND NOT t.reported AND NOT t.instructionLike
RETURN e {.id, .confidence, .trust} AS e, coalesce(p.name, p.externalId) AS speaker, t {.kind, .value, .words, .confidence, .negated} AS t
ORDER BY e.position, e.id, t.spanStart, t.id
"""
LIST_LEARNED: Final[LiteralString] = """
MATCH (e:Episode {space: $space, session: $session})<-[:SUPPORTED_BY]-(f:Fact)
WHERE f.status = 'ACTIVE'
RETURN DISTINCT f.id AS id ORDER BY id LIMIT $limit
"""
LOCK_SESSION: Final[LiteralString] = """
MATCH (z:Session {space: $space, id: $session})
SET z._lock = randomUUID()
WITH z
OPTIONAL MATCH (m:Summary {space: $space, session: $session})
RETURN z.endedAt IS NULL AS open,
  EXISTS { MATCH (e:Episode {space: $space, session: $session}) WHERE e.recordedAt > z.endedAt } AS more,
  m {.id, .text, .confidence, .trust} AS m, [(m)-[:SUPPORTED_BY]->(e:Episode) | e.id] AS episodes
"""
SET_ENDED: Final[LiteralString] = "MATCH (z:Session {space: $space, id: $session}) SET z.endedAt = $now"
WRITE_SUMMARY: Final[LiteralString] = """
MATCH (z:Session {space: $space, id: $session})
MERGE (m:Summary {space: $space, session: $session})
ON CREATE SET m.id = $id
SET m.kind = 'SUMMARY', m.status = 'ACTIVE', m.recordedAt = $now, m.text = $text, m.confidence = $confidence, m.trust = $trust,
  m.episodes = size($episodes)
MERGE (m)-[:SUMS_UP]->(z)
WITH m
CALL (m) { MATCH (m)-[old:SUPPORTED_BY]->() DELETE old }
UNWIND range(0, size($episodes) - 1) AS place
MATCH (e:Episode {space: $space, id: $episodes[place]})
CREATE (m)-[:SUPPORTED_BY {stance: 'FOR', place: place}]->(e)
"""
DELETE_SUMMARY: Final[LiteralString] = "MATCH (m:Summary {space: $space, session: $session}) DETACH DELETE m"


@dataclass(frozen=True, slots=True)
class Told:
    """One statement of a session that counts. Confidences and trust 0..1; `words`: the clause it was read from."""

    episode: str
    episode_confidence: float
    trust: float
    speaker: str
    kind: StatementKind
    value: str
    words: str
    confidence: float
    negated: bool


@dataclass(frozen=True, slots=True)
class NewSummary:
    """A summary to be written. `episodes`: those it quotes, in order, each once."""

    text: str
    confidence: float
    trust: float
    episodes: tuple[str, ...]


async def list_waiting(store: Store, *, space: str, session: Session) -> list[str]:
    """Ids of the session's episodes that are not digested yet."""
    return [row["id"] for row in await store.read(LIST_WAITING, space=space, session=session.id)]


async def list_said(store: Store, *, space: str, session: Session) -> list[Told]:
    """What was said in the session that counts, in the order it was said."""
    return [_told(row) for row in await store.read(LIST_SAID, space=space, session=session.id)]


async def list_learned(store: Store, *, space: str, session: Session, limit: int) -> list[str]:
    """Ids of facts in force that rest on the session's episodes, at most `limit`."""
    return [row["id"] for row in await store.read(LIST_LEARNED, space=space, session=session.id, limit=limit)]


async def write_ending(store: Store, *, space: str, session: Session, summary: NewSummary | None, actor: str, now: datetime) -> None:
    """Ends the session and writes its summary, with audit events for what that changes: repeated, it changes nothing.

    A session in which something was said after its end is ended anew.
    """

    async def work(tx: AsyncManagedTransaction) -> None:
        held = await (await tx.run(LOCK_SESSION, space=space, session=session.id)).single(strict=True)
        acts: list[Act] = []
        if held["open"] or held["more"]:
            await (await tx.run(SET_ENDED, space=space, session=session.id, now=now)).consume()
            acts.append(Act(actor, "SESSION_ENDED", session.id, "first" if held["open"] else "again"))
        acts += await _sum_up(tx, space=space, session=session.id, held=held.data(), summary=summary, actor=actor, now=now)
        await append_events(tx, space=space, now=now, acts=acts)

    await store.write_with(work)


async def _sum_up(
    tx: AsyncManagedTransaction, *, space: str, session: str, held: Row, summary: NewSummary | None, actor: str, now: datetime
) -> list[Act]:
    known = held["m"]
    if summary is None:
        if known is None:
            return []
        await (await tx.run(DELETE_SUMMARY, space=space, session=session)).consume()
        return [Act(actor, "SUMMARY_GONE", known["id"], "nothing to say", known["confidence"], None)]
    before = None if known is None else (known["text"], known["confidence"], known["trust"], sorted(held["episodes"]))
    if before == (summary.text, summary.confidence, summary.trust, sorted(summary.episodes)):
        return []
    id_ = new_id("Summary") if known is None else known["id"]
    given: dict[str, object] = {"text": summary.text, "confidence": summary.confidence, "trust": summary.trust}
    params = given | {"space": space, "session": session, "id": id_, "now": now, "episodes": list(summary.episodes)}
    await (await tx.run(WRITE_SUMMARY, params)).consume()
    return [Act(actor, "SUMMARY_WRITTEN", id_, "session ended", None if known is None else known["confidence"], summary.confidence)]


def _told(row: Row) -> Told:
    e, t = row["e"], row["t"]
    return Told(
        e["id"],
        e["confidence"],
        e["trust"],
        row["speaker"],
        StatementKind(t["kind"]),
        t["value"],
        t["words"],
        t["confidence"],
        t["negated"],
    )
