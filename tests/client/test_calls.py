"""The client against a stub: what it sends, and what it makes of the answers."""

import socket
import time
from datetime import UTC, datetime

import pytest
from graphql import build_schema as parse_sdl
from graphql import parse, validate

from consilience.client import Client, Refused, documents
from consilience.errors import ConsilienceError, ServiceUnavailable, StoreUnavailable
from consilience.resolvers.build import build_schema
from consilience.schema.domain import JobState, MemoryKind, NewEpisode, Recollection, Risk, Role, Status, Wait
from tests.client.stub import EPISODE, FOUND, STATUS, Answer, Stub, data, error, problem

UNAVAILABLE: Answer = (503, b'{"reason": "starting"}')


def episodes(count: int, *, own_ids: bool = True) -> list[NewEpisode]:
    return [NewEpisode(text=f"Line {n}", contributor="ana", external_id=f"m-{n}" if own_ids else None) for n in range(count)]


@pytest.mark.parametrize("name", [name for name in vars(documents) if name.isupper() and not name.startswith("_")])
def test_every_document_is_valid_in_the_schema_the_service_serves(name: str) -> None:
    schema = parse_sdl(build_schema(introspection=True).as_str())
    assert validate(schema, parse(getattr(documents, name))) == []
    assert validate(schema, parse("{ nothingOfTheKind }")) != []  # control


async def test_a_recall_is_read_into_values(stub: Stub) -> None:
    stub.in_turn(data(FOUND))
    async with Client(stub.url) as client:
        found = await client.recall(Recollection(query="bay 4"))
    hit = found.hits[0]
    assert (hit.rank, hit.score, hit.parts.words, found.cut.below_floor, found.took_ms) == (1, 0.61, 0.5, 2, 12.5)
    assert (hit.memory.kind, hit.memory.status, hit.memory.role) == (MemoryKind.EPISODE, Status.ACTIVE, Role.USER)
    assert hit.memory.contributor is not None
    assert hit.memory.contributor.external_id == "ana"
    assert hit.memory.occurred_at == datetime(2026, 3, 1, 8, 12, tzinfo=UTC)


async def test_a_recall_sends_what_was_asked_and_nothing_else(stub: Stub) -> None:
    stub.in_turn(data(FOUND))
    asked = Recollection(query="q", asker="ben", risk=Risk.HIGH, since=datetime(2026, 1, 1, tzinfo=UTC), kinds=(MemoryKind.RULE,))
    async with Client(stub.url) as client:
        await client.recall(asked)
    assert stub.requests == [
        {
            "input": {
                "space": "default", "query": "q", "first": 5, "risk": "HIGH", "asker": "ben",
                "since": "2026-01-01T00:00:00+00:00", "kinds": ["RULE"],
            }
        }
    ]  # fmt: skip


async def test_the_other_reads_are_read_into_values(stub: Stub) -> None:
    job = {"id": "job_1", "space": "default", "kind": "digest", "state": "DEAD", "done": 1, "total": 2, "attempts": 5, "error": "Timeout"}
    async with Client(stub.url) as client:
        stub.in_turn(data({"memory": EPISODE}))
        memory = await client.memory("ep_1")
        stub.in_turn(data({"memory": None}))
        gone = await client.memory("ep_2")
        stub.in_turn(data(STATUS))
        status = await client.status()
        stub.in_turn(data({"sources": [{"id": "src_1", "key": "wiki", "channel": "web", "trust": 0.3}]}))
        sources = await client.sources()
        stub.in_turn(data({"jobs": [job]}))
        jobs = await client.jobs(state=JobState.DEAD)
        stub.in_turn(data({"retryJobs": 4}))
        retried = await client.retry_jobs()
    assert memory is not None
    assert memory.session is not None
    assert memory.session.external_id == "s-1"
    assert gone is None
    assert (status.pending_jobs, status.healthy, status.llm) == (3, True, None)
    assert [(source.key, source.trust) for source in sources] == [("wiki", 0.3)]
    assert (jobs[0].state, jobs[0].attempts, retried) == (JobState.DEAD, 5, 4)


async def test_a_problem_is_raised_with_its_code_hint_and_field(stub: Stub) -> None:
    stub.in_turn(problem("remember", code="TOO_LARGE", message="too long", hint="split it", field="episodes[0].text"))
    async with Client(stub.url) as client:
        with pytest.raises(Refused) as caught:
            await client.remember(episodes(1))
    refused = caught.value
    assert (refused.code, refused.message, refused.hint, refused.field) == ("TOO_LARGE", "too long", "split it", "episodes[0].text")
    assert refused.exit_status == 3


@pytest.mark.parametrize(
    ("answer", "kind", "exit_status"),
    [
        (error("no such field", code="INVALID_INPUT"), Refused, 3),
        (error("Neo4j is away", code="STORE_UNAVAILABLE"), StoreUnavailable, 4),
        (error("Neo4j is away", status=503, code="STORE_UNAVAILABLE"), StoreUnavailable, 4),
        (error("internal error 3f2a", code="INTERNAL"), ConsilienceError, 1),
        ((404, b"<html>not here</html>"), ServiceUnavailable, 4),
        ((200, b'{"data": {"status": {"version": 3}}}'), ServiceUnavailable, 4),
        ((200, b"[]"), ServiceUnavailable, 4),
        ((503, b""), ServiceUnavailable, 4),
    ],
)
async def test_each_kind_of_failure_has_its_error(stub: Stub, answer: Answer, kind: type[ConsilienceError], exit_status: int) -> None:
    stub.in_turn(answer)
    async with Client(stub.url, attempts=2) as client:
        with pytest.raises(ConsilienceError) as caught:
            await client.status()
    assert type(caught.value) is kind
    assert caught.value.exit_status == exit_status


async def test_a_read_is_tried_again_while_the_service_is_unavailable(stub: Stub) -> None:
    stub.in_turn(UNAVAILABLE, UNAVAILABLE, data(STATUS))
    async with Client(stub.url) as client:
        assert (await client.status()).healthy
    assert len(stub.requests) == 3


async def test_tries_are_bounded(stub: Stub) -> None:
    stub.in_turn(UNAVAILABLE)
    async with Client(stub.url, attempts=3) as client:
        with pytest.raises(ServiceUnavailable):
            await client.status()
    assert len(stub.requests) == 3


@pytest.mark.parametrize(("own_ids", "tries"), [(True, 4), (False, 1)])
async def test_a_write_is_repeated_only_when_every_episode_has_its_own_id(stub: Stub, own_ids: bool, tries: int) -> None:
    stub.in_turn(UNAVAILABLE)
    async with Client(stub.url, attempts=4) as client:
        with pytest.raises(ServiceUnavailable):
            await client.remember(episodes(2, own_ids=own_ids))
    assert len(stub.requests) == tries


async def test_a_refusal_is_not_tried_again(stub: Stub) -> None:
    stub.in_turn(error("no", code="INVALID_INPUT"))
    async with Client(stub.url) as client:
        with pytest.raises(Refused):
            await client.status()
    assert len(stub.requests) == 1


async def test_nobody_at_the_address_is_said_within_seconds() -> None:
    with socket.socket() as held:  # bound and never listening: nothing answers, and nobody else takes the port
        held.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{held.getsockname()[1]}"
        begun = time.monotonic()
        async with Client(url) as client:
            with pytest.raises(ServiceUnavailable, match="no service answers"):
                await client.status()
    assert time.monotonic() - begun < 5


@pytest.mark.parametrize("url", ["nonsense", "http://", "ftp://127.0.0.1", "http://127.0.0.1:99999", ""])
def test_an_address_that_is_none_is_refused_in_words(url: str) -> None:
    with pytest.raises(ServiceUnavailable, match="is not the address"):
        Client(url)


async def test_an_answer_that_takes_too_long_is_given_up(stub: Stub) -> None:
    def slow(document: str, variables: object) -> Answer:
        time.sleep(1)
        return data(STATUS)

    stub.respond = slow
    async with Client(stub.url, timeout_s=0.2) as client:
        with pytest.raises(ServiceUnavailable, match="did not answer within"):
            await client.status()
    assert len(stub.requests) == 1


async def test_many_episodes_go_in_order_in_requests_of_at_most_500(stub: Stub) -> None:
    stub.respond = lambda document, variables: stub.keep(variables)
    async with Client(stub.url) as client:
        stored = await client.remember(episodes(1100), wait=Wait.SETTLED)
        again = await client.remember(episodes(3))
    assert [len(request["input"]["episodes"]) for request in stub.requests] == [500, 500, 100, 3]
    assert [episode.external_id for episode in stored.episodes] == [f"m-{n}" for n in range(1100)]
    assert (stored.duplicates, again.duplicates, stub.requests[0]["input"]["wait"]) == (0, 3, "SETTLED")


async def test_half_a_surrogate_pair_is_refused_before_anything_is_sent(stub: Stub) -> None:
    async with Client(stub.url) as client:
        with pytest.raises(Refused, match="surrogate"):
            await client.recall(Recollection(query="\ud83d"))
    assert stub.requests == []


async def test_any_document_can_be_executed(stub: Stub) -> None:
    stub.in_turn(data({"__typename": "Query"}))
    async with Client(stub.url + "/") as client:
        assert await client.execute("{ __typename }") == {"__typename": "Query"}
