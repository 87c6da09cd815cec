"""GraphQL over HTTP: POST with a JSON body only, and graphql-transport-ws at the same path. Every answer is JSON."""

import json
from collections.abc import Awaitable, Callable
from typing import Final, NoReturn

import strawberry
from cross_web import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket
from strawberry.asgi import GraphQL
from strawberry.subscriptions import GRAPHQL_TRANSPORT_WS_PROTOCOL

from consilience.resolvers.context import Context
from consilience.resolvers.problems import INVALID_QUERY

ContextGetter = Callable[[HTTPConnection], Awaitable[Context]]
_JSON: Final = "application/json"


def graphql_app(schema: strawberry.Schema, *, context_getter: ContextGetter) -> ASGIApp:
    """The ASGI app for one path. `context_getter` is called once per request or connection (context_for makes the context)."""
    return _Edge(schema, context_getter=context_getter)


def refusal(status: int, *, code: str, message: str, hint: str | None = None) -> Response:
    """A request that is no GraphQL request, answered in GraphQL's form."""
    extensions = {"code": code} if hint is None else {"code": code, "hint": hint}
    headers = {"Allow": "POST"} if status == 405 else None
    body = json.dumps({"errors": [{"message": message, "extensions": extensions}]})  # ASCII: the message may quote half a surrogate pair
    return Response(body, status_code=status, headers=headers, media_type=_JSON)


class _Edge(GraphQL[Context, None]):
    def __init__(self, schema: strawberry.Schema, *, context_getter: ContextGetter) -> None:
        super().__init__(
            schema,
            graphql_ide=None,
            allow_queries_via_get=False,
            subscription_protocols=(GRAPHQL_TRANSPORT_WS_PROTOCOL,),
        )
        self._context_getter = context_getter

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await super().__call__(scope, receive, send)
            return
        request = Request(scope, receive=receive)
        response = await self._answer(request)
        await response(scope, receive, send)

    async def _answer(self, request: Request) -> Response:
        if request.method != "POST":
            return refusal(405, code=INVALID_QUERY, message="GraphQL is asked by POST", hint="send POST with a JSON body")
        if request.headers.get("content-type", "").split(";")[0].strip().lower() != _JSON:
            return refusal(415, code=INVALID_QUERY, message="the body is not declared as JSON", hint=f"send Content-Type: {_JSON}")
        try:
            return await self.run(request)
        except HTTPException as error:
            return refusal(error.status_code, code=INVALID_QUERY, message=error.reason)

    async def get_context(self, request: Request | WebSocket, response: Response | WebSocket) -> Context:
        return await self._context_getter(request)

    def decode_json(self, data: str | bytes) -> object:
        """The body, or a websocket's message, as JSON by RFC 8259: no NaN, no Infinity. Raises JSONDecodeError for anything else."""
        try:
            decoded: object = json.loads(data, parse_constant=_no_constant)
        except (ValueError, RecursionError):
            raise json.JSONDecodeError("not JSON, or nested too deeply", "", 0) from None
        if not isinstance(decoded, (dict, list)):
            raise json.JSONDecodeError("not a JSON object", "", 0)
        return decoded  # pyright: ignore[reportUnknownVariableType]  # a request, whose fields are checked one by one


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")
