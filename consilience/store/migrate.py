"""Brings a database to the newest schema, whoever starts first (O5), and checks what Community cannot constrain."""

import asyncio
import secrets
from typing import Final, LiteralString

from neo4j import AsyncManagedTransaction
from neo4j.exceptions import Neo4jError

from consilience.config import NEO4J_VERSION
from consilience.errors import CannotStart, StoreUnavailable
from consilience.schema.migrations import BOOTSTRAP, MIGRATIONS, create_vector_index, create_words_index, vector_index, words_index
from consilience.store.driver import Store

# SchemaVersion and its lock belong to no space (named exemption of T01).
LOCK_SCHEMA: Final[LiteralString] = """
MERGE (lock:SchemaVersion {version: 0}) ON CREATE SET lock.name = 'lock'
SET lock._lock = randomUUID()
WITH lock
MATCH (v:SchemaVersion)
RETURN max(v.version) AS version
"""
RECORD_MIGRATION: Final[LiteralString] = "CREATE (:SchemaVersion {version: $version, name: $name, recordedAt: datetime()})"
GET_SCHEMA_VERSION: Final[LiteralString] = "MATCH (v:SchemaVersion) RETURN max(v.version) AS version"
GET_VERSIONS: Final[LiteralString] = """
CALL dbms.components() YIELD name, versions, edition
WHERE name = 'Neo4j Kernel'
RETURN versions[0] AS neo4j, edition
"""
GET_GDS_VERSION: Final[LiteralString] = "RETURN gds.version() AS gds"
AWAIT_INDEX: Final[LiteralString] = "CALL db.awaitIndex($name, 120)"
LIST_INDEXES: Final[LiteralString] = "SHOW INDEXES YIELD name, state, type RETURN name, state, type"


async def migrate(store: Store) -> int:
    """Runs the migrations that are missing and returns the schema version.

    A write lock on one node lets the first of several starting processes do the work; the others wait and find it done.
    Raises CannotStart if the database was made by a newer release.
    """
    await _schema(store, BOOTSTRAP)

    async def work(tx: AsyncManagedTransaction) -> int:
        row = await (await tx.run(LOCK_SCHEMA)).single(strict=True)
        version = int(row["version"])
        if version > MIGRATIONS[-1].version:
            raise CannotStart(
                f"the database has schema version {version}, this release knows {MIGRATIONS[-1].version}",
                hint="start a newer release of consilience",
            )
        for migration in MIGRATIONS:
            if migration.version > version:
                for statement in migration.statements:
                    await _schema(store, statement)  # its own transaction: schema and data do not mix in one
                await tx.run(RECORD_MIGRATION, version=migration.version, name=migration.name)
        return MIGRATIONS[-1].version

    return await store.write_with(work)


async def ensure_vector_index(store: Store, *, dimensions: int) -> None:
    """The vector index for embeddings of this many dimensions, online when this returns."""
    await _schema(store, create_vector_index(dimensions))
    await store.read(AWAIT_INDEX, name=vector_index(dimensions))


async def ensure_words_index(store: Store, *, space: str) -> None:
    """The full-text index of a space, online when this returns. `space` must be a checked name."""
    await _schema(store, create_words_index(space))
    await store.read(AWAIT_INDEX, name=words_index(space))


async def _schema(store: Store, statement: str) -> None:
    """One `IF NOT EXISTS` statement. Two processes at once can both find it missing, or wait for each other: who loses tries again.

    Raises StoreUnavailable, CannotStart.
    """
    refused: StoreUnavailable | None = None
    for attempt in range(20):
        try:
            await store.run_schema(statement)
        except Neo4jError as error:
            if not (error.code or "").startswith("Neo.ClientError.Schema."):
                raise
        except StoreUnavailable as error:  # a deadlock among schema locks, as the driver tells it
            refused = error
        else:
            return
        await asyncio.sleep(0.05 * (attempt + 1) + secrets.randbelow(50) / 1000)
    raise refused or CannotStart(
        "the database's schema cannot be brought up to date", hint="run `consilience doctor`, then look at `consilience logs --neo4j`"
    )


async def check_server(store: Store) -> tuple[str, str]:
    """(Neo4j version, GDS version). Raises CannotStart for a server that is too old or has no GDS, with what to do."""
    row = (await store.read(GET_VERSIONS))[0]
    version = str(row["neo4j"])
    if _numbers(version) < _numbers("2026.01"):
        raise CannotStart(
            f"Neo4j {version} is too old: filters inside the vector index need 2026.01 or newer",
            hint=f"use Neo4j {NEO4J_VERSION}, or unset NEO4J_URI for the managed server",
        )
    try:
        gds = str((await store.read(GET_GDS_VERSION))[0]["gds"])
    except Neo4jError as error:
        raise CannotStart(
            "Graph Data Science is not installed in this Neo4j",
            hint="install the plugin that matches the server (2.26.0 for 2026.01.4), or unset NEO4J_URI for the managed server",
        ) from error
    return version, gds


async def schema_version(store: Store) -> int | None:
    """The version of the schema, None in an empty database."""
    version = (await store.read(GET_SCHEMA_VERSION))[0]["version"]
    return None if version is None else int(version)


async def index_states(store: Store) -> dict[str, str]:
    """Index name -> state (`ONLINE`, `POPULATING`, `FAILED`)."""
    return {str(row["name"]): str(row["state"]) for row in await store.read(LIST_INDEXES)}


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("+")[0].split("-")[0].split(".") if part.isdigit())
