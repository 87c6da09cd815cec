"""A Neo4j of its own for tests of empty databases and of the queue, which spans spaces: no other worker, no other schema.

A plugin, so that test modules of several folders share one server: `pytest_plugins = ("tests.acceptance.private",)`. Nothing is
imported from here: pytest wants to be the first to read it.
"""

import asyncio
import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from consilience.app.lifecycle import Address, open_services
from consilience.app.service import Services
from consilience.config import load_settings
from consilience.embedding import load_embedder
from consilience.server.managed import ManagedNeo4j
from consilience.store.driver import probe
from tests.acceptance.own import Own


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def own(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Own]:
    """A managed server on an empty folder; nothing has been written to it when the first test asks for it.

    `CONSILIENCE_TEST_EMPTY_NEO4J` names one to use instead, which these tests then empty, so never that of NEO4J_URI, where other
    tests have workers; user and password are those of NEO4J_*.
    """
    if uri := os.environ.get("CONSILIENCE_TEST_EMPTY_NEO4J"):
        given = load_settings()
        assert uri != given.neo4j_uri, "the tests that need an empty database need one of their own"
        yield _own(Address(uri, given.neo4j_user, given.password), home=tmp_path_factory.mktemp("own-home"))
        return
    server = ManagedNeo4j()
    running = await server.start(
        load_settings(home=tmp_path_factory.mktemp("own-database"), heap_mb=512, page_cache_mb=64), probe=probe, report=lambda _: None
    )
    yield _own(Address(running.uri, running.user, running.password), home=tmp_path_factory.mktemp("own-home"))
    await server.stop()


def _own(address: Address, *, home: Path) -> Own:
    settings = load_settings(
        home=home, neo4j_uri=address.uri, neo4j_user=address.user, neo4j_password=address.password, settle_timeout_s=20, job_attempts=5
    )
    return Own(address, settings)


@pytest_asyncio.fixture(loop_scope="session")
async def quiet(own: Own) -> AsyncIterator[Services]:
    """The use cases without any worker, on a database without spaces and jobs."""
    embedder = await asyncio.to_thread(load_embedder, "use")
    store = own.open()
    await store.write("MATCH (n) WHERE NOT n:SchemaVersion DETACH DELETE n")
    for row in await store.read("SHOW INDEXES YIELD name WHERE name STARTS WITH 'words_' RETURN name"):
        await store.run_schema(f"DROP INDEX `{row['name']}` IF EXISTS")
    await store.close()
    services = await open_services(own.settings, address=own.address, embedder=embedder)
    yield services
    await services.store.close()
