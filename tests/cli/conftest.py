from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.client.stub import Stub, serving


@pytest.fixture
def stub() -> Iterator[Stub]:
    with serving() as running:
        yield running


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"
