"""Candidates of a recall in one round trip: nearest by meaning and by words, narrowed inside the indexes, or by an exact scan.

The texts are put together from literal fragments, one for each combination of filters, and kept: parameters only, so plans are cached.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import Any, Final, LiteralString, cast

from consilience.schema.domain import MemoryKind, Role, Status
from consilience.schema.migrations import vector_index, vector_label, words_index
from consilience.store.driver import Row, Store

# Allowed inside SEARCH: comparisons joined by AND, of properties the index holds.
_CONDITIONS: Final[dict[str, LiteralString]] = {
    "contributor": "n.contributor = $contributor",
    "session": "n.session = $session",
    "since": "n.occurredAt >= $since",
    "until": "n.occurredAt < $until",
    "as_of": "n.recordedAt <= $as_of",
    "floor": "n.trust >= $floor",
}
# Those the full-text index does not hold: they are applied to what it gives, so it is asked for more.
_LOOSE: Final = frozenset({"since", "until", "as_of", "floor"})
# One variable a branch: 2026.01.4 fails to plan two SEARCHes over one name in a union (SymbolUse not found).
_NEAREST: Final = """
  MATCH ({var}:{label})
  SEARCH {var} IN (VECTOR INDEX {index} FOR $vector
    WHERE {var}.space = $space AND {var}.kind = 'EPISODE' AND {var}.status = 'ACTIVE'{conditions} LIMIT $by_meaning) SCORE AS score
  RETURN {var} AS n, 2 * score - 1 AS cosine
"""
_WORDED: Final = """
  CALL db.index.fulltext.queryNodes($words_index, {query}, {{limit: $words_wide}}) YIELD node AS n
  WHERE n.space = $space AND n.kind = 'EPISODE' AND n.status = 'ACTIVE'{conditions}
  WITH n LIMIT $words_limit
  RETURN n, 2 * vector.similarity.cosine(n.embedding, $vector) - 1 AS cosine
"""
_EXACT: Final = """
  MATCH (n:Episode {{space: $space}})
  WHERE n.status IN $statuses AND n.digestedAt IS NOT NULL{conditions}
  WITH n, CASE WHEN n.embedding IS NULL THEN 0.0 ELSE 2 * vector.similarity.cosine(n.embedding, $vector) - 1 END AS cosine
  ORDER BY cosine DESC LIMIT $limit
  RETURN n, cosine
"""
# About somebody: named in the words, or said by that person (beliefs about entities will narrow this further).
_NAMED: Final = """
  CALL db.index.fulltext.queryNodes($words_index, $words_query, {{limit: $words_wide}}) YIELD node AS n
  WHERE n.space = $space AND n.kind = 'EPISODE' AND n.status = 'ACTIVE'{conditions}
  WITH n, 2 * vector.similarity.cosine(n.embedding, $vector) - 1 AS cosine
  ORDER BY cosine DESC LIMIT $limit
  RETURN n, cosine
"""
_NAMING: Final[LiteralString] = """ AND (n.contributor = $person OR (size($name_words) > 0
    AND all(word IN $name_words WHERE (' ' + n.words + ' ') CONTAINS (' ' + word + ' '))))"""
_ALL: Final = 2**31 - 1
# Times as numbers: decoding a hundred of them as dates costs more than the ranking does.
_RETURN: Final = """
RETURN n.id AS id, max(cosine) AS cosine, n.words AS words, n.occurredAt.epochMillis AS occurred_ms, n.confidence AS confidence,
  n.trust AS trust,
  n.contributor AS contributor, n.session AS session, n.role AS role, n.cues AS cues, n.devalued AS devalued
"""
_RETURN_AROUND: Final = """
WITH n, max(cosine) AS cosine
OPTIONAL MATCH (b1:Episode)-[:NEXT]->(n)
OPTIONAL MATCH (b2:Episode)-[:NEXT]->(b1)
OPTIONAL MATCH (n)-[:NEXT]->(a1:Episode)
OPTIONAL MATCH (a1)-[:NEXT]->(a2:Episode)
RETURN n.id AS id, cosine, n.words AS words, n.occurredAt.epochMillis AS occurred_ms, n.confidence AS confidence,
  n.trust AS trust,
  n.contributor AS contributor, n.session AS session, n.role AS role, n.cues AS cues, n.devalued AS devalued,
  [b2.words, b1.words, a1.words, a2.words] AS around, b1.cues AS before
"""
COUNT_MATCHING: Final = """
MATCH (n:Episode {{space: $space}})
WHERE n.status IN $statuses AND n.digestedAt IS NOT NULL{conditions}
WITH n LIMIT $limit
RETURN count(n) AS matching
"""


@dataclass(frozen=True, slots=True)
class Filters:
    """What a hit must satisfy; ids are the store's, None where it does not matter. `statuses` is never empty."""

    space: str
    statuses: tuple[Status, ...] = (Status.ACTIVE,)
    contributor: str | None = None
    session: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    as_of: datetime | None = None
    floor: float | None = None

    @property
    def set(self) -> tuple[str, ...]:
        """The names of the filters in force, in a fixed order."""
        return tuple(name for name in _CONDITIONS if getattr(self, name) is not None)

    def params(self) -> dict[str, object]:
        """The values of the filters in force, by the names the texts use."""
        named: dict[str, object] = {name: getattr(self, name) for name in self.set}
        return named | {"space": self.space, "statuses": list(self.statuses)}


@dataclass(frozen=True, slots=True)
class Found:
    """A candidate as the store knows it. `around`: words of the turns -2, -1, +1, +2 of its session, None where there is none."""

    id: str
    cosine: float
    words: str
    occurred_at: datetime
    confidence: float
    trust: float
    contributor: str
    session: str
    role: Role
    cues: tuple[float, ...]
    around: tuple[str | None, ...] = ()
    before_cues: tuple[float, ...] = ()
    kind: MemoryKind = MemoryKind.EPISODE
    devalued: bool = False
    suspect: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Wanted:
    """How to look: the unit vector of the question, its words, how many by each, whose words to look among as well."""

    vector: Sequence[float]
    lookup: str
    by_meaning: int
    by_words: int
    speaker: str | None = None


@dataclass(frozen=True, slots=True)
class Named:
    """Whom a memory must be about: all of these words stand in it, or this contributor (an id) said it."""

    words: str
    person: str | None


async def search_indexes(store: Store, *, filters: Filters, wanted: Wanted, dimensions: int) -> list[Found]:
    """Candidates from both indexes, those of `speaker` found among his own as well. Serves ACTIVE memory only."""
    speaker = wanted.speaker if "contributor" not in filters.set else None
    query = _index_query(filters.set, speaker is not None, bool(wanted.lookup), dimensions)
    widening = 10 if _LOOSE & set(filters.set) else 1
    rows = await store.read(
        query,
        **filters.params(),
        vector=list(wanted.vector),
        by_meaning=wanted.by_meaning,
        words_index=words_index(filters.space),
        words_query=lucene(wanted.lookup, contributor=filters.contributor, session=filters.session),
        speaker_query=lucene(wanted.lookup, contributor=speaker, session=filters.session),
        speaker=speaker,
        words_limit=wanted.by_words,
        words_wide=wanted.by_words * widening,
    )
    return [_found(row) for row in rows]


async def scan_exactly(store: Store, *, filters: Filters, vector: Sequence[float], limit: int, named: Named | None = None) -> list[Found]:
    """The nearest `limit` of all that match, by reading them all: for filters that leave few, and statuses no index holds."""
    whom: dict[str, object] = {} if named is None else {"person": named.person, "name_words": named.words.split()}
    rows = await store.read(_exact_query(filters.set, named is not None), **filters.params(), **whom, vector=list(vector), limit=limit)
    return [_found(row) for row in rows]


async def search_named(store: Store, *, filters: Filters, vector: Sequence[float], named: Named, limit: int, least: int) -> list[Found]:
    """Up to `limit` that are about somebody, ACTIVE memory only; all there are if that is fewer than `least`."""
    names = " ".join(f"+words:{token}" for token in named.words.split())
    either = " ".join([*([f"({names})"] if names else []), *([f"contributor:{named.person}"] if named.person else [])])
    if not either:
        return []
    query = f"{_within(filters.contributor, filters.session)} +({either})".strip()
    params = filters.params() | {"vector": list(vector), "limit": limit, "words_index": words_index(filters.space), "words_query": query}
    rows = await store.read(_named_query(filters.set), **params, words_wide=limit)
    if len(rows) < least and _LOOSE & set(filters.set):  # the filters may have thrown away the best `limit` of many
        rows = await store.read(_named_query(filters.set), **params, words_wide=_ALL)
    return [_found(row) for row in rows]


async def count_matching(store: Store, *, filters: Filters, limit: int) -> int:
    """How many match, counted no further than `limit`."""
    return int((await store.read(_count_query(filters.set), **filters.params(), limit=limit))[0]["matching"])


def lucene(lookup: str, *, contributor: str | None, session: str | None) -> str:
    """The full-text query: any of the words, of this contributor and session where given. All parts are plain tokens."""
    within = _within(contributor, session)
    words = " ".join(f"words:{token}" for token in lookup.split())
    return f"{within} +({words})" if within else words


def _within(contributor: str | None, session: str | None) -> str:
    return " ".join(f"+{name}:{value}" for name, value in (("contributor", contributor), ("session", session)) if value)


def _conditions(names: Sequence[str]) -> LiteralString:
    parts: list[LiteralString] = [_CONDITIONS[name] for name in names]
    return "".join(" AND " + part for part in parts)


@cache
def _index_query(names: tuple[str, ...], speaker: bool, worded: bool, dimensions: int) -> LiteralString:
    place: dict[str, Any] = {"label": vector_label(dimensions), "index": vector_index(dimensions)}
    conditions = _conditions(names)
    parts = [_NEAREST.format(**place, var="m", conditions=conditions.replace("n.", "m."))]
    if worded:
        parts.append(_WORDED.format(query="$words_query", conditions=conditions))
    if speaker:
        own = conditions + " AND n.contributor = $speaker"
        parts.append(_NEAREST.format(**place, var="o", conditions=own.replace("n.", "o.")))
        if worded:
            parts.append(_WORDED.format(query="$speaker_query", conditions=own))
    ending = _RETURN if "as_of" in names else _RETURN_AROUND  # what was said later must not speak for what was said before
    return cast("LiteralString", "CALL () {" + "  UNION ALL".join(parts) + "}" + ending)


@cache
def _exact_query(names: tuple[str, ...], named: bool) -> LiteralString:
    ending = _RETURN if "as_of" in names else _RETURN_AROUND
    return "CALL () {" + _EXACT.format(conditions=_conditions(names) + (_NAMING if named else "")) + "}" + ending


@cache
def _named_query(names: tuple[str, ...]) -> LiteralString:
    ending = _RETURN if "as_of" in names else _RETURN_AROUND
    return "CALL () {" + _NAMED.format(conditions=_conditions(names)) + "}" + ending


@cache
def _count_query(names: tuple[str, ...]) -> LiteralString:
    return COUNT_MATCHING.format(conditions=_conditions(names))


def all_queries(dimensions: int) -> dict[str, str]:
    """Every text this module can send, by a name: for the static test that each binds the space (T01)."""
    some = (tuple(_CONDITIONS), tuple(name for name in _CONDITIONS if name != "contributor"), ())
    asked = [(names, speaker, worded) for names in some for speaker in (True, False) for worded in (True, False)]
    texts = {
        f"index {names} {speaker} {worded}": _index_query(names, speaker, worded, dimensions)
        for names, speaker, worded in asked
        if not (speaker and "contributor" in names)  # the filter says whose words then: see search_indexes
    }
    texts |= {f"named {names}": _named_query(names) for names in some}
    texts |= {f"exact {names} {named}": _exact_query(names, named) for names in some for named in (True, False)}
    return texts | {f"count {names}": _count_query(names) for names in some}


def _found(row: Row) -> Found:
    return Found(
        id=row["id"],
        cosine=row["cosine"],
        words=row["words"] or "",
        occurred_at=datetime.fromtimestamp(row["occurred_ms"] / 1000, UTC),
        confidence=row["confidence"],
        trust=row["trust"],
        contributor=row["contributor"],
        session=row["session"],
        role=Role(row["role"]),
        cues=tuple(row["cues"] or ()),
        around=tuple(row.get("around") or ()),
        before_cues=tuple(row.get("before") or ()),
        devalued=bool(row.get("devalued")),
    )
