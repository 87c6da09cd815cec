"""Two spaces interleaved: nothing crosses (I7). Ids of another space are as unknown ones (T02)."""

import asyncio
from dataclasses import replace

import pytest

from consilience.app.service import Services
from consilience.schema.domain import NewEpisode, Status, Wait
from consilience.schema.migrations import words_index
from consilience.store.driver import Store
from tests.acceptance.saying import ask, ids, minutes, said, settle, store, texts
from tests.resolvers.asking import ask as api
from tests.resolvers.asking import data_of

WORDS = {"north": "amber", "south": "cobalt"}


def line(side: str, number: int) -> NewEpisode:
    """The same ids, people, sessions and sources on both sides; only the words differ."""
    return said(
        f"Crate {number} is painted {WORDS[side]}.",
        by=f"person-{number % 4}",
        contributor_name=f"{side.title()} Person {number % 4}",
        session=f"day-{number % 5}",
        external_id=f"crate-{number}",
        occurred_at=minutes(number),
    )


async def crossings(store: Store, *, spaces: list[str]) -> int:
    """Edges that leave one of these spaces."""
    rows = await store.read("MATCH (a)-[r]->(b) WHERE a.space IN $spaces AND a.space <> b.space RETURN count(r) AS n", spaces=spaces)
    return int(rows[0]["n"])


async def indexed_words(store: Store, *, space: str, word: str) -> int:
    rows = await store.read(
        "CALL db.index.fulltext.queryNodes($index, $asked) YIELD node WHERE node:Episode RETURN count(node) AS n",
        index=words_index(space),
        asked=f"words:{word}",
    )
    return int(rows[0]["n"])


@pytest.fixture(name="sides")
def _sides(space: str) -> dict[str, str]:
    return {"north": f"{space}-n", "south": f"{space}-s"}


async def test_two_spaces_interleaved_a_hundred_times_stay_apart(services: Services, other: Services, sides: dict[str, str]) -> None:
    """I7: recall, memory, contributor, listings, statistics, indexes and edges of a space know that space alone.

    Control: each side finds its own word, and an edge planted between the sides is seen.
    """
    for at in range(0, 100, 20):
        turns = [(number, side) for number in range(at, at + 20) for side in sides]
        await asyncio.gather(*(store((services, other)[number % 2], sides[side], line(side, number)) for number, side in turns))
    for side, space in sides.items():
        await services.register_source(f"gate-{side}", space=space, channel="internal_tool", trust=None, actor="tester")
    made = {side: await settle(services, space, *(line(side, number) for number in range(100))) for side, space in sides.items()}
    own = {side: {one.id for one in answer.episodes} for side, answer in made.items()}
    assert [answer.duplicates for answer in made.values()] == [100, 100]
    assert not own["north"] & own["south"]

    for side, space in sides.items():
        foreign = next(name for name in sides if name != side)
        for query in (f"Which crate is {WORDS[foreign]}?", "Crate 7", "What did North Person 1 paint?", "What did South Person 1 paint?"):
            for more in ({}, {"contributor": "person-1"}, {"session": "day-1"}, {"about": "person-1"}, {"since": minutes(10)}):
                found = await ask(services, space, query, first=40, **more)
                assert found.hits, (query, more)
                assert set(ids(found)) <= own[side]
                assert not any(WORDS[foreign] in text for text in texts(found))
        assert await services.list_episodes(list(own[foreign]), space=space) == {}
        known = await services.retrieval.statistics.of(space)
        assert known.words.texts == 100
        assert known.words.idf(WORDS[foreign]) > known.words.idf(WORDS[side])
        assert {name for person in known.people for name in person.names} >= {f"{side.title()} Person 1"}
        assert not any(foreign.title() in name for person in known.people for name in person.names)
        assert await indexed_words(services.store, space=space, word=WORDS[foreign]) == 0
        assert await indexed_words(services.store, space=space, word=WORDS[side]) == 100
        person = await services.find_contributor("person-1", space=space)
        assert person is not None
        assert person.name == f"{side.title()} Person 1"
        page = (await services.list_episodes_by([person.id], space=space, first=100, after=None))[person.id]
        assert {one.id for one in page.nodes} < own[side]
        assert page.total == 25
        assert {source.key for source in await services.list_sources(space=space)} == {"conversation", f"gate-{side}"}
        assert {one.episodes for one in await services.list_spaces() if one.name == space} == {100}

    both = list(sides.values())
    assert await crossings(services.store, spaces=both) == 0
    plant = (
        "MATCH (a:Session {space: $north, externalId: 'day-1'}), (b:Session {space: $south, externalId: 'day-1'}) CREATE (a)-[:NEXT]->(b)"
    )
    await services.store.write(plant, **sides)
    assert await crossings(services.store, spaces=both) == 1
    await services.store.write("MATCH (:Session {space: $north})-[r:NEXT]->(:Session {space: $south}) DELETE r", **sides)


async def test_a_foreign_id_is_as_unknown_as_no_id_at_all(services: Services, sides: dict[str, str]) -> None:
    """T02, A20: each field that takes an id answers alike for the other space's id and for one nobody has. Control: its own id is known."""
    north, south = sides["north"], sides["south"]
    mine = (await settle(services, north, replace(line("north", 1), contributor="only-north", session="north-day"))).episodes[0]
    await settle(services, south, line("south", 2))
    assert mine.session is not None
    queued = (
        await services.store.write(  # a job nobody's worker touches: it is due in a year
            """CREATE (j:Job {space: $space, id: $id, kind: 'digest', state: 'QUEUED', ids: [], done: 0, total: 0, attempts: 0,
           recordedAt: datetime(), notBefore: datetime() + duration({years: 1})}) RETURN j.id AS id""",
            space=north,
            id=f"job_{north}",
        )
    )[0]["id"]

    assert set(await services.list_episodes([mine.id], space=north)) == {mine.id}
    assert await services.list_episodes([mine.id], space=south) == await services.list_episodes(["ep_unknown"], space=south) == {}
    assert await services.find_contributor("only-north", space=north) is not None
    assert await services.find_contributor("only-north", space=south) is None
    assert await services.find_contributor(mine.contributor.id, space=north) is None
    assert await services.get_job(queued, space=north) is not None
    assert await services.get_job(queued, space=south) is None
    assert [job.id for job in await services.list_jobs(space=south, state=None, first=100)] == []
    assert queued in [job.id for job in await services.list_jobs(space=north, state=None, first=100)]
    await services.store.write("MATCH (j:Job {space: $space}) DETACH DELETE j", space=north)

    foreign = mine.contributor.id
    pages = await services.list_episodes_by([foreign, "con_unknown"], space=south, first=5, after=mine.id)
    assert pages[foreign] == pages["con_unknown"]
    assert (await services.list_episodes_by([foreign], space=north, first=5, after=None))[foreign].total == 1

    for name, value, own in (
        ("contributor", "only-north", True),
        ("session", "north-day", True),
        ("about", "only-north", True),
        ("contributor", mine.contributor.id, False),  # our ids are not the callers' ids
        ("session", mine.session.id, False),
    ):
        seen = await ask(services, south, "crate", **{name: value})
        unknown = await ask(services, south, "crate", **{name: "nobody-knows"})
        assert replace(seen, took_ms=0) == replace(unknown, took_ms=0), name
        assert seen.hits == ()
        assert bool((await ask(services, north, "crate", **{name: value})).hits) is own
    foreign_asker, unknown_asker = [ids(await ask(services, south, "crate", asker=asker)) for asker in ("only-north", "nobody-knows")]
    assert foreign_asker == unknown_asker


async def test_the_api_answers_null_for_a_foreign_id_as_for_an_unknown_one(services: Services, sides: dict[str, str]) -> None:
    """T02 through the whole edge: each id-taking field of the API, the same answer word for word. Control: in its own space it is there."""
    north, south = sides["north"], sides["south"]
    mine = (await settle(services, north, replace(line("north", 1), contributor="only-north"))).episodes[0]
    await settle(services, south, line("south", 2))
    query = """query ($space: String!, $id: ID!, $key: String!) {
      memory(id: $id, space: $space) { id text evidence { totalCount } } job(id: $id, space: $space) { id }
      contributor(externalId: $key, space: $space) { id episodes { totalCount } }
      recall(input: {query: "crate", space: $space, contributor: $key, kinds: [EPISODE]}) { hits { rank } } }"""
    foreign = await api(services, query, space=south, id=mine.id, key="only-north")
    unknown = await api(services, query, space=south, id="ep_unknown", key="nobody-knows")
    assert data_of(foreign) == data_of(unknown) == {"memory": None, "job": None, "contributor": None, "recall": {"hits": []}}
    own = data_of(await api(services, query, space=north, id=mine.id, key="only-north"))
    assert (own["memory"]["id"], own["contributor"]["episodes"]["totalCount"], len(own["recall"]["hits"])) == (mine.id, 1, 1)


async def test_a_space_nobody_wrote_to_looks_like_an_empty_one(services: Services, space: str) -> None:
    """T02: no hits, no error, and asking does not make it. Control: with one episode there is one hit."""
    assert (await ask(services, space, "anything")).hits == ()
    assert space not in {one.name for one in await services.list_spaces()}
    await services.remember([said("Anything at all.")], space=space, wait=Wait.SETTLED, actor="tester")
    assert len((await ask(services, space, "anything", statuses=(Status.ACTIVE,))).hits) == 1
