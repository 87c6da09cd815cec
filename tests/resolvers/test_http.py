"""GraphQL over HTTP and over the websocket, in process and on loopback."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
import uvicorn
from starlette.requests import HTTPConnection
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.typing import Origin, Subprotocol

from consilience.resolvers.context import Context, context_for
from consilience.resolvers.http import graphql_app
from tests.resolvers.asking import the_schema
from tests.resolvers.fakes import FakePorts, an_episode

STATUS = {"query": "{ status { version } }"}


async def _context(_: HTTPConnection) -> Context:
    return context_for(FakePorts(episodes=[an_episode(1)]))


@pytest.fixture(name="client")
async def _client() -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(app=graphql_app(the_schema(), context_getter=_context))
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
        yield client


async def test_a_post_with_json_is_answered_as_json(client: httpx.AsyncClient) -> None:
    answer = await client.post("/graphql", json=STATUS)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/json"
    assert answer.json()["data"] == {"status": {"version": "0.1.0"}}


@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"])
async def test_nothing_but_post_executes(client: httpx.AsyncClient, method: str) -> None:
    """A31: a GET with a query, a mutation or a browser's Accept header runs nothing; the same POST does (above)."""
    for query in ("{ status { version } }", "mutation { retryJobs }"):
        answer = await client.request(method, "/graphql", params={"query": query}, headers={"accept": "text/html"})
        assert answer.status_code == 405
        assert answer.headers["allow"] == "POST"
        assert "version" not in answer.text


@pytest.mark.parametrize(
    "content_type",
    ["text/plain", "text/plain; application/json", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""],
)
async def test_a_content_type_a_foreign_page_can_send_is_refused(client: httpx.AsyncClient, content_type: str) -> None:
    """A31: CSRF. Every type a browser sends across origins without asking first."""
    answer = await client.post("/graphql", content=json.dumps(STATUS), headers={"content-type": content_type})
    assert answer.status_code == 415
    assert answer.json()["errors"][0]["extensions"]["code"] == "INVALID_QUERY"


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"null",
        b"5",
        b'"x"',
        b"true",
        b"[]",
        b"[5]",
        b"\xff\xfe",
        b'{"query": "\xff"}',
        b'{"query": NaN}',
        b'{"query": "{ status { version } }", "variables": {"x": Infinity}}',
        b"[" * 100_000,
        b'{"query":' + b"[" * 100_000,
        b'{"query": 1' + b"0" * 10_000 + b"}",
        b"{}",
        b'{"query": null}',
        b'{"query": 5}',
        b'{"query": {}}',
        b'{"query": ""}',
        b'{"query": "{ status { version } }", "variables": []}',
        b'{"query": "{ status { version } }", "variables": "x"}',
        b'{"query": "{ status { version } }", "operationName": "nothing"}',
        b'{"query": "{ status { version } }", "operationName": 5}',
        b'{"query": "{ status { version } }", "operationName": {"a": []}}',
        b'{"query": "{ status { version } }", "operationName": ["x"]}',
        b'{"query": "{ status { version } }", "extensions": 5}',
        b'[{"query": "{ status { version } }"}, {"query": "{ status { version } }"}]',
        b'{"query": "subscription { changes { id } }"}',
        b'{"query": "fragment A on Query { status { version } }"}',
    ],
)
async def test_a_body_that_is_no_request_is_refused_with_a_sentence_and_never_a_5xx(client: httpx.AsyncClient, body: bytes) -> None:
    """A25, A27: malformed, deep, batched, or without an operation to run."""
    answer = await client.post("/graphql", content=body, headers={"content-type": "application/json"})
    assert answer.status_code in (200, 400), answer.text
    (error, *_) = answer.json()["errors"]
    assert error["message"]
    assert error["extensions"]["code"] in {"INVALID_QUERY", "INVALID_INPUT"}
    assert "data" not in answer.json() or answer.json()["data"] is None


async def test_half_a_surrogate_pair_in_json_is_the_callers_error(client: httpx.AsyncClient) -> None:
    query = "query ($q: String!) { recall(input: {query: $q}) { tookMs } }"
    body = '{"query": ' + json.dumps(query) + ', "variables": {"q": "\\ud83d"}}'
    answer = await client.post("/graphql", content=body, headers={"content-type": "application/json; charset=utf-8"})
    assert answer.json()["errors"][0]["extensions"] == {"code": "INVALID_INPUT", "field": "q"}
    whole = body.replace("\\ud83d", "\\ud83d\\ude00")
    assert (await client.post("/graphql", content=whole, headers={"content-type": "application/json"})).json()["data"]


async def test_half_a_surrogate_pair_in_the_query_or_its_names_is_the_callers_error(client: httpx.AsyncClient) -> None:
    for body in (
        '{"query": "{ status { version } } \\ud83d"}',
        '{"query": "{ status { version } }", "operationName": "\\ud83d"}',
        '{"query": "{ status { version } }", "variables": {"\\ud83d": "\\ud83d"}}',
    ):
        answer = await client.post("/graphql", content=body, headers={"content-type": "application/json"})
        assert answer.status_code in (200, 400)
        assert answer.json()["errors"][0]["extensions"]["code"] in {"INVALID_QUERY", "INVALID_INPUT"}


@pytest.fixture(name="socket_url", scope="module")
async def _socket_url() -> AsyncIterator[str]:
    """A real server on loopback."""
    app = graphql_app(the_schema(), context_getter=_context)
    server = uvicorn.Server(uvicorn.Config(app, ws="websockets-sansio", lifespan="off", log_level="error"))
    with socket.create_server(("127.0.0.1", 0)) as listening:
        running = asyncio.create_task(server.serve(sockets=[listening]))
        yield f"ws://127.0.0.1:{listening.getsockname()[1]}/graphql"
        server.should_exit = True
        await running


def opened(url: str, *, protocol: str = "graphql-transport-ws", origin: str | None = None) -> connect:
    return connect(url, subprotocols=[Subprotocol(protocol)], origin=None if origin is None else Origin(origin))


async def exchange(wire: ClientConnection, **message: object) -> Any:
    """Sends one message and reads the next."""
    await wire.send(json.dumps(message))
    return json.loads(await wire.recv())


async def test_the_websocket_speaks_graphql_transport_ws_with_the_same_errors(socket_url: str) -> None:
    async with opened(socket_url) as wire:
        assert (await exchange(wire, type="connection_init"))["type"] == "connection_ack"
        answer = await exchange(wire, id="1", type="subscribe", payload=STATUS)
        assert answer["payload"]["data"] == {"status": {"version": "0.1.0"}}
        assert json.loads(await wire.recv()) == {"id": "1", "type": "complete"}
        (error,) = (await exchange(wire, id="2", type="subscribe", payload={"query": "{ statu { version } }"}))["payload"]
        assert error["extensions"] == {"code": "INVALID_QUERY"}
        (error,) = (await exchange(wire, id="3", type="subscribe", payload={"query": "{ " + "a " * 30_000 + "}"}))["payload"]
        assert error["extensions"]["code"] == "TOO_LARGE"
        none = {"query": '{ recall(input: {query: "x", first: 0}) { tookMs } }'}
        (error,) = (await exchange(wire, id="4", type="subscribe", payload=none))["payload"]["errors"]
        assert error["extensions"]["code"] == "INVALID_INPUT"


async def test_the_websocket_closes_on_what_is_not_json(socket_url: str) -> None:
    async with opened(socket_url) as wire:
        await wire.send("[" * 100_000)
        with pytest.raises(ConnectionClosed):
            await wire.recv()


@pytest.mark.parametrize("protocol", ["graphql-ws", "graphql-sse"])
async def test_other_websocket_protocols_are_not_spoken(socket_url: str, protocol: str) -> None:
    with pytest.raises((ConnectionClosed, InvalidHandshake)):
        async with opened(socket_url, protocol=protocol) as wire:
            await exchange(wire, type="connection_init")


async def test_a_page_of_another_origin_gets_no_websocket(socket_url: str) -> None:
    """A31. The same handshake from the service's own origin is taken."""
    with pytest.raises(InvalidHandshake):
        async with opened(socket_url, origin="https://elsewhere.example"):
            pass
    async with opened(socket_url, origin=socket_url.replace("ws://", "http://").removesuffix("/graphql")) as wire:
        assert (await exchange(wire, type="connection_init"))["type"] == "connection_ack"
