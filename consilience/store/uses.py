"""What use makes of memories: outcomes reported, memories pinned (S31, S63). Ids and outcomes, and a reviewer's remark; no other words."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, LiteralString

from neo4j import AsyncManagedTransaction

from consilience.errors import NotHere
from consilience.schema.audit import Act
from consilience.schema.domain import Status
from consilience.schema.ids import PREFIXES, new_id
from consilience.schema.profiles import Outcome
from consilience.store.audit import append_events
from consilience.store.driver import Row, Store

CREATE_USE: Final[LiteralString] = """
CREATE (u:Use {space: $space, id: $id, memories: $memories, outcome: $outcome, actor: $actor, recordedAt: $now})
SET u.note = $note
"""
_SEEN: Final[LiteralString] = """ {space: $space, id: id})
WHERE NOT n.status IN $hidden
SET n._lock = randomUUID()
WITH n"""
# The clock is set back by a use that helped only (S31).
_USE: Final[LiteralString] = (
    _SEEN
    + """, coalesce(n.weight, $initial) + $step AS weight
MATCH (u:Use {space: $space, id: $use})
CREATE (u)-[:USED]->(n)
SET n.weight = CASE WHEN weight > $most THEN $most WHEN weight < $least THEN $least ELSE weight END,
  n.uses = coalesce(n.uses, 0) + 1, n.helped = coalesce(n.helped, 0) + $helped, n.misled = coalesce(n.misled, 0) + $misled,
  n.lastUsedAt = CASE WHEN $helped > 0 THEN $now ELSE n.lastUsedAt END
RETURN n.id AS id
"""
)
_PIN: Final[LiteralString] = (
    _SEEN
    + """, coalesce(n.pinned, false) AS was
SET n.pinned = $pinned
RETURN n.id AS id, was
"""
)
# A text for each label, so that each uses its label's index. In the order of locks: facts before what they rest on (design §2).
_FACT: Final[LiteralString] = "UNWIND $ids AS id\nMATCH (n:Fact"
_EPISODE: Final[LiteralString] = "UNWIND $ids AS id\nMATCH (n:Episode"
_SUMMARY: Final[LiteralString] = "UNWIND $ids AS id\nMATCH (n:Summary"
USE: Final[dict[str, LiteralString]] = {"Fact": _FACT + _USE, "Episode": _EPISODE + _USE, "Summary": _SUMMARY + _USE}
PIN: Final[dict[str, LiteralString]] = {"Fact": _FACT + _PIN, "Episode": _EPISODE + _PIN, "Summary": _SUMMARY + _PIN}


@dataclass(frozen=True, slots=True)
class Weighing:
    """How one use moves a memory's weight: from `initial` if it had none, by `step`, within [least, most]."""

    initial: float
    step: float
    least: float
    most: float


async def write_use(
    store: Store,
    *,
    space: str,
    memories: Sequence[str],
    outcome: Outcome,
    weighing: Weighing,
    hidden: Sequence[Status],
    note: str | None,
    actor: str,
    now: datetime,
) -> str:
    """Writes the use, the weights it moves and its audit events; returns its id. All memories or none: raises NotHere."""
    id_, ids = new_id("Use"), list(dict.fromkeys(memories))
    helped = int(outcome is Outcome.HELPED)
    params: dict[str, object] = {
        "space": space,
        "use": id_,
        "now": now,
        "helped": helped,
        "misled": 1 - helped,
        "initial": weighing.initial,
        "step": weighing.step,
        "least": weighing.least,
        "most": weighing.most,
    }

    async def work(tx: AsyncManagedTransaction) -> None:
        given: dict[str, object] = {"id": id_, "memories": ids, "outcome": outcome.value, "actor": actor, "note": note}
        await (await tx.run(CREATE_USE, given | {"space": space, "now": now})).consume()
        await _each(tx, USE, ids=ids, hidden=hidden, field="memories", params=params)
        await append_events(tx, space=space, now=now, acts=[Act(actor, f"USE_{outcome.value}", memory, id_) for memory in ids])

    await store.write_with(work)
    return id_


async def pin(store: Store, *, space: str, id_: str, pinned: bool, hidden: Sequence[Status], actor: str, now: datetime) -> None:
    """Pins or unpins a memory, with its audit event if that changes anything. Raises NotHere."""

    async def work(tx: AsyncManagedTransaction) -> None:
        found = await _each(tx, PIN, ids=[id_], hidden=hidden, field="id", params={"space": space, "pinned": pinned})
        if found[0]["was"] != pinned:
            await append_events(tx, space=space, now=now, acts=[Act(actor, "PINNED" if pinned else "UNPINNED", id_, "by hand")])

    await store.write_with(work)


async def _each(
    tx: AsyncManagedTransaction,
    queries: dict[str, LiteralString],
    *,
    ids: Sequence[str],
    hidden: Sequence[Status],
    field: str,
    params: dict[str, object],
) -> list[Row]:
    """One query a kind of memory; an id that is not here, or not to be seen, undoes all."""
    found: list[Row] = []
    for label, query in queries.items():
        those = sorted(id_ for id_ in ids if id_.startswith(PREFIXES[label] + "_"))
        if those:
            found += await (await tx.run(query, params | {"ids": those, "hidden": [status.value for status in hidden]})).data()
    if len(found) != len(ids):
        raise NotHere(f"{len(ids) - len(found)} of {len(ids)} memories are not here", hint="nothing was changed; check ids", field=field)
    return found
