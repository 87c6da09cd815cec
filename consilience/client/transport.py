"""One GraphQL call over HTTP: time limits, bounded retries, and every failure as an error of consilience.errors."""

import json
from collections.abc import Mapping
from http import HTTPStatus
from typing import Final, cast

import httpx
import stamina

from consilience.errors import ConsilienceError, Refusal, ServiceUnavailable, StoreUnavailable

CONNECT_TIMEOUT_S: Final = 5.0
_INTERNAL_CODES: Final = frozenset({"INTERNAL", "INTERNAL_ERROR"})


class Refused(Refusal):
    """The service refused the request. `code` is the service's own, stable and documented."""

    code: str  # type: ignore[misc]  # not of the class: known only when the answer is read

    def __init__(self, code: str, message: str, *, hint: str | None = None, field: str | None = None) -> None:
        super().__init__(message, hint=hint, field=field)
        self.code = code


class _RepeatableError(Exception):
    """Worth another try if the call may be repeated. Carries what is raised when the tries are used up."""

    def __init__(self, error: ConsilienceError) -> None:
        super().__init__(str(error))
        self.error = error


class Transport:
    """POSTs documents to `<url>/graphql`.

    A repeatable call is tried up to `attempts` times while nothing answers or the answer is 503; any other call once.
    """

    def __init__(self, url: str, *, timeout_s: float, attempts: int, http: httpx.AsyncBaseTransport | None = None) -> None:
        self.url = checked_url(url)
        self.timeout_s = timeout_s
        self.attempts = attempts
        # The environment's proxies are not for a service on the same machine or network.
        self._http = httpx.AsyncClient(transport=http, trust_env=False)

    async def close(self) -> None:
        await self._http.aclose()

    async def call(
        self, document: str, variables: Mapping[str, object], *, repeatable: bool, timeout_s: float | None = None
    ) -> Mapping[str, object]:
        """The `data` of the answer. Raises Refused, StoreUnavailable, ServiceUnavailable, ConsilienceError (the service failed)."""
        body = _encoded(document, variables)
        limit = httpx.Timeout(timeout_s or self.timeout_s, connect=CONNECT_TIMEOUT_S)
        try:
            async for attempt in stamina.retry_context(
                on=_RepeatableError,
                attempts=self.attempts if repeatable else 1,
                timeout=None,
                wait_initial=0.1,
                wait_max=2.0,
                wait_jitter=0.1,
            ):
                with attempt:
                    return await self._once(body, limit)
        except _RepeatableError as spent:
            raise spent.error from spent.__cause__
        raise AssertionError("the retry loop ends by return or raise")

    async def _once(self, body: bytes, limit: httpx.Timeout) -> Mapping[str, object]:
        try:
            answer = await self._http.post(f"{self.url}/graphql", content=body, headers={"content-type": "application/json"}, timeout=limit)
        except (httpx.ReadTimeout, httpx.WriteTimeout, httpx.PoolTimeout) as error:
            raise ServiceUnavailable(
                f"{self.url} did not answer within {limit.read:g} s", hint="the work may go on there: ask `consilience status`"
            ) from error
        except httpx.TransportError as error:
            unreachable = ServiceUnavailable(
                f"no service answers at {self.url} ({type(error).__name__})", hint="start one with `consilience up`, or give another --url"
            )
            raise _RepeatableError(unreachable) from error
        if answer.status_code == HTTPStatus.SERVICE_UNAVAILABLE:
            raise _RepeatableError(_unavailable(answer, url=self.url))
        return data_of(answer.status_code, answer.content, url=self.url)


def checked_url(url: str) -> str:
    """The address without a slash at its end. Raises ServiceUnavailable if it is not http(s)://HOST[:PORT][/PATH]."""
    try:
        parts = httpx.URL(url)
        usable = parts.scheme in {"http", "https"} and bool(parts.host) and (parts.port or 1) <= 65535
    except httpx.InvalidURL:
        usable = False
    if not usable:
        raise ServiceUnavailable(f"{url} is not the address of a service", hint="write it as http://HOST:PORT")
    return url.rstrip("/")


def _encoded(document: str, variables: Mapping[str, object]) -> bytes:
    try:
        return json.dumps({"query": document, "variables": variables}, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError as error:
        raise Refused("INVALID_INPUT", "a text has half of a surrogate pair in it", hint="send whole Unicode characters") from error


def _unavailable(answer: httpx.Response, *, url: str) -> ConsilienceError:
    """A 503 is read for its reason: the service may be up and its database away."""
    try:
        data_of(answer.status_code, answer.content, url=url)
    except ConsilienceError as error:
        return error
    return ServiceUnavailable(f"{url} answers 503", hint="it is starting or stopping: try again")


def data_of(status: int, content: bytes, *, url: str) -> Mapping[str, object]:
    """The `data` of a GraphQL answer. Raises as `Transport.call` does."""
    try:
        answer: object = json.loads(content)
    except ValueError:
        answer = None
    if not isinstance(answer, dict) or not ("data" in answer or "errors" in answer):
        raise ServiceUnavailable(f"{url} answered with HTTP status {status} and no GraphQL answer", hint="check the address")
    fields = cast("dict[str, object]", answer)
    errors = fields.get("errors")
    if isinstance(errors, list) and errors:
        raise error_of(cast("list[object]", errors)[0])
    data = fields.get("data")
    if not isinstance(data, dict):
        raise ServiceUnavailable(f"{url} answered with HTTP status {status} and no data", hint="check the address")
    return cast("dict[str, object]", data)


def error_of(error: object) -> ConsilienceError:
    """A GraphQL error or a `Problem` as the exception it stands for."""
    fields = cast("dict[str, object]", error) if isinstance(error, dict) else {}
    inner = fields.get("extensions")
    told = {**fields, **cast("dict[str, object]", inner)} if isinstance(inner, dict) else fields
    message = str(told.get("message") or "the service gave no reason")
    hint, field = _text(told.get("hint")), _text(told.get("field"))
    code = _text(told.get("code"))
    if code == StoreUnavailable.code:
        return StoreUnavailable(message, hint=hint, field=field)
    if code == ServiceUnavailable.code:
        return ServiceUnavailable(message, hint=hint, field=field)
    if code is None or code in _INTERNAL_CODES:
        return ConsilienceError(f"the service failed: {message}", hint=hint or "its log says more: `consilience logs`", field=field)
    return Refused(code, message, hint=hint, field=field)


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None
