"""Summaries, read for whoever asks."""

from collections.abc import Sequence
from typing import Final, LiteralString

from consilience.schema.domain import Status
from consilience.schema.profiles import StoredSummary
from consilience.store import rows
from consilience.store.driver import Row, Store
from consilience.store.rows import instant

_WHOLE: Final[LiteralString] = """
MATCH (m)-[:SUMS_UP]->(z:Session)
RETURN m {.*} AS m, z {.*} AS z,
  COLLECT { MATCH (m)-[b:SUPPORTED_BY]->(e:Episode) RETURN [e.id, e.status] ORDER BY b.place } AS episodes
"""
LIST_SUMMARIES: Final[LiteralString] = "UNWIND $ids AS id\nMATCH (m:Summary {space: $space, id: id})" + _WHOLE
LIST_SUMMARIES_OF: Final[LiteralString] = "UNWIND $ids AS id\nMATCH (m:Summary {space: $space, session: id})" + _WHOLE
# A summary quotes: if one of those it quotes may not be shown, neither may it.
_QUOTABLE: Final = frozenset({Status.ACTIVE, Status.ARCHIVED})


async def list_summaries(store: Store, *, space: str, ids: Sequence[str]) -> dict[str, StoredSummary]:
    """The summaries with these ids, by id."""
    found = await store.read(LIST_SUMMARIES, space=space, ids=list(ids)) if ids else []
    return {one.id: one for one in map(_summary, found)}


async def summaries_of(store: Store, *, space: str, sessions: Sequence[str]) -> dict[str, StoredSummary]:
    """Session id -> its summary; sessions without one are left out."""
    found = await store.read(LIST_SUMMARIES_OF, space=space, ids=list(sessions)) if sessions else []
    return {one.session.id: one for one in map(_summary, found)}


def _summary(row: Row) -> StoredSummary:
    """WITHHELD if an episode it quotes is gone or out of sight."""
    m = row["m"]
    whole = len(row["episodes"]) == m["episodes"] and all(Status(status) in _QUOTABLE for _, status in row["episodes"])
    return StoredSummary(
        id=m["id"],
        space=m["space"],
        session=rows.session(row["z"]),
        text=m["text"],
        status=Status(m["status"]) if whole else Status.WITHHELD,
        confidence=m["confidence"],
        trust=m["trust"],
        recorded_at=instant(m["recordedAt"]),
        episodes=tuple(id_ for id_, _ in row["episodes"]),
        pinned=m.get("pinned", False),
    )
