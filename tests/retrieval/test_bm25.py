"""Word statistics and BM25."""

import pickle
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from consilience.retrieval.bm25 import WordStats, bm25

TEXTS = st.lists(st.lists(st.sampled_from("abcdefgh"), max_size=8).map(" ".join), max_size=12)


def counted(texts: list[str]) -> WordStats:
    stats = WordStats()
    for text in texts:
        stats.add(text)
    return stats


def facts(stats: WordStats) -> tuple[int, float, list[float]]:
    return stats.texts, stats.mean_length, [stats.idf(token) for token in "abcdefghz"]


@given(TEXTS, TEXTS)
def test_what_is_removed_leaves_no_trace(kept: list[str], gone: list[str]) -> None:
    stats = counted(kept + gone)
    for text in gone:
        stats.remove(text)
    assert facts(stats) == facts(counted(kept))


@given(TEXTS)
def test_the_order_of_texts_does_not_matter(texts: list[str]) -> None:
    assert facts(counted(texts)) == facts(counted(texts[::-1]))


@given(TEXTS, st.lists(st.sampled_from("abcdefgh"), max_size=5), st.lists(st.sampled_from("abcdefgh"), max_size=20))
def test_scores_are_never_negative_and_zero_without_a_common_word(texts: list[str], question: list[str], text: list[str]) -> None:
    score = bm25(question, text, counted(texts))
    assert score >= 0.0
    assert (score > 0.0) == bool(set(question) & set(text))
    assert bm25(question, ["z", *text], counted(texts)) <= score + 1e-9


def test_the_formula_is_okapi() -> None:
    stats = counted(["a b", "a c", "d"])
    idf = 0.4700036292457356  # ln(1 + (3 - 2 + 0.5) / 2.5)
    assert stats.idf("a") == pytest.approx(idf)
    assert bm25(["a"], ["a", "a"], stats, k1=0.9, b=0.4) == pytest.approx(idf * 2 * 1.9 / (2 + 0.9 * (0.6 + 0.4 * 2 / (5 / 3))))


def test_rare_words_weigh_more_and_unknown_ones_most() -> None:
    stats = counted(["a b", "a c", "a d"])
    assert stats.idf("a") < stats.idf("b") < stats.idf("z")


def test_the_table_holds_no_words_and_leaves_its_process_in_no_form() -> None:
    stats = counted(["zhivago lara"])
    assert all(type(key) is int for key in stats._counts)  # pyright: ignore[reportPrivateUsage]
    with pytest.raises(TypeError, match="build them anew"):
        pickle.dumps(stats)


def test_ten_thousand_texts_are_counted_in_a_second() -> None:
    texts = [" ".join(f"w{(at * 31 + place * 17) % 9973}" for place in range(15)) for at in range(10_000)]
    start = time.perf_counter()
    counted(texts)
    assert time.perf_counter() - start < 1.0
