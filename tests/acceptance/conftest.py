"""A second process's worth of service on the run's database."""

from collections.abc import AsyncIterator

import pytest_asyncio

from consilience.app.lifecycle import Address, open_services
from consilience.app.service import Services
from consilience.config import Settings
from tests.conftest import Database


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def other(settings: Settings, database: Database, services: Services) -> AsyncIterator[Services]:
    """The use cases once more: own connections, own gatherer, own memory; only the database is shared."""
    address = Address(database.uri, database.user, database.password)
    opened = await open_services(settings, address=address, embedder=services.embedder)
    yield opened
    await opened.store.close()
