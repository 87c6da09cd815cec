"""People's decisions about slots: evidence, written with the slot's version so that settling sees them (design §4)."""

from datetime import datetime
from typing import Final, LiteralString

from neo4j import AsyncManagedTransaction

from consilience.schema.audit import Act
from consilience.schema.beliefs import DecisionKind
from consilience.schema.ids import new_id
from consilience.store.audit import append_events
from consilience.store.driver import Store

# Keyed by what it is about, never by the fact's id alone: a rebuild keeps it.
WRITE_DECISION: Final[LiteralString] = """
MATCH (s:Slot {space: $space, id: $slot})
SET s._lock = randomUUID(), s.version = s.version + 1
CREATE (d:Decision {space: $space, id: $id, slot: $slot, kind: $kind, valueKey: $value_key, negated: $negated, run: $run, actor: $actor,
  recordedAt: $now})
SET d.note = $note
CREATE (d)-[:ON]->(s)
"""


async def write_decision(
    store: Store,
    *,
    space: str,
    slot: str,
    kind: DecisionKind,
    value_key: str,
    negated: bool,
    run: int,
    actor: str,
    note: str | None,
    target: str,
    confidence: float,
    now: datetime,
) -> str:
    """Writes one decision about a value of a slot, with its audit event; returns its id. The slot has to be settled after it."""
    id_ = new_id("Decision")
    about: dict[str, object] = {"slot": slot, "kind": kind.value, "value_key": value_key, "negated": negated, "run": run}

    async def work(tx: AsyncManagedTransaction) -> None:
        await (await tx.run(WRITE_DECISION, about | {"space": space, "id": id_, "now": now, "actor": actor, "note": note})).consume()
        await append_events(tx, space=space, now=now, acts=[Act(actor, f"DECISION_{kind.value}", target, id_, confidence, None)])

    await store.write_with(work)
    return id_
