"""A Neo4j server of a test's own: how to reach it, how to make it empty."""

from dataclasses import dataclass

from consilience.app.lifecycle import Address
from consilience.config import Settings
from consilience.store.driver import Store, open_store


@dataclass(frozen=True, slots=True)
class Own:
    """The server, and settings of a service on it."""

    address: Address
    settings: Settings

    def open(self) -> Store:
        return open_store(self.address.uri, user=self.address.user, password=self.address.password, database="neo4j", timeout_s=120)


async def make_empty(store: Store) -> None:
    """No node, no constraint, no index but the two every database is born with."""
    await store.write("MATCH (n) DETACH DELETE n")
    for row in await store.read("SHOW CONSTRAINTS YIELD name RETURN name"):
        await store.run_schema(f"DROP CONSTRAINT `{row['name']}` IF EXISTS")
    for row in await store.read("SHOW INDEXES YIELD name, type WHERE type <> 'LOOKUP' RETURN name"):
        await store.run_schema(f"DROP INDEX `{row['name']}` IF EXISTS")
