"""Fingerprints find copies, not likeness of meaning."""

import random
import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from consilience.text.fingerprint import PERMUTATIONS, fingerprint, similarity, text_digest

ANY_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=200)
ENGLISH = (
    "The supplier confirmed that the replacement pump for the cooling line will be delivered to the Hamburg plant before noon on Friday."
)
CHINESE = "供应商确认冷却管路的备用泵将在周五中午之前送到汉堡工厂，请仓库的同事提前安排好卸货的人手和叉车。"


@given(ANY_TEXT)
def test_a_fingerprint_fits_the_stores_integers_and_equals_itself(text: str) -> None:
    made = fingerprint(text)
    assert len(made) in (0, PERMUTATIONS)
    assert all(0 <= value < 2**32 for value in made)
    assert similarity(made, made) == (1.0 if made else 0.0)
    assert fingerprint(unicodedata.normalize("NFD", text)) == made


@pytest.mark.parametrize(
    ("text", "copy"),
    [
        (ENGLISH, ENGLISH.upper().replace(",", "")),
        (ENGLISH, ENGLISH.replace("noon", "12") + " Thanks!"),
        (CHINESE, CHINESE.replace("，", " ").replace("备用", "备份")),
    ],
)
def test_copies_with_small_edits_are_near(text: str, copy: str) -> None:
    assert similarity(fingerprint(text), fingerprint(copy)) >= 0.7
    assert text_digest(text) != text_digest(copy + "x")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (ENGLISH, "I moved to Berlin last spring and I still miss the sea."),
        (CHINESE, "我去年春天搬到了柏林，还是很想念大海。"),
        (ENGLISH, CHINESE),
        ("👍", "🎉"),
        ("", "tea"),
        ("", ""),
    ],
)
def test_different_texts_are_far(one: str, other: str) -> None:
    assert similarity(fingerprint(one), fingerprint(other)) < 0.2


def test_the_estimate_is_within_the_error_of_minhash() -> None:
    chance = random.Random(7)
    words = [f"{chance.randrange(10**6):06d}" for _ in range(400)]
    errors: list[float] = []
    for shared in (50, 100, 150):
        one, other = "".join(words[:200]), "".join([*words[200 - shared : 200], *words[200 : 400 - shared]])
        sets = [{text[at : at + 4] for at in range(len(text) - 3)} for text in (one, other)]
        errors.append(abs(similarity(fingerprint(one), fingerprint(other)) - len(sets[0] & sets[1]) / len(sets[0] | sets[1])))
    assert max(errors) < 0.2
    assert sum(errors) / 3 < 0.12


def test_fingerprints_never_change() -> None:
    """They are stored: another number here means that every store must be fingerprinted again."""
    assert fingerprint("I like tea")[:3] == (429123830, 1117437723, 74660342)


@pytest.mark.parametrize(("one", "other"), [("I like  TEA\n", "i like tea"), ("ｔｅａ", "tea"), ("é", "e\u0301")])
def test_texts_that_read_the_same_have_one_digest(one: str, other: str) -> None:
    assert text_digest(one) == text_digest(other)
    assert text_digest(one) != text_digest(other + "!")


def test_a_message_takes_less_than_a_third_of_a_millisecond() -> None:
    fingerprint(ENGLISH)
    times: list[float] = []
    for _ in range(5):
        start = time.perf_counter()
        for _ in range(50):
            fingerprint(ENGLISH)
        times.append((time.perf_counter() - start) / 50)
    assert min(times) < 0.0003
