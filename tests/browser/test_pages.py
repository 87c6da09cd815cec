"""What a newcomer looks at: GraphiQL of the running service, and the sample's graph in Neo4j Browser."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from consilience.cli.running import find_running
from tests.browser.pictures import take
from tests.end_to_end.service import Service

if TYPE_CHECKING:  # installed for the browser tests only
    from playwright.async_api import Page, Route

pytestmark = pytest.mark.browser

# Named as the query the page opens with: right after a change the page still sends the old name along.
ASKED: Final = """query Ask {
  recall(input: {
    space: "sample", first: 2
    query: "How long are sensor readings kept?"
  }) {
    hits {
      rank
      score
      memory {
        text
        status
        ... on Episode {
          contributor { name }
          source { key trust }
          occurredAt
        }
      }
    }
    tookMs
  }
}"""
GRAPH: Final = "MATCH p = (:Contributor {space: 'sample'})<-[:BY]-(:Episode)-[:IN]->(:Session) RETURN p LIMIT 60"
# Names in the circles, as anybody would set them by hand: the page's own choice is a number.
STYLE: Final = (
    ":style node { diameter: 40px; } "
    'node.Words_sample { caption: "{externalId}"; } node.Session { caption: "{externalId}"; } '
    'node.Contributor { diameter: 80px; caption: "{externalId}"; }'
)


async def test_a_query_typed_into_graphiql_is_answered_and_nothing_leaves_the_service(
    service: Service, page: "Page", tmp_path: Path
) -> None:
    """Control: the service's own address is among those asked."""
    asked: list[str] = []
    complaints: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    await page.goto(f"{service.url}/")
    editor = page.locator(".graphiql-query-editor .CodeMirror")
    await editor.click()
    await page.keyboard.press("Control+A")
    await page.keyboard.press("Delete")
    await page.keyboard.insert_text(ASKED)
    await editor.get_by_text("tookMs").wait_for()
    await page.get_by_role("button", name=re.compile("Execute query")).click()
    answer = page.locator(".result-window")
    await answer.get_by_text("sensor readings are kept for 90 days").wait_for()
    await answer.get_by_text("Ana Duarte").first.wait_for()
    assert complaints == []
    assert f"{service.url}/graphql" in asked
    assert [url for url in asked if not url.startswith((f"{service.url}/", "data:"))] == []
    await take(page, "graphiql", folder=tmp_path)


async def test_neo4j_browser_shows_the_graph_of_the_sample(service: Service, page: "Page", tmp_path: Path) -> None:
    """With the user `neo4j` and the password of the data folder, over Bolt. What the page wants from other hosts it does not get here."""
    running = find_running(service.home)
    assert running is not None
    assert running.browser_url is not None
    known = service.database()
    own = (running.browser_url.removesuffix("browser/"), "data:", "blob:", known["NEO4J_URI"].replace("bolt", "http"))
    elsewhere: list[str] = []

    async def only_here(route: "Route") -> None:
        if route.request.url.startswith(own):
            await route.continue_()
        else:
            elsewhere.append(route.request.url)
            await route.abort()

    await page.route("**/*", only_here)
    await page.goto(running.browser_url)
    await page.get_by_test_id("bolt-scheme-select").select_option("bolt://")
    assert f"bolt://{await page.get_by_test_id('boltaddress').input_value()}" == known["NEO4J_URI"], "it is told where Bolt is"
    await page.get_by_test_id("username").fill("neo4j")
    await page.get_by_test_id("password").fill((service.home / "neo4j" / "password").read_text(encoding="utf-8").strip())
    await page.get_by_test_id("connect").click()
    await page.get_by_test_id("disconnectedBanner").wait_for(state="detached")
    await page.get_by_test_id("frameCommand").get_by_text(":play start").wait_for()
    for command in (STYLE, GRAPH):
        await page.get_by_test_id("activeEditor").locator(".monaco-editor").first.click()
        await page.keyboard.insert_text(command)
        await page.keyboard.press("Control+Enter")
    frame = page.get_by_test_id("frame").filter(has=page.get_by_test_id("cypherFrameSidebarVisualization"))
    await frame.get_by_title("Fullscreen").first.click()
    await frame.locator("g.node").nth(60).wait_for(state="attached")
    overview = await frame.get_by_test_id("vizInspector").inner_text()
    assert "Episode (60)" in overview
    assert "Contributor" in overview
    assert "BY (60)" in overview
    assert await frame.locator("g.node").count() > 60
    await page.wait_for_timeout(6000)  # until the nodes have found their places
    await frame.get_by_label("zoom-in").click()
    await page.wait_for_timeout(1000)
    print(sorted(set(elsewhere)))
    await take(page, "neo4j-browser", folder=tmp_path)
