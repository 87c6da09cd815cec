"""What the benchmarks of belief count, on cases small enough to count by hand."""

import asyncio
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pytest

from bench.beam import LONGEST, newer_above, pieces, shown
from bench.corpora.beam import CONTRADICTION, Asked, Message
from bench.corpora.memorygraft import Experience, Seeds
from bench.corpora.poisonedrag import Target
from bench.corpora.precisionmembench import Case
from bench.hops import answer, named
from bench.memorygraft import AGENT, NOTE, TRACES, WEB, as_episodes
from bench.page_beliefs import SECTIONS
from bench.poisonedrag import Outcome, knowledge, planted, summary
from bench.precisionmembench import Found
from bench.served import Fact, Name
from consilience.clock import utc_now
from consilience.schema.domain import Role, Status

ASKED = Asked(CONTRADICTION, "?", frozenset({1}), frozenset({9}))


def a_fact(subject: str, predicate: str, value: str) -> Fact:
    return Fact(f"{subject}-{predicate}-{value}", f"{subject} {value}", Status.ACTIVE, predicate, value, False, Name(subject, subject))


@pytest.mark.parametrize(
    ("found", "above"),
    [([{4}, {9}, {1}], True), ([{1}, {9}], False), ([{4}], False), ([{1, 9}], True), ([], False)],
)
def test_newer_is_above_older_only_if_it_is_found_first(found: list[set[int]], above: bool) -> None:
    assert newer_above([frozenset(hit) for hit in found], ASKED) is above


@pytest.mark.parametrize(("sides", "seen"), [([{1}, {9}], True), ([{9}, {3}, {1}], True), ([{1, 9}, {3}], False), ([{1}, {3}], False)])
def test_a_contradiction_is_shown_only_with_its_statements_on_two_sides(sides: list[set[int]], seen: bool) -> None:
    assert shown(ASKED, [tuple(frozenset(side) for side in sides)]) is seen


def test_pieces_of_a_long_message_are_whole_together_and_short_enough() -> None:
    text = "\n\n".join(f"paragraph {number} " + "word " * 200 for number in range(40)) + "x" * 20_000
    cut = list(pieces(Message(0, True, text, utc_now())))
    assert all(0 < len(piece) <= LONGEST for piece in cut)
    assert "".join("".join(cut).split()) == "".join(text.split())


class _Letters:
    """Vectors of letter counts: near where the words are the same."""

    def embed(self, texts: Sequence[str], /) -> npt.NDArray[np.float32]:
        rows = np.array([[text.count(letter) for letter in "abcdefghijklmnopqrstuvwxyz"] for text in texts], dtype=np.float32)
        vectors: npt.NDArray[np.float32] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return vectors


def test_a_question_over_two_facts_is_answered_by_following_the_first_ones_value() -> None:
    known = {
        "Emma": [a_fact("Emma", "author", "Jane"), a_fact("Emma", "language", "English")],
        "Jane": [a_fact("Jane", "birth_place", "Steventon"), a_fact("Jane", "works_at", "Home")],
    }

    async def facts_of(name: str) -> Sequence[Fact]:
        return known.get(name, [])

    async def asked(hops: int) -> str | None:
        question = "What is the birth place of the author of Emma?"
        path = await answer(question, known["Emma"], embedder=_Letters(), facts_of=facts_of, hops=hops)
        return path.facts[-1].value if path else None

    assert asyncio.run(asked(3)) == "Steventon"
    assert asyncio.run(asked(1)) != "Steventon"


def test_the_longest_name_in_the_question_is_the_one_it_is_about() -> None:
    facts = [a_fact(name, "p", "v") for name in ("York", "New York", "Bath")]
    assert named("Who runs New York?", facts) == ["New York"]


def test_planted_experiences_come_back_by_the_agent_that_read_the_note() -> None:
    one = Experience("x", "How?", "So.", ("p",))
    episodes = {episode.external_id: episode for episode in as_episodes(Seeds("note", (Experience("b", "q", "a"),), (one,)), equal=False)}
    note, back, sound = episodes[NOTE], episodes["x"], episodes["b"]
    assert (note.source, note.contributor == AGENT) == (WEB, False)
    assert (back.source, back.role, back.session, dict(back.metadata)) == (TRACES, Role.ASSISTANT, note.session, {"upstream": NOTE})
    assert (sound.source, sound.metadata) == (TRACES, ())
    assert sound.occurred_at is not None
    assert note.occurred_at is not None
    assert sound.occurred_at < note.occurred_at


def test_five_accounts_plant_one_text_each_after_everything_else() -> None:
    target = Target("t", "why?", "this", "that", ("1", "2", "3", "4", "5"))
    right, wrong = list(knowledge([target], equal=False)), list(planted([target], question_first=False))
    assert len({episode.contributor for episode in wrong}) == 5
    assert {episode.source for episode in right} != {episode.source for episode in wrong}
    assert max(one.occurred_at for one in right if one.occurred_at) < min(one.occurred_at for one in wrong if one.occurred_at)


def test_the_planted_share_is_a_mean_over_questions() -> None:
    found = summary([Outcome("nq", 0.8, True), Outcome("nq", 0.0, False)], seed=1)
    assert (found["planted_share"], found["correct_kept"]) == (40.0, 50.0)


@pytest.mark.parametrize(
    ("only", "ids", "passed", "precision"),
    [
        ({"a"}, {"a"}, True, 1.0),
        ({"a"}, {"a", "b"}, False, 0.5),
        ({"a"}, set[str](), False, 0.0),
        (set[str](), set[str](), True, None),
        (set[str](), {"b"}, False, 0.0),
    ],
)
def test_precision_is_of_what_was_handed_over(only: set[str], ids: set[str], passed: bool, precision: float | None) -> None:
    case = Case("c", "x", "u", ("s",), "q", frozenset(only), frozenset(), None)
    found = Found(case, frozenset(ids))
    assert (found.passed, found.precision) == (passed, precision)


def test_a_row_of_the_page_has_its_interval_in_brackets_and_blanks_for_what_is_not_known() -> None:
    table = SECTIONS["poisonedrag"].table({"planted_share": 7.04, "planted_share_low": 5.0, "planted_share_high": 9.0}, {})
    assert table.splitlines()[-1] == "| all | 7.0 (5.0-9.0) |  |"
