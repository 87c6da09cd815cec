"""Audit events, written in the transaction of the change they tell of (S80, T08)."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final, LiteralString

from neo4j import AsyncManagedTransaction

from consilience.schema.audit import GENESIS, Act, AuditEvent, broken_at, chain
from consilience.schema.ids import new_id
from consilience.store.driver import Store
from consilience.store.rows import instant

LOCK_AUDIT_HEAD: Final[LiteralString] = """
MERGE (h:AuditHead {space: $space})
ON CREATE SET h.seq = 0, h.hash = $genesis
SET h._lock = randomUUID()
RETURN h.seq AS seq, h.hash AS hash
"""
APPEND_EVENTS: Final[LiteralString] = """
UNWIND $events AS v
CREATE (a:AuditEvent {space: $space, id: v.id, seq: v.seq, recordedAt: $now})
SET a.actor = v.actor, a.action = v.action, a.reason = v.reason, a.hash = v.hash,
    a.target = v.target, a.confidenceBefore = v.before, a.confidenceAfter = v.after
WITH max(v.seq) AS last
MATCH (h:AuditHead {space: $space})
SET h.seq = last, h.hash = $hash
"""
LIST_EVENTS: Final[LiteralString] = """
MATCH (a:AuditEvent {space: $space})
WHERE a.seq > $after
RETURN a {.*} AS a ORDER BY a.seq LIMIT $first
"""
GET_HEAD: Final[LiteralString] = "MATCH (h:AuditHead {space: $space}) RETURN h.seq AS seq, h.hash AS hash"


async def append_events(tx: AsyncManagedTransaction, *, space: str, now: datetime, acts: Sequence[Act]) -> None:
    """Adds the acts to the space's chain. Takes the head's lock, so it comes last in a transaction (lock order, design §2)."""
    if not acts:
        return
    head = await (await tx.run(LOCK_AUDIT_HEAD, space=space, genesis=GENESIS)).single(strict=True)
    events = chain(acts, space=space, head_seq=int(head["seq"]), head_hash=str(head["hash"]), at=now)
    await tx.run(APPEND_EVENTS, space=space, now=now, hash=events[-1].hash, events=[_row(event) for event in events])


async def list_events(store: Store, *, space: str, first: int, after: int = 0) -> list[AuditEvent]:
    """Up to `first` events in order of their sequence, those after `after`."""
    return [
        AuditEvent(
            a["seq"],
            instant(a["recordedAt"]),
            Act(a["actor"], a["action"], a.get("target"), a["reason"], a.get("confidenceBefore"), a.get("confidenceAfter")),
            a["hash"],
        )
        for a in (row["a"] for row in await store.read(LIST_EVENTS, space=space, after=after, first=first))
    ]


async def verify_chain(store: Store, *, space: str) -> int | None:
    """The first broken sequence number of the space's chain, None if it is whole."""
    head = await store.read(GET_HEAD, space=space)
    events: list[AuditEvent] = []
    while page := await list_events(store, space=space, first=5000, after=len(events)):
        events += page
    return broken_at(events, space=space, head_seq=int(head[0]["seq"]) if head else 0, head_hash=str(head[0]["hash"]) if head else GENESIS)


def _row(event: AuditEvent) -> dict[str, object]:
    act = event.act
    return {
        "id": new_id("AuditEvent"),
        "seq": event.seq,
        "actor": act.actor,
        "action": act.action,
        "reason": act.reason,
        "hash": event.hash,
        "target": act.target,
        "before": act.confidence_before,
        "after": act.confidence_after,
    }
