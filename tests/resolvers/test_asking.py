"""From the query to the port and back."""

from datetime import UTC, datetime

import pytest

from consilience.schema.domain import MemoryKind, NewEpisode, Recollection, Risk, Role, Status, Wait
from tests.resolvers.asking import ask, codes_of, data_of, messages_of
from tests.resolvers.fakes import FakePorts, an_episode

REMEMBER = """
mutation ($input: RememberInput!) {
  remember(input: $input) {
    __typename
    ... on Remembered { duplicates quarantined episodes { id text role contributor { externalId } } }
    ... on Problem { code message hint field }
  }
}
"""
RECALL = "query ($input: RecallInput!) { recall(input: $input) { hits { rank memory { id kind text } } cut { belowFloor } tookMs } }"


async def test_remember_hands_on_every_field_and_the_principal_as_actor() -> None:
    ports = FakePorts()
    entry: dict[str, object] = {
        "text": "I moved to Lyon.",
        "contributor": {"externalId": "ana", "name": "Ana"},
        "source": "crm",
        "role": "ASSISTANT",
        "session": "monday",
        "occurredAt": "2026-03-01T17:30:00+08:00",
        "externalId": "m1",
        "metadata": [{"key": "document", "value": "d1"}],
    }
    answer = await ask(ports, REMEMBER, input={"space": "work", "wait": "SETTLED", "episodes": [entry]})
    assert data_of(answer)["remember"]["__typename"] == "Remembered"
    whole = NewEpisode(
        text="I moved to Lyon.",
        contributor="ana",
        contributor_name="Ana",
        source="crm",
        role=Role.ASSISTANT,
        session="monday",
        occurred_at=datetime(2026, 3, 1, 9, 30, tzinfo=UTC),
        external_id="m1",
        metadata=(("document", "d1"),),
    )
    assert ports.calls == [("remember", ((whole,), "work", Wait.SETTLED, "local"))]


async def test_remember_left_to_its_defaults_asks_for_the_defaults_of_the_contract() -> None:
    ports = FakePorts()
    nulls = {"session": None, "occurredAt": None, "externalId": None, "metadata": None}
    for extra in ({}, nulls):
        ports.calls.clear()
        await ask(ports, REMEMBER, input={"episodes": [{"text": "Hi.", "contributor": {"externalId": "ana"}, **extra}]})
        assert ports.calls == [("remember", ((NewEpisode(text="Hi.", contributor="ana"),), "default", Wait.STORED, "local"))]


async def test_recall_hands_on_every_field() -> None:
    ports = FakePorts(episodes=[an_episode(1), an_episode(2)])
    asked = {
        "space": "work",
        "query": "Where does Ana live?",
        "asker": "ben",
        "first": 7,
        "kinds": ["EPISODE", "FACT"],
        "risk": "HIGH",
        "contributor": "ana",
        "about": "Ana",
        "session": "monday",
        "since": "2026-01-01T00:00:00Z",
        "until": "2026-02-01T00:00:00Z",
        "asOf": "2026-03-01T00:00:00Z",
        "includeStatuses": ["ACTIVE", "SUPERSEDED"],
    }
    found = data_of(await ask(ports, RECALL, input=asked))["recall"]
    assert [hit["memory"]["id"] for hit in found["hits"]] == ["ep_1", "ep_2"]
    assert ports.calls == [
        (
            "recall",
            Recollection(
                query="Where does Ana live?",
                space="work",
                asker="ben",
                first=7,
                kinds=(MemoryKind.EPISODE, MemoryKind.FACT),
                risk=Risk.HIGH,
                contributor="ana",
                about="Ana",
                session="monday",
                since=datetime(2026, 1, 1, tzinfo=UTC),
                until=datetime(2026, 2, 1, tzinfo=UTC),
                as_of=datetime(2026, 3, 1, tzinfo=UTC),
                statuses=(Status.ACTIVE, Status.SUPERSEDED),
            ),
        )
    ]


async def test_recall_left_to_its_defaults_asks_for_the_defaults_of_the_contract() -> None:
    ports = FakePorts()
    await ask(ports, RECALL, input={"query": "Where?"})
    assert ports.calls == [("recall", Recollection(query="Where?"))]


async def test_an_empty_filter_stays_a_filter() -> None:
    """An empty contributor must not widen the question to everybody."""
    ports = FakePorts()
    await ask(ports, RECALL, input={"query": "Where?", "contributor": ""})
    assert ports.calls == [("recall", Recollection(query="Where?", contributor=""))]


async def test_memories_asked_for_side_by_side_are_one_query_and_an_absent_one_is_null() -> None:
    ports = FakePorts(episodes=[an_episode(1), an_episode(2)])
    query = '{ a: memory(id: "ep_1") { text } b: memory(id: "ep_2") { id } c: memory(id: "ep_9") { id } }'
    assert data_of(await ask(ports, query)) == {"a": {"text": "I take the early train."}, "b": {"id": "ep_2"}, "c": None}
    assert ports.calls == [("list_episodes", (("ep_1", "ep_2", "ep_9"), "default"))]


async def test_a_memory_of_another_space_is_not_here() -> None:
    """T02, the edge's half: the id is looked for in the space asked for."""
    ports = FakePorts(episodes=[an_episode(1, space="work")])
    assert data_of(await ask(ports, '{ memory(id: "ep_1") { id } }')) == {"memory": None}
    assert data_of(await ask(ports, '{ memory(space: "work", id: "ep_1") { id } }')) == {"memory": {"id": "ep_1"}}


async def test_an_episode_is_its_own_evidence_and_its_page_ends_after_it() -> None:
    ports = FakePorts(episodes=[an_episode(1)])
    query = """query ($after: Cursor) { memory(id: "ep_1") {
      evidence(after: $after) { totalCount nodes { id } pageInfo { hasNextPage endCursor } }
      ... on Episode { beliefs { nodes { id } } } } }"""
    first = data_of(await ask(ports, query))["memory"]
    assert first["evidence"]["nodes"] == [{"id": "ep_1"}]
    assert first["beliefs"] == {"nodes": []}
    after = first["evidence"]["pageInfo"]["endCursor"]
    assert after != "ep_1"
    assert data_of(await ask(ports, query, after=after))["memory"]["evidence"] == {
        "totalCount": 1,
        "nodes": [],
        "pageInfo": {"hasNextPage": False, "endCursor": None},
    }


async def test_the_episodes_of_all_contributors_of_a_page_are_one_query() -> None:
    episodes = [an_episode(number, by=name) for number, name in enumerate(["ana", "ben", "ana", "cyn"], start=1)]
    ports = FakePorts(episodes=episodes)
    query = """{ recall(input: {query: "train"}) { hits { memory { ... on Episode { contributor { externalId
      episodes(first: 1) { totalCount nodes { id } pageInfo { hasNextPage } } } } } } } }"""
    hits = data_of(await ask(ports, query))["recall"]["hits"]
    pages = [hit["memory"]["contributor"]["episodes"] for hit in hits]
    assert [(page["totalCount"], page["nodes"][0]["id"], page["pageInfo"]["hasNextPage"]) for page in pages] == [
        (2, "ep_1", True),
        (1, "ep_2", False),
        (2, "ep_1", True),
        (1, "ep_4", False),
    ]
    assert [name for name, _ in ports.calls] == ["recall", "list_episodes_by"]


async def test_following_the_cursor_leads_through_all_episodes_once() -> None:
    ports = FakePorts(episodes=[an_episode(number) for number in range(1, 6)])
    query = """query ($after: Cursor) { contributor(externalId: "ana") { reputation
      episodes(first: 2, after: $after) { nodes { id } pageInfo { hasNextPage endCursor } } } }"""
    seen: list[str] = []
    after, more = None, True
    while more:
        found = data_of(await ask(ports, query, after=after))["contributor"]
        assert found["reputation"] == 1.0
        seen += [node["id"] for node in found["episodes"]["nodes"]]
        after, more = found["episodes"]["pageInfo"]["endCursor"], found["episodes"]["pageInfo"]["hasNextPage"]
    assert seen == ["ep_1", "ep_2", "ep_3", "ep_4", "ep_5"]


@pytest.mark.parametrize("first", [0, -1, 101, 2_147_483_647])
async def test_a_page_size_outside_1_to_100_is_refused(first: int) -> None:
    ports = FakePorts(episodes=[an_episode(1)])
    for query in (
        'query ($first: Int!) { recall(input: {query: "x", first: $first}) { tookMs } }',
        'query ($first: Int!) { contributor(externalId: "ana") { episodes(first: $first) { totalCount } } }',
        'query ($first: Int!) { memory(id: "ep_1") { evidence(first: $first) { totalCount } } }',
        'query ($first: Int!) { memory(id: "ep_1") { ... on Episode { beliefs(first: $first) { pageInfo { hasNextPage } } } } }',
        "query ($first: Int!) { jobs(first: $first) { id } }",
    ):
        answer = await ask(ports, query, first=first)
        assert codes_of(answer) in (["INVALID_INPUT"], ["TOO_LARGE"]), messages_of(answer)


@pytest.mark.parametrize("first", [1, 100, None])
async def test_a_page_size_of_1_to_100_or_null_is_taken(first: int | None) -> None:
    ports = FakePorts(episodes=[an_episode(1)])
    query = 'query ($first: Int) { contributor(externalId: "ana") { episodes(first: $first) { totalCount } } }'
    assert data_of(await ask(ports, query, first=first))["contributor"]["episodes"]["totalCount"] == 1


async def test_a_source_is_registered_with_its_trust_and_without() -> None:
    ports = FakePorts()
    query = """mutation ($trust: Float) { registerSource(key: "crm", channel: "internal_tool", trust: $trust) {
      ... on Source { key trust } ... on Problem { code field } } }"""
    assert data_of(await ask(ports, query, trust=0.25))["registerSource"] == {"key": "crm", "trust": 0.25}
    assert data_of(await ask(ports, query))["registerSource"] == {"key": "crm", "trust": 0.5}
    assert [call for _, call in ports.calls] == [
        ("crm", "default", "internal_tool", 0.25, "local"),
        ("crm", "default", "internal_tool", None, "local"),
    ]


async def test_status_sources_spaces_and_jobs_answer() -> None:
    ports = FakePorts()
    query = """{ status { version llm deadJobs healthy } sources { key } spaces { name dimensions }
      jobs(state: DEAD) { id state attempts error } job(id: "job_1") { done total } gone: job(id: "job_2") { id } }"""
    assert data_of(await ask(ports, query)) == {
        "status": {"version": "0.1.0", "llm": None, "deadJobs": 1, "healthy": True},
        "sources": [{"key": "conversation"}],
        "spaces": [{"name": "default", "dimensions": 512}],
        "jobs": [{"id": "job_1", "state": "DEAD", "attempts": 5, "error": "TimeoutError"}],
        "job": {"done": 1, "total": 2},
        "gone": None,
    }
    assert data_of(await ask(ports, "mutation { retryJobs }")) == {"retryJobs": 1}


@pytest.mark.parametrize("space", ["", "Work", "a" * 64, "-a", "_a", "a b", "a\n", "ä", "a/b", "$space", "a'})"])
async def test_a_name_no_space_can_have_is_refused_before_a_port_is_called(space: str) -> None:
    """A29 at the edge."""
    ports = FakePorts(episodes=[an_episode(1)])
    answers = [
        await ask(ports, 'query ($space: String!) { memory(space: $space, id: "ep_1") { id } }', space=space),
        await ask(ports, "query ($space: String!) { jobs(space: $space) { id } }", space=space),
        await ask(ports, RECALL, input={"query": "x", "space": space}),
    ]
    assert [codes_of(answer) for answer in answers] == [["INVALID_INPUT"]] * 3
    problem = data_of(await ask(ports, REMEMBER, input={"space": space, "episodes": []}))["remember"]
    assert (problem["code"], problem["field"]) == ("INVALID_INPUT", "space")
    assert ports.calls == []


async def test_privileged_fields_sent_by_a_client_are_refused_by_name() -> None:
    """C07, A19: trust, standing, status and recordedAt are not inputs; the same call without them is taken."""
    ports = FakePorts()
    plain: dict[str, object] = {"text": "Hi.", "contributor": {"externalId": "ana"}}
    for field in ("trust", "status", "recordedAt", "confidence", "sourceTrust", "id", "space"):
        answer = await ask(ports, REMEMBER, input={"episodes": [{**plain, field: 1}]})
        assert codes_of(answer) == ["INVALID_INPUT"]
        assert field in messages_of(answer)
    standing = {"externalId": "ana", "reputation": 1}
    assert codes_of(await ask(ports, REMEMBER, input={"episodes": [{"text": "Hi.", "contributor": standing}]})) == ["INVALID_INPUT"]
    inline = 'mutation { remember(input: {episodes: [{text: "Hi.", contributor: {externalId: "a"}, trust: 1}]}) { __typename } }'
    assert codes_of(await ask(ports, inline)) == ["INVALID_INPUT"]
    assert ports.calls == []
    assert codes_of(await ask(ports, REMEMBER, input={"episodes": [plain]})) == []
