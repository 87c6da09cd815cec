from collections.abc import Iterator

import pytest
import stamina
from stamina.instrumentation import set_on_retry_hooks

from tests.client.stub import Stub, serving


@pytest.fixture
def stub() -> Iterator[Stub]:
    with serving() as running:
        yield running


@pytest.fixture(autouse=True)
def _quiet_retries() -> Iterator[None]:
    """Tries again as it does outside, without a line about it on stdout."""
    set_on_retry_hooks([])
    yield
    set_on_retry_hooks(None)
    assert stamina.is_active()
