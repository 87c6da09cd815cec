"""What the scalars take and give."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from graphql import GraphQLError
from hypothesis import given
from hypothesis import strategies as st

from consilience.resolvers.scalars import input_problems, parse_cursor, parse_datetime, print_cursor, print_datetime


@pytest.mark.parametrize(
    ("written", "instant"),
    [
        ("2026-03-01T09:30:00Z", datetime(2026, 3, 1, 9, 30, tzinfo=UTC)),
        ("2026-03-01t09:30:00z", datetime(2026, 3, 1, 9, 30, tzinfo=UTC)),
        ("2026-03-01 17:30:00+08:00", datetime(2026, 3, 1, 9, 30, tzinfo=UTC)),
        ("2026-02-28T23:30:00.5-10:00", datetime(2026, 3, 1, 9, 30, 0, 500_000, tzinfo=UTC)),
        ("2026-03-01T09:30:00.123456789Z", datetime(2026, 3, 1, 9, 30, 0, 123_456, tzinfo=UTC)),
        ("2026-03-01T09:30:00-00:00", datetime(2026, 3, 1, 9, 30, tzinfo=UTC)),
        ("0001-01-01T00:00:00Z", datetime(1, 1, 1, tzinfo=UTC)),
        ("9999-12-31T23:59:59.999999Z", datetime(9999, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC)),
    ],
)
def test_a_datetime_with_an_offset_is_the_instant_in_utc(written: str, instant: datetime) -> None:
    assert parse_datetime(written) == instant
    assert parse_datetime(written).tzinfo is UTC


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("2026-03-01T09:30:00", "without an offset"),
        ("2026-03-01T09:30:60Z", "leap second"),
        ("0000-01-01T00:00:00Z", "in no calendar"),
        ("2026-02-29T00:00:00Z", "in no calendar"),
        ("2026-03-01T24:00:00Z", "in no calendar"),
        ("2026-03-01T09:30:00+24:00", "in no calendar"),
        ("2026-03-01T09:30:00+08:60", "in no calendar"),
        ("0001-01-01T00:00:00+01:00", "outside the years"),
        ("9999-12-31T23:59:59-01:00", "outside the years"),
        ("2026-03-01", "RFC 3339"),
        ("2026-03-01T09:30Z", "RFC 3339"),
        ("20260301T093000Z", "RFC 3339"),
        ("2026-W09-7T09:30:00Z", "RFC 3339"),
        ("10000-01-01T00:00:00Z", "RFC 3339"),
        ("２026-03-01T09:30:00Z", "RFC 3339"),
        (" 2026-03-01T09:30:00Z", "RFC 3339"),
        ("2026-03-01T09:30:00Z\n", "RFC 3339"),
        ("yesterday", "RFC 3339"),
        ("", "RFC 3339"),
        (1772357400, "RFC 3339"),
        (True, "RFC 3339"),
        (["2026-03-01T09:30:00Z"], "RFC 3339"),
    ],
)
def test_anything_else_is_refused_as_a_datetime_with_a_reason(written: object, said: str) -> None:
    """T11: naive refused."""
    with pytest.raises(GraphQLError, match=said) as refused:
        parse_datetime(written)
    assert refused.value.extensions == {"code": "INVALID_INPUT"}


@given(st.datetimes(timezones=st.just(UTC) | st.integers(-1439, 1439).map(lambda minutes: timezone(timedelta(minutes=minutes)))))
def test_a_printed_datetime_parses_to_the_same_instant(moment: datetime) -> None:
    try:
        instant = moment.astimezone(UTC)
    except OverflowError:
        return
    assert print_datetime(instant).endswith("Z")
    assert parse_datetime(print_datetime(instant)) == instant


@given(st.text(st.characters(codec="utf-8", categories=["L", "N", "P"]), min_size=1, max_size=200))
def test_a_cursor_comes_back_as_it_went_out_and_is_opaque(inside: str) -> None:
    opaque = print_cursor(inside)
    assert parse_cursor(opaque) == inside
    assert opaque != inside


@pytest.mark.parametrize("made_up", ["", "ep_1!", "%%%", "A", "AA\n", print_cursor("a\0b"), "_w", "x" * 2000, 5, None, ["a"], "\ud800"])
def test_a_cursor_that_no_answer_contained_is_refused(made_up: object) -> None:
    with pytest.raises(GraphQLError, match="Cursor"):
        parse_cursor(made_up)


def test_input_problems_name_where_but_not_what() -> None:
    variables: dict[str, object] = {
        "input": {"episodes": [{"text": "fine"}, {"text": "a\0b"}], "weight": float("nan")},
        "name": "half \ud83d",
        "other": [1, 2.5, None, True, "😀"],
    }
    assert sorted(input_problems(variables)) == [
        ("input.episodes[1].text", "contains a NUL character"),
        ("input.weight", "is not a finite number"),
        ("name", "contains half of a surrogate pair"),
    ]


def test_input_problems_walk_values_of_any_depth() -> None:
    deep: object = "\0"
    for _ in range(5_000):
        deep = [deep]
    assert len(list(input_problems({"x": deep}))) == 1
