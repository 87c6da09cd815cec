"""Recall against a plain reading of the store: never fewer hits than exist, never one that should not be served."""

import asyncio
import random
import secrets
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

import pytest
import pytest_asyncio

from consilience.app.service import Services
from consilience.clock import utc_now
from consilience.errors import InvalidInput
from consilience.retrieval import statistics
from consilience.retrieval.statistics import Statistics
from consilience.schema.domain import MemoryKind, Recollection, Risk, Role, Status
from consilience.store.rows import instant
from consilience.text.words import query_words
from tests.acceptance.saying import ask, ids, minutes, said, settle, store, texts

SPACE = f"library-{secrets.token_hex(6)}"
SIZE = 2_000
RARE = tuple(range(7, SIZE, SIZE // 5))  # what the quiet one said
FLOORS = {Risk.LOW: 0.3, Risk.MEDIUM: 0.5, Risk.HIGH: 0.8}
THINGS = ("crane", "barge", "winch", "buoy", "ferry", "pilot", "anchor", "lock")


@dataclass(frozen=True, slots=True)
class Row:
    """An episode as a plain reading of the store gives it."""

    id: str
    status: Status
    trust: float
    contributor: str
    session: str
    occurred_at: datetime
    recorded_at: datetime
    words: str


async def read_all(services: Services, space: str) -> list[Row]:
    rows = await services.store.read(
        """
        MATCH (e:Episode {space: $space})-[:BY]->(p)
        OPTIONAL MATCH (e)-[:IN]->(z)
        RETURN e.id AS id, e.status AS status, e.trust AS trust, p.externalId AS contributor, coalesce(z.externalId, '') AS session,
               e.occurredAt AS occurred, e.recordedAt AS recorded, e.words AS words
        """,
        space=space,
    )
    return [
        Row(
            r["id"],
            Status(r["status"]),
            r["trust"],
            r["contributor"],
            r["session"],
            instant(r["occurred"]),
            instant(r["recorded"]),
            r["words"],
        )
        for r in rows
    ]


def matches(row: Row, asked: Recollection) -> bool:
    """Whether a memory is one the question may be answered with."""
    names = query_words(asked.about or "").split()
    return (
        row.status in (asked.statuses or (Status.ACTIVE,))
        and row.trust >= FLOORS[asked.risk]
        and asked.contributor in (None, row.contributor)
        and asked.session in (None, row.session)
        and (asked.since is None or row.occurred_at >= asked.since)
        and (asked.until is None or row.occurred_at < asked.until)
        and (asked.as_of is None or row.recorded_at <= asked.as_of)
        and (asked.about is None or row.contributor == asked.about or set(names) <= set(row.words.split()))
    )


@pytest_asyncio.fixture(name="library", scope="module", loop_scope="session")
async def _library(services: Services) -> AsyncIterator[list[Row]]:
    """Two thousand memories: ten busy speakers, a quiet one with five; five sources; a fifth not ACTIVE any more."""
    for key, channel, trust in (("tool", "internal_tool", None), ("web", "web_scrape", None), ("rumour", "web_scrape", 0.1)):
        await services.register_source(key, space=SPACE, channel=channel, trust=trust, actor="tester")
    sources = ("conversation", "tool", "web", "rumour", "nobody-registered-it")
    lines = [
        said(
            f"Note {number}: the {THINGS[number % 8]} at berth {number % 90} was checked.",
            by="quiet" if number in RARE else f"busy-{number % 10}",
            session=f"day-{number % 25}",
            source="conversation" if number in RARE else sources[number % 5],
            occurred_at=minutes(number),
        )
        for number in range(SIZE)
    ]
    made = (await settle(services, SPACE, *lines)).episodes
    # Off the index labels, as what is archived will be: only a reading of the store finds these.
    off = [one.id for number, one in enumerate(made) if number % 5 == 0 and number not in RARE]
    for status, chosen in ((Status.ARCHIVED, off[::2]), (Status.SUPERSEDED, off[1::2])):
        await services.store.write(
            "UNWIND $ids AS id MATCH (e:Episode {space: $space, id: id}) SET e.status = $status REMOVE e:$($labels)",
            ids=chosen,
            space=SPACE,
            status=status,
            labels=[f"Words_{SPACE}", "Recallable512"],
        )
    yield await read_all(services, SPACE)


def questions(library: list[Row], *, seed: int, number: int) -> list[Recollection]:
    """Questions with all mixtures of filters, from those that leave nothing to those that leave all."""
    draw = random.Random(seed)
    recorded = sorted({row.recorded_at for row in library})
    made: list[Recollection] = []
    while len(made) < number:
        since = draw.choice([None, None, minutes(draw.randrange(SIZE))])
        made.append(
            Recollection(
                draw.choice(["Who checked the crane?", "berth 17", "Note 1200", "zeppelin", "What did busy-3 say about the winch?"]),
                SPACE,
                kinds=(MemoryKind.EPISODE,),
                first=draw.choice([1, 3, 5, 20, 100]),
                risk=draw.choice([Risk.LOW, Risk.LOW, Risk.MEDIUM, Risk.HIGH]),
                contributor=draw.choice([None, None, "quiet", f"busy-{draw.randrange(10)}"]),
                session=draw.choice([None, None, None, f"day-{draw.randrange(25)}"]),
                about=draw.choice([None, None, None, "ferry", "quiet", f"berth {draw.randrange(90)}", "busy-4"]),
                since=since,
                until=draw.choice([None, None, (since or minutes(0)) + timedelta(minutes=draw.choice([4, 60, 900]))]),
                as_of=draw.choice([None, None, None, *recorded]),
                statuses=draw.choice(
                    [(), (), (), (Status.ARCHIVED,), (Status.ACTIVE, Status.SUPERSEDED), (Status.ACTIVE, Status.WITHHELD)]
                ),
            )
        )
    return made


async def test_there_are_never_fewer_hits_than_exist_and_none_that_may_not_be(services: Services, library: list[Row]) -> None:
    """Design §6, G01: over all mixtures of filters, `first` and risk the number of hits is that of a plain reading of the store.

    Control: the questions are of all kinds: none, some and more than asked for match.
    """
    kinds: set[str] = set()
    for asked in questions(library, seed=7, number=40):
        allowed = {row.id for row in library if matches(row, asked)}
        found = ids(await services.recall(asked))
        assert len(found) == len(set(found))
        assert set(found) <= allowed, asked
        assert len(found) == min(asked.first, len(allowed)), (asked, len(allowed))
        kinds.add("none" if not allowed else "few" if len(allowed) < asked.first else "many")
    assert kinds == {"none", "few", "many"}


async def test_somebody_with_five_memories_among_thousands_gets_all_five(services: Services, library: list[Row]) -> None:
    """Design §6, for filters by contributor and by whom it is about. Control: without a filter at most one of them is found."""
    own = {row.id for row in library if row.contributor == "quiet"}
    assert len(own) == 5
    for query in ("Who checked the crane?", "zeppelin", "Was the pilot there?"):
        for more in ({"contributor": "quiet"}, {"about": "quiet"}, {"contributor": "quiet", "risk": Risk.MEDIUM}):
            assert set(ids(await ask(services, SPACE, query, first=10, **more))) == own
    assert len(own & set(ids(await ask(services, SPACE, "Who checked the crane?")))) < 5


async def test_five_of_many_that_name_somebody_are_found_behind_a_filter(services: Services, library: list[Row]) -> None:
    """What hundreds mention is found where a time leaves only a few of them, however far down the words rank them."""
    asked = Recollection(
        "Was it checked?", SPACE, about="berth", since=minutes(SIZE - 8), risk=Risk.LOW, first=20, kinds=(MemoryKind.EPISODE,)
    )
    allowed = {row.id for row in library if matches(row, asked)}
    assert sum("berth" in row.words for row in library) == SIZE
    assert 3 <= len(allowed) <= 8
    assert set(ids(await services.recall(asked))) == allowed


async def test_the_same_question_gets_the_same_answer(services: Services, library: list[Row]) -> None:
    """Order is by score and then by id, so the same store gives the same list, also when asked many times at once."""
    del library
    past = datetime.now(UTC) + timedelta(days=1)
    for query in ("When was the buoy at berth 12 checked?", "zeppelin"):  # a question about the past: age plays no part
        answers = await asyncio.gather(*(ask(services, SPACE, query, first=30, until=past) for _ in range(5)))
        assert {tuple(ids(answer)) for answer in answers} == {tuple(ids(answers[0]))}
        assert [hit.rank for hit in answers[0].hits] == list(range(1, 31))
        for answer in answers:
            assert all(0 <= part <= 1 for hit in answer.hits for part in (hit.score, hit.parts.meaning, hit.parts.words, hit.parts.recency))


async def test_word_statistics_follow_the_store_past_more_than_a_page(
    services: Services, library: list[Row], monkeypatch: pytest.MonkeyPatch, space: str
) -> None:
    """Each digested episode is counted exactly once, also when more than a page was digested within the time that is read again."""
    monkeypatch.setattr(statistics, "PAGE", 700)  # more than one batch, much less than the library
    known = Statistics(services.store, utc_now, every=timedelta(0))
    assert (await known.of(SPACE)).words.texts == sum(row.status is Status.ACTIVE for row in library)
    monkeypatch.setattr(statistics, "PAGE", 300)
    small = Statistics(services.store, utc_now, every=timedelta(0))
    for number in range(1, 4):
        await settle(services, space, *(said(f"Lamp {number} {line}.") for line in range(260)))
        for _ in range(2):
            assert (await small.of(space)).words.texts == 260 * number


async def test_what_is_below_the_floor_of_the_risk_is_never_served(services: Services, space: str) -> None:
    """G01: floors exact at .3, .5 and .8; what was cut is counted; an unregistered source's 0.2 is under every floor.

    Control: the same text through a source at the floor is served.
    """
    worth = {"p2": None, "p29": 0.29, "p3": 0.3, "p49": 0.49, "p5": 0.5, "p79": 0.79, "p8": 0.8, "p1": 1.0}
    for key, trust in worth.items():
        if trust is not None:
            await services.register_source(key, space=space, channel="verified_db", trust=trust, actor="tester")
    await settle(services, space, *(said("The pressure limit is 9 bar.", source=key) for key in worth))
    for risk, floor in FLOORS.items():
        found = await ask(services, space, "What is the pressure limit?", first=20, risk=risk)
        expected = sorted(trust or 0.2 for trust in worth.values() if (trust or 0.2) >= floor)
        assert sorted(hit.memory.trust for hit in found.hits) == expected
        assert found.below_floor == len(worth) - len(expected)
        (one,) = (await ask(services, space, "What is the pressure limit?", first=1, risk=risk)).hits
        assert one.memory.trust >= floor


async def test_what_is_trusted_is_found_behind_any_number_that_is_not(services: Services, space: str) -> None:
    """G01: three hundred better fitting memories below the floor do not hide the three above it."""
    await services.register_source("tool", space=space, channel="internal_tool", trust=None, actor="tester")
    noise = [said(f"The pressure limit of boiler {number} is 9 bar.", source="scraped") for number in range(320)]
    sound = [said(f"Boilers were inspected by person {number}.", source="tool") for number in range(3)]
    await settle(services, space, *noise, *sound)
    found = await ask(services, space, "What is the pressure limit of the boiler?", risk=Risk.HIGH)
    assert sorted(texts(found)) == sorted(line.text for line in sound)
    assert found.below_floor > 0


async def test_registering_a_source_weighs_anew_what_came_through_it(services: Services, space: str) -> None:
    """S50: served at HIGH once the source is registered as a tool, gone again when it is set lower. Control: others stay as they were."""
    await settle(services, space, said("The gate code changed.", source="wiki"), said("The gate is green."))
    assert texts(await ask(services, space, "gate")) == ["The gate is green."]
    for trust, served in ((None, ["The gate code changed."]), (0.2, [])):
        await services.register_source("wiki", space=space, channel="internal_tool", trust=trust, actor="tester")
        assert texts(await ask(services, space, "gate", risk=Risk.HIGH)) == served
    assert texts(await ask(services, space, "gate", risk=Risk.MEDIUM)) == ["The gate is green."]
    (later,) = (await store(services, space, said("The gate is open.", source="wiki"))).episodes
    assert later.trust == 0.2


async def test_age_counts_unless_the_question_is_about_the_past(services: Services, space: str) -> None:
    """S37: the newer of two equal memories comes first; asked about the past, or as of a time, both score alike."""
    now = utc_now()
    lines = [said("I live in Lyon.", session=None, occurred_at=now - timedelta(days=days)) for days in (400, 1)]
    old, new = (await settle(services, space, *lines)).episodes
    recent = await ask(services, space, "Where does ana live?")
    assert ids(recent) == [new.id, old.id]
    assert recent.hits[0].score > recent.hits[1].score
    for past in (
        await ask(services, space, "Where did ana live before?"),
        await ask(services, space, "Where does ana live?", as_of=utc_now()),
    ):
        assert ids(past) == sorted([old.id, new.id])
        assert past.hits[0].score == past.hits[1].score


async def test_as_of_a_time_nothing_recorded_later_is_seen(services: Services, space: str) -> None:
    """asOf is about when the service learned it, not when it was said. Control: asked now, both are there."""
    first = (await settle(services, space, said("The key is under the mat.", occurred_at=minutes(60)))).episodes[0]
    await settle(services, space, said("The key is in the drawer.", occurred_at=minutes(0)))
    assert ids(await ask(services, space, "Where is the key?", as_of=first.recorded_at)) == [first.id]
    assert (await ask(services, space, "Where is the key?", as_of=first.recorded_at - timedelta(microseconds=1))).hits == ()
    assert len((await ask(services, space, "Where is the key?")).hits) == 2


async def test_who_spoke_a_moment_ago_is_known_at_once(services: Services, space: str) -> None:
    """SETTLED means findable: by text, by contributor, by session, whatever the process remembers of the space."""
    await settle(services, space, said("Hello."))
    await ask(services, space, "hello")  # the process knows the people of the space now
    made = (await settle(services, space, said("The kiln is hot.", by="new", session="fresh"))).episodes[0]
    for more in ({"contributor": "new"}, {"session": "fresh"}, {"about": "new"}, {"asker": "new"}):
        assert made.id in ids(await ask(services, space, "kiln", **more)), more


async def test_withheld_memory_is_never_served_and_others_only_when_asked_for(services: Services, space: str) -> None:
    """E07's rule of reading. Control: ARCHIVED is served to who asks for it by name."""
    withheld, archived, active = (await settle(services, space, *(said(f"Seal number {n}.") for n in range(3)))).episodes
    for one, status in ((withheld, Status.WITHHELD), (archived, Status.ARCHIVED)):
        await services.store.write(
            "MATCH (e:Episode {space: $space, id: $id}) SET e.status = $status", space=space, id=one.id, status=status
        )
    assert ids(await ask(services, space, "seal")) == [active.id]
    assert ids(await ask(services, space, "seal", statuses=(Status.WITHHELD,))) == []
    assert ids(await ask(services, space, "seal", statuses=tuple(Status))) in ([archived.id, active.id], [active.id, archived.id])
    assert ids(await ask(services, space, "seal", statuses=(Status.ARCHIVED,))) == [archived.id]


async def test_kinds_that_do_not_exist_yet_have_no_hits(services: Services, space: str) -> None:
    """Control: EPISODE among them has."""
    await settle(services, space, said("A fact about seals.", role=Role.ASSISTANT))
    assert (await ask(services, space, "seals", kinds=(MemoryKind.FACT,))).hits == ()
    assert len((await ask(services, space, "seals", kinds=(MemoryKind.FACT, MemoryKind.EPISODE))).hits) == 1


async def test_any_question_can_be_asked(services: Services, space: str) -> None:
    """A29, A25: odd texts are neither an error nor query syntax; what is there is found."""
    await settle(services, space, said("A plain sentence."), said("!?"), said("。"))
    for query in ("!!!", "。。。", "🚀", "the of and", "AND OR NOT", 'a:b* ~x^2 \\ "(', "+contributor:x", "x" * 8192, "\u200b\u200bx"):
        assert len((await ask(services, space, query)).hits) == 3, query


@pytest.mark.parametrize(
    ("field", "name", "value"),
    [
        ("query", "query", " "),
        ("query", "query", "x" * 8193),
        ("query", "query", "a\0"),
        ("first", "first", 0),
        ("first", "first", 101),
        ("contributor", "contributor", ""),
        ("about", "about", "x" * 257),
        ("asker", "asker", "\n"),
        ("session", "session", "\ud800"),
        ("since", "since", datetime(2026, 1, 1)),  # noqa: DTZ001  # what is refused
        ("until", "until", datetime(2026, 1, 1)),  # noqa: DTZ001
        ("asOf", "as_of", datetime(2026, 1, 1)),  # noqa: DTZ001
        ("space", "space", "No"),
    ],
)
async def test_a_question_that_cannot_be_asked_is_refused_with_its_field(services: Services, field: str, name: str, value: object) -> None:
    asked = replace(Recollection("anything"), **{name: value})  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    with pytest.raises(InvalidInput) as refused:
        await services.recall(asked)
    assert refused.value.field == field
