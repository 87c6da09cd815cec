"""Episodes read whole: with who said them, through what, in which session. One query a call, whatever the number."""

from collections.abc import Sequence
from typing import Final, LiteralString

from consilience.schema.domain import Episode, Page
from consilience.store import rows
from consilience.store.driver import Store

# Embeddings and words are never sent to a reader: decoding them is what costs (neo4j.md A).
_WHOLE: Final[LiteralString] = """
MATCH (e)-[:BY]->(p:Contributor), (e)-[:FROM]->(s:Source)
OPTIONAL MATCH (e)-[:IN]->(z:Session)
RETURN e {.id, .space, .text, .role, .status, .confidence, .trust, .occurredAt, .recordedAt,
    .externalId, .metadata, .digestedAt, .pinned} AS e,
       p {.*} AS p, s {.*} AS s, z {.*} AS z
"""
LIST_EPISODES: Final[LiteralString] = (
    """
UNWIND $ids AS id
MATCH (e:Episode {space: $space, id: id})
"""
    + _WHOLE
)
PAGE_BY_CONTRIBUTOR: Final[LiteralString] = (
    """
UNWIND $contributors AS contributor
CALL (contributor) {
  MATCH (e:Episode {space: $space, contributor: contributor})
  WHERE e.id > $after
  WITH e ORDER BY e.id LIMIT $limit
  RETURN e
}
"""
    + _WHOLE
    + "ORDER BY e.id"
)
COUNT_BY_CONTRIBUTOR: Final[LiteralString] = """
UNWIND $contributors AS contributor
RETURN contributor, COUNT { (e:Episode {space: $space, contributor: contributor}) } AS total
"""
COUNT_UNDIGESTED: Final[LiteralString] = """
UNWIND $ids AS id
MATCH (e:Episode {space: $space, id: id})
WHERE e.digestedAt IS NULL
RETURN count(e) AS waiting
"""


async def list_by_ids(store: Store, *, space: str, ids: Sequence[str]) -> dict[str, Episode]:
    """The episodes with these ids in this space, by id; ids that are not here are left out."""
    if not ids:
        return {}
    found = [rows.episode(row) for row in await store.read(LIST_EPISODES, space=space, ids=list(ids))]
    return {episode.id: episode for episode in found}


async def list_by_contributors(
    store: Store, *, space: str, contributor_ids: Sequence[str], first: int, after: str | None
) -> dict[str, Page[Episode]]:
    """For each contributor its episodes after the id `after`, oldest first, at most `first`; two queries in all."""
    ids = list(contributor_ids)
    found = [
        rows.episode(row)
        for row in await store.read(PAGE_BY_CONTRIBUTOR, space=space, contributors=ids, after=after or "", limit=first + 1)
    ]
    totals = {row["contributor"]: int(row["total"]) for row in await store.read(COUNT_BY_CONTRIBUTOR, space=space, contributors=ids)}
    pages: dict[str, Page[Episode]] = {}
    for contributor in ids:
        own = tuple(episode for episode in found if episode.contributor.id == contributor)
        shown = own[:first]
        pages[contributor] = Page(shown, totals.get(contributor, 0), shown[-1].id if shown else None, len(own) > first)
    return pages


async def count_undigested(store: Store, *, space: str, ids: Sequence[str]) -> int:
    """How many of these episodes a worker has not digested yet."""
    return int((await store.read(COUNT_UNDIGESTED, space=space, ids=list(ids)))[0]["waiting"])
