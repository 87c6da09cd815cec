"""The HTTP surface: /graphql, /graphiql, /healthz, /readyz, /metrics. Nothing else answers."""

from collections.abc import Awaitable, Callable
from importlib.resources import files
from pathlib import Path
from typing import Final

from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from consilience.app.service import Services
from consilience.resolvers.build import build_schema
from consilience.resolvers.context import Context, context_for
from consilience.resolvers.http import graphql_app, refusal

STATIC: Final = Path(str(files("consilience.app").joinpath("static")))
LOOPBACK: Final = frozenset({"127.0.0.1", "localhost", "::1", "[::1]"})
_HEADERS: Final = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
}
# Answers hold what people said: no cache keeps them, no browser runs them. The page of GraphiQL brings its own, wider policy.
_DATA_HEADERS: Final = {"Cache-Control": "no-store", "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'"}


def build_app(services: Services, *, host: str) -> Starlette:
    """The ASGI application. On loopback, other host names are refused, so that no web page can reach it by a name of its own."""
    local = host in LOOPBACK
    schema = build_schema(introspection=local)

    async def context(_: HTTPConnection) -> Context:
        return context_for(services)

    graphql = graphql_app(schema, context_getter=context)
    app = Starlette(
        routes=[
            Route("/", _to_page, methods=["GET"]),
            Route("/graphiql", _to_page, methods=["GET"]),
            Route("/healthz", _answering(services, _health), methods=["GET"]),
            Route("/readyz", _answering(services, _ready), methods=["GET"]),
            Route("/metrics", _answering(services, _metrics), methods=["GET"]),
            Mount("/graphiql", StaticFiles(directory=STATIC / "graphiql", html=True)),
            Route("/graphql", graphql),
            WebSocketRoute("/graphql", graphql),
        ],
        middleware=[
            Middleware(SecurityHeaders),
            Middleware(TrustedHostMiddleware, allowed_hosts=sorted(LOOPBACK) if local else ["*"]),
            Middleware(BodyLimit, limit=services.settings.max_body_bytes),
        ],
        exception_handlers={404: _not_found},
    )
    app.router.redirect_slashes = False
    return app


def _answering(services: Services, answer: Callable[[Services], Awaitable[Response]]) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(_: Request) -> Response:
        return await answer(services)

    return endpoint


async def _to_page(_: Request) -> Response:
    return RedirectResponse("/graphiql/")


async def _health(services: Services) -> Response:
    status = await services.status()
    body = {"healthy": status.healthy, "pendingJobs": status.pending_jobs, "parkedJobs": status.parked_jobs, "deadJobs": status.dead_jobs}
    return JSONResponse(body, status_code=200 if status.healthy else 503)


async def _ready(services: Services) -> Response:
    ready = await services.ready()
    return JSONResponse(
        {"ready": ready} if ready else {"ready": False, "reason": "Neo4j does not answer"}, status_code=200 if ready else 503
    )


async def _metrics(services: Services) -> Response:
    await services.status()
    return Response(services.metrics.exposition(), media_type="text/plain; version=0.0.4; charset=utf-8")


async def _not_found(_: Request, __: Exception) -> Response:
    return refusal(404, code="NOT_FOUND", message="nothing is served here", hint="the API is at /graphql, its page at /graphiql/")


class SecurityHeaders:
    """Headers on every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def add(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                page = headers.get("content-type", "").startswith(("text/html", "text/css", "text/javascript", "application/javascript"))
                for name, value in (_HEADERS if page else _HEADERS | _DATA_HEADERS).items():
                    headers[name] = value
            await send(message)

        await self._app(scope, receive, add)


class BodyLimit:
    """Refuses a body over the limit, told or sent (A25): 413 before anything is parsed."""

    def __init__(self, app: ASGIApp, *, limit: int) -> None:
        self._app = app
        self._limit = limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        told = Headers(scope=scope).get("content-length", "0")
        if not told.isdigit() or int(told) > self._limit:
            await self._refuse(scope, receive, send)
            return
        body = bytearray()
        more = True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                return
            body += message.get("body", b"")
            more = message.get("more_body", False)
            if len(body) > self._limit:
                await self._refuse(scope, receive, send)
                return
        await self._app(scope, _replay(bytes(body), receive), send)

    async def _refuse(self, scope: Scope, receive: Receive, send: Send) -> None:
        answer = refusal(
            413, code="TOO_LARGE", message=f"the body is over the limit of {self._limit} bytes", hint="send it in several calls"
        )
        await answer(scope, receive, send)


def _replay(body: bytes, receive: Receive) -> Receive:
    sent = False

    async def again() -> Message:
        nonlocal sent
        if sent:
            return await receive()
        sent = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again
