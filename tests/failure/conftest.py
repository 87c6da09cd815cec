"""One service for a module's tests: what each of them does to it, the next one finds mended."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from tests.end_to_end.service import Service


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def service(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Service]:
    """A started service with a Neo4j of its own. Short leases and short patience, so that no test waits for a default."""
    one = Service(
        tmp_path_factory.mktemp("service"), CONSILIENCE_JOB_LEASE_S="6", CONSILIENCE_JOB_ATTEMPTS="2", CONSILIENCE_STORE_TIMEOUT_S="8"
    )
    try:
        await one.start()
        yield one
    finally:
        await one.leave_nothing()
