"""One analysis for storing and asking."""

import re
import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from consilience.text.words import LONGEST_TOKEN, MOST_QUERY_TOKENS, query_words, words

# Nothing in it is syntax to Lucene's query parser, which is all ASCII: small letters, digits, and inner . _ - @ only.
SAFE = re.compile(r"(?:[a-z0-9]|[^\x00-\x7f\s])(?:[a-z0-9._@-]|[^\x00-\x7f\s])*")
ANY_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=200)
LATIN = st.text("abcdefghijklmnop ABC'.,-é", max_size=60)
QUERY_SYNTAX = st.text('+-&|!(){}[]^"~*?:\\/<>= ANDORTabc12', max_size=60)


@given(ANY_TEXT | QUERY_SYNTAX)
def test_any_text_gives_only_tokens_that_lucene_cannot_read_as_syntax(text: str) -> None:
    for token in words(text).split(" "):
        assert token == "" or SAFE.fullmatch(token)
        assert len(token) <= LONGEST_TOKEN
        assert token not in {"AND", "OR", "NOT", "TO"}


@given(ANY_TEXT)
def test_the_words_are_joined_by_single_blanks(text: str) -> None:
    assert words(text) == " ".join(words(text).split())


@given(ANY_TEXT)
def test_a_question_asks_only_for_words_that_storing_the_same_text_would_index(text: str) -> None:
    asked = query_words(text).split()
    assert set(asked) <= set(words(text).split())
    assert len(asked) == len(set(asked)) <= MOST_QUERY_TOKENS
    assert bool(asked) == bool(words(text))


@given(ANY_TEXT)
def test_composed_decomposed_and_compatible_forms_are_one(text: str) -> None:
    """A17."""
    for form in ("NFC", "NFD", "NFKC", "NFKD"):
        assert words(unicodedata.normalize(form, text)) == words(text)


@given(LATIN, LATIN)
def test_words_of_spaced_scripts_do_not_depend_on_their_surroundings(a: str, b: str) -> None:
    assert words(f"{a} | {b}").split() == words(a).split() + words(b).split()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ＡＢＣ１２３", "abc123"),
        ("STRASSE", "straße"),
        ("Café", "cafe\u0301"),
        ("José", "jose"),
        ("soft\u00adhyphen", "softhyphen"),
        ("Caroline's", "Caroline"),
        ("Caroline’s", "Caroline"),
        ("running", "runs"),
        ("1,000", "1000"),
        ("我們在臺灣的圖書館", "我们在台湾的图书馆"),
    ],
)
def test_what_reads_the_same_is_indexed_the_same(one: str, other: str) -> None:
    """A17, with a control: another word stays another word."""
    assert words(one) == words(other) != ""
    assert words(one) != words("elsewhere")


@pytest.mark.parametrize("code", ["sr-2023-052", "v1.2.3", "john.doe@mail.com", "2023-10-05", "3.14", "gpt-4", "x_1"])
def test_identifiers_numbers_and_addresses_are_kept_whole(code: str) -> None:
    assert code in words(f"see {code.upper()}, please.").split()


@pytest.mark.parametrize(
    ("text", "token"), [("C++", "cplusplus"), ("C#", "csharp"), ("at 10:30", "10-30"), ("covid-19", "covid"), ("5kg", "5kg")]
)
def test_special_spellings_stay_findable(text: str, token: str) -> None:
    assert token in words(text).split()


def test_chinese_gives_dictionary_words_and_pairs() -> None:
    """O8: Chinese stays Chinese."""
    found = words("我喜欢在图书馆学习").split()
    assert {"喜欢", "图书馆", "学习", "图书", "书馆"} <= set(found)
    assert found.count("喜欢") == 1


def test_a_chinese_question_loses_its_question_words_only() -> None:
    assert query_words("你什么时候去北京图书馆?").split() == ["北京", "京图", "图书", "图书馆", "书馆"]


@pytest.mark.parametrize(
    ("text", "found"),
    [("東京タワー", "東"), ("안녕하세요", "안녕"), ("Привет мирами", "мир"), ("हिन्दी भाषा", "भाषा"), ("שלום עולם", "שלום")],
)
def test_other_scripts_are_indexed_too(text: str, found: str) -> None:
    simple = {"東": "东京"}.get(found, found)
    assert any(token.startswith(simple) for token in words(text).split())


@pytest.mark.parametrize("text", ["", " ", "\n\t", "👍🎉", "…!?", "\u200b\u200d", "\x01\x02"])
def test_a_text_without_words_gives_none(text: str) -> None:
    assert words(text) == query_words(text) == ""
    assert words(text + "tea") == "tea"


def test_a_question_of_stop_words_keeps_them() -> None:
    assert query_words("who are you") == "who are you"
    assert query_words("who are you, Melanie") == "melani"


@pytest.mark.parametrize("part", ["a", "a-", "a.", "a1,", "a@", "a'", "1", "-", "字", "ア", "é\u0301", " a"])
def test_no_text_of_the_largest_size_is_slow(part: str) -> None:
    text = part * (32 * 1024 // len(part.encode()))
    start = time.perf_counter()
    words(text)
    assert time.perf_counter() - start < 1.0
