"""The one transaction that stores episodes: contributors, sources, sessions, episodes, audit events, the digest job (design §3)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, LiteralString

import stamina
from neo4j import AsyncManagedTransaction
from neo4j.exceptions import ConstraintError

from consilience.schema.audit import Act
from consilience.schema.domain import Contributor, MemoryKind, Role, Session, Source, Status
from consilience.schema.ids import new_id
from consilience.store import rows
from consilience.store.audit import append_events
from consilience.store.driver import Row, Store, fetch

LIST_EXISTING: Final[LiteralString] = """
UNWIND $external_ids AS external_id
MATCH (e:Episode {space: $space, externalId: external_id})
RETURN external_id, e.id AS id, e.bodyKey AS body_key
"""
UPSERT_CONTRIBUTORS: Final[LiteralString] = """
UNWIND $contributors AS c
MERGE (p:Contributor {space: $space, externalId: c.externalId})
ON CREATE SET p.id = c.id, p.recordedAt = $now, p.state = 'ACTIVE', p.epoch = 0
SET p._lock = randomUUID(), p.name = coalesce(c.name, p.name)
RETURN p {.*} AS p
"""
UPSERT_SOURCES: Final[LiteralString] = """
UNWIND $sources AS r
MERGE (s:Source {space: $space, key: r.key})
ON CREATE SET s.id = r.id, s.recordedAt = $now, s.channel = $channel, s.trust = $trust
RETURN s {.*} AS s
"""
UPSERT_SESSIONS: Final[LiteralString] = """
UNWIND $sessions AS r
MERGE (z:Session {space: $space, externalId: r.externalId})
ON CREATE SET z.id = r.id, z.recordedAt = $now, z.startedAt = r.startedAt, z.length = 0
SET z._lock = randomUUID(), z.startedAt = CASE WHEN r.startedAt < z.startedAt THEN r.startedAt ELSE z.startedAt END
WITH z, r, z.length AS length
SET z.length = length + r.added
WITH z, length
OPTIONAL MATCH (z)-[last:LAST]->(tail:Episode)
DELETE last
RETURN z {.*} AS z, length, tail.id AS tail
"""
CREATE_EPISODES: Final[LiteralString] = """
UNWIND $episodes AS r
MATCH (p:Contributor {space: $space, id: r.contributor})
MATCH (s:Source {space: $space, id: r.source})
CREATE (e:Episode {space: $space, id: r.id, kind: $kind, text: r.text, role: r.role, status: $status, confidence: 0.5, trust: r.trust,
  occurredAt: r.occurredAt, recordedAt: $now, contributor: r.contributor, session: r.session, position: r.position, bodyKey: r.bodyKey})
SET e.externalId = r.externalId, e.metadata = r.metadata
CREATE (e)-[:BY]->(p), (e)-[:FROM]->(s)
"""
LINK_SESSIONS: Final[LiteralString] = """
UNWIND $links AS r
MATCH (e:Episode {space: $space, id: r.id})
MATCH (z:Session {space: $space, id: r.session})
CREATE (e)-[:IN]->(z)
FOREACH (_ IN CASE WHEN r.last THEN [1] ELSE [] END | CREATE (z)-[:LAST]->(e))
"""
LINK_NEXT: Final[LiteralString] = """
UNWIND $pairs AS r
MATCH (a:Episode {space: $space, id: r.before})
MATCH (b:Episode {space: $space, id: r.after})
CREATE (a)-[:NEXT]->(b)
"""
CREATE_JOB: Final[LiteralString] = """
CREATE (:Job {space: $space, id: $id, kind: 'digest', state: 'QUEUED', ids: $ids, done: 0, total: size($ids), attempts: 0,
  recordedAt: $now, notBefore: $now})
"""


@dataclass(frozen=True, slots=True)
class NewRow:
    """One new episode as it goes into the store; contributor, source and session by external key."""

    id: str
    text: str
    role: Role
    contributor: str
    contributor_name: str | None
    source: str
    session: str | None
    occurred_at: datetime
    external_id: str | None
    body_key: str
    metadata: tuple[tuple[str, str], ...]
    actor: str


@dataclass(frozen=True, slots=True)
class Stored:
    """What the transaction merged, by external key, and each new episode's position in its session."""

    contributors: Mapping[str, Contributor]
    sources: Mapping[str, Source]
    sessions: Mapping[str, Session]
    positions: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Chained:
    positions: dict[str, int]  # episode id -> place in its session, from 0
    pairs: list[tuple[str, str]]  # NEXT edges: (before, after)
    last: dict[str, str]  # session external id -> its last episode now


# externalId -> (episode id, body key) of what is there; gives the rows to write.
Decide = Callable[[Mapping[str, tuple[str, str]]], Sequence[NewRow]]


def chain_sessions(new: Sequence[NewRow], *, lengths: Mapping[str, int], tails: Mapping[str, str]) -> Chained:
    """Appends the new episodes to their sessions in the order given. Pure."""
    positions: dict[str, int] = {}
    pairs: list[tuple[str, str]] = []
    counts, last = dict(lengths), dict(tails)
    for row in new:
        if row.session is None:
            positions[row.id] = 0
            continue
        positions[row.id] = counts[row.session]
        counts[row.session] += 1
        if row.session in last:
            pairs.append((last[row.session], row.id))
        last[row.session] = row.id
    return Chained(positions, pairs, last)


async def store_episodes(
    store: Store, *, space: str, external_ids: Sequence[str], decide: Decide, channel: str, trust: float, now: datetime
) -> Stored:
    """Reads what the external ids already name, lets `decide` choose what is new, writes that and everything around it, all or nothing.

    `channel` and `trust` are those of a source key nobody registered. `decide` may run more than once (driver retries); a lost race for an
    external id against another process is tried again, and is then seen as a duplicate. Raises StoreUnavailable.
    """

    async def work(tx: AsyncManagedTransaction) -> Stored:
        found = await fetch(tx, LIST_EXISTING, space=space, external_ids=list(external_ids)) if external_ids else []
        new = decide({row["external_id"]: (row["id"], row["body_key"]) for row in found})
        return await _write(tx, space=space, new=new, channel=channel, trust=trust, now=now) if new else Stored({}, {}, {}, {})

    async for attempt in stamina.retry_context(on=ConstraintError, attempts=5, wait_initial=0.02, wait_max=0.5):
        with attempt:
            return await store.write_with(work)
    raise AssertionError("unreachable: the last attempt raises")


async def _write(tx: AsyncManagedTransaction, *, space: str, new: Sequence[NewRow], channel: str, trust: float, now: datetime) -> Stored:
    names = {row.contributor: row.contributor_name for row in sorted(new, key=lambda row: row.contributor_name is not None)}
    contributors = [{"externalId": key, "name": names[key], "id": new_id("Contributor")} for key in sorted(names)]
    people = await fetch(tx, UPSERT_CONTRIBUTORS, space=space, contributors=contributors, now=now)
    keys = [{"key": key, "id": new_id("Source")} for key in sorted({row.source for row in new})]
    sources = await fetch(tx, UPSERT_SOURCES, space=space, sources=keys, channel=channel, trust=trust, now=now)
    sessions = await fetch(tx, UPSERT_SESSIONS, space=space, sessions=_session_rows(new), now=now)
    chained = chain_sessions(
        new,
        lengths={row["z"]["externalId"]: row["length"] for row in sessions},
        tails={row["z"]["externalId"]: row["tail"] for row in sessions if row["tail"]},
    )
    stored = Stored(
        {row["p"]["externalId"]: rows.contributor(row["p"]) for row in people},
        {row["s"]["key"]: rows.source(row["s"]) for row in sources},
        {row["z"]["externalId"]: rows.session(row["z"]) for row in sessions},
        chained.positions,
    )
    await fetch(
        tx,
        CREATE_EPISODES,
        space=space,
        kind=MemoryKind.EPISODE,
        status=Status.ACTIVE,
        now=now,
        episodes=[_episode_row(row, stored) for row in new],
    )
    await _link(tx, space=space, new=new, stored=stored, chained=chained)
    await fetch(tx, CREATE_JOB, space=space, id=new_id("Job"), ids=[row.id for row in new], now=now)
    acts = [Act(row.actor, "EPISODE_STORED", row.id, "remember", confidence_after=0.5) for row in new]
    await append_events(tx, space=space, now=now, acts=acts)
    return stored


async def _link(tx: AsyncManagedTransaction, *, space: str, new: Sequence[NewRow], stored: Stored, chained: Chained) -> None:
    links = [
        {"id": row.id, "session": stored.sessions[row.session].id, "last": chained.last[row.session] == row.id}
        for row in new
        if row.session is not None
    ]
    if links:
        await fetch(tx, LINK_SESSIONS, space=space, links=links)
    if chained.pairs:
        await fetch(tx, LINK_NEXT, space=space, pairs=[{"before": a, "after": b} for a, b in chained.pairs])


def _session_rows(new: Sequence[NewRow]) -> list[Row]:
    grouped: dict[str, list[NewRow]] = {}
    for row in new:
        if row.session is not None:
            grouped.setdefault(row.session, []).append(row)
    return [
        {"externalId": key, "id": new_id("Session"), "startedAt": min(row.occurred_at for row in own), "added": len(own)}
        for key, own in sorted(grouped.items())
    ]


def _episode_row(row: NewRow, stored: Stored) -> Row:
    source = stored.sources[row.source]
    return {
        "id": row.id,
        "text": row.text,
        "role": row.role,
        "occurredAt": row.occurred_at,
        "externalId": row.external_id,
        "bodyKey": row.body_key,
        "metadata": [part for pair in row.metadata for part in pair] or None,
        "contributor": stored.contributors[row.contributor].id,
        "source": source.id,
        "trust": source.trust,
        "session": "" if row.session is None else stored.sessions[row.session].id,
        "position": stored.positions[row.id],
    }
