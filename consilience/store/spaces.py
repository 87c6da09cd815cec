"""Spaces: made on first use, each with its sources, its word index and the embedder its vectors come from."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final, LiteralString

from consilience.errors import CannotStart
from consilience.schema.domain import DEFAULT_SOURCE
from consilience.schema.ids import new_id
from consilience.store.driver import Store
from consilience.store.migrate import ensure_words_index

# Space nodes are the spaces themselves (named exemption of T01).
UPSERT_SPACE: Final[LiteralString] = """
MERGE (s:Space {name: $space})
ON CREATE SET s.id = $id, s.recordedAt = $now, s.embedder = $embedder, s.dimensions = $dimensions
MERGE (c:Source {space: $space, key: $source})
ON CREATE SET c.id = $source_id, c.recordedAt = $now, c.channel = $channel, c.trust = $trust
RETURN s.embedder AS embedder, s.dimensions AS dimensions
"""
LIST_SPACES: Final[LiteralString] = """
MATCH (s:Space)
RETURN s.name AS name, s.embedder AS embedder, s.dimensions AS dimensions, COUNT { (e:Episode {space: s.name}) } AS episodes
ORDER BY name
"""
SPACE_EXISTS: Final[LiteralString] = "MATCH (s:Space {name: $space}) RETURN s.embedder AS embedder, s.dimensions AS dimensions"
SET_EMBEDDER: Final[LiteralString] = "MATCH (s:Space {name: $space}) SET s.embedder = $embedder, s.dimensions = $dimensions"


@dataclass(frozen=True, slots=True)
class SpaceInfo:
    name: str
    embedder: str
    dimensions: int
    episodes: int = 0


async def ensure_space(store: Store, *, space: str, embedder: str, dimensions: int, channel: str, trust: float, now: datetime) -> SpaceInfo:
    """The space, made with its default source and word index if it is new. Idempotent. `space` is a checked name."""
    row = (
        await store.write(
            UPSERT_SPACE,
            space=space,
            id=new_id("Space"),
            source=DEFAULT_SOURCE,
            source_id=new_id("Source"),
            channel=channel,
            trust=trust,
            embedder=embedder,
            dimensions=dimensions,
            now=now,
        )
    )[0]
    await ensure_words_index(store, space=space)
    return SpaceInfo(space, str(row["embedder"]), int(row["dimensions"]))


async def find_space(store: Store, *, space: str) -> SpaceInfo | None:
    """The space, None if nothing was ever remembered in it."""
    rows = await store.read(SPACE_EXISTS, space=space)
    return SpaceInfo(space, str(rows[0]["embedder"]), int(rows[0]["dimensions"])) if rows else None


async def list_spaces(store: Store) -> list[SpaceInfo]:
    """All spaces by name, with the number of their episodes."""
    return [SpaceInfo(str(r["name"]), str(r["embedder"]), int(r["dimensions"]), int(r["episodes"])) for r in await store.read(LIST_SPACES)]


async def set_embedder(store: Store, *, space: str, embedder: str, dimensions: int) -> None:
    """Records that all vectors of the space now come from this embedder."""
    await store.write(SET_EMBEDDER, space=space, embedder=embedder, dimensions=dimensions)


def check_embedder(space: SpaceInfo, *, embedder: str, dimensions: int) -> None:
    """Raises CannotStart if the space's vectors come from another embedder: vectors of two models are never mixed (O6)."""
    if (space.embedder, space.dimensions) != (embedder, dimensions):
        raise CannotStart(
            f"the vectors of space {space.name} come from {space.embedder} ({space.dimensions} dimensions), "
            f"this service has {embedder} ({dimensions})",
            hint=f"start it with that embedder, or make the vectors anew: consilience reembed --space {space.name}",
        )
