"""Words of digested episodes in the order they were digested: what word statistics are built from."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final, LiteralString

from consilience.store.driver import Store
from consilience.store.rows import instant

LIST_WORDS: Final[LiteralString] = """
MATCH (e:Episode {space: $space})
WHERE e.digestedAt >= $after AND e.status = 'ACTIVE'
RETURN e.id AS id, e.words AS words, e.digestedAt AS digested_at
ORDER BY e.digestedAt LIMIT $limit
"""


@dataclass(frozen=True, slots=True)
class Worded:
    id: str
    words: str
    digested_at: datetime


async def list_words(store: Store, *, space: str, after: datetime, limit: int) -> list[Worded]:
    """Up to `limit` episodes digested at or after this time, oldest first."""
    found = await store.read(LIST_WORDS, space=space, after=after, limit=limit)
    return [Worded(row["id"], row["words"], instant(row["digested_at"])) for row in found]
