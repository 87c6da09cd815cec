"""The service over HTTP, as a program, a browser, a scraper and a stranger meet it."""

import json
from collections.abc import AsyncIterator
from typing import Final

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.typing import Origin, Subprotocol

from tests.end_to_end.conftest import MAX_BODY
from tests.end_to_end.service import REMEMBER, Service, ask, episodes, post

MEMORY: Final = """
query ($space: String!, $id: ID!) {
  memory(space: $space, id: $id) {
    id kind space text status confidence trust recordedAt validFrom
    evidence { nodes { id text } }
    ... on Episode { externalId role occurredAt contributor { externalId } source { key trust } session { externalId }
      beliefs { nodes { id } pageInfo { hasNextPage } } }
  }
}
"""
CONTRIBUTOR: Final = """
query ($space: String!, $who: String!, $after: Cursor) {
  contributor(space: $space, externalId: $who) {
    externalId name state reputation episodes(first: 2, after: $after) { nodes { externalId } pageInfo { hasNextPage endCursor } }
  }
}
"""
RECALL: Final = "query ($input: RecallInput!) { recall(input: $input) { hits { rank memory { id text } } cut { belowFloor } tookMs } }"
STATUS: Final = {"query": "{ status { healthy } }"}


@pytest.fixture
async def http(service: Service) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=service.url, trust_env=False, timeout=60) as client:
        yield client


async def test_what_is_remembered_can_be_recalled_looked_up_and_traced_to_its_contributor(service: Service, space: str) -> None:
    given = episodes(range(10), prefix="h", session="day")
    stored = (await ask(service.url, REMEMBER, input={"space": space, "episodes": given, "wait": "SETTLED"}))["remember"]
    assert [one["externalId"] for one in stored["episodes"]] == [one["externalId"] for one in given]

    found = (await ask(service.url, RECALL, input={"space": space, "query": "pump of greenhouse 4", "first": 10}))["recall"]
    assert [hit["rank"] for hit in found["hits"]] == list(range(1, len(found["hits"]) + 1))
    assert "greenhouse 4" in found["hits"][0]["memory"]["text"]

    memory = (await ask(service.url, MEMORY, space=space, id=stored["episodes"][3]["id"]))["memory"]
    assert (memory["kind"], memory["space"], memory["status"], memory["role"]) == ("EPISODE", space, "ACTIVE", "USER")
    assert (memory["externalId"], memory["session"], memory["contributor"]) == ("h-3", {"externalId": "day"}, {"externalId": "c3"})
    assert memory["beliefs"] == {"nodes": [], "pageInfo": {"hasNextPage": False}}
    print(memory)
    assert [node["id"] for node in memory["evidence"]["nodes"]] in ([], [memory["id"]])
    assert (await ask(service.url, MEMORY, space="elsewhere", id=memory["id"]))["memory"] is None
    assert (await ask(service.url, MEMORY, space=space, id="no-such-id"))["memory"] is None

    first = (await ask(service.url, CONTRIBUTOR, space=space, who="c1"))["contributor"]
    assert (first["state"], first["episodes"]["pageInfo"]["hasNextPage"]) == ("ACTIVE", False)
    assert [node["externalId"] for node in first["episodes"]["nodes"]] in (["h-1", "h-6"], ["h-6", "h-1"])
    assert (await ask(service.url, CONTRIBUTOR, space=space, who="nobody"))["contributor"] is None
    assert (await ask(service.url, "{ status { healthy pendingJobs } }"))["status"]["healthy"] is True


async def test_bad_input_gets_its_code_and_a_sentence_and_stores_nothing(service: Service, space: str) -> None:
    good = episodes([1], prefix="b")[0]
    cases: list[tuple[dict[str, object], str]] = [
        ({"text": ""}, "INVALID_INPUT"),
        ({"text": "x" * 40_000}, "TOO_LARGE"),
        ({"occurredAt": "2026-03-01T10:00:00"}, "INVALID_INPUT"),
        ({"contributor": {"externalId": ""}}, "INVALID_INPUT"),
        ({"trust": 1.0}, "INVALID_INPUT"),
        ({"metadata": [{"key": f"k{number}", "value": "v"} for number in range(40)]}, "TOO_LARGE"),
        ({"text": "nul \x00 in it"}, "INVALID_INPUT"),
    ]
    for change, code in cases:
        answer = await post(service.url, REMEMBER, input={"space": space, "episodes": [good, good | {"externalId": "b2"} | change]})
        problem = answer["errors"][0] | answer["errors"][0]["extensions"] if "errors" in answer else answer["data"]["remember"]
        assert problem["code"] == code, (change.keys(), problem)
        assert problem["message"]
    counted = (await ask(service.url, "{ spaces { name episodes } }"))["spaces"]
    assert {one["name"]: one["episodes"] for one in counted}.get(space, 0) == 0
    assert (await ask(service.url, REMEMBER, input={"space": space, "episodes": [good]}))["remember"]["duplicates"] == 0, "positive control"


async def test_a_body_over_the_limit_is_refused_whether_its_length_is_told_or_not(http: httpx.AsyncClient) -> None:
    """A25. Control: one under the limit is read."""
    json_type = {"content-type": "application/json"}
    body = json.dumps(STATUS | {"operationName": None, "extensions": {"x": "y" * MAX_BODY}}).encode()

    async def in_pieces() -> AsyncIterator[bytes]:
        for start in range(0, len(body), 100_000):
            yield body[start : start + 100_000]

    for answer in (
        await http.post("/graphql", content=body, headers=json_type),
        await http.post("/graphql", content=in_pieces(), headers=json_type),
    ):
        assert answer.status_code == 413
        assert answer.json()["errors"][0]["extensions"]["code"] == "TOO_LARGE"
    small = json.dumps(STATUS | {"extensions": {"x": "y" * (MAX_BODY - 1000)}}).encode()
    assert (await http.post("/graphql", content=small, headers=json_type)).json()["data"]["status"]


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "localhost.evil.example", "10.0.0.1", ""])
async def test_another_host_name_is_refused(http: httpx.AsyncClient, host: str) -> None:
    """No web page reaches the service by a name that its own server resolves to 127.0.0.1."""
    for path in ("/graphql", "/graphiql/", "/metrics", "/healthz"):
        answer = await http.request("POST" if path == "/graphql" else "GET", path, headers={"host": host}, json=STATUS)
        assert answer.status_code == 400, path
        assert "healthy" not in answer.text


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]"])
async def test_the_names_of_this_machine_are_taken(service: Service, http: httpx.AsyncClient, host: str) -> None:
    port = httpx.URL(service.url).port
    answer = await http.post("/graphql", headers={"host": f"{host}:{port}"}, json=STATUS)
    assert answer.json()["data"]["status"]["healthy"] is True


async def test_every_answer_has_the_security_headers_and_none_opens_it_to_other_origins(http: httpx.AsyncClient) -> None:
    """T10, A31."""
    origin = {"origin": "https://evil.example", "access-control-request-method": "POST", "access-control-request-headers": "content-type"}
    for method, path, status in (
        ("POST", "/graphql", 200),
        ("GET", "/graphql", 405),
        ("OPTIONS", "/graphql", 405),
        ("GET", "/graphiql/", 200),
        ("GET", "/graphiql/app.js", 200),
        ("GET", "/healthz", 200),
        ("GET", "/readyz", 200),
        ("GET", "/metrics", 200),
        ("GET", "/", 307),
        ("GET", "/nothing", 404),
        ("POST", "/healthz", 405),
    ):
        answer = await http.request(method, path, headers=origin, json=STATUS if method == "POST" else None)
        assert answer.status_code == status, (method, path)
        assert [name for name in answer.headers if name.startswith("access-control-")] == []
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["x-frame-options"] == "DENY"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["cross-origin-resource-policy"] == "same-origin"
        assert "server" not in answer.headers
        if not path.startswith("/graphiql"):
            assert answer.headers["cache-control"] == "no-store", path
            assert answer.headers["content-security-policy"].startswith("default-src 'none'")


async def test_a_get_runs_nothing(http: httpx.AsyncClient) -> None:
    answer = await http.get("/graphql", params={"query": "{ status { version } }"}, headers={"accept": "text/html"})
    assert (answer.status_code, answer.headers["allow"]) == (405, "POST")
    assert "version" not in answer.text


async def test_the_page_of_graphiql_is_served_whole_with_its_own_policy(http: httpx.AsyncClient) -> None:
    for path in ("/", "/graphiql"):
        assert (await http.get(path)).headers["location"] == "/graphiql/"
    types = {
        "": "text/html",
        "app.js": "javascript",
        "page.css": "text/css",
        "vendor/graphiql.min.js": "javascript",
        "vendor/graphiql.min.css": "text/css",
    }
    for name, kind in types.items():
        answer = await http.get(f"/graphiql/{name}")
        assert answer.status_code == 200
        assert kind in answer.headers["content-type"]
        assert answer.content
    page = await http.get("/graphiql/")
    assert "default-src 'none'; script-src 'self'" in page.text
    outside = await http.get("/graphiql/../../pyproject.toml")
    assert outside.status_code == 404
    assert (await http.get("/graphiql/..%2f..%2fserve.py")).status_code == 404


async def test_an_unknown_path_says_where_the_api_is(http: httpx.AsyncClient) -> None:
    answer = await http.get("/api/v1")
    assert answer.status_code == 404
    assert answer.json()["errors"][0]["extensions"]["code"] == "NOT_FOUND"


async def test_the_metrics_can_be_read_and_count_what_was_done(service: Service, http: httpx.AsyncClient, space: str) -> None:
    async def numbers() -> dict[str, float]:
        text = (await http.get("/metrics")).text
        return {sample.name: sample.value for family in text_string_to_metric_families(text) for sample in family.samples}

    before = await numbers()
    given = {"space": space, "episodes": episodes(range(5), prefix="m"), "wait": "SETTLED"}
    await ask(service.url, REMEMBER, input=given)
    await ask(service.url, REMEMBER, input=given)
    after = await numbers()
    moved = {name: after[name] - before[name] for name in after if name.endswith("_total")}
    assert moved["consilience_episodes_stored_total"] == 5
    assert moved["consilience_episodes_duplicate_total"] == 5
    assert moved["consilience_episodes_digested_total"] >= 5  # what earlier tests left to the worker counts as well
    assert after["consilience_remember_seconds_count"] - before["consilience_remember_seconds_count"] == 2
    assert after["consilience_healthy"] == 1


async def greeted(connecting: connect) -> str:
    """The type of the first message on a new connection."""
    async with connecting as wire:
        await wire.send(json.dumps({"type": "connection_init"}))
        return str(json.loads(await wire.recv())["type"])


async def test_the_websocket_speaks_graphql_transport_ws_only(service: Service) -> None:
    url = service.url.replace("http://", "ws://") + "/graphql"
    async with connect(url, subprotocols=[Subprotocol("graphql-transport-ws")], proxy=None) as wire:
        assert wire.subprotocol == "graphql-transport-ws"
        await wire.send(json.dumps({"type": "connection_init"}))
        assert json.loads(await wire.recv())["type"] == "connection_ack"
        await wire.send(json.dumps({"id": "1", "type": "subscribe", "payload": STATUS}))
        assert json.loads(await wire.recv())["payload"]["data"]["status"]["healthy"] is True
    for protocols in ([Subprotocol("graphql-ws")], None):
        with pytest.raises((ConnectionClosed, InvalidHandshake)):
            await greeted(connect(url, subprotocols=protocols, proxy=None))


async def test_a_page_of_another_origin_gets_no_websocket(service: Service) -> None:
    """A31: browsers let any page open a websocket and read it, so the origin decides. Control: the page served here gets one."""
    url = service.url.replace("http://", "ws://") + "/graphql"
    spoken = [Subprotocol("graphql-transport-ws")]
    for origin in ("https://evil.example", "null", "http://127.0.0.1:1"):
        with pytest.raises((ConnectionClosed, InvalidHandshake)):
            await greeted(connect(url, subprotocols=spoken, origin=Origin(origin), proxy=None))
    assert await greeted(connect(url, subprotocols=spoken, origin=Origin(service.url), proxy=None)) == "connection_ack"
