"""A question taken apart."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from consilience.retrieval.dates import DateMention
from consilience.retrieval.question import Person, analyse
from consilience.text.words import words

PEOPLE = (
    Person("con_caroline", ("Caroline Smith", "caroline")),
    Person("con_melanie", ("Melanie",)),
    Person("con_will", ("Will Brown",)),
    Person("con_support", ("Support", "support-agent-7")),
    Person("con_zhao", ("赵雅琳", "yalin")),
    Person("con_li", ("李雷",)),
)
ANY_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=120)


@given(ANY_TEXT)
def test_any_text_can_be_asked(text: str) -> None:
    question = analyse(text, people=PEOPLE, asker="con_me")
    assert set(question.identifiers) <= set(question.words)
    assert question.lookup == " ".join(question.lookup.split())
    assert bool(question.lookup) == bool(words(text))
    assert bool(question.embed_text.strip()) == bool(text.strip())


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ("What did Caroline Smith say?", ["con_caroline"]),
        ("What did Caroline's sister say?", ["con_caroline"]),
        ("where does melanie live", ["con_melanie"]),
        ("What does Mel like?", ["con_melanie"]),
        ("Did Caroline meet Mel?", ["con_caroline", "con_melanie"]),
        ("Where does Will live?", ["con_will"]),
        ("赵雅琳什么时候去的北京？", ["con_zhao"]),
        ("雅琳住在哪里？", ["con_zhao"]),
        ("小李喜欢什么？", ["con_li"]),
        # Controls: an ordinary word, an address, somebody unknown, a word that begins like a name in small letters.
        ("Will she come?", []),
        ("Who wrote to caroline@mail.com?", []),
        ("What did Bernard say?", []),
        ("Which car is faster, and who sold the mel?", []),
        ("How good is the agent?", []),
    ],
)
def test_people_are_known_by_full_and_short_names(query: str, named: list[str]) -> None:
    assert list(analyse(query, people=PEOPLE).people) == named


def test_a_form_that_fits_two_people_names_neither() -> None:
    twins = (Person("con_1", ("Anna Berg",)), Person("con_2", ("Anna Roth",)))
    assert analyse("What did Anna say?", people=twins).people == ()
    assert analyse("What did Anna Roth say?", people=twins).people == ("con_2",)


@pytest.mark.parametrize(
    ("query", "speaker"),
    [
        ("What does Melanie paint?", "con_melanie"),
        ("What is my phone number?", "con_me"),
        ("我住在哪里？", "con_me"),
        ("What did Melanie tell me?", "con_melanie"),
        ("Did Caroline meet Melanie?", None),
        ("Who paints?", None),
        ("我们什么时候开会？", None),
    ],
)
def test_the_speaker_is_the_one_named_or_else_the_asker_who_speaks_of_himself(query: str, speaker: str | None) -> None:
    assert analyse(query, people=PEOPLE, asker="con_me").speaker == speaker


@pytest.mark.parametrize(
    ("query", "embedded"),
    [
        ("When did Caroline go to the support group?", "go to the support group"),
        ("What's Melanie's favourite colour?", "favourite colour"),
        ("赵雅琳什么时候去的北京？", "去的北京"),
        ("Who are they?", "they"),
        ("Who?", "Who?"),
    ],
)
def test_question_words_and_names_are_not_embedded(query: str, embedded: str) -> None:
    assert analyse(query, people=PEOPLE).embed_text == embedded


def test_names_are_kept_apart_from_the_words_and_looked_up_when_there_is_nothing_else() -> None:
    question = analyse("Which pottery class did Melanie take?", people=PEOPLE)
    assert question.words == ("potteri", "class")
    assert question.name_words == ("melani",)
    assert question.lookup == "potteri class"


def test_identifiers_are_seen() -> None:
    question = analyse("Is SR-2023-052 fixed in v1.2.3, as jo@mail.com wrote in 2023?")
    assert set(question.identifiers) == {"sr-2023-052", "v1.2.3", "jo@mail.com"}


@pytest.mark.parametrize(
    ("query", "past", "when", "where"),
    [
        ("What did I say then?", True, False, False),
        ("我当时说了什么？", True, False, False),
        ("When is the meeting?", False, True, False),
        ("会议是什么时候？", False, True, False),
        ("Which city does she live in?", False, False, True),
        ("她住在哪里？", False, False, True),
        ("What does she like?", False, False, False),
        ("她喜欢什么？", False, False, False),
    ],
)
def test_past_time_and_place_are_told_apart(query: str, *, past: bool, when: bool, where: bool) -> None:
    question = analyse(query)
    assert (question.asks_past, question.asks_when, question.asks_where) == (past, when, where)


@pytest.mark.parametrize(
    ("query", "dates"),
    [
        ("What happened on 3 July 2023?", [(2023, 7, 3)]),
        ("What happened on July 3rd, 2023?", [(2023, 7, 3)]),
        ("What happened on 2023-07-03?", [(2023, 7, 3)]),
        ("2023年7月3日发生了什么？", [(2023, 7, 3)]),
        ("7月3号发生了什么？", [(None, 7, 3)]),
        ("What happened in May 2023 and in June?", [(2023, 5, None), (None, 6, None)]),
        ("What happened in 2022?", [(2022, None, None)]),
        ("2022年发生了什么？", [(2022, None, None)]),
        ("May I ask who sold 2023 pieces of order SR-2023-052?", [(2023, None, None)]),
        ("What happened yesterday?", []),
    ],
)
def test_dates_are_read_as_far_as_they_are_named(query: str, dates: list[tuple[int | None, int | None, int | None]]) -> None:
    assert list(analyse(query).dates) == [DateMention(*date) for date in dates]


def test_a_thousand_people_are_looked_through_in_little_time() -> None:
    people = [Person(f"con_{at}", (f"Name{at} Family{at}", f"user-{at}")) for at in range(1000)]
    start = time.perf_counter()
    analyse("What did Caroline's sister say about Mel in July 2023?", people=people)
    assert time.perf_counter() - start < 0.1
