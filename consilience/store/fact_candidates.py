"""Facts as candidates of a recall: by the indexes, or by the episodes and entities they hang on, which no index holds (design §6)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import Final, LiteralString, cast

from consilience.schema.domain import MemoryKind, Role, Status
from consilience.schema.migrations import vector_index, vector_label, words_index
from consilience.store.candidates import Found
from consilience.store.driver import Row, Store

_RETURN: Final[LiteralString] = """
MATCH (n)-[:IN_SLOT]->(:Slot)-[:ABOUT]->(x:Entity)
RETURN n.id AS id, max(cosine) AS cosine, n.words AS words, n.occurredAt.epochMillis AS occurred_ms, n.confidence AS confidence,
  n.trust AS trust, n.suspect AS suspect, head([(p:Contributor)-[:SELF]->(x) | p.id]) AS owner
"""
_TIMES: Final[LiteralString] = "n.occurredAt >= $since AND n.occurredAt < $until"
_SEARCH: Final = """
CALL () {{
  MATCH (m:{label})
  SEARCH m IN (VECTOR INDEX {index} FOR $vector WHERE m.space = $space AND m.kind = 'FACT' AND m.status = 'ACTIVE' AND m.trust >= $floor
    LIMIT $by_meaning) SCORE AS score
  RETURN m AS n, 2 * score - 1 AS cosine
{worded}
}}
WITH n, cosine
WHERE {times}
"""
_WORDED: Final = """  UNION ALL
  CALL db.index.fulltext.queryNodes($words_index, $words_query, {limit: $words_wide}) YIELD node AS n
  WHERE n.space = $space AND n.kind = 'FACT' AND n.status = 'ACTIVE' AND n.trust >= $floor
  WITH n LIMIT $by_words
  RETURN n, 2 * vector.similarity.cosine(n.embedding, $vector) - 1 AS cosine
"""
SCAN_FACTS: Final[LiteralString] = (
    """
MATCH (n:Fact {space: $space})
WHERE n.status IN $statuses AND n.trust >= $floor AND """
    + _TIMES
    + """
WITH n, CASE WHEN n.embedding IS NULL THEN 0.0 ELSE 2 * vector.similarity.cosine(n.embedding, $vector) - 1 END AS cosine
ORDER BY cosine DESC LIMIT $limit
"""
    + _RETURN
)
_OF_EPISODES: Final[LiteralString] = (
    """
MATCH (e)<-[:SUPPORTED_BY]-(n:Fact)
WHERE n.status IN $statuses AND n.trust >= $floor AND """
    + _TIMES
    + """
WITH DISTINCT n
WITH n, CASE WHEN n.embedding IS NULL THEN 0.0 ELSE 2 * vector.similarity.cosine(n.embedding, $vector) - 1 END AS cosine
ORDER BY cosine DESC LIMIT $limit
"""
    + _RETURN
)
SCAN_FACTS_OF: Final[LiteralString] = (
    """
MATCH (e:Episode {space: $space, contributor: $contributor})
WHERE $session IS NULL OR e.session = $session
"""
    + _OF_EPISODES
)
SCAN_FACTS_IN: Final[LiteralString] = "MATCH (e:Episode {space: $space, session: $session})" + _OF_EPISODES
SCAN_FACTS_ABOUT: Final[LiteralString] = (
    """
UNWIND $entities AS entity
MATCH (x:Entity {space: $space, id: entity})<-[:ABOUT]-(:Slot)<-[:IN_SLOT]-(n:Fact)
WHERE n.status IN $statuses AND n.trust >= $floor AND """
    + _TIMES
    + """
  AND ($contributor IS NULL OR EXISTS { (n)-[:SUPPORTED_BY]->(:Episode {space: $space, contributor: $contributor}) })
WITH n, CASE WHEN n.embedding IS NULL THEN 0.0 ELSE 2 * vector.similarity.cosine(n.embedding, $vector) - 1 END AS cosine
ORDER BY cosine DESC LIMIT $limit
"""
    + _RETURN
)


@dataclass(frozen=True, slots=True)
class FactsWanted:
    """Which facts, and the question they are to answer. `entities`: only those about one of these (ids), None: about anything."""

    space: str
    vector: Sequence[float]
    lookup: str
    statuses: tuple[Status, ...]
    floor: float
    since: datetime
    until: datetime
    contributor: str | None = None
    session: str | None = None
    entities: tuple[str, ...] | None = None
    by_meaning: int = 50
    by_words: int = 20


async def search_facts(store: Store, *, wanted: FactsWanted, dimensions: int) -> list[Found]:
    """Candidates among the facts: through the indexes where they hold the filters, by the hop that a filter names where they do not."""
    params: dict[str, object] = {
        "space": wanted.space,
        "vector": list(wanted.vector),
        "floor": wanted.floor,
        "since": wanted.since,
        "until": wanted.until,
    }
    scanned = params | {"statuses": list(wanted.statuses), "contributor": wanted.contributor, "session": wanted.session, "limit": 300}
    if wanted.entities is not None:
        rows = await store.read(SCAN_FACTS_ABOUT, **scanned, entities=list(wanted.entities))
    elif wanted.contributor is not None:
        rows = await store.read(SCAN_FACTS_OF, **scanned)
    elif wanted.session is not None:
        rows = await store.read(SCAN_FACTS_IN, **scanned)
    elif wanted.statuses != (Status.ACTIVE,):
        rows = await store.read(SCAN_FACTS, **scanned)
    else:
        words = " ".join(f"words:{token}" for token in wanted.lookup.split())
        rows = await store.read(
            _search_query(bool(words), dimensions),
            **params,
            words_index=words_index(wanted.space),
            words_query=words,
            words_wide=10 * wanted.by_words,
            by_words=wanted.by_words,
            by_meaning=wanted.by_meaning,
        )
    return [_found(row) for row in rows]


@cache
def _search_query(worded: bool, dimensions: int) -> LiteralString:
    text = _SEARCH.format(label=vector_label(dimensions), index=vector_index(dimensions), worded=_WORDED if worded else "", times=_TIMES)
    return cast("LiteralString", text + _RETURN)


def all_queries(dimensions: int) -> dict[str, str]:
    """Every text this module can send that is not a constant of it, by a name (T01)."""
    return {f"facts {worded}": _search_query(worded, dimensions) for worded in (True, False)}


def _found(row: Row) -> Found:
    return Found(
        id=row["id"],
        cosine=row["cosine"],
        words=row["words"] or "",
        occurred_at=datetime.fromtimestamp(row["occurred_ms"] / 1000, UTC),
        confidence=row["confidence"],
        trust=row["trust"],
        contributor=row["owner"] or "",
        session="",
        role=Role.USER,
        cues=(),
        kind=MemoryKind.FACT,
        suspect=tuple(row["suspect"] or ()),
    )
