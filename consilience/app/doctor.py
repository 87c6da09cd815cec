"""`consilience doctor`: the machine, the database and the embedder, each with what to do if it is not right."""

import asyncio

from consilience.app.lifecycle import Address, check_embedders, running_address
from consilience.config import Settings
from consilience.embedding import load_embedder
from consilience.errors import ConsilienceError
from consilience.server.checks import Check
from consilience.server.doctor import machine_checks
from consilience.store.driver import Store, open_store
from consilience.store.jobs import counts
from consilience.store.migrate import check_server
from consilience.store.schema_audit import audit_schema


def doctor(settings: Settings) -> list[Check]:
    """All checks, in the order to mend them. Reads only; works whether or not a service runs."""
    return [*machine_checks(settings), *_embedder_checks(settings), *asyncio.run(_database_checks(settings))]


def _embedder_checks(settings: Settings) -> list[Check]:
    try:
        embedder = load_embedder(settings.embedder)
    except ConsilienceError as error:
        return [Check("embedder", False, error.message, error.hint)]
    return [Check("embedder", True, f"{embedder.id}, {embedder.dimensions} dimensions")]


async def _database_checks(settings: Settings) -> list[Check]:
    try:
        address = running_address(settings)
    except ConsilienceError as error:
        return [Check("database", None, error.message, error.hint)]
    store = open_store(address.uri, user=address.user, password=address.password, database=settings.neo4j_database, timeout_s=10)
    try:
        return await _examine(settings, store=store, address=address)
    except ConsilienceError as error:
        return [Check("database", False, error.message, error.hint)]
    finally:
        await store.close()


async def _examine(settings: Settings, *, store: Store, address: Address) -> list[Check]:
    neo4j, gds = await check_server(store)
    checks = [Check("database", True, f"Neo4j {neo4j} at {address.uri}"), Check("graph data science", True, gds)]
    for finding in await audit_schema(store):
        advice = (
            None if finding.ok else "start the service: it brings the schema up to date; if it stays, see docs/guides/managed-server.md"
        )
        checks.append(Check(finding.name, finding.ok, finding.found, advice))
    try:
        await check_embedders(store, embedder=load_embedder(settings.embedder))
    except ConsilienceError as error:
        checks.append(Check("vectors", False, error.message, error.hint))
    queue = await counts(store)
    told = f"{queue.pending} waiting, {queue.parked} parked, {queue.dead} dead"
    checks.append(
        Check("queue", not queue.dead, told, "look at `consilience jobs`, then `consilience jobs --retry-dead`" if queue.dead else None)
    )
    return checks
