"""One real server for this folder's tests, and settings on folders of their own."""

import os
import stat
import tempfile
from collections.abc import AsyncIterator, Callable, Generator, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import pytest_asyncio

from consilience.config import Settings, load_settings
from consilience.server.managed import ManagedNeo4j, Running
from consilience.server.progress import Progress
from tests.server.bolt import probe
from tests.server.repository import Repository, serving


@dataclass(frozen=True, slots=True)
class Started:
    settings: Settings
    running: Running
    reports: list[Progress] = field(default_factory=list[Progress])


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def started(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Started]:
    """A managed server on an empty data folder, with the jars of the user's own cache."""
    settings = load_settings(home=tmp_path_factory.mktemp("managed") / "home", heap_mb=1024, page_cache_mb=128)
    reports: list[Progress] = []
    server = ManagedNeo4j()
    running = await server.start(settings, probe=probe, report=reports.append)
    yield Started(settings, running, reports)
    await server.stop()


@pytest.fixture
def repository() -> Iterator[Repository]:
    with serving() as served:
        yield served


@contextmanager
def _as_nobody() -> Generator[None]:
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.fixture
def as_nobody() -> Callable[[], AbstractContextManager[None]]:
    """In the block we are a user whom permission bits stop (root, as in containers, they do not)."""
    return _as_nobody


@pytest.fixture
def read_only_folder() -> Iterator[Path]:
    """An existing folder nobody may write into, its parents passable to everybody."""
    folder = Path(tempfile.mkdtemp(prefix="consilience-read-only-"))
    folder.chmod(stat.S_IRUSR | stat.S_IXUSR | stat.S_IRGRP | stat.S_IXGRP | stat.S_IROTH | stat.S_IXOTH)
    yield folder
    folder.chmod(stat.S_IRWXU)
    folder.rmdir()
