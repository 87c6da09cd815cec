"""The GraphiQL page in a real Chromium: it renders, asks, and speaks to no other host. Served here beside the contract's own schema."""

import json
import threading
from collections.abc import AsyncIterator, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from graphql import GraphQLSchema, build_schema, graphql_sync  # pyright: ignore[reportUnknownVariableType]  # its middleware is untyped

if TYPE_CHECKING:  # installed for the browser tests only
    from playwright.async_api import Page

ROOT = Path(__file__).resolve().parents[2]
CONTRACT = (ROOT / "schema" / "contract.graphql").read_text(encoding="utf-8")
CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]

pytestmark = pytest.mark.browser


class Handler(SimpleHTTPRequestHandler):
    """The static folder at /graphiql/, and the contract (with no data behind it) at /graphql."""

    def __init__(self, *arguments: object, schema: GraphQLSchema, **named: object) -> None:
        self.schema = schema
        super().__init__(*arguments, directory=str(ROOT / "consilience" / "app" / "static"), **named)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        answer = graphql_sync(
            self.schema, asked["query"], variable_values=asked.get("variables"), operation_name=asked.get("operationName")
        )
        body = json.dumps(answer.formatted).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Quiet."""


@pytest.fixture
def origin() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, schema=build_schema(CONTRACT)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
async def page() -> AsyncIterator["Page"]:
    from playwright.async_api import async_playwright

    async with async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path="/usr/bin/chromium", headless=True, args=CHROMIUM_FLAGS)
        yield await browser.new_page()
        await browser.close()


async def test_the_page_renders_asks_and_makes_no_request_off_its_origin(page: "Page", origin: str) -> None:
    requested: list[str] = []
    complaints: list[str] = []
    page.on("request", lambda request: requested.append(request.url))
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))

    await page.goto(f"{origin}/graphiql/")
    await page.get_by_role("button", name="Execute query (Ctrl-Enter)").click()
    await page.locator(".result-window", has_text="Cannot return null for non-nullable field Query.status").wait_for()
    await page.get_by_role("button", name="Show Documentation Explorer").click()
    await page.get_by_text("A GraphQL schema provides a root type").wait_for()  # the schema was read

    assert complaints == []
    assert f"{origin}/graphql" in requested
    assert [url for url in requested if not url.startswith((origin, "data:"))] == []
    assert await page.evaluate("localStorage.length") == 0  # what was asked is kept nowhere

    # Control: a request elsewhere is seen here, and refused by the page's own policy.
    elsewhere = origin.replace("127.0.0.1", "localhost")
    assert await page.evaluate("url => fetch(url).then(() => 'went out', () => 'refused')", elsewhere) == "refused"
    assert any("Content Security Policy" in complaint for complaint in complaints)
