"""From candidates to a ranked list."""

import dataclasses
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from consilience.retrieval.bm25 import WordStats
from consilience.retrieval.cues import Cues, cues
from consilience.retrieval.question import Person, analyse
from consilience.retrieval.ranking import Candidate, Neighbour, choose, rank
from consilience.retrieval.recipes import ASSISTANT, BALANCED, DIALOGUE, RECIPES
from consilience.schema.domain import Role
from consilience.text.words import words

NOW = datetime(2026, 6, 1, tzinfo=UTC)
PEOPLE = (Person("con_anna", ("Anna",)), Person("con_ben", ("Ben",)))


def said(name: str, text: str, **other: object) -> Candidate:
    given = {
        "cosine": 0.3,
        "occurred_at": NOW - timedelta(days=10),
        "confidence": 0.5,
        "contributor_id": "con_anna",
        "cues": cues(text),
    } | other
    return Candidate(id=name, words=words(text), **given)  # type: ignore[arg-type]


def order(query: str, *candidates: Candidate, recipe: str = "dialogue", **options: bool) -> list[str]:
    stats = WordStats()
    for candidate in candidates:
        stats.add(candidate.words)
    hits = rank(analyse(query, people=PEOPLE, asker="con_anna"), candidates, stats, recipe=recipe, now=NOW, first=100, **options)
    return [hit.candidate.id for hit in hits]


CANDIDATES = st.lists(
    st.builds(
        Candidate,
        id=st.uuids().map(str),
        words=st.lists(st.sampled_from(["potteri", "class", "tea", "北京", "sr-1"]), max_size=200).map(" ".join),
        cosine=st.none() | st.floats(-1, 1),
        occurred_at=st.datetimes(timezones=st.just(UTC)),
        confidence=st.floats(0, 1),
        contributor_id=st.sampled_from([None, "con_anna", "con_ben"]),
        role=st.sampled_from(Role),
        cues=st.builds(Cues, st.booleans(), st.floats(0, 1), st.booleans(), st.booleans()),
        neighbours=st.lists(
            st.builds(Neighbour, st.sampled_from([-2, -1, 1, 2]), st.sampled_from(["potteri class", "tea", ""]), st.floats(0, 1)),
            max_size=4,
        ).map(tuple),
    ),
    max_size=8,
    unique_by=lambda candidate: candidate.id,
)
QUERIES = st.sampled_from(["Which pottery class did Anna take in May 2023?", "Where is my tea?", "北京", "SR-1", "", "When?"])


@given(CANDIDATES, QUERIES, st.sampled_from(["auto", *RECIPES]), st.integers(1, 10), st.randoms())
def test_every_score_and_part_is_a_share_and_the_order_of_candidates_does_not_matter(
    candidates: list[Candidate], query: str, recipe: str, first: int, chance: object
) -> None:
    stats = WordStats()
    for candidate in candidates:
        stats.add(candidate.words)
    question = analyse(query, people=PEOPLE, asker="con_anna")
    hits = rank(question, candidates, stats, recipe=recipe, now=NOW, first=first)
    assert len(hits) == min(first, len(candidates))
    assert len({hit.candidate.id for hit in hits}) == len(hits)
    for hit in hits:
        assert all(
            0.0 <= share <= 1.0 for share in (hit.score, hit.parts.meaning, hit.parts.words, hit.parts.recency, hit.parts.confidence)
        )
    mixed = sorted(candidates, key=lambda candidate: candidate.id[::-1])
    assert rank(question, mixed, stats, recipe=recipe, now=NOW, first=first) == hits


def test_balanced_is_the_weighted_sum_of_its_four_parts() -> None:
    """S60."""
    stats = WordStats()
    stats.add("tea")
    (hit,) = rank(analyse("Who drinks tea?"), [said("a", "tea", cosine=0.4, confidence=0.8)], stats, recipe="balanced", now=NOW, first=1)
    parts = hit.parts
    assert hit.score == pytest.approx(0.5 * parts.meaning + 0.2 * parts.words + 0.2 * parts.recency + 0.1 * parts.confidence)
    assert parts.meaning == pytest.approx(0.4)
    assert parts.confidence == 0.8
    assert 0 < parts.words < 1


@pytest.mark.parametrize(
    ("query", "recency", "first"),
    [
        ("Which tea does she like?", True, "new"),
        ("Which tea did she like then?", True, "old"),
        ("她当时喜欢喝什么茶 tea？", True, "old"),
        ("Which tea did she buy in May 2025?", True, "old"),
        ("Which tea does she like?", False, "old"),
    ],
)
def test_age_weighs_unless_the_question_is_about_the_past(query: str, first: str, *, recency: bool) -> None:
    """S37: the older one is a little nearer, the newer one wins only where age counts."""
    old = said("old", "She likes green tea.", cosine=0.42, occurred_at=NOW - timedelta(days=300))
    new = said("new", "She likes green tea.", cosine=0.40, occurred_at=NOW - timedelta(days=1))
    assert order(query, old, new, recipe="balanced", recency=recency)[0] == first


@pytest.mark.parametrize("recipe", ["dialogue", "assistant"])
def test_the_words_of_the_person_asked_about_come_first(recipe: str) -> None:
    anna, ben = said("anna", "Pottery is fun."), said("ben", "Pottery is fun.", contributor_id="con_ben")
    assert order("What does Ben think of pottery?", anna, ben, recipe=recipe) == ["ben", "anna"]
    assert order("What does Anna think of pottery?", anna, ben, recipe=recipe) == ["anna", "ben"]
    assert order("What do I think of pottery?", ben, anna, recipe=recipe) == ["anna", "ben"]


def test_an_answer_is_found_by_the_question_before_it() -> None:
    asked = "Which pottery class did you take?"
    answer = said("z", "The one on Mondays.", neighbours=(Neighbour(-1, words(asked), 1.0),))
    other = said("a", "The one on Mondays.")
    assert order("Which pottery class did Anna take?", answer, other) == ["z", "a"]
    assert order("Which pottery class did Anna take?", answer, other, recipe="assistant") == ["a", "z"]


def test_the_best_stretch_of_a_long_text_speaks_for_it() -> None:
    long = said("long", "We talked about the weather and the garden. " * 40 + "The pottery class is on Monday. " + "Then we left. " * 40)
    short = said("short", "The class was full, they told us at the door.")
    assert order("Which pottery class?", long, short, recipe="assistant")[0] == "long"


def test_identifiers_weigh_more_than_other_words() -> None:
    stats = WordStats()
    for text in ("sr-1", "leak", "other"):
        stats.add(text)
    question = analyse("Is SR-1 about the leak?")
    hits = rank(question, [said("a", "leak"), said("z", "SR-1")], stats, recipe="assistant", now=NOW, first=2)
    assert [hit.candidate.id for hit in hits] == ["z", "a"]


@pytest.mark.parametrize(
    ("query", "first"),
    [("When is the pottery class?", "time"), ("Where is the pottery class?", "place"), ("What about the class in July 2023?", "date")],
)
def test_time_place_and_date_are_preferred_where_they_are_asked_for(query: str, first: str) -> None:
    candidates = (
        said("time", "The pottery class is tomorrow."),
        said("place", "The pottery class is in Berlin."),
        said("date", "The pottery class is great.", occurred_at=datetime(2023, 7, 4, tzinfo=UTC)),
    )
    assert order(query, *candidates)[0] == first


def test_the_nearest_of_another_script_get_the_second_and_fourth_rank() -> None:
    english = [said(f"en{at}", "The pottery class is full.", cosine=0.2 - at / 100) for at in range(6)]
    chinese = [said(f"zh{at}", "陶艺课已经满了。", cosine=0.35 - at / 100) for at in range(3)]
    found = order("Which pottery class is full?", *english, *chinese)
    assert [name[:2] for name in found[:5]] == ["en", "zh", "en", "zh", "en"]
    assert [found[1], found[3]] == ["zh0", "zh1"]
    assert order("Which pottery class is full?", *english) == [f"en{at}" for at in range(6)]


def test_auto_takes_dialogue_only_where_people_speak_with_one_another() -> None:
    anna, ben = said("a", "tea", session_id="ses_1"), said("b", "tea", contributor_id="con_ben", session_id="ses_1")
    assert choose([anna, ben]) is DIALOGUE
    assert choose([anna, ben] * 5 + [dataclasses.replace(ben, role=Role.ASSISTANT)]) is DIALOGUE
    assert choose([anna, dataclasses.replace(ben, role=Role.ASSISTANT)]) is ASSISTANT
    assert choose([anna]) is choose([anna, dataclasses.replace(ben, session_id="ses_2")]) is choose([]) is ASSISTANT


def test_the_parts_of_balanced_add_up_to_a_hundred() -> None:
    """S60."""
    assert (BALANCED.meaning, BALANCED.words, BALANCED.recency, BALANCED.confidence, BALANCED.most) == (50, 20, 20, 10, 100)


def test_an_unknown_recipe_is_an_error() -> None:
    with pytest.raises(KeyError):
        rank(analyse("tea"), [], WordStats(), recipe="none", now=NOW, first=1)
