"""Sources: where episodes come through, with the trust of their channel (S50)."""

from datetime import datetime
from typing import Final, LiteralString

from neo4j import AsyncManagedTransaction

from consilience.schema.audit import Act
from consilience.schema.domain import Source
from consilience.schema.ids import new_id
from consilience.store import rows
from consilience.store.audit import append_events
from consilience.store.driver import Store

REGISTER_SOURCE: Final[LiteralString] = """
MERGE (s:Source {space: $space, key: $key})
ON CREATE SET s.id = $id, s.recordedAt = $now
SET s.channel = $channel, s.trust = $trust
RETURN s {.*} AS s
"""
RETRUST_EPISODES: Final[LiteralString] = """
MATCH (s:Source {space: $space, key: $key})<-[:FROM]-(e:Episode {space: $space})
SET e.trust = $trust
"""
# What rests on these episodes is settled anew, by jobs written with the change: nothing is lost if this process ends.
TOUCH_SLOTS: Final[LiteralString] = """
MATCH (s:Source {space: $space, key: $key})<-[:FROM]-(e:Episode)-[:SAYS]->(:Statement)-[:IN_SLOT]->(z:Slot)
WITH DISTINCT z ORDER BY z.id
SET z.version = z.version + 1
RETURN z.id AS slot
"""
CREATE_JOBS: Final[LiteralString] = """
UNWIND $jobs AS r
CREATE (:Job {space: $space, id: r.id, kind: 'settle', state: 'QUEUED', ids: r.ids, done: 0, total: size(r.ids), attempts: 0,
  recordedAt: $now, notBefore: $now})
"""
SLOTS_A_JOB: Final = 200
LIST_SOURCES: Final[LiteralString] = "MATCH (s:Source {space: $space}) RETURN s {.*} AS s ORDER BY s.key"


async def register_source(store: Store, *, space: str, key: str, channel: str, trust: float, actor: str, now: datetime) -> Source:
    """The source under this key, with this channel and trust from now on; what came through it before is weighed anew."""

    async def work(tx: AsyncManagedTransaction) -> Source:
        found = await (
            await tx.run(REGISTER_SOURCE, space=space, key=key, id=new_id("Source"), channel=channel, trust=trust, now=now)
        ).single(strict=True)
        made = rows.source(found["s"])
        await (await tx.run(RETRUST_EPISODES, space=space, key=key, trust=trust)).consume()
        touched = [row["slot"] for row in await (await tx.run(TOUCH_SLOTS, space=space, key=key)).data()]
        queued = [{"id": new_id("Job"), "ids": touched[at : at + SLOTS_A_JOB]} for at in range(0, len(touched), SLOTS_A_JOB)]
        await (await tx.run(CREATE_JOBS, space=space, jobs=queued, now=now)).consume()
        await append_events(tx, space=space, now=now, acts=[Act(actor, "SOURCE_REGISTERED", made.id, channel, confidence_after=trust)])
        return made

    return await store.write_with(work)


async def list_sources(store: Store, *, space: str) -> list[Source]:
    """The sources of a space by key."""
    return [rows.source(row["s"]) for row in await store.read(LIST_SOURCES, space=space)]
