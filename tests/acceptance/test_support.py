"""Support and independence: copies count once, one person is one origin, agreement never costs (C01, C02, C04, C07, C08)."""

import asyncio
import inspect
from dataclasses import fields
from datetime import timedelta
from itertools import pairwise

import pytest

from consilience.app.service import Services
from consilience.schema.domain import NewEpisode, Role, Status
from tests.acceptance.believing import by_value, facts, on, register, statuses, tell
from tests.acceptance.saying import count, said, settle

CAPITAL = "The capital of Zubrowka is Lutz."


@pytest.mark.parametrize("accounts", [2, 30, 1000])
async def test_accounts_of_one_text_count_as_one(services: Services, space: str, accounts: int) -> None:
    """C01: however many repeat one text within a day, they are one event and one origin, and win nothing against another's word.

    Control: the same number, at most five, of people who say it in their own words on days of their own outweigh it.
    """
    await tell(services, space, ("k1", "The capital of Zubrowka is Nebelsbad."))
    await settle(services, space, *(said(CAPITAL, by=f"u{n}", occurred_at=on(2026, 2) + timedelta(seconds=n)) for n in range(accounts)))
    found = await by_value(services, space)
    assert (found["Lutz"].events, found["Lutz"].origins, found["Lutz"].contributors) == (1, 1, accounts)
    assert {value: fact.status for value, fact in found.items()} == {"Nebelsbad": Status.ACTIVE, "Lutz": Status.TO_VERIFY}
    assert await count(services.store, "Origin", space=space) == 1

    days = [said(CAPITAL, by=f"v{n}", occurred_at=on(2026, 3, 1 + 2 * n)) for n in range(min(accounts, 5))]
    await settle(services, space, *days)
    found = await by_value(services, space)
    assert found["Lutz"].origins == 1 + min(accounts, 5)
    assert found["Lutz"].status is Status.ACTIVE
    assert found["Nebelsbad"].status is Status.SUPERSEDED


async def test_what_is_declared_to_be_one_document_is_one_origin(services: Services, space: str) -> None:
    """C01, C3: other words, other days, other people, but one `document` or `upstream`: one.

    Control: another document is another origin.
    """
    lines = [
        ("k1", CAPITAL, ("document", "atlas")),
        ("k2", "Lutz is the capital of Zubrowka.", ("upstream", "atlas")),
        ("k1", CAPITAL, ("document", "atlas")),
    ]
    texts = [said(text, by=who, occurred_at=on(2026, 1 + n), metadata=(pair,)) for n, (who, text, pair) in enumerate(lines)]
    await settle(services, space, *texts)
    (fact,) = [fact for fact in await facts(services, space) if fact.predicate == "capital"]
    assert (fact.events, fact.origins) == (1, 1)
    await settle(services, space, said(CAPITAL, by="k3", occurred_at=on(2026, 9), metadata=(("document", "gazette"),)))
    (fact,) = [fact for fact in await facts(services, space) if fact.predicate == "capital"]
    assert (fact.events, fact.origins) == (2, 2)


async def test_copies_that_come_one_after_the_other_join_the_group_that_is_there(services: Services, space: str) -> None:
    """C01: each in a call of its own, and a text between two groups makes one of them. Control: before it there are two groups."""
    long = "The old grand hotel of Nebelsbad stands above the valley and its funicular takes guests up from the spa every morning"
    ends = [f"{long} at nine.", f"{long} at eight."]
    for number, text in enumerate([ends[0], ends[0], ends[1]]):
        await settle(services, space, said(text, by=f"u{number}", occurred_at=on(2026)))
    assert await count(services.store, "Origin", space=space) == 1
    rows = await services.store.read("MATCH (e:Episode {space: $space})-[:OF]->(o:Origin) RETURN count(e) AS n", space=space)
    assert rows[0]["n"] == 3
    first = [said("Box 17 holds the beets.", by=f"a{n}", occurred_at=on(2026, 5), metadata=(("document", "A"),)) for n in range(2)]
    second = [said("The coal is in box 90.", by=f"b{n}", occurred_at=on(2026, 7), metadata=(("document", "B"),)) for n in range(2)]
    await settle(services, space, *first, *second)
    assert await count(services.store, "Origin", space=space) == 3
    await settle(services, space, said("See both.", by="c", occurred_at=on(2026, 8), metadata=(("document", "A"), ("upstream", "B"))))
    assert await count(services.store, "Origin", space=space) == 2


async def test_one_person_in_three_sessions_is_three_events_and_one_origin(services: Services, space: str) -> None:
    """C02: enough for a fact about themself; a rule about the world needs somebody else as well.

    Control: a second person saying the rule gives the second origin, and it is believed.
    """
    rule = "Always water the ficus on Mondays."
    for n in range(3):
        when, session = on(2026, 1 + n), f"s{n}"
        await settle(
            services,
            space,
            said("I like green tea.", by="ana", session=session, occurred_at=when),
            said(rule, by="ana", session=session, occurred_at=when),
        )
    found = {fact.predicate: fact for fact in await facts(services, space)}
    assert (found["likes"].events, found["likes"].origins, found["likes"].status) == (3, 1, Status.ACTIVE)
    assert (found["rule"].events, found["rule"].origins, found["rule"].status) == (3, 1, Status.CANDIDATE)
    await settle(services, space, said(rule, by="ben", session="s9", occurred_at=on(2026, 6)))
    found = {fact.predicate: fact for fact in await facts(services, space)}
    assert (found["rule"].events, found["rule"].origins, found["rule"].status) == (4, 2, Status.ACTIVE)


async def test_agreement_never_lowers_trust_nor_lifts_it_over_its_class(services: Services, space: str) -> None:
    """C04: agreeing voices of any channel, one after the other: trust and reliability never fall.

    Control: reliability does rise with independent voices, and no crowd of user input reaches 0.8.
    """
    await register(services, space, web="web_scrape", tool="internal_tool")
    seen: list[tuple[float, float]] = []
    for n, source in enumerate(["conversation", "web", "conversation", "nobody-knows", "conversation", "conversation", "web", "tool"]):
        await settle(services, space, said("Ana works at Acme.", by=f"u{n}", source=source, occurred_at=on(2026, 1, 1 + 2 * n)))
        (fact,) = await facts(services, space)
        seen.append((fact.trust, fact.reliability))
    assert seen == sorted(seen)
    assert all(b[1] >= a[1] - 1e-9 for a, b in pairwise(seen))
    assert seen[-2][0] == 0.5
    assert seen[0][1] < seen[-2][1] < 0.8
    assert seen[-1][0] == 0.8


async def test_a_writer_says_nothing_of_its_own_standing(services: Services, space: str) -> None:
    """C07: a new episode has no field for trust, status, standing or the time of recording; as metadata they change nothing.

    Control: the administrator's registration of the source does change the trust.
    """
    names = {field.name for field in fields(NewEpisode)}
    assert names == {"text", "contributor", "contributor_name", "source", "role", "session", "occurred_at", "external_id", "metadata"}
    assert "trust" not in inspect.signature(services.remember).parameters
    claims = (("trust", "1.0"), ("status", "ACTIVE"), ("recordedAt", "1999-01-01"), ("channel", "verified_db"), ("standing", "1"))
    stored = await settle(services, space, said("Ana works at Acme.", by="k1", source="own", metadata=claims, occurred_at=on(2026)))
    assert (stored.episodes[0].trust, stored.episodes[0].recorded_at.year > 1999) == (0.2, True)
    (fact,) = await facts(services, space)
    assert fact.trust == 0.2
    await register(services, space, own="internal_tool")
    await settled_queue(services, space)
    (fact,) = await facts(services, space)
    assert fact.trust == 0.8


async def test_registering_a_source_settles_again_what_came_through_it(services: Services, space: str) -> None:
    """C07, S50: a scraper found out loses what it had won. Control: before it is registered anew its word stands against user input."""
    await register(services, space, feed="internal_tool")
    await settle(services, space, said("Ana works at Acme.", by="bot", source="feed", occurred_at=on(2026, 1)))
    await tell(services, space, ("k1", "Ana works at Globex."), start=on(2026, 2))
    assert await statuses(services, space) == {"Acme": "ACTIVE", "Globex": "QUARANTINED"}
    await register(services, space, feed=("internal_tool", 0.1))
    await settled_queue(services, space)
    assert await statuses(services, space) == {"Acme": "SUPERSEDED", "Globex": "ACTIVE"}


async def test_writing_back_what_was_read_supports_nothing(services: Services, space: str) -> None:
    """C08: an agent repeats a user's sentence in the same session and on the same day: no second origin.

    Control: another person who says it a week later is one.
    """
    await settle(services, space, said("The capital of Zubrowka is Lutz.", by="ana", session="s", occurred_at=on(2026)))
    echoes = [
        said(
            "The capital of Zubrowka is Lutz!",
            by=f"agent-{n}",
            role=Role.ASSISTANT,
            session="s",
            occurred_at=on(2026) + timedelta(minutes=n),
        )
        for n in range(1, 4)
    ]
    await settle(services, space, *echoes)
    (fact,) = await facts(services, space)
    assert (fact.events, fact.origins) == (1, 1)
    await settle(services, space, said("The capital of Zubrowka is Lutz.", by="ben", occurred_at=on(2026, 1, 8)))
    (fact,) = await facts(services, space)
    assert fact.origins == 2


async def settled_queue(services: Services, space: str) -> None:
    """Returns when no job of this space is left."""
    for _ in range(300):
        if not await services.list_jobs(space=space, state=None, first=1):
            return
        await asyncio.sleep(0.1)
    raise AssertionError("the queue does not empty")
