"""What must be true of the stored graph, asked of Neo4j itself and not of the service."""

from dataclasses import dataclass
from typing import Final, LiteralString

from consilience.store.audit import verify_chain
from consilience.store.driver import Store

COUNTS: Final[LiteralString] = """
MATCH (e:Episode {space: $space})
RETURN count(e) AS episodes, count(DISTINCT e.externalId) AS keys, count(e.digestedAt) AS digested,
       count(CASE WHEN e.embedding IS NULL THEN null ELSE 1 END) AS embedded,
       count(CASE WHEN (e)-[:BY]->(:Contributor) AND (e)-[:FROM]->(:Source) THEN 1 END) AS rooted
"""
KEYS: Final[LiteralString] = "MATCH (e:Episode {space: $space}) RETURN e.externalId AS key, count(*) AS times"
EVENTS: Final[LiteralString] = """
MATCH (a:AuditEvent {space: $space, action: 'EPISODE_STORED'})
RETURN count(a) AS events, count(DISTINCT a.target) AS targets
"""
# Each session's episodes by position, each with those that follow it by NEXT.
CHAINS: Final[LiteralString] = """
MATCH (z:Session {space: $space})
MATCH (e:Episode)-[:IN]->(z)
WITH z, e ORDER BY e.position
WITH z, collect({position: e.position, key: e.externalId, following: [(e)-[:NEXT]->(n) | n.externalId]}) AS chain
OPTIONAL MATCH (z)-[:LAST]->(last:Episode)
RETURN z.externalId AS session, z.length AS length, chain, collect(last.externalId) AS last
ORDER BY session
"""


@dataclass(frozen=True, slots=True)
class Counts:
    """Of a space's episodes: all, distinct externalIds, digested, with a vector, with contributor and source."""

    episodes: int
    keys: int
    digested: int
    embedded: int
    rooted: int


async def counts(store: Store, *, space: str) -> Counts:
    row = (await store.read(COUNTS, space=space))[0]
    return Counts(row["episodes"], row["keys"], row["digested"], row["embedded"], row["rooted"])


async def stored_keys(store: Store, *, space: str) -> dict[str, int]:
    """externalId -> how often it is there."""
    return {row["key"]: row["times"] for row in await store.read(KEYS, space=space)}


async def sessions_in_order(store: Store, *, space: str) -> dict[str, list[str]]:
    """session -> externalIds along its chain. Fails if a chain has a gap, a fork, a wrong length or a wrong end."""
    found: dict[str, list[str]] = {}
    for row in await store.read(CHAINS, space=space):
        keys = [one["key"] for one in row["chain"]]
        assert [one["position"] for one in row["chain"]] == list(range(len(keys))), row["session"]
        assert [one["following"] for one in row["chain"]] == [*([key] for key in keys[1:]), []], row["session"]
        assert (row["length"], row["last"]) == (len(keys), keys[-1:])
        found[row["session"]] = keys
    return found


async def assert_audit_whole(store: Store, *, space: str, episodes: int) -> None:
    """The hash chain holds, and tells of each episode exactly once."""
    assert await verify_chain(store, space=space) is None
    row = (await store.read(EVENTS, space=space))[0]
    assert (row["events"], row["targets"]) == (episodes, episodes)
