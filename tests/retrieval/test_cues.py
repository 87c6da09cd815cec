"""What a turn shows at a glance."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from consilience.retrieval.cues import Cues, cues
from consilience.retrieval.dates import DateMention, date_fit

MOMENTS = st.datetimes(timezones=st.just(UTC))
MENTIONS = st.builds(DateMention, st.none() | st.integers(1900, 2099), st.none() | st.integers(1, 12), st.none() | st.integers(1, 31))


@given(st.text(max_size=200))
def test_any_text_has_cues(text: str) -> None:
    assert 0.0 <= cues(text).question_share <= 1.0


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I went there last week.", Cues(first_person=True, question_share=0.0, time=True, place=False)),
        ("我昨天去了北京。", Cues(first_person=True, question_share=0.0, time=True, place=True)),
        ("Anna lives in Berlin.", Cues(first_person=False, question_share=0.0, time=False, place=True)),
        ("What do you like?", Cues(first_person=False, question_share=1.0, time=False, place=False)),
        ("你喜欢什么呢", Cues(first_person=False, question_share=1.0, time=False, place=False)),
        ("Tea is nice.", Cues(first_person=False, question_share=0.0, time=False, place=False)),
        ("", Cues(first_person=False, question_share=0.0, time=False, place=False)),
    ],
)
def test_cues_are_seen_in_both_languages(text: str, expected: Cues) -> None:
    assert cues(text) == expected


def test_the_question_share_is_by_length() -> None:
    assert cues("Nice to hear. Is it?").question_share == pytest.approx(6 / 19)


@given(MENTIONS, MOMENTS)
def test_a_date_fits_any_moment_between_not_at_all_and_fully(mention: DateMention, moment: datetime) -> None:
    assert 0.0 <= date_fit(mention, moment) <= 1.0


@given(st.integers(1, 12), st.integers(1, 28), st.floats(1, 20), st.floats(0, 20))
def test_the_day_itself_fits_best_and_later_days_ever_less(month: int, day: int, late: float, more: float) -> None:
    mention, start = DateMention(2023, month, day), datetime(2023, month, day, tzinfo=UTC)
    assert date_fit(mention, start + timedelta(hours=23)) == 1.0
    assert 1.0 > date_fit(mention, start + timedelta(days=late)) >= date_fit(mention, start + timedelta(days=late + more))


@pytest.mark.parametrize(
    ("mention", "moment", "fits"),
    [((2023, 7, None), (2023, 7, 31), 1), ((2023, 7, None), (2022, 7, 31), 0), ((None, 12, None), (2024, 12, 1), 1)],
)
def test_months_fit_in_their_year_or_in_any(
    mention: tuple[int | None, int | None, int | None], moment: tuple[int, int, int], fits: float
) -> None:
    assert date_fit(DateMention(*mention), datetime(*moment, tzinfo=UTC)) == fits
