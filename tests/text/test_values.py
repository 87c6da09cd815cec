"""Value keys: one key for one value, two for two; names by their spelling, never by likeness."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from consilience.text.values import ValueKey, exclusive, name_key, value_key

ANY_TEXT = st.text(max_size=60)
# The table of units is read once, here, so that no example is timed with it.
value_key("1 mg", predicate="dose")


@pytest.mark.parametrize(
    ("one", "other", "predicate"),
    [
        ("5 mg", "5000 µg", "dose"),
        ("5mg", "5000 μg", "dose"),
        ("twenty thousand", "20,000", "budget_limit"),
        ("20k", "20000", "budget_limit"),
        ("两万", "20000", "budget_limit"),
        ("3万元", "30000元", "price"),
        ("$1,200", "1200 dollars", "price"),
        ("$5 million", "$5,000,000", "price"),
        ("5公斤", "5 kg", "weight"),
        ("250ms", "0.25 s", "response_time"),
        ("about 250 ms", "250ms", "response_time"),
        ("5 mg per day", "5 mg daily", "dose"),
        ("6 feet", "72 inches", "height"),
        ("90 km/h", "25 m/s", "speed"),
        ("the cats", "Cat", "likes"),
        ("hiking", "hike", "likes"),
        ("臺北", "台北", "lives_in"),
        ("Ｇｒｅｅｎ ｔｅａ", "green  tea", "likes"),
        ("Аcme", "Acme", "works_at"),  # a Cyrillic A in a Latin word
        ("Ac\u200bme", "Acme", "works_at"),
        ("已婚", "married", "marital_status"),
    ],
)
def test_two_spellings_of_one_value_have_one_key(one: str, other: str, predicate: str) -> None:
    assert value_key(one, predicate=predicate) == value_key(other, predicate=predicate)


@pytest.mark.parametrize(
    ("one", "other", "predicate"),
    [
        ("3 mg", "5 mg", "dose"),
        ("5 mg", "5 ml", "dose"),
        ("$5", "5 €", "price"),
        ("2026", "2026-04", "deadline"),
        ("2026-04", "2026-04-15", "deadline"),
        ("SR-2023-052", "SR-2023-053", "code"),
        ("Rev A", "Rev B", "version"),
        ("2.3.1", "2.3.2", "version"),
        ("José", "Jose", "has_friend"),
        ("Mars", "mar", "likes"),
        ("green tea", "tea", "likes"),
        ("165 commits", "165 branches", "has"),
    ],
)
def test_two_values_have_two_keys(one: str, other: str, predicate: str) -> None:
    """I2 at key level."""
    assert value_key(one, predicate=predicate) != value_key(other, predicate=predicate)


@pytest.mark.parametrize(
    ("one", "other", "apart"),
    [
        ("married", "not married", True),
        ("married", "single", True),
        ("已婚", "单身", True),
        ("not married", "single", False),
        ("enabled", "disabled", True),
        ("open", "closed", True),
        ("open", "open", False),
        ("tea", "coffee", False),
    ],
)
def test_opposites_exclude_each_other(one: str, other: str, apart: bool) -> None:
    first, second = value_key(one, predicate="is"), value_key(other, predicate="is")
    assert exclusive(first, second) is apart
    assert exclusive(second, first) is apart


def test_a_negation_inside_the_value_is_polarity() -> None:
    assert value_key("not married", predicate="is") == ValueKey("married", negated=True)
    assert value_key("Notting Hill", predicate="lives_in").negated is False
    assert value_key("不丹", predicate="lives_in") == ValueKey("不丹")


def test_one_name_has_one_key() -> None:
    """I1 at key level: case, width, composition and blanks do not count."""
    assert len({name_key(name) for name in ("Ana Berg", "ANA BERG", " ana  berg ", "Ａｎａ Berg")}) == 1
    assert name_key(unicodedata.normalize("NFD", "José")) == name_key("José")


def test_other_names_have_other_keys() -> None:
    """I2, I3 at key level: accents and scripts count; only a stated alias makes two names one."""
    apart = (
        "张三",
        "Владимир Путин",
        "محمد علي",
        "José Núñez",
        "Jose Nunez",
        "SR-2023-052",
        "SR-2023-053",
        "Rev A",
        "Rev B",
        "爱丽丝",
        "Alice",
    )
    assert len({name_key(name) for name in apart}) == len(apart)


@given(ANY_TEXT, st.sampled_from(["likes", "dose", "deadline", "states", "name"]))
def test_any_value_has_a_key_that_is_its_own_key(text: str, predicate: str) -> None:
    made = value_key(text, predicate=predicate)
    assert value_key(text, predicate=predicate) == made
    assert (
        value_key(unicodedata.normalize("NFD", text), predicate=predicate).key
        == value_key(unicodedata.normalize("NFC", text), predicate=predicate).key
    )
    assert name_key(name_key(text)) == name_key(text) or name_key(text).startswith(("the ", "a ", "an ", "my ", "our ", "any ", "some "))


@given(ANY_TEXT, ANY_TEXT)
def test_exclusion_is_symmetric(one: str, other: str) -> None:
    first, second = value_key(one, predicate="is"), value_key(other, predicate="is")
    assert exclusive(first, second) is exclusive(second, first)
    assert exclusive(first, first) is False
