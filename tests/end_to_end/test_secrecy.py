"""T09: what people say is in the graph and in answers, and nowhere else: not in a log, not in a metric, not in an error."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import httpx
import pytest

from tests.cli.process import run
from tests.end_to_end.canaries import SENT, canary, found_in
from tests.end_to_end.service import REMEMBER, Service

RECALL: Final = "query ($input: RecallInput!) { recall(input: $input) { hits { memory { text } } } }"
EVERYTHING: Final = """
MATCH (n) UNWIND keys(n) AS key
WITH n[key] AS value
WHERE CASE WHEN value IS :: LIST<STRING NOT NULL> NOT NULL THEN any(part IN value WHERE part CONTAINS $word)
           ELSE toStringOrNull(value) CONTAINS $word END
RETURN count(*) AS times
"""


@pytest.fixture
def http(service: Service) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=service.url, trust_env=False, timeout=120) as client:
        yield client


def send(http: httpx.Client, document: str, **variables: object) -> dict[str, Any]:
    answer: dict[str, Any] = http.post("/graphql", json={"query": document, "variables": variables}).json()
    return answer


def files_of(service: Service) -> Iterator[Path]:
    """Every file of the data folder but the store itself, and what the service printed."""
    yield service.log
    for path in service.home.rglob("*"):
        if service.home / "neo4j" / "data" not in path.parents:
            yield path


def speak_everywhere(http: httpx.Client, service: Service, *, space: str) -> list[str]:
    """Words in every place a person can put some: stored ones, asked ones, refused ones. Returns the stored ones."""
    stored = {place: canary(place) for place in ("text", "who", "name", "session", "key", "metakey", "metavalue", "source")}
    episode = {
        "text": f"I never told anybody about {stored['text']}.",
        "contributor": {"externalId": stored["who"], "name": stored["name"]},
        "session": stored["session"],
        "externalId": stored["key"],
        "source": stored["source"],
        "metadata": [{"key": stored["metakey"], "value": stored["metavalue"]}],
    }
    assert send(http, REMEMBER, input={"space": space, "episodes": [episode], "wait": "SETTLED"})["data"]["remember"]["duplicates"] == 0
    asked = {"space": space, "query": canary("query"), "asker": canary("asker"), "about": canary("about"), "contributor": canary("from")}
    assert "errors" not in send(http, RECALL, input=asked)
    assert "errors" not in send(http, "query ($who: String!) { contributor(externalId: $who) { name } }", who=canary("lookup"))
    refused: list[dict[str, object]] = [
        {"text": canary("changed")},
        {"occurredAt": canary("time"), "externalId": None},
        {"role": canary("role"), "externalId": None},
        {canary("field"): canary("value")},
        {"text": canary("long") + "x" * 40_000, "externalId": None},
        {"text": f"{canary('nul')}\x00", "externalId": None},
        {"contributor": {"externalId": canary("longid") * 30}, "externalId": None},
    ]
    for change in refused:
        answer = send(http, REMEMBER, input={"space": space, "episodes": [episode | change]})
        assert "errors" in answer or answer["data"]["remember"]["__typename"] == "Problem", change.keys()
    answer = send(http, REMEMBER, input={"space": f"{canary('space')} !", "episodes": [episode]})
    assert answer["data"]["remember"]["code"] == "INVALID_INPUT"
    for document in (
        f'{{ recall(input: {{query: "{canary("inline")}", first: 0}}) {{ tookMs }} }}',
        f"{{ {canary('alias')}: recall(input: {{query: 5}}) {{ tookMs }} }}",
        f"{{ {canary('fieldname')} }}",
        f"query {canary('operation')} {{ status {{ version }} }} # {canary('comment')}",
        f'{{ status {{ version }} "{canary("broken")}',
    ):
        send(http, document)
    http.post("/graphql", content=f'{{"query": "{canary("notjson")}', headers={"content-type": "application/json"})
    http.get(f"/{canary('path')}", params={"q": canary("parameter")}, headers={"x-note": canary("header")})
    line = json.dumps({"text": canary("cliline"), "contributor": {"externalId": "x"}, "role": "KING"}).encode()
    done = run("remember", "-", "--space", space, home=service.home, stdin=line, env=service.variables, timeout_s=240)
    assert (done.returncode, "canary" in done.stderr) == (3, False)
    return list(stored.values())


async def times_in_graph(service: Service, *, words: list[str]) -> dict[str, int]:
    async with service.store() as store:
        return {word: (await store.read(EVERYTHING, word=word))[0]["times"] for word in words}


def test_no_log_no_metric_and_no_file_but_the_store_holds_what_was_said(http: httpx.Client, service: Service, space: str) -> None:
    """T09. Controls: the graph holds each stored word, and the same scan finds the text in the store's files and what the log does say."""
    stored = speak_everywhere(http, service, space=space)
    assert 0 not in asyncio.run(times_in_graph(service, words=stored)).values()
    store_files = list((service.home / "neo4j" / "data").rglob("*"))
    assert found_in(store_files, words=stored[:1]).keys() == set(stored[:1]), "the text; short words are packed there"

    scanned = list(files_of(service))
    assert {"serve.log", "neo4j.log", "debug.log", "console.log", "service.json"} <= {path.name for path in scanned}
    assert found_in(scanned, words=["Consilience is serving"]) == {"Consilience is serving": ["serve.log"]}
    assert found_in(scanned, words=SENT) == {}
    assert "canary" not in http.get("/metrics").text
    assert "canary" not in run("doctor", home=service.home, env=service.variables, timeout_s=240).stdout
    assert "canary" not in run("jobs", home=service.home, env=service.variables, timeout_s=240).stdout
