"""The one place that reads the time. Everything below takes `now` as an argument."""

from datetime import UTC, datetime


def utc_now() -> datetime:
    """The current instant, aware, UTC, whole microseconds."""
    return datetime.now(UTC)
