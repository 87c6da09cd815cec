"""Times resolve against the moment they were said at, with its offset, and keep their grain."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from consilience.schema.statements import Grain
from consilience.text.dates import Cue, times
from tests.ingest.extraction.said import NOW, only


@pytest.mark.parametrize(
    ("text", "start", "end", "grain", "cue"),
    [
        ("in 2026", "2026-01-01", "2027-01-01", Grain.YEAR, Cue.AT),
        ("until March", "2026-03-01", "2026-04-01", Grain.MONTH, Cue.UNTIL),
        ("since April", "2026-04-01", "2026-05-01", Grain.MONTH, Cue.SINCE),
        ("on 12 May", "2026-05-12", "2026-05-13", Grain.DAY, Cue.AT),
        ("on May 12th, 2025", "2025-05-12", "2025-05-13", Grain.DAY, Cue.AT),
        ("by April 15", "2026-04-15", "2026-04-16", Grain.DAY, Cue.BY),
        ("from March to April 2025", "2025-03-01", "2025-05-01", Grain.MONTH, Cue.AT),
        ("from 2019 to 2021", "2019-01-01", "2022-01-01", Grain.YEAR, Cue.AT),
        ("yesterday", "2026-05-12", "2026-05-13", Grain.DAY, Cue.AT),
        ("last week", "2026-05-04", "2026-05-11", Grain.WEEK, Cue.AT),
        ("next Friday", "2026-05-22", "2026-05-23", Grain.DAY, Cue.AT),
        ("3 days ago", "2026-05-10", "2026-05-11", Grain.DAY, Cue.AT),
        ("Q3 2025", "2025-07-01", "2025-10-01", Grain.QUARTER, Cue.AT),
        ("in the 1990s", "1990-01-01", "2000-01-01", Grain.YEAR, Cue.AT),
        ("2026-04-15", "2026-04-15", "2026-04-16", Grain.DAY, Cue.AT),
        ("去年三月", "2025-03-01", "2025-04-01", Grain.MONTH, Cue.AT),
        ("上周五", "2026-05-08", "2026-05-09", Grain.DAY, Cue.AT),
        ("2026年3月5日", "2026-03-05", "2026-03-06", Grain.DAY, Cue.AT),
        ("从2024年开始", "2024-01-01", "2025-01-01", Grain.YEAR, Cue.SINCE),
        ("到三月为止", "2026-03-01", "2026-04-01", Grain.MONTH, Cue.UNTIL),
        ("三个月前", "2026-02-01", "2026-03-01", Grain.MONTH, Cue.AT),
    ],
)
def test_a_named_time_is_an_interval_with_a_grain(text: str, start: str, end: str, grain: Grain, cue: Cue) -> None:
    """T9."""
    (found,) = times(text, reference=NOW)
    local = NOW.tzinfo
    assert found.start == datetime.fromisoformat(start).replace(tzinfo=local)
    assert found.end == datetime.fromisoformat(end).replace(tzinfo=local)
    assert (found.grain, found.cue) == (grain, cue)


@pytest.mark.parametrize(
    "text",
    ["I may go", "Flask 2.3.1", "port 5000", "the second sprint", "CANARY-7", "31 Febtober", "We meet every Monday", "v2024.1.3-beta"],
)
def test_what_is_no_time_is_left_alone(text: str) -> None:
    assert times(text, reference=NOW) == ()


def test_a_day_begins_at_midnight_where_the_speaker_is() -> None:
    """T11, at extraction."""
    east, west = (times("yesterday", reference=NOW.astimezone(timezone(timedelta(hours=hours))))[0].start for hours in (8, -8))
    assert east == datetime(2026, 5, 11, 16, tzinfo=UTC)
    assert west == datetime(2026, 5, 11, 8, tzinfo=UTC)
    with pytest.raises(ValueError, match="aware"):
        times("yesterday", reference=datetime(2026, 5, 13))  # noqa: DTZ001


def test_a_change_lasts_from_its_time_on_and_an_event_does_not() -> None:
    moved = only("I moved to Lyon last week.").valid
    met = only("I met Bob last week.").valid
    assert moved is not None
    assert met is not None
    assert moved.end is None
    assert met.end == datetime(2026, 5, 11, tzinfo=NOW.tzinfo)


def test_a_past_state_is_over_by_now() -> None:
    past = only("I used to live in Paris.").valid
    assert past is not None
    assert (past.start, past.end) == (None, NOW)
    assert only("I live in Paris.").valid is None


def test_a_duration_counts_only_with_the_perfect() -> None:
    lasting = only("I have lived in Lyon for five years.").valid
    assert lasting is not None
    assert lasting.start == datetime(2021, 1, 1, tzinfo=NOW.tzinfo)
    assert lasting.end is None
