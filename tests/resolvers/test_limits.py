"""How large a request may be, and that being told so is cheap."""

import time

import pytest
from graphql import parse

from consilience.resolvers.build import build_schema
from consilience.resolvers.cost import ROOT_COST, Size, size_of
from consilience.resolvers.limits import LIMITS
from tests.resolvers.asking import ask, codes_of, data_of, messages_of, the_schema
from tests.resolvers.fakes import FakePorts, an_episode

Case = tuple[str, dict[str, object], Size]


def size(query: str, **variables: object) -> Size:
    return size_of(parse(query), schema=the_schema()._schema, variables=variables)  # pyright: ignore[reportPrivateUsage]  # no public way


NODES = "nodes { id text }"  # 3 fields


CASES: list[Case] = [
    ("{ status { version } }", {}, Size(depth=2, fields=2, aliases=0, cost=ROOT_COST + 1)),
    ("{ a: status { b: version } }", {}, Size(depth=2, fields=2, aliases=2, cost=ROOT_COST + 1)),
    ('{ recall(input: {query: "x"}) { tookMs } }', {}, Size(depth=2, fields=2, cost=ROOT_COST + 5)),
    ('{ recall(input: {query: "x", first: 9}) { tookMs } }', {}, Size(depth=2, fields=2, cost=ROOT_COST + 9)),
    ("query ($i: RecallInput!) { recall(input: $i) { tookMs } }", {"i": {"first": 7}}, Size(depth=2, fields=2, cost=ROOT_COST + 7)),
    ('query ($n: Int = 8) { recall(input: {query: "x", first: $n}) { tookMs } }', {}, Size(depth=2, fields=2, cost=ROOT_COST + 8)),
    ('query ($n: Int!) { recall(input: {query: "x", first: $n}) { tookMs } }', {"n": 3}, Size(depth=2, fields=2, cost=ROOT_COST + 3)),
    (
        f'{{ contributor(externalId: "a") {{ episodes(first: 10) {{ {NODES} }} }} }}',
        {},
        Size(depth=4, fields=5, cost=ROOT_COST + 1 + 10 * 3),
    ),
    (
        f'{{ contributor(externalId: "a") {{ episodes {{ {NODES} }} }} }}',
        {},
        Size(depth=4, fields=5, cost=ROOT_COST + 1 + 20 * 3),
    ),
    ("{ sources { key } }", {}, Size(depth=2, fields=2, cost=ROOT_COST + 5)),
    (
        "mutation ($e: [EpisodeInput!]!) { remember(input: {episodes: $e}) { ... on Remembered { duplicates } } }",
        {"e": [{}] * 50},
        Size(depth=2, fields=2, cost=ROOT_COST + 50),
    ),
    ("{ status { ...V } } fragment V on ServiceStatus { version }", {}, Size(depth=2, fields=3, cost=ROOT_COST + 1)),
    ("{ nothing { here } }", {}, Size(depth=2, fields=2, cost=ROOT_COST + 1)),
    ("{ ...A } fragment A on Query { ...A }", {}, Size(fields=2)),
]


@pytest.mark.parametrize(("query", "variables", "wanted"), CASES)
def test_cost_is_the_sum_of_fields_times_page_sizes(query: str, variables: dict[str, object], wanted: Size) -> None:
    assert size(query, **variables) == wanted


def nested(levels: int) -> str:
    """A query 3 + 3 * levels deep that is valid."""
    inner = "id"
    for _ in range(levels):
        inner = f"contributor {{ episodes(first: 1) {{ nodes {{ {inner} }} }} }}"
    return f'{{ contributor(externalId: "ana") {{ episodes(first: 1) {{ nodes {{ {inner} }} }} }} }}'


def fragment_bomb(links: int) -> str:
    """2 ** links fields in links fragments."""
    chain = "".join(
        f"fragment F{n} on Episode {{ a: evidence {{ nodes {{ ...F{n + 1} }} }} b: evidence {{ nodes {{ ...F{n + 1} }} }} }}\n"
        for n in range(links)
    )
    return f'{{ memory(id: "ep_1") {{ ...F0 }} }}\n{chain}fragment F{links} on Episode {{ id }}'


BOMBS = {
    "depth": nested(5),
    "aliases": "{ " + " ".join(f"a{n}: status {{ version }}" for n in range(101)) + " }",
    "fields": "{ status { " + "version " * 1000 + "} }",
    "inline fan-out": """{ recall(input: {query: "x", first: 100}) { hits { memory { evidence(first: 100) { nodes {
        id text role kind status trust confidence } } } } } }""",
    "many roots": "{ " + " ".join(f"a{n}: spaces {{ name }}" for n in range(100)) + " " + "b: sources { key } " * 30 + "}",
    "fragments": fragment_bomb(200),
    "chain of fragments": "{ ...F0 } " + " ".join(f"fragment F{n} on Query {{ ...F{n + 1} }}" for n in range(900)),
    "unused chain of fragments": "{ status { version } } " + " ".join(f"fragment F{n} on Query {{ ...F{n + 1} }}" for n in range(900)),
    "same fragment": "{ status { " + "...V " * 1000 + "} } fragment V on ServiceStatus { version }",
    "tokens": "{ status { " + "version " * 30_000 + "} }",
    "nested literal": "{ jobs(first: " + "[" * 5_000 + "]" * 5_000 + ") { id } }",
    "nested fields": "{ status " + "{ a " * 5_000 + "}" * 5_000 + " }",
}


@pytest.mark.parametrize("bomb", BOMBS.values(), ids=BOMBS.keys())
async def test_a_bomb_is_refused_within_a_second_before_any_port_is_called(bomb: str) -> None:
    """A27. Control: the ordinary queries of the other tests pass the same limits."""
    ports = FakePorts()
    started = time.thread_time()
    answer = await ask(ports, bomb)
    assert time.thread_time() - started < 1.0
    assert "TOO_LARGE" in codes_of(answer), messages_of(answer)
    assert ports.calls == []


async def test_a_page_size_hidden_in_a_variable_counts() -> None:
    """A27."""
    query = """query ($i: RecallInput!, $n: Int) { recall(input: $i) { hits { memory { evidence(first: $n) { nodes {
      id text kind status } } } } } }"""
    ports = FakePorts(episodes=[an_episode(1)])
    assert codes_of(await ask(ports, query, i={"query": "x", "first": 100}, n=100)) == []
    wide = query.replace("id text kind status", "id text kind status trust confidence")
    assert codes_of(await ask(ports, wide, i={"query": "x", "first": 100}, n=100)) == ["TOO_LARGE"]


async def test_a_query_at_the_limit_of_fields_is_validated_within_a_second() -> None:
    """Why fields are limited: validation compares those of one name pairwise."""
    query = "{ status { " + "version " * (LIMITS.fields - 1) + "} }"
    started = time.thread_time()
    answer = await ask(FakePorts(), query)
    assert time.thread_time() - started < 1.0
    assert codes_of(answer) == []


async def test_500_episodes_with_all_their_fields_may_be_answered() -> None:
    """Control: the largest batch of the contract is within the cost limit."""
    episodes = [{"text": f"Line {n}.", "contributor": {"externalId": "ana"}} for n in range(500)]
    query = """mutation ($input: RememberInput!) { remember(input: $input) { ... on Remembered { duplicates quarantined episodes {
      id kind space text status confidence trust recordedAt validFrom validTo externalId role occurredAt
      contributor { id externalId name state reputation } source { id key channel trust }
      session { id externalId startedAt endedAt } } } } }"""
    found = data_of(await ask(FakePorts(), query, input={"episodes": episodes}))["remember"]["episodes"]
    assert [one["text"] for one in found] == [f"Line {n}." for n in range(500)]


async def test_the_standard_introspection_query_passes_where_it_is_allowed_and_nowhere_else() -> None:
    """A28."""
    from graphql import get_introspection_query

    query = get_introspection_query()
    assert data_of(await ask(FakePorts(), query))["__schema"]["queryType"]["name"] == "Query"
    closed = await ask(FakePorts(), query, introspection=False)
    assert set(codes_of(closed)) == {"INVALID_QUERY"}
    assert codes_of(await ask(FakePorts(), "{ __typename status { __typename } }", introspection=False)) == []


def test_a_schema_can_be_built_twice() -> None:
    assert build_schema(introspection=True).as_str() == build_schema(introspection=False).as_str()
