"""Claims for any text whatever: total, complete, and true to the words."""

import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from consilience.ingest.extraction import EXTRACTOR_ID, extract, predicate_info, predicates
from consilience.ingest.extraction.predicates import frames, nouns
from consilience.schema.domain import Role
from consilience.schema.statements import Arity, Draft
from consilience.text.sentences import sentences
from tests.ingest.extraction.said import NOW, said

_VOCABULARY = """
 I you he she Bob Ana's Acme the a my is are was not n't never live
lives work like and or but because that who in at to for by of since
until 2026 April yesterday maybe think said have has been no longer
used moved 5 mg $20 3.5 , . ! ? : ; " ( ) - ' 我 你 的 是 在 不 喜欢 工作 住在 搬到
了 吗 。 ， 说 叫 2024年 三月
"""
_WORDS = _VOCABULARY.split()
ANY_TEXT = st.text(max_size=120) | st.lists(st.sampled_from(_WORDS), max_size=24).map(" ".join)


@given(ANY_TEXT)
@example("\x00\ud800")
@example("'s 's 's is")
@example("to to to be of of the the")
@example("for 9999 years since year 0 in 31 February 0000-00-00 on 99/99/2000")
def test_any_text_can_be_read(text: str) -> None:
    for draft in said(text):
        assert 0.0 <= draft.confidence <= 1.0
        assert draft.extractor == EXTRACTOR_ID
        assert draft.predicate
        assert draft.value


@given(ANY_TEXT)
def test_every_statement_points_at_its_words(text: str) -> None:
    for draft in said(text):
        start, end = draft.span
        assert text[start:end] == draft.words


@given(ANY_TEXT)
def test_a_sentence_that_asks_nothing_is_never_lost(text: str) -> None:
    spoken = {draft.span for draft in said(text)}
    lost = [s for s in sentences(text) if not s.question and (s.start, s.end) not in spoken]
    assert all(sentence.text.rstrip()[-1:] in "?？" for sentence in lost)


@given(ANY_TEXT)
def test_the_same_text_gives_the_same_statements(text: str) -> None:
    assert said(text) == said(text)


@given(ANY_TEXT)
def test_a_predicate_of_the_table_has_the_arity_of_the_table(text: str) -> None:
    for draft in said(text):
        if draft.predicate in predicates():
            assert draft.arity is predicate_info(draft.predicate).arity


@given(st.sampled_from(["I live in {}.", "The capital of {} is {}.", "我住在{}。"]), st.text("AbZ'\"().,- ", max_size=20))
def test_strange_names_do_no_harm(form: str, name: str) -> None:
    assert all(isinstance(draft, Draft) for draft in said(form.format(name, name)))


def test_the_table_is_whole() -> None:
    known = set(predicates())
    assert {frame.predicate for found in frames().values() for frame in found} <= known
    assert set(nouns().values()) <= known
    assert len(known) > 90
    assert predicate_info("likes").arity is Arity.MANY
    assert predicate_info("never_heard_of").arity is Arity.MANY
    for name in known:
        assert predicate_info(name).half_life.days > 0


@pytest.mark.parametrize(
    "hostile",
    [
        "a " * 20_000,
        "(" * 20_000,
        "，" * 20_000,
        "is " * 5_000,
        "A" * 50_000,
        "我在" * 8_000,
        "Ana, " * 6_000,
        "1." * 10_000,
        "of the " * 5_000,
    ],
)
def test_a_long_hostile_text_is_read_in_linear_time(hostile: str) -> None:
    """A25, at extraction: doubling the text must not quadruple the work by much."""
    started = time.process_time()
    extract(hostile[: len(hostile) // 2], speaker="A", addressee=None, role=Role.USER, occurred_at=NOW)
    half = time.process_time() - started
    started = time.process_time()
    extract(hostile, speaker="A", addressee=None, role=Role.USER, occurred_at=NOW)
    assert time.process_time() - started < max(0.5, 3.2 * half)
