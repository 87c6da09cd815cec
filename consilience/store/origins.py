"""Origins: groups of copies (design §4). Episodes are marked with the tokens of their text, others with some of them are found."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, LiteralString

from neo4j import AsyncManagedTransaction

from consilience.schema.ids import new_id
from consilience.store.driver import Row, Store, fetch
from consilience.store.rows import instant

# Written and committed before anybody looks: of two workers with copies in hand at least one sees the other's.
MARK_EPISODES: Final[LiteralString] = """
UNWIND $rows AS r
MATCH (e:Episode {space: $space, id: r.id})
SET e.fingerprint = r.fingerprint, e.prints = r.prints
"""
# Fingerprints are compared where they are: sending fifty of 64 numbers for each episode takes longer than all the rest. As sets: of 64
# numbers of 32 bits in each, equal ones at different places are as good as none, so a Jaccard index j means 128 j / (1 + j) equal ones.
# Times as numbers: ten thousand dates take seconds to decode.
LIST_ALIKE: Final[LiteralString] = """
UNWIND range(0, size($rows) - 1) AS number
WITH number, $rows[number] AS r
CALL (r) {
  CALL db.index.fulltext.queryNodes('prints', r.query, {limit: $limit}) YIELD node AS n
  WHERE n.space = $space
  WITH n, coalesce(gds.similarity.jaccard(r.fingerprint, n.fingerprint), 0.0) AS jaccard,
    [token IN split(n.prints, ' ') WHERE token STARTS WITH 'd'] AS declared
  WHERE jaccard > 0.5 OR size(declared) > 0
  RETURN n.id AS other, n.contributor AS contributor, n.occurredAt.epochMillis AS occurred_ms, jaccard, declared
}
RETURN number, other, contributor, occurred_ms, jaccard, declared
"""
# One change of groups at a time in a space: two workers never build two groups of the same copies.
LOCK_SPACE: Final[LiteralString] = "MATCH (s:Space {name: $space}) SET s._lock = randomUUID()"
LIST_GROUPS: Final[LiteralString] = """
UNWIND $ids AS id
MATCH (e:Episode {space: $space, id: id})
RETURN e.id AS id, [(e)-[:OF]->(o:Origin) | o.id][0] AS origin
"""
LIST_MARKED: Final[LiteralString] = """
UNWIND $ids AS id
MATCH (e:Episode {space: $space, id: id})
WHERE e.prints IS NOT NULL
RETURN e.id AS id, e.contributor AS contributor, e.occurredAt AS occurred_at, e.fingerprint AS fingerprint, e.prints AS prints
"""
LIST_MEMBERS: Final[LiteralString] = """
UNWIND $ids AS id
MATCH (:Origin {space: $space, id: id})<-[:OF]-(e:Episode)
RETURN e.id AS id, id AS origin
"""
SET_GROUPS: Final[LiteralString] = """
UNWIND $rows AS r
MATCH (e:Episode {space: $space, id: r.id})
OPTIONAL MATCH (e)-[old:OF]->(:Origin)
DELETE old
WITH DISTINCT e, r
WHERE r.origin IS NOT NULL
MERGE (o:Origin {space: $space, id: r.origin})
ON CREATE SET o.recordedAt = $now
MERGE (e)-[:OF]->(o)
"""
DELETE_ORIGINS: Final[LiteralString] = """
UNWIND $ids AS id
MATCH (o:Origin {space: $space, id: id})
DETACH DELETE o
"""
# The version tells who is settling one of these slots at the moment that its evidence has changed.
TOUCH_SLOTS: Final[LiteralString] = """
UNWIND $ids AS id
MATCH (:Episode {space: $space, id: id})-[:SAYS]->(:Statement)-[:IN_SLOT]->(s:Slot)
WITH DISTINCT s ORDER BY s.id
SET s.version = s.version + 1
RETURN s.id AS slot
"""
# Copies looked at for one episode. More of them share their group already, whichever of them are found.
MOST_ALIKE: Final = 50


@dataclass(frozen=True, slots=True)
class Marked:
    """What is known of an episode for finding its copies. `tokens`: what it is found by; `asked`: the same, and for the days around it."""

    id: str
    contributor: str
    occurred_at: datetime
    fingerprint: tuple[int, ...]
    tokens: tuple[str, ...]
    asked: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Alike:
    """An episode that shares a token with `id`, and how much of its fingerprint, 0..1."""

    id: str
    other: str
    contributor: str
    occurred_at: datetime
    similarity: float
    declared: frozenset[str]


# Episode -> its origin or None, as they stand; gives the episodes whose origin changes, with the new one.
Regroup = Callable[[Mapping[str, str | None]], Mapping[str, str | None]]


@dataclass(frozen=True, slots=True)
class Kept:
    """An episode as it was marked once."""

    id: str
    contributor: str
    occurred_at: datetime
    fingerprint: tuple[int, ...]
    tokens: tuple[str, ...]


async def mark(store: Store, *, space: str, marked: Sequence[Marked]) -> None:
    """Writes the tokens by which these episodes are found as copies."""
    rows = [{"id": m.id, "fingerprint": list(m.fingerprint), "prints": " ".join(m.tokens)} for m in marked]
    await store.write(MARK_EPISODES, space=space, rows=rows)


async def list_alike(store: Store, *, space: str, marked: Sequence[Marked]) -> list[Alike]:
    """Episodes that share a token with one of these, at most 50 for each, those with most tokens in common first.

    Those of the given that ask for the same are looked up together.
    """
    asking: dict[str, list[Marked]] = {}
    for one in marked:
        if one.asked:
            asking.setdefault(" ".join(one.asked), []).append(one)
    rows = [{"query": query, "fingerprint": list(those[0].fingerprint)} for query, those in asking.items()]
    found = await store.read(LIST_ALIKE, space=space, rows=rows, limit=MOST_ALIKE) if rows else []
    groups: list[list[Marked]] = list(asking.values())
    return [_alike(one, row) for row in found for one in groups[int(row["number"])] if one.id != row["other"]]


def _alike(one: Marked, row: Row) -> Alike:
    similarity = 2 * row["jaccard"] / (1 + row["jaccard"]) if one.fingerprint else 0.0
    return Alike(
        one.id,
        row["other"],
        row["contributor"],
        datetime.fromtimestamp(row["occurred_ms"] / 1000, tz=UTC),
        similarity,
        frozenset(row["declared"]),
    )


async def list_marked(store: Store, *, space: str, ids: Sequence[str]) -> list[Kept]:
    """The marks of these episodes, those left out that have none."""
    found = await store.read(LIST_MARKED, space=space, ids=list(ids)) if ids else []
    return [
        Kept(row["id"], row["contributor"], instant(row["occurred_at"]), tuple(row["fingerprint"]), tuple(row["prints"].split()))
        for row in found
    ]


async def write_groups(store: Store, *, space: str, ids: Sequence[str], regroup: Regroup, now: datetime) -> list[str]:
    """Changes the groups of these episodes and of the members of the groups they are in; returns the ids of the slots this touches.

    `regroup` is pure and may run more than once. Slots of episodes that had a group before are always among the answer, so that a
    digest that was interrupted after the grouping settles them when it is repeated.
    """

    async def work(tx: AsyncManagedTransaction) -> list[str]:
        await fetch(tx, LOCK_SPACE, space=space)
        held = {row["id"]: row["origin"] for row in await fetch(tx, LIST_GROUPS, space=space, ids=list(ids))}
        origins = sorted({origin for origin in held.values() if origin})
        held |= {row["id"]: row["origin"] for row in await fetch(tx, LIST_MEMBERS, space=space, ids=origins)}
        changed = dict(regroup(held))
        await fetch(tx, SET_GROUPS, space=space, rows=[{"id": id_, "origin": changed[id_]} for id_ in sorted(changed)], now=now)
        empty = set(origins) - {changed.get(id_, origin) for id_, origin in held.items()}
        await fetch(tx, DELETE_ORIGINS, space=space, ids=sorted(empty))
        again = [id_ for id_ in ids if held.get(id_)]
        found = await fetch(tx, TOUCH_SLOTS, space=space, ids=sorted({*changed, *again}))
        return [row["slot"] for row in found]

    return await store.write_with(work) if ids else []


def fresh_origin_id() -> str:
    """An id for a group that was not there before."""
    return new_id("Origin")
