"""How errors leave: problems, codes, masks; and what the log gets of them."""

import logging
from collections.abc import Iterator

import pytest
from structlog.testing import capture_logs
from structlog.typing import EventDict

from consilience.errors import ConsilienceError, ExternalIdConflict, NotHere, Refusal, StoreUnavailable
from consilience.resolvers.context import Principal
from consilience.resolvers.scopes import ADMIN, ALL_SCOPES, SCOPE_OF
from tests.resolvers.asking import ask, ask_with, codes_of, data_of, messages_of
from tests.resolvers.fakes import FakePorts, an_episode

CANARY = "canary.person@example.org"
REMEMBER = """mutation ($input: RememberInput!) { remember(input: $input) {
  __typename ... on Problem { code message hint field } } }"""
ONE: dict[str, object] = {"episodes": [{"text": "Hi.", "contributor": {"externalId": "ana"}}]}


@pytest.fixture(name="logged")
def _logged() -> Iterator[list[EventDict]]:
    with capture_logs() as events:
        yield events


async def test_a_refusal_is_the_problem_of_a_result_union() -> None:
    error = ExternalIdConflict("externalId m1 was used for another text", hint="use a new externalId", field="episodes[0].externalId")
    answer = await ask(FakePorts(error=error), REMEMBER, input=ONE)
    assert data_of(answer)["remember"] == {
        "__typename": "Problem",
        "code": "EXTERNAL_ID_CONFLICT",
        "message": "externalId m1 was used for another text",
        "hint": "use a new externalId",
        "field": "episodes[0].externalId",
    }


async def test_a_refusal_elsewhere_is_an_error_with_code_hint_and_field() -> None:
    answer = await ask(FakePorts(error=NotHere("no such contributor", hint="look", field="contributor")), "{ sources { key } }")
    assert [error.formatted for error in answer.errors or ()] == [
        {
            "message": "no such contributor",
            "locations": [{"line": 1, "column": 3}],
            "path": ["sources"],
            "extensions": {"code": "NOT_HERE", "hint": "look", "field": "contributor"},
        }
    ]


@pytest.mark.parametrize("query", ["{ status { version } }", REMEMBER])
async def test_an_absent_store_is_said_with_its_code_and_not_masked(query: str) -> None:
    answer = await ask(FakePorts(error=StoreUnavailable("Neo4j did not answer")), query, input=ONE)
    assert codes_of(answer) == ["STORE_UNAVAILABLE"]
    assert messages_of(answer) == "Neo4j did not answer"


async def test_an_unexpected_error_is_masked_and_its_id_is_in_the_log(logged: list[EventDict]) -> None:
    answer = await ask(FakePorts(error=RuntimeError(f"secret {CANARY}")), f'{{ mine: contributor(externalId: "{CANARY}") {{ id }} }}')
    assert codes_of(answer) == ["INTERNAL"]
    (line,) = logged
    assert messages_of(answer) == f"internal error {line['error_id']}"
    assert line["error_type"] == "RuntimeError"
    assert line["path"] == "contributor"
    assert CANARY not in repr(answer)
    assert CANARY not in repr(logged)


async def test_two_unexpected_errors_have_two_ids() -> None:
    ports = FakePorts(error=RuntimeError())
    messages = {messages_of(await ask(ports, "{ status { version } }")) for _ in range(2)}
    assert len(messages) == 2


async def test_an_answer_of_ours_that_no_scalar_can_hold_is_an_internal_error(logged: list[EventDict]) -> None:
    class TooMany(FakePorts):
        async def retry_jobs(self, *, space: str | None) -> int:
            return 2**40

    answer = await ask(TooMany(), "mutation { retryJobs }")
    assert codes_of(answer) == ["INTERNAL"]
    assert str(2**40) not in messages_of(answer) + repr(logged)


LEAKY = {
    "failing field": f'{{ contributor(externalId: "{CANARY}") {{ id }} }}',
    "unknown field": f'{{ contributor(externalId: "{CANARY}") {{ secrets }} }}',
    "wrong literal": f'{{ jobs(first: "{CANARY}") {{ id }} }}',
    "wrong enum": f'{{ jobs(state: "{CANARY}") {{ id }} }}',
    "wrong date": f'{{ recall(input: {{query: "x", since: "{CANARY}"}}) {{ tookMs }} }}',
    "wrong cursor": f'{{ contributor(externalId: "ana") {{ episodes(after: "{CANARY}") {{ totalCount }} }} }}',
    "syntax": f'{{ contributor(externalId: "{CANARY}" {{',
    "control character": f'{{ contributor(externalId: "{CANARY}\\u0000") {{ id }} }}',
    "alias": "{ canary_person_example_org: status { version } }",
    "fragment": "query canary_person { ...canary_person_example_org } fragment canary_person_example_org on Query { status { version } }",
}


@pytest.mark.parametrize("query", LEAKY.values(), ids=LEAKY.keys())
async def test_no_log_record_has_an_inline_argument_an_alias_or_the_query(
    query: str, logged: list[EventDict], caplog: pytest.LogCaptureFixture
) -> None:
    """T09. The default of the library logs the query text with its literals (control below)."""
    caplog.set_level(logging.DEBUG)
    answer = await ask(FakePorts(error=RuntimeError(CANARY)), query)
    assert answer.errors
    everything = repr(logged) + repr([(record.getMessage(), record.exc_text, record.args) for record in caplog.records])
    assert CANARY not in everything
    assert "canary_person" not in everything


@pytest.mark.parametrize("variables", [{"first": CANARY}, {"first": 1, "after": CANARY}, {"input": {"query": CANARY, "trust": CANARY}}])
async def test_no_log_record_has_a_variable(
    variables: dict[str, object], logged: list[EventDict], caplog: pytest.LogCaptureFixture
) -> None:
    """T09."""
    caplog.set_level(logging.DEBUG)
    query = """query ($first: Int, $after: Cursor, $input: RecallInput = {query: "x"}) { recall(input: $input) { tookMs }
      contributor(externalId: "ana") { episodes(first: $first, after: $after) { totalCount } } }"""
    answer = await ask_with(FakePorts(), query, variables)
    assert codes_of(answer) == ["INVALID_INPUT"]
    assert CANARY not in repr(logged) + caplog.text


async def test_the_library_alone_would_log_the_query(caplog: pytest.LogCaptureFixture) -> None:
    """Positive control of the canary tests: with our process_errors away, the canary is in the log."""
    import strawberry

    @strawberry.type
    class Query:
        @strawberry.field
        def contributor(self, external_id: str) -> str:
            raise RuntimeError("no")

    await strawberry.Schema(query=Query).execute(f'{{ contributor(externalId: "{CANARY}") }}')
    assert CANARY in caplog.text


@pytest.mark.parametrize(
    "query",
    [
        "{ statu { version } }",
        "{ status { versio } }",
        "{ jobs(stat: DEAD) { id } }",
        "{ jobs(state: DEADD) { id } }",
        'query ($x: RecallInputt) { recall(input: {query: "x"}) { tookMs } }',
        '{ recall(input: {query: "x", asker_: "y"}) { tookMs } }',
        '{ recall(input: {query: "x"}) { hits { memory { ... on Episod { id } } } } }',
        '{ recall(input: {query: "x"}) { hits { memory { role } } } }',
    ],
)
async def test_no_error_suggests_names(query: str) -> None:
    """A28."""
    answer = await ask(FakePorts(), query)
    assert set(codes_of(answer)) <= {"INVALID_QUERY", "INVALID_INPUT"}
    assert answer.errors
    assert "Did you mean" not in messages_of(answer)


async def test_no_error_about_a_variable_suggests_names() -> None:
    """A28."""
    answer = await ask(FakePorts(), "query ($input: RecallInput!) { recall(input: $input) { tookMs } }", input={"query": "x", "aske": "y"})
    assert codes_of(answer) == ["INVALID_INPUT"]
    assert "Did you mean" not in messages_of(answer)


@pytest.mark.parametrize(
    ("query", "variables"),
    [
        ('query ($s: String) { memory(space: $s, id: "x") { id } }', {"s": None}),
        ("query ($f: Int) { jobs(first: $f) { id } }", {"f": 2**31}),
        ("query ($f: Int) { jobs(first: $f) { id } }", {"f": 1.5}),
        ("query ($f: Int) { jobs(first: $f) { id } }", {"f": True}),
        ("query ($f: Int) { jobs(first: $f) { id } }", {"f": 10**400}),
        ('mutation ($t: Float) { registerSource(key: "k", channel: "c", trust: $t) { __typename } }', {"t": float("nan")}),
        ('mutation ($t: Float) { registerSource(key: "k", channel: "c", trust: $t) { __typename } }', {"t": float("inf")}),
        ('mutation ($t: Float) { registerSource(key: "k", channel: "c", trust: $t) { __typename } }', {"t": 10**400}),
        ('mutation ($t: Float) { registerSource(key: "k", channel: "c", trust: $t) { __typename } }', {"t": "0.5"}),
        ("query ($q: String!) { recall(input: {query: $q}) { tookMs } }", {"q": "a\0b"}),
        ("query ($q: String!) { recall(input: {query: $q}) { tookMs } }", {"q": "half \ud83d"}),
        ("query ($q: String!) { recall(input: {query: $q}) { tookMs } }", {"q": 5}),
        ("query ($q: String!) { recall(input: {query: $q}) { tookMs } }", {}),
        ("query ($i: ID!) { memory(id: $i) { id } }", {"i": "\udfff"}),
        ("query ($i: ID!) { memory(id: $i) { id } }", {"i": {"x": 1}}),
        ('query ($d: DateTime) { recall(input: {query: "x", since: $d}) { tookMs } }', {"d": "2026-03-01T09:30:00"}),
        ("query ($i: RecallInput!) { recall(input: $i) { tookMs } }", {"i": {"query": "x", "since": "2026-03-01T09:30:00"}}),
        ("query ($i: RecallInput!) { recall(input: $i) { tookMs } }", {"i": {"query": "x", "kinds": ["EPISODES"]}}),
    ],
)
async def test_a_variable_of_a_wrong_value_is_the_callers_error_and_reaches_no_port(query: str, variables: dict[str, object]) -> None:
    ports = FakePorts()
    answer = await ask_with(ports, query, variables)
    assert set(codes_of(answer)) == {"INVALID_INPUT"}, messages_of(answer)
    assert ports.calls == []


@pytest.mark.parametrize(
    "query",
    [
        "{ jobs(first: 2147483648) { id } }",
        "{ jobs(first: 1.5) { id } }",
        'mutation { registerSource(key: "k", channel: "c", trust: 1e999) { __typename } }',
        'mutation { registerSource(key: "k", channel: "c", trust: ' + "9" * 400 + ") { __typename } }",
        'mutation { registerSource(key: "k", channel: "c", trust: ' + "9" * 6000 + ") { __typename } }",
        "{ jobs(first: " + "9" * 6000 + ") { id } }",
        '{ recall(input: {query: "a\\u0000b"}) { tookMs } }',
        '{ recall(input: {query: "\\ud83d"}) { tookMs } }',
        '{ recall(input: {query: "\ud83d"}) { tookMs } }',
        '{ recall(input: {query: """a\0b"""}) { tookMs } }',
        '{ recall(input: {query: "x", since: "2026-03-01T09:30:00"}) { tookMs } }',
        '{ recall(input: {query: "x", since: "2026-13-01T09:30:00Z"}) { tookMs } }',
        '{ memory(id: "\\u0000") { id } }',
    ],
)
async def test_a_literal_of_a_wrong_value_is_the_callers_error_and_reaches_no_port(query: str) -> None:
    ports = FakePorts()
    answer = await ask(ports, query)
    assert set(codes_of(answer)) <= {"INVALID_INPUT", "INVALID_QUERY"}, messages_of(answer)
    assert answer.errors
    assert ports.calls == []


async def test_a_naive_time_is_refused_with_the_reason_in_a_variable_and_inline() -> None:
    """T11 through the whole edge."""
    inline = await ask(FakePorts(), '{ recall(input: {query: "x", since: "2026-03-01T09:30:00"}) { tookMs } }')
    variable = await ask(
        FakePorts(), "query ($i: RecallInput!) { recall(input: $i) { tookMs } }", i={"query": "x", "since": "2026-03-01T09:30:00"}
    )
    assert "without an offset" in messages_of(inline)
    assert "without an offset" in messages_of(variable)
    assert "since" in messages_of(variable)


async def test_whole_pairs_and_every_other_character_are_taken() -> None:
    """Positive control of the string rule."""
    ports = FakePorts()
    answer = await ask(ports, "query ($q: String!) { recall(input: {query: $q}) { tookMs } }", q="😀 é 中 \u202e \x01 \uffff")
    assert codes_of(answer) == []


async def test_without_the_scope_a_field_is_refused_and_no_port_is_called() -> None:
    """T04, the edge's half: each root field with every scope but its own."""
    arguments = {
        "recall": '(input: {query: "x"}) { tookMs }',
        "memory": '(id: "ep_1") { id }',
        "contributor": '(externalId: "ana") { id }',
        "status": "{ version }",
        "sources": "{ key }",
        "spaces": "{ name }",
        "jobs": "{ id }",
        "job": '(id: "job_1") { id }',
        "remember": "(input: {episodes: []}) { ... on Problem { code } }",
        "registerSource": '(key: "k", channel: "c") { ... on Problem { code } }',
        "retryJobs": "",
        "facts": "{ totalCount }",
        "conflicts": "{ totalCount }",
        "why": '(id: "ep_1") { sentence }',
        "reviewQueue": "{ totalCount }",
        "audit": "{ nodes { seq } }",
        "identity": '(agent: "helper") { name }',
        "profile": '(contributor: "ana") { stage }',
        "setIdentity": '(input: {agent: "a", name: "n", role: "r", introduction: "i"}) { ... on Problem { code } }',
        "endSession": '(session: "monday") { ... on Problem { code } }',
        "feedback": '(input: {memories: ["fact_1"], outcome: HELPED}) { ... on Problem { code } }',
        "pin": '(id: "fact_1", pinned: true) { ... on Problem { code } }',
        "review": '(item: "fact_1", decision: CONFIRM) { ... on Problem { code } }',
        "resolveConflict": '(conflict: "conf_1", winner: "fact_1") { ... on Problem { code } }',
        "restoreFact": '(fact: "fact_1") { ... on Problem { code } }',
    }
    assert {name.partition(".")[2] for name in SCOPE_OF} == set(arguments)
    for name, scope in SCOPE_OF.items():
        root, _, field = name.partition(".")
        query = f"{root.lower()} {{ {field}{arguments[field]} }}"
        ports = FakePorts(episodes=[an_episode(1)])
        answer = await ask(ports, query, principal=Principal(name="guest", scopes=ALL_SCOPES - {scope}))
        problem = (answer.data or {}).get(field)
        assert codes_of(answer) == ["FORBIDDEN"] or problem == {"code": "FORBIDDEN"}, name
        assert ports.calls == []
        allowed = await ask(ports, query, principal=Principal(name="guest", scopes=frozenset({scope})))
        assert "FORBIDDEN" not in repr(allowed), name


async def test_administration_needs_the_admin_scope() -> None:
    assert SCOPE_OF["Mutation.registerSource"] == ADMIN


def test_every_error_class_has_a_code_of_its_own() -> None:
    def below(kind: type[ConsilienceError]) -> Iterator[type[ConsilienceError]]:
        for sub in kind.__subclasses__():
            if sub.__module__ == "consilience.errors":  # a command's own kind of a refusal keeps the refusal's code
                yield sub
            yield from below(sub)

    codes = [kind.code for kind in below(ConsilienceError)]
    assert len(codes) == len(set(codes))
    assert Refusal.code in codes
