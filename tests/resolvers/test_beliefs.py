"""Facts, conflicts, reasons, reviews and the audit, from the query to the ports and back."""

import itertools
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import pytest

from consilience.resolvers.context import Principal
from consilience.resolvers.scalars import print_cursor
from consilience.resolvers.scopes import READ
from consilience.resolvers.seeing import bucket
from consilience.schema.beliefs import ConflictState, Decision, DecisionKind, EntityName
from consilience.schema.domain import Status
from consilience.store.facts import StoredSupersession
from tests.resolvers.asking import ask, codes_of, data_of
from tests.resolvers.belief_fakes import AT, GROUNDS, FakeBeliefs, a_conflict, a_fact
from tests.resolvers.fakes import FakePorts, an_episode

READER = Principal(name="reader", scopes=frozenset({READ}))
WIDE = """query ($n: Int) { facts(first: $n) { totalCount nodes {
  id value status support { events origins contributors needed } subject { name aliases facts(first: 2) { nodes { id } } }
  evidence(first: 3) { totalCount nodes { id text contributor { name } source { key } beliefs(first: 2) { nodes { id } } } }
  supersedes { loser { id value support { events } } grounds { summary } } supersededBy { winner { id } restoredAt }
  conflicts { id state sides { fact { id } reliability support { events } } } } } }"""


def many(count: int) -> FakePorts:
    """`count` facts about as many people, each resting on two episodes, each next one replacing the one before, all in conflicts."""
    facts = [replace(a_fact(n, value=f"Place {n}"), subject=EntityName(f"ent_{n}", f"P{n}")) for n in range(1, count + 1)]
    pairs = [StoredSupersession(b.id, a.id, AT, GROUNDS) for a, b in itertools.pairwise(facts)]
    conflicts = [replace(a_conflict(a.id, b.id), id=f"conf_{a.id}") for a, b in itertools.pairwise(facts)]
    rests_on = {fact.id: [f"ep_{n}", f"ep_{n + 1}"] for n, fact in enumerate(facts, start=1)}
    beliefs = FakeBeliefs(facts=facts, rests_on=rests_on, supersessions=pairs, conflicts=conflicts)
    return FakePorts(episodes=[an_episode(n) for n in range(1, count + 2)], beliefs=beliefs)


@pytest.mark.parametrize("count", [2, 50])
async def test_a_page_of_facts_with_support_supersessions_conflicts_and_evidence_is_a_fixed_number_of_calls(count: int) -> None:
    ports = many(count)
    nodes = data_of(await ask(ports, WIDE, n=50))["facts"]["nodes"]
    assert len(nodes) == count
    assert nodes[0]["supersededBy"][0]["winner"]["id"] in {f"fact_{n}" for n in range(count + 1)}
    assert [len(node["evidence"]["nodes"]) for node in nodes] == [2] * count
    names = sorted(name for name, _ in ports.calls)
    assert set(names) == {
        "page_facts", "list_aliases", "page_about", "page_evidence", "list_episodes", "page_beliefs", "list_supersessions",
        "list_conflicts_of", "list_conflicts", "list_facts",
    }  # fmt: skip
    assert len(names) <= 13, names


async def test_facts_hands_on_every_argument_and_an_empty_filter_stays_one() -> None:
    ports = FakePorts()
    query = """{ facts(space: "work", subject: "Ana", predicate: "lives_in", status: SUPERSEDED, contributor: "ben", first: 7) {
      totalCount } empty: facts(space: "work", subject: "", contributor: "") { totalCount } }"""
    data_of(await ask(ports, query))
    seen = tuple(status for status in Status if status is not Status.WITHHELD)
    assert ports.calls == [
        ("page_facts", ("work", "Ana", "lives_in", (Status.SUPERSEDED,), "ben", 7, None)),
        ("page_facts", ("work", "", None, seen, "", 20, None)),
    ]


async def test_following_the_cursor_leads_through_all_facts_once() -> None:
    ports = FakePorts(beliefs=FakeBeliefs(facts=[a_fact(n) for n in range(1, 6)]))
    query = "query ($after: Cursor) { facts(first: 2, after: $after) { nodes { id } pageInfo { hasNextPage endCursor } } }"
    seen: list[str] = []
    after, more = None, True
    while more:
        found = data_of(await ask(ports, query, after=after))["facts"]
        seen += [node["id"] for node in found["nodes"]]
        after, more = found["pageInfo"]["endCursor"], found["pageInfo"]["hasNextPage"]
    assert seen == [f"fact_{n}" for n in range(1, 6)]


@pytest.mark.parametrize(
    ("count", "shown"),
    [
        (0, 0),
        (1, 1),
        (2, 2),
        (3, 3),
        (4, 3),
        (5, 5),
        (9, 5),
        (10, 10),
        (19, 10),
        (20, 20),
        (49, 20),
        (50, 50),
        (99, 50),
        (100, 100),
        (730, 500),
    ],
)
def test_a_count_is_shown_as_the_lower_bound_of_its_bucket(count: int, shown: int) -> None:
    assert bucket(count) == shown


async def test_a_reader_sees_the_lower_bound_of_support_and_a_curator_the_count() -> None:
    ports = FakePorts(beliefs=FakeBeliefs(facts=[a_fact(1, origins=4)], conflicts=[a_conflict("fact_1")]))
    query = "{ facts { nodes { support { origins events needed } } } conflicts { nodes { sides { support { contributors } } } } }"
    seen = data_of(await ask(ports, query, principal=READER))
    assert seen["facts"]["nodes"] == [{"support": {"origins": 3, "events": 3, "needed": 1}}]
    assert seen["conflicts"]["nodes"] == [{"sides": [{"support": {"contributors": 3}}]}]
    whole = data_of(await ask(ports, query))
    assert whole["facts"]["nodes"] == [{"support": {"origins": 4, "events": 4, "needed": 1}}]


def stopped() -> FakePorts:
    """A fact on two episodes of which one is quarantined, and a quarantined rival."""
    quarantined = replace(an_episode(2, by="eve"), status=Status.QUARANTINED)
    beliefs = FakeBeliefs(
        facts=[a_fact(1), a_fact(2, value="Nice", status=Status.QUARANTINED), a_fact(3, value="Rome", status=Status.WITHHELD)],
        rests_on={"fact_1": ["ep_1", "ep_2"], "fact_2": ["ep_2"]},
        hidden_episodes=["ep_2"],
        conflicts=[a_conflict("fact_1", "fact_2")],
    )
    return FakePorts(episodes=[an_episode(1), quarantined], beliefs=beliefs)


async def test_what_was_stopped_at_the_gate_is_hidden_below_the_curate_scope() -> None:
    """G03, the edge's half. Control: a curator sees it. What is withheld, nobody sees."""
    query = """{ facts { nodes { id evidence { totalCount nodes { id } } } } conflicts { nodes { sides { fact { id } } } }
      fact: memory(id: "fact_2") { id } episode: memory(id: "ep_2") { id } gone: memory(id: "fact_3") { id }
      about: facts(status: QUARANTINED) { totalCount } why(id: "fact_2") { sentence } }"""
    reader = data_of(await ask(stopped(), query, principal=READER))
    assert reader == {
        "facts": {"nodes": [{"id": "fact_1", "evidence": {"totalCount": 1, "nodes": [{"id": "ep_1"}]}}]},
        "conflicts": {"nodes": [{"sides": [{"fact": {"id": "fact_1"}}]}]},
        "fact": None,
        "episode": None,
        "gone": None,
        "about": {"totalCount": 0},
        "why": None,
    }
    curator = data_of(await ask(stopped(), query))
    assert [node["id"] for node in curator["facts"]["nodes"]] == ["fact_1", "fact_2"]
    assert [one["id"] for one in curator["facts"]["nodes"][0]["evidence"]["nodes"]] == ["ep_1", "ep_2"]
    assert [side["fact"]["id"] for side in curator["conflicts"]["nodes"][0]["sides"]] == ["fact_1", "fact_2"]
    assert (curator["fact"], curator["episode"], curator["gone"]) == ({"id": "fact_2"}, {"id": "ep_2"}, None)
    assert curator["about"] == {"totalCount": 1}


async def test_a_quarantined_episode_that_is_reached_another_way_has_no_evidence_for_readers() -> None:
    query = '{ contributor(externalId: "eve") { episodes { nodes { evidence { totalCount nodes { id } } } } } }'
    reader = data_of(await ask(stopped(), query, principal=READER))["contributor"]["episodes"]["nodes"]
    assert reader == [{"evidence": {"totalCount": 0, "nodes": []}}]
    assert data_of(await ask(stopped(), query))["contributor"]["episodes"]["nodes"][0]["evidence"]["totalCount"] == 1


async def test_a_fact_is_a_memory_and_an_episode_names_the_beliefs_that_rest_on_it() -> None:
    ports = FakePorts(episodes=[an_episode(1)], beliefs=FakeBeliefs(facts=[a_fact(1)], rests_on={"fact_1": ["ep_1"]}))
    query = """{ fact: memory(id: "fact_1") { kind text ... on Fact { predicate subject { name aliases facts { totalCount } } } }
      episode: memory(id: "ep_1") { ... on Episode { beliefs { nodes { id kind } } } } none: memory(space: "work", id: "fact_1") { id } }"""
    assert data_of(await ask(ports, query)) == {
        "fact": {
            "kind": "FACT",
            "text": "I live in Lyon.",
            "predicate": "lives_in",
            "subject": {"name": "Ana", "aliases": ["ana duarte"], "facts": {"totalCount": 1}},
        },
        "episode": {"beliefs": {"nodes": [{"id": "fact_1", "kind": "FACT"}]}},
        "none": None,
    }


def explained() -> FakePorts:
    """Lyon replaced Paris; Nice disputes it; a curator confirmed Lyon."""
    episodes = [replace(an_episode(n), occurred_at=AT + timedelta(days=n)) for n in (1, 2)]
    beliefs = FakeBeliefs(
        facts=[a_fact(1, origins=2), a_fact(2, value="Paris", status=Status.SUPERSEDED), a_fact(3, value="Nice", status=Status.TO_VERIFY)],
        rests_on={"fact_1": ["ep_1", "ep_2"]},
        supersessions=[StoredSupersession("fact_1", "fact_2", AT + timedelta(days=3), GROUNDS)],
        conflicts=[replace(a_conflict("fact_1", "fact_3"), opened_at=AT)],
        decisions=[
            Decision("dec_1", DecisionKind.CONFIRM, "lyon", False, 0, AT + timedelta(days=5), "cara"),
            Decision("dec_2", DecisionKind.REJECT, "nice", False, 0, AT + timedelta(days=4), "cara"),
        ],
    )
    return FakePorts(episodes=episodes, beliefs=beliefs)


async def test_why_says_value_voices_channels_what_was_replaced_and_on_what_grounds_and_the_dispute() -> None:
    query = """{ why(id: "fact_1") { sentence memory { id } steps { at what episode { id } contributor { name } source { key } } } }"""
    found = data_of(await ask(explained(), query))["why"]
    assert found["sentence"] == (
        "That Ana lives in “Lyon” is believed (confidence 0.70). It rests on 2 independent voices through user_input. "
        "It replaced “Paris”: It was said later (2026-03-04, decided by time). "
        "It is disputed: “Nice” cannot be true beside it, and nothing decides between them yet."
    )
    steps = found["steps"]
    assert [step["at"] for step in steps] == sorted(step["at"] for step in steps)
    assert [step["episode"] and step["episode"]["id"] for step in steps] == [None, "ep_1", "ep_2", None, None, None]
    assert steps[1]["what"] == "Ana said so through conversation (user_input, trust 0.70)"
    assert (steps[1]["contributor"], steps[1]["source"]) == ({"name": "Ana"}, {"key": "conversation"})
    assert [step["what"] for step in steps[4:]] == ["cara decided about another value of the same", "cara confirmed it"]


@pytest.mark.parametrize(
    ("state", "said"),
    [(ConflictState.SETTLED, "settled by the evidence: It was said later."), (ConflictState.REVIEWED, "settled by a person")],
)
async def test_why_says_how_a_conflict_was_settled(state: ConflictState, said: str) -> None:
    ports = explained()
    ports.beliefs.conflicts = [replace(a_conflict("fact_1", "fact_3", state=state), grounds=GROUNDS)]
    assert said in data_of(await ask(ports, '{ why(id: "fact_1") { sentence } }'))["why"]["sentence"]


async def test_why_names_the_person_whose_decision_replaced_a_fact() -> None:
    ports = explained()
    ports.beliefs.supersessions = [StoredSupersession("fact_1", "fact_2", AT, replace(GROUNDS, decided_by="dec_1"))]
    assert "decided by cara)" in data_of(await ask(ports, '{ why(id: "fact_1") { sentence } }'))["why"]["sentence"]


async def test_why_names_what_a_candidate_waits_for_and_what_is_suspect() -> None:
    waiting = replace(a_fact(1, status=Status.CANDIDATE), reason="COSTLY", suspect=("INSTRUCTION_LIKE",), negated=True)
    ports = FakePorts(beliefs=FakeBeliefs(facts=[waiting]))
    sentence = data_of(await ask(ports, '{ why(id: "fact_1") { sentence } }'))["why"]["sentence"]
    assert sentence.startswith("That it is not so that Ana lives in “Lyon” waits for more independent support or for a review (")
    assert "(confidence 0.70): it would be costly to be wrong." in sentence
    assert sentence.endswith("It reads like an instruction.")


async def test_a_readers_sentence_has_no_exact_number_of_voices_from_three_on() -> None:
    ports = FakePorts(beliefs=FakeBeliefs(facts=[a_fact(1, origins=4)]))
    query = '{ why(id: "fact_1") { sentence } }'
    assert "rests on at least 3 independent voices" in data_of(await ask(ports, query, principal=READER))["why"]["sentence"]
    assert "rests on 4 independent voices" in data_of(await ask(ports, query))["why"]["sentence"]


async def test_why_of_an_episode_says_who_said_it_and_what_came_of_it() -> None:
    query = '{ why(id: "ep_1") { sentence memory { id } steps { what episode { id } } } gone: why(id: "ep_9") { sentence } }'
    answer = data_of(await ask(explained(), query))
    assert answer["gone"] is None
    assert answer["why"]["sentence"] == (
        "Ana said this through conversation (user_input, trust 0.70) on 2026-03-02 in the session “monday”. 1 belief rests on it."
    )
    assert [step["what"] for step in answer["why"]["steps"]] == [
        "the service recorded it",
        "it supports: That Ana lives in “Lyon” (ACTIVE)",
        "Ana said it through conversation (user_input, trust 0.70)",
    ]


async def test_conflicts_hands_on_its_filters_and_shows_both_sides() -> None:
    ports = explained()
    query = """{ conflicts(state: OPEN, about: "Ana") { totalCount nodes { id predicate subject { name } sides {
      reliability freshness consistency fact { value status } } } } }"""
    found = data_of(await ask(ports, query))["conflicts"]
    assert ("page_conflicts", ("default", ConflictState.OPEN, "Ana", 20, None)) in ports.calls
    measures = {"reliability": 0.7, "freshness": 1.0, "consistency": 0.5}
    assert found["nodes"][0]["sides"] == [
        {**measures, "fact": {"value": "Lyon", "status": "ACTIVE"}},
        {**measures, "fact": {"value": "Nice", "status": "TO_VERIFY"}},
    ]


async def test_the_review_queue_holds_what_waits_with_its_reason() -> None:
    ports = FakePorts(beliefs=FakeBeliefs(facts=[a_fact(1), replace(a_fact(2, status=Status.CANDIDATE), reason="COSTLY")]))
    query = "{ reviewQueue { totalCount nodes { id reason memory { id } support { events } } } }"
    assert data_of(await ask(ports, query))["reviewQueue"] == {
        "totalCount": 1,
        "nodes": [{"id": "fact_2", "reason": "COSTLY", "memory": {"id": "fact_2"}, "support": {"events": 1}}],
    }


async def test_decisions_hand_on_the_note_and_who_decides_and_answer_what_was_changed() -> None:
    ports = FakePorts(beliefs=FakeBeliefs(facts=[a_fact(1)]))
    query = """mutation { review(item: "fact_1", decision: REJECT, note: "checked") { ... on Updated { memories { id } } }
      resolveConflict(conflict: "conf_1", winner: "fact_1") { ... on Updated { memories { id } } }
      restoreFact(fact: "fact_9") { ... on Updated { memories { id } } } }"""
    answer = data_of(await ask(ports, query))
    assert [len(answer[name]["memories"]) for name in ("review", "resolveConflict", "restoreFact")] == [1, 1, 0]
    assert [call for call in ports.calls if call[0] != "list_facts"] == [
        ("review", ("fact_1", "default", False, "checked", "local")),
        ("resolve_conflict", ("conf_1", "default", "fact_1", None, "local")),
        ("restore_fact", ("fact_9", "default", None, "local")),
    ]


def pages_of(last: int) -> Iterator[tuple[str | None, list[int]]]:
    yield None, [1, 2]
    yield print_cursor("2"), [3]
    yield print_cursor(str(last)), []


async def test_the_audit_is_paged_by_sequence_number() -> None:
    query = "query ($after: Cursor) { audit(first: 2, after: $after) { nodes { seq action target } pageInfo { hasNextPage endCursor } } }"
    for after, wanted in pages_of(3):
        found = data_of(await ask(FakePorts(), query, after=after))["audit"]
        assert [node["seq"] for node in found["nodes"]] == wanted
        assert found["pageInfo"]["hasNextPage"] is (wanted == [1, 2])


@pytest.mark.parametrize("inside", ["fact_1", "-1", "1" * 19, "²"])
async def test_a_cursor_of_another_listing_is_refused_by_the_audit(inside: str) -> None:
    ports = FakePorts()
    answer = await ask(ports, "query ($after: Cursor) { audit(after: $after) { nodes { seq } } }", after=print_cursor(inside))
    assert codes_of(answer) == ["INVALID_INPUT"]
    assert ports.calls == []
