"""The write gate and the use gate: what is kept out of what, and what a release leaves in the audit (G01, G03, G04)."""

from datetime import timedelta

import pytest

from consilience.app.service import Services
from consilience.schema.audit import AuditEvent
from consilience.schema.domain import MemoryKind, Risk, Status, Wait
from consilience.schema.migrations import vector_label, words_index, words_label
from consilience.store.audit import verify_chain
from tests.acceptance.believing import CURATOR, by_value, facts, on, register
from tests.acceptance.saying import ask_all, count, ids, said, settle, store, texts

FLOORS = {Risk.LOW: 0.3, Risk.MEDIUM: 0.5, Risk.HIGH: 0.8}


async def test_the_floors_are_exact(services: Services, space: str) -> None:
    """G01: at .3, .5 and .8 served, just below not; episodes and facts alike. Control: each is served at a lower risk."""
    trusts = [0.29, 0.3, 0.49, 0.5, 0.79, 0.8]
    await register(services, space, **{f"s{trust}": ("internal_tool", trust) for trust in trusts})
    people = dict(zip(trusts, ["Ana", "Ben", "Cleo", "Dora", "Emil", "Fritz"], strict=True))
    await settle(
        services,
        space,
        *(said(f"{who} works at Acme.", by=who.lower(), source=f"s{trust}", occurred_at=on(2026)) for trust, who in people.items()),
    )
    for risk, floor in FLOORS.items():
        found = texts(await ask_all(services, space, "Who works at Acme?", first=40, risk=risk))
        served = {trust for trust, who in people.items() if any(who in text for text in found)}
        assert served == {trust for trust in trusts if trust >= floor}, risk


async def quarantined(services: Services, space: str) -> tuple[str, str]:
    """A trusted record and user input against it; ids of the quarantined fact and of its episode."""
    await register(services, space, tool="internal_tool")
    await settle(services, space, said("Ana works at Acme.", by="k1", source="tool", occurred_at=on(2026, 1, 1)))
    against = said("Ana works at Globexquux.", by="u1", occurred_at=on(2026, 1, 2))
    stored = await store(services, space, against, wait=Wait.SETTLED)
    assert (stored.quarantined, stored.episodes[0].status) == (1, Status.QUARANTINED)
    return (await by_value(services, space))["Globexquux"].id, stored.episodes[0].id


async def test_quarantined_text_is_in_no_index_and_no_answer(services: Services, space: str) -> None:
    """G03: not in the answers at any risk, not by its rare word, not by its own vector, in neither index.

    Control: released by a curator it is in all of them.
    """
    fact, episode = await quarantined(services, space)

    async def found() -> set[str]:
        answers = [
            await ask_all(services, space, query, first=40) for query in ("Ana works at Globexquux.", "globexquux", "Who works where?")
        ]
        words = await services.store.read(
            "CALL db.index.fulltext.queryNodes($index, 'globexquux') YIELD node AS n WHERE n.space = $space RETURN n.id AS id",
            index=words_index(space),
            space=space,
        )
        labels = [words_label(space), vector_label(services.embedder.dimensions)]
        labelled = await services.store.read(
            "MATCH (n {space: $space}) WHERE n.id IN $ids AND any(label IN labels(n) WHERE label IN $labels) RETURN n.id AS id",
            space=space,
            ids=[fact, episode],
            labels=labels,
        )
        return ({id_ for answer in answers for id_ in ids(answer)} | {row["id"] for row in [*words, *labelled]}) & {fact, episode}

    assert await found() == set()
    for risk in (Risk.MEDIUM, Risk.HIGH):
        assert not {fact, episode} & set(ids(await ask_all(services, space, "globexquux", first=40, risk=risk)))
    await services.review(fact, space=space, confirm=True, note=None, actor=CURATOR)
    assert await found() == {fact, episode}


@pytest.mark.parametrize(("confirm", "decision", "status"), [(True, "DECISION_CONFIRM", "ACTIVE"), (False, "DECISION_REJECT", "RETRACTED")])
async def test_release_and_reject_are_audited_with_confidence_before_and_after(
    services: Services, space: str, confirm: bool, decision: str, status: str
) -> None:
    """G04: who, what and both confidences, in a chain that verifies, without a word of the text.

    Control: before it there is no such event.
    """
    fact, _ = await quarantined(services, space)
    before = (await services.beliefs.list_facts([fact], space=space))[fact]
    events = await audit(services, space)
    assert not [event for event in events if event.act.action == decision]

    await services.review(fact, space=space, confirm=confirm, note=None, actor=CURATOR)
    after = (await services.beliefs.list_facts([fact], space=space))[fact]
    assert after.status.value == status
    new = (await audit(services, space))[len(events) :]
    (decided,) = [event for event in new if event.act.action == decision]
    assert (decided.act.actor, decided.act.target, decided.act.confidence_before) == (CURATOR, fact, before.confidence)
    (settled,) = [event for event in new if event.act.target == fact and event.act.action == f"FACT_{status}"]
    assert (settled.act.confidence_before, settled.act.confidence_after) == (before.confidence, after.confidence)
    assert (after.confidence > before.confidence) is confirm
    assert "Globexquux" not in repr(new)
    assert await verify_chain(services.store, space=space) is None


async def test_an_episode_with_one_quarantined_vote_supports_with_its_others(services: Services, space: str) -> None:
    """G03: its text is out of reach, what else it says still counts. Control: alone it would be served."""
    await register(services, space, tool="internal_tool")
    await settle(services, space, said("Ana works at Acme.", by="k1", source="tool", occurred_at=on(2026, 1, 1)))
    await settle(services, space, said("Ana works at Globex. Ben lives in Rome.", by="u1", occurred_at=on(2026, 1, 2)))
    found = await by_value(services, space)
    assert (found["Globex"].status, found["Rome"].status) == (Status.QUARANTINED, Status.ACTIVE)
    answer = ids(await ask_all(services, space, "Where does Ben live?", first=20, kinds=(MemoryKind.FACT,)))
    assert found["Rome"].id in answer
    rows = await services.store.read("MATCH (e:Episode {space: $space}) WHERE e.status = 'QUARANTINED' RETURN e.id AS id", space=space)
    assert not {row["id"] for row in rows} & set(answer)
    assert len(rows) == 1


async def test_the_review_queue_holds_what_waits_and_nothing_else(services: Services, space: str) -> None:
    """G04: quarantined, disputed and costly claims wait there; decided ones leave. Control: an ordinary fact is never in it."""
    fact, _ = await quarantined(services, space)
    await settle(services, space, said("Ben lives in Rome.", by="u2", occurred_at=on(2026, 1, 3)))
    page = await services.beliefs.page_reviews(space=space, first=20, after=None)
    assert list(page.nodes) == [fact]
    await services.review(fact, space=space, confirm=False, note=None, actor=CURATOR)
    assert list((await services.beliefs.page_reviews(space=space, first=20, after=None)).nodes) == []
    again = said("Ana works at Globexquux.", by="u1", occurred_at=on(2026, 1, 4) + timedelta(hours=1))
    await settle(services, space, again)
    assert [one.status for one in await facts(services, space, predicate="works_at") if one.value == "Acme"] == [Status.ACTIVE]


async def audit(services: Services, space: str) -> list[AuditEvent]:
    assert await count(services.store, "AuditEvent", space=space) < 200
    return list((await services.beliefs.list_events(space=space, first=200, after=0)).nodes)
