"""Who is who: names, identifiers, scripts, aliases, people and their relations (I1-I3, I9, S1), spaces (I7-like)."""

import pytest

from consilience.app.service import Services
from consilience.schema.domain import Status
from tests.acceptance.believing import CURATOR, belief_layer, by_value, facts, on, statuses, tell
from tests.acceptance.saying import ask_all, count, said, settle, texts


async def test_one_name_is_one_entity(services: Services, space: str) -> None:
    """I1: four times, in four spellings of the same name, by two speakers. Control: another surname is another person."""
    await tell(
        services,
        space,
        ("k1", "Ana Berg works at Acme."),
        ("k1", "ana berg lives in Paris."),
        ("k2", "Ana  Berg likes tea."),
        ("k2", "ANA BERG is 30 years old."),
        ("k2", "Ana Berger likes coffee."),
    )
    found = await facts(services, space)
    assert len({fact.subject.id for fact in found if fact.value != "coffee"}) == 1
    assert len({fact.subject.id for fact in found}) == 2


async def test_identifiers_that_differ_by_one_character_are_kept_apart(services: Services, space: str) -> None:
    """I2: SR-2023-052 and SR-2023-053, Rev A and Rev B: two each, as subjects and as values. Control: the same identifier is one."""
    await tell(
        services,
        space,
        ("k1", "SR-2023-052 is open."),
        ("k1", "SR-2023-053 is closed."),
        ("k1", "Rev A is approved."),
        ("k1", "Rev B is rejected."),
        ("k2", "SR-2023-052 is owned by Ana."),
    )
    found = await facts(services, space)
    names = {fact.subject.name: fact.subject.id for fact in found}
    assert {"SR-2023-052", "SR-2023-053", "Rev A", "Rev B"} <= names.keys()
    assert len(set(names.values())) == len(names)
    assert {fact.subject.id for fact in found if "052" in fact.subject.name} == {names["SR-2023-052"]}
    assert {fact.status for fact in found} == {Status.ACTIVE}


async def test_names_of_any_script_are_kept_and_kept_apart(services: Services, space: str) -> None:
    """I3: three names in three scripts are three; with and without accents are two. Control: composed and decomposed accents are one."""
    await tell(
        services,
        space,
        ("k1", "张三住在北京。"),
        ("k1", "Владимир Путин lives in Moscow."),
        ("k1", "محمد علي lives in Cairo."),
        ("k1", "José Núñez lives in Madrid."),
        ("k1", "Jose Nunez lives in Lima."),
        ("k1", "Jose\u0301 Nu\u0301n\u0303ez works at Acme."),
    )
    found = await facts(services, space)
    names = {fact.subject.name for fact in found}
    assert names == {"张三", "Владимир Путин", "محمد علي", "José Núñez", "Jose Nunez"}
    assert len({fact.subject.id for fact in found}) == 5
    assert {fact.predicate for fact in found if fact.subject.name == "José Núñez"} == {"lives_in", "works_at"}


@pytest.mark.parametrize(
    ("lines", "alias", "names"),
    [
        (
            ("José Núñez lives in Madrid.", "Jose Nunez works at Acme."),
            "José Núñez is also known as Jose Nunez.",
            ("José Núñez", "Jose Nunez"),
        ),
        (("爱丽丝住在北京。", "Alice works at Acme."), "爱丽丝又名Alice。", ("爱丽丝", "Alice")),
    ],
)
async def test_a_stated_alias_makes_one_entity_of_two_names_and_can_be_undone(
    services: Services, space: str, lines: tuple[str, str], alias: str, names: tuple[str, str]
) -> None:
    """I3: accents and scripts, by an explicit alias only; taken back by a curator, they are two again as before.

    Control: before the alias they are two.
    """
    await tell(services, space, *(("k1", line) for line in lines))
    before = await belief_layer(services, space)
    assert len({fact.subject.id for fact in await facts(services, space)}) == 2

    await tell(services, space, ("k1", alias), start=on(2026, 2))
    await tell(services, space, ("k2", f"{names[1]} likes tea."), start=on(2026, 3))
    for name in names:
        found = await facts(services, space, subject=name)
        assert {fact.predicate for fact in found} >= {"lives_in", "works_at", "likes"}
        assert len({fact.subject.id for fact in found}) == 1

    (stated,) = await facts(services, space, predicate="alias_of")
    await services.review(stated.id, space=space, confirm=False, note="two people", actor=CURATOR)
    found = [fact for fact in await facts(services, space) if fact.predicate in {"lives_in", "works_at"}]
    assert len({fact.subject.id for fact in found}) == 2
    apart = [row for row in await belief_layer(services, space) if "alias_of" not in row and "likes" not in row]
    assert apart == before


async def test_an_alias_makes_contradictions_of_what_is_one_slot_now(services: Services, space: str) -> None:
    """I3, T15: two homes of two names are no contradiction; of one person they are. Control: before the alias both are active."""
    await tell(services, space, ("k1", "José Núñez lives in Madrid."), ("k2", "Jose Nunez lives in Lima."))
    assert set((await statuses(services, space)).values()) == {"ACTIVE"}
    await tell(services, space, ("k1", "José Núñez is also known as Jose Nunez."), start=on(2026, 2))
    assert await statuses(services, space, predicate="lives_in") == {"Madrid": "ACTIVE", "Lima": "TO_VERIFY"}


async def test_nobody_is_merged_with_another_contributor_by_an_alias(services: Services, space: str) -> None:
    """I3, I9: two people who write here stay two whatever a third says. Control: the same alias for a name nobody has merges."""
    await tell(services, space, ("ana", "I live in Paris."), ("ben", "I live in Rome."), ("eve", "Ana is also known as Ben."))
    found = await facts(services, space, predicate="lives_in")
    assert {fact.value: fact.status for fact in found} == {"Paris": Status.ACTIVE, "Rome": Status.ACTIVE}
    assert len({fact.subject.id for fact in found}) == 2
    await tell(services, space, ("k1", "Annie Berg works at Acme."), ("ana", "Ana is also known as Annie Berg."), start=on(2026, 2))
    assert {fact.predicate for fact in await facts(services, space, subject="ana")} >= {"lives_in", "works_at"}


async def test_one_persons_taste_never_closes_anothers(services: Services, space: str) -> None:
    """I9: ben's turn of taste leaves ana's alone. Control: ana's own closes hers."""
    await tell(services, space, ("ana", "I like coffee."), ("ben", "I like coffee."), ("ben", "I no longer like coffee."))
    assert await statuses(services, space, subject="ana") == {"coffee": "ACTIVE"}
    assert (await statuses(services, space, subject="ben"))["coffee"] == "SUPERSEDED"
    await tell(services, space, ("ana", "I no longer like coffee."), start=on(2026, 2))
    assert (await statuses(services, space, subject="ana"))["coffee"] == "SUPERSEDED"


async def test_each_has_their_own_mother(services: Services, space: str) -> None:
    """S1: asked as Bob it is Jane. Control: asked as Alice it is Mary."""
    await tell(services, space, ("alice", "My mother is Mary."), ("bob", "My mother is Jane."))
    assert set(await by_value(services, space, subject="alice")) == {"Mary"}
    assert set(await by_value(services, space, subject="bob")) == {"Jane"}
    for asker, mother in (("bob", "Jane"), ("alice", "Mary")):
        assert mother in texts(await ask_all(services, space, "What is the name of my mother?", asker=asker, first=1))[0]


async def test_two_people_of_one_name_are_two(services: Services, space: str) -> None:
    """I1 the other way: two contributors who are both called Ana keep their own beliefs.

    Control: what others say of "Ana" makes no third one.
    """
    first = said("I live in Paris.", by="u-1", contributor_name="Ana", occurred_at=on(2026))
    second = said("I live in Rome.", by="u-2", contributor_name="Ana", occurred_at=on(2026))
    await settle(services, space, first, second)
    found = await by_value(services, space)
    assert {value: fact.status for value, fact in found.items()} == {"Paris": Status.ACTIVE, "Rome": Status.ACTIVE}
    assert found["Paris"].subject.id != found["Rome"].subject.id
    entities = await count(services.store, "Entity", space=space)
    await tell(services, space, ("k3", "Ana likes tea."), start=on(2026, 2))
    assert await count(services.store, "Entity", space=space) == entities + 1  # k3 only
