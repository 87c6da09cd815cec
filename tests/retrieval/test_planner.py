"""Which way a question is looked up. Pure."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from consilience.retrieval.planner import BY_MEANING, BY_WORDS, FEW, needs_count, plan
from consilience.schema.domain import Status
from consilience.store.candidates import Filters, lucene

NOW = datetime(2026, 3, 1, tzinfo=UTC)


def filters(**more: object) -> Filters:
    return Filters("default", **more)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(("matching", "exact"), [(None, False), (0, True), (FEW, True), (FEW + 1, False)])
def test_few_matches_are_read_all_and_many_are_searched(matching: int | None, exact: bool) -> None:
    assert plan(filters(contributor="con_1"), matching=matching, first=5).exact is exact


@pytest.mark.parametrize("statuses", [(Status.ARCHIVED,), (Status.ACTIVE, Status.SUPERSEDED), (Status.QUARANTINED,)])
def test_statuses_the_indexes_do_not_hold_are_read(statuses: tuple[Status, ...]) -> None:
    """Control: ACTIVE alone is searched."""
    assert plan(filters(statuses=statuses), matching=None, first=5).exact
    assert not needs_count(filters(statuses=statuses, contributor="con_1"))
    assert not plan(filters(), matching=None, first=5).exact


@pytest.mark.parametrize("more", [{"contributor": "c"}, {"session": "s"}, {"since": NOW}, {"until": NOW}, {"as_of": NOW}])
def test_matches_are_counted_where_a_filter_may_leave_few(more: dict[str, object]) -> None:
    """Control: without a filter, or with the floor alone, nothing is counted."""
    assert needs_count(filters(**more))
    assert not needs_count(filters())
    assert not needs_count(filters(floor=0.5))


@given(first=st.integers(1, 100))
def test_a_search_brings_at_least_as_many_as_are_asked_for(first: int) -> None:
    chosen = plan(filters(), matching=None, first=first)
    assert chosen.by_meaning >= max(first, BY_MEANING)
    assert chosen.by_words >= BY_WORDS


def test_filters_name_and_hand_over_only_what_is_set() -> None:
    asked = filters(until=NOW, session="s")
    assert asked.set == ("session", "until")
    assert asked.params() == {"space": "default", "statuses": ["ACTIVE"], "session": "s", "until": NOW}


def test_the_full_text_query_holds_plain_tokens_of_named_fields() -> None:
    """A29: nothing a person typed reaches Lucene but tokens."""
    assert lucene("red boat", contributor=None, session=None) == "words:red words:boat"
    assert lucene("red", contributor="con_1", session="ses_2") == "+contributor:con_1 +session:ses_2 +(words:red)"
