"""Contributors: who speaks."""

from typing import Final, LiteralString

from consilience.schema.domain import Contributor
from consilience.store import rows
from consilience.store.driver import Store

GET_CONTRIBUTOR: Final[LiteralString] = "MATCH (p:Contributor {space: $space, externalId: $external_id}) RETURN p {.*} AS p"
LIST_PEOPLE: Final[LiteralString] = """
MATCH (p:Contributor {space: $space})
RETURN p.id AS id, p.externalId AS external_id, coalesce(p.name, p.externalId) AS name
ORDER BY p.id LIMIT $limit
"""


async def find_contributor(store: Store, *, space: str, external_id: str) -> Contributor | None:
    """The contributor with this external id, None if nobody has it here."""
    found = await store.read(GET_CONTRIBUTOR, space=space, external_id=external_id)
    return rows.contributor(found[0]["p"]) if found else None


async def list_people(store: Store, *, space: str, limit: int = 10_000) -> list[tuple[str, str, str]]:
    """(id, external id, name to be called by) of the space's contributors, oldest first."""
    return [(str(r["id"]), str(r["external_id"]), str(r["name"])) for r in await store.read(LIST_PEOPLE, space=space, limit=limit)]
