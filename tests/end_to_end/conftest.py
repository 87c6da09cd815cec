"""One service for the folder, as a newcomer starts it: nothing given but a data folder."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from tests.end_to_end.service import Service

MAX_BODY = 1_000_000


@pytest_asyncio.fixture(scope="package", loop_scope="session")
async def service(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Service]:
    one = Service(
        tmp_path_factory.mktemp("end-to-end"),
        CONSILIENCE_MAX_BODY_BYTES=str(MAX_BODY),
        CONSILIENCE_SETTLE_TIMEOUT_S="60",
        CONSILIENCE_LOG_LEVEL="DEBUG",
    )
    try:
        await one.start()
        yield one
    finally:
        await one.leave_nothing()
