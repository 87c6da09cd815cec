"""Whatever is sent to `remember` and `recall` of a running service, it answers: no 5xx, no internal error, nothing of it in the log."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis_graphql import mutations, nodes, queries

from consilience.resolvers.build import build_schema
from tests.end_to_end.canaries import canary
from tests.end_to_end.service import REMEMBER, Service

SDL: Final = build_schema(introspection=True).as_str()
# The refusals a caller can bring about; INTERNAL, STORE_UNAVAILABLE and the like are not among them.
CALLERS: Final = {"INVALID_INPUT", "INVALID_QUERY", "TOO_LARGE", "EXTERNAL_ID_CONFLICT", "STILL_SETTLING", "NOT_HERE"}
SCALARS: Final = {
    "DateTime": st.one_of(st.datetimes().map(lambda moment: f"{moment.isoformat()}Z"), st.text()).map(nodes.String),
    "Cursor": st.text().map(nodes.String),
}
WORD: Final = canary("fuzz")
# Text of all kinds, with a word in it that is looked for afterwards.
TEXT: Final[st.SearchStrategy[str]] = st.text(st.characters(codec="utf-8"), max_size=40).map(lambda text: f"{WORD} {text}") | st.text(
    st.characters(), max_size=20
)
JSON: Final[st.SearchStrategy[Any]] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)
TIME: Final = st.datetimes().map(lambda moment: f"{moment.isoformat()}+01:00") | TEXT
PERSON: Final[st.SearchStrategy[Any]] = st.fixed_dictionaries({"externalId": TEXT}, optional={"name": TEXT})
EPISODE: Final[st.SearchStrategy[Any]] = st.fixed_dictionaries(
    {"text": TEXT, "contributor": PERSON},
    optional={
        "source": TEXT,
        "role": st.sampled_from(["USER", "ASSISTANT", "TOOL", "SYSTEM", "KING"]),
        "session": TEXT,
        "occurredAt": TIME,
        "externalId": TEXT,
        "metadata": st.lists(st.fixed_dictionaries({"key": TEXT, "value": TEXT}), max_size=3),
        "trust": JSON,
    },
)
SPACE: Final = st.sampled_from(["fuzz", "fuzz-2", "default"]) | TEXT
REMEMBERED: Final[st.SearchStrategy[Any]] = st.fixed_dictionaries(
    {"episodes": st.lists(EPISODE, min_size=1, max_size=4) | JSON},
    optional={"space": SPACE, "wait": st.sampled_from(["STORED", "SETTLED"])},
)
RECALLED: Final = st.fixed_dictionaries(
    {"query": TEXT},
    optional={
        "space": SPACE,
        "asker": TEXT,
        "first": st.integers(-1, 101),
        "kinds": st.lists(st.sampled_from(["EPISODE", "FACT", "RULE", "NONE"]), max_size=3),
        "risk": st.sampled_from(["LOW", "MEDIUM", "HIGH"]),
        "contributor": TEXT,
        "about": TEXT,
        "session": TEXT,
        "since": TIME,
        "until": TIME,
        "asOf": TIME,
        "includeStatuses": st.lists(st.sampled_from(["ACTIVE", "WITHHELD", "QUARANTINED", "ARCHIVED"]), max_size=3),
    },
)
RECALL: Final = """
query ($input: RecallInput!) { recall(input: $input) { hits { rank suspect memory { id text evidence { nodes { id } } } } } }
"""
SLOW: Final = (HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture)
BOUNDED: Final = settings(max_examples=80, deadline=None, database=None, suppress_health_check=SLOW)


@pytest.fixture
def http(service: Service) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=service.url, trust_env=False, timeout=120) as client:
        yield client


def assert_answered(http: httpx.Client, document: str, variables: Mapping[str, object] | None = None) -> dict[str, Any]:
    """ASCII JSON: it can carry half a surrogate pair, as a careless client does."""
    body = json.dumps({"query": document, "variables": variables or {}})
    answer = http.post("/graphql", content=body, headers={"content-type": "application/json"})
    assert answer.status_code in (200, 400), answer.text
    whole: dict[str, Any] = answer.json()
    codes = {error["extensions"]["code"] for error in whole.get("errors", [])}
    assert codes <= CALLERS, whole["errors"]
    return whole


@BOUNDED
@given(document=mutations(SDL, fields=["remember"], custom_scalars=SCALARS))
def test_any_document_of_remember_is_answered(http: httpx.Client, document: str) -> None:
    assert_answered(http, document)


@BOUNDED
@given(document=queries(SDL, fields=["recall"], custom_scalars=SCALARS))
def test_any_document_of_recall_is_answered(http: httpx.Client, document: str) -> None:
    assert_answered(http, document)


@BOUNDED
@given(variables=REMEMBERED)
def test_any_variables_of_remember_are_answered(http: httpx.Client, variables: dict[str, object]) -> None:
    answer = assert_answered(http, REMEMBER, {"input": variables})
    if answer.get("data"):
        remembered: dict[str, Any] = answer["data"]["remember"]
        assert remembered["__typename"] == "Remembered" or remembered["code"] in CALLERS


@BOUNDED
@given(variables=RECALLED)
def test_any_variables_of_recall_are_answered(http: httpx.Client, variables: dict[str, object]) -> None:
    assert_answered(http, RECALL, {"input": variables})


def test_the_fuzz_stored_something_and_the_log_holds_none_of_its_words(http: httpx.Client, service: Service) -> None:
    """Positive control: some of it was valid and is there; the log of the service was written meanwhile."""
    plain = {"text": f"{WORD} a plain one", "contributor": {"externalId": WORD}}
    assert assert_answered(http, REMEMBER, {"input": {"space": "fuzz", "episodes": [plain], "wait": "SETTLED"}})["data"]
    found = assert_answered(http, RECALL, {"input": {"space": "fuzz", "query": WORD, "first": 100}})
    assert any(WORD in hit["memory"]["text"] for hit in found["data"]["recall"]["hits"])
    said = service.said()
    assert '"event": "refused"' in said
    assert WORD not in said
    assert "Traceback" not in said
    assert http.get("/healthz").status_code == 200
