"""A service with the sample conversation in it, and Debian's Chromium to look at it with."""

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

import pytest
import pytest_asyncio

from tests.cli.process import run
from tests.deploy.test_graphiql_page import CHROMIUM_FLAGS
from tests.end_to_end.service import Service

if TYPE_CHECKING:  # installed for the browser tests only
    from playwright.async_api import Page


@pytest_asyncio.fixture(scope="package", loop_scope="session")
async def service(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Service]:
    one = Service(tmp_path_factory.mktemp("browser"))
    try:
        await one.start()
        shown = run("demo", home=one.home, env=one.variables, timeout_s=240)
        assert shown.returncode == 0, shown.stderr
        yield one
    finally:
        await one.leave_nothing()


@pytest.fixture
async def page() -> AsyncIterator["Page"]:
    from playwright.async_api import async_playwright

    async with async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path="/usr/bin/chromium", headless=True, args=CHROMIUM_FLAGS)
        page = await browser.new_page(viewport={"width": 1440, "height": 900})
        page.set_default_timeout(120_000)
        yield page
        await browser.close()
