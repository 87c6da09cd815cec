"""Sessions: conversations as their callers name them."""

from typing import Final, LiteralString

from consilience.schema.domain import Session
from consilience.store import rows
from consilience.store.driver import Store

GET_SESSION: Final[LiteralString] = "MATCH (z:Session {space: $space, externalId: $external_id}) RETURN z {.*} AS z"


async def find_session(store: Store, *, space: str, external_id: str) -> Session | None:
    """The session with this external id, None if there is none here."""
    found = await store.read(GET_SESSION, space=space, external_id=external_id)
    return rows.session(found[0]["z"]) if found else None
