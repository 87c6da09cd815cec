"""Whatever is sent, the edge answers, or says whose fault it is: never an internal error."""

import asyncio
import json

import httpx
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis_graphql import from_schema, nodes
from starlette.requests import HTTPConnection

from consilience.resolvers.context import Context, context_for
from consilience.resolvers.http import graphql_app
from tests.resolvers.asking import ask, codes_of, messages_of, the_schema
from tests.resolvers.fakes import FakePorts, an_episode

SCALARS = {
    "DateTime": st.one_of(st.datetimes().map(lambda moment: f"{moment.isoformat()}Z"), st.text()).map(nodes.String),
    "Cursor": st.one_of(st.just("ZXBfMQ"), st.text()).map(nodes.String),
}
DOCUMENTS = from_schema(the_schema().as_str(), custom_scalars=SCALARS, allow_null=True)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=20,
)
EPISODE = st.fixed_dictionaries(
    {"text": JSON, "contributor": st.fixed_dictionaries({"externalId": JSON}) | JSON},
    optional=dict.fromkeys(("source", "role", "session", "occurredAt", "externalId", "metadata", "trust"), JSON),
)
BODY = (
    st.binary(max_size=100)
    | JSON.map(lambda value: json.dumps(value).encode())
    | st.text().map(lambda text: json.dumps({"query": text}).encode())
)
REMEMBER = "mutation ($input: RememberInput!) { remember(input: $input) { __typename ... on Problem { code } } }"
RECALL = "query ($input: RecallInput!) { recall(input: $input) { hits { memory { id } } } }"
CALLERS = {"INVALID_INPUT", "INVALID_QUERY", "TOO_LARGE"}
QUICK = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much], database=None)


async def _context(_: HTTPConnection) -> Context:
    return context_for(FakePorts(episodes=[an_episode(1)]))


@QUICK
@given(DOCUMENTS)
def test_any_document_of_the_schema_is_answered(document: str) -> None:
    answer = asyncio.run(ask(FakePorts(episodes=[an_episode(1)]), document))
    assert set(codes_of(answer)) <= CALLERS, messages_of(answer)


@QUICK
@given(st.fixed_dictionaries({"episodes": st.lists(EPISODE, max_size=3) | JSON}, optional={"space": JSON, "wait": JSON}) | JSON)
def test_any_variables_of_remember_are_answered(variables: object) -> None:
    answer = asyncio.run(ask(FakePorts(), REMEMBER, input=variables))
    assert set(codes_of(answer)) <= CALLERS, messages_of(answer)


@QUICK
@given(st.dictionaries(st.sampled_from(["query", "first", "kinds", "risk", "since", "includeStatuses", "space", "x"]), JSON) | JSON)
def test_any_variables_of_recall_are_answered(variables: object) -> None:
    answer = asyncio.run(ask(FakePorts(episodes=[an_episode(1)]), RECALL, input=variables))
    assert set(codes_of(answer)) <= CALLERS, messages_of(answer)


@QUICK
@given(
    st.binary(max_size=100)
    | JSON.map(lambda value: json.dumps(value).encode())
    | st.text().map(lambda text: json.dumps({"query": text}).encode())
)
def test_any_body_is_answered_without_a_5xx(body: bytes) -> None:
    async def post() -> httpx.Response:
        transport = httpx.ASGITransport(app=graphql_app(the_schema(), context_getter=_context))
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            return await client.post("/graphql", content=body, headers={"content-type": "application/json"})

    answer = asyncio.run(post())
    assert answer.status_code in (200, 400), answer.text
    assert answer.json()["errors"][0]["extensions"]["code"] in CALLERS
