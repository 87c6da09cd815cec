"""The scalars of the edge: DateTime and Cursor, and the rule for the strings inside any input. Pure."""

import base64
import binascii
import math
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta, timezone
from typing import Final, NewType, cast

import strawberry
from graphql import GraphQLError
from strawberry.types.scalar import ScalarDefinition

Cursor = NewType("Cursor", str)

# RFC 3339 §5.6, offset mandatory; the hour 24 and the second 60 match and are refused below with a sentence of their own.
_RFC3339: Final = re.compile(r"(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?([Zz]|[+-]\d\d:\d\d)?", re.ASCII)
_EXAMPLE: Final = "2026-03-01T09:30:00Z or 2026-03-01T17:30:00+08:00"
_MAX_CURSOR: Final = 1024


def invalid(message: str) -> GraphQLError:
    """An error about an input value: code INVALID_INPUT."""
    return GraphQLError(message, extensions={"code": "INVALID_INPUT"})


def parse_datetime(value: object) -> datetime:
    """The instant an RFC 3339 text names, aware, UTC, years 1..9999, digits finer than a microsecond cut off.

    Raises GraphQLError (INVALID_INPUT) for anything else: no offset, a leap second, a date that is not in the calendar.
    """
    if isinstance(value, datetime):
        return _in_utc(value)  # a default of ours, never a client's value
    found = _RFC3339.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        raise invalid(f"DateTime is RFC 3339 with an offset, such as {_EXAMPLE}")
    year, month, day, hour, minute, second = (int(part) for part in found.group(1, 2, 3, 4, 5, 6))
    fraction, offset = found.group(7, 8)
    if offset is None:
        raise invalid(f"DateTime without an offset: write one, such as {_EXAMPLE}")
    if second == 60:
        raise invalid("DateTime with a leap second: use second 59 or the second after")
    try:
        moment = datetime(year, month, day, hour, minute, second, int((fraction or "0").ljust(9, "0")[:6]), tzinfo=_zone(offset))
    except ValueError:
        raise invalid("DateTime that is in no calendar: the year is 1..9999, the hour 0..23, minute and second 0..59") from None
    return _in_utc(moment)


def _zone(offset: str) -> timezone:
    """The zone of `Z` or `+hh:mm`. Raises ValueError if hours are over 23 or minutes over 59."""
    if offset in ("Z", "z"):
        return UTC
    hours, minutes = int(offset[1:3]), int(offset[4:6])
    if hours > 23 or minutes > 59:
        raise ValueError("offset out of range")
    return timezone(timedelta(hours=hours, minutes=minutes) * (-1 if offset[0] == "-" else 1))


def _in_utc(moment: datetime) -> datetime:
    if moment.tzinfo is None:
        raise ValueError("naive datetime inside the service")
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        raise invalid("DateTime outside the years 1..9999 in UTC") from None


def print_datetime(value: datetime) -> str:
    """RFC 3339 in UTC with a Z; the fraction only when there is one."""
    return _in_utc(value).replace(tzinfo=None).isoformat() + "Z"


def print_cursor(value: str) -> str:
    """A store's cursor, made opaque."""
    return base64.urlsafe_b64encode(value.encode()).decode().rstrip("=")


def parse_cursor(value: object) -> str:
    """The store's cursor inside an opaque one. Raises GraphQLError (INVALID_INPUT) for what no answer of ours contained."""
    refused = invalid("Cursor that no answer contained: pass an endCursor on as it came")
    if not isinstance(value, str) or not 0 < len(value) <= _MAX_CURSOR:
        raise refused
    try:
        inside = base64.b64decode(value + "=" * (-len(value) % 4), altchars=b"-_", validate=True).decode()
    except (binascii.Error, ValueError):
        raise refused from None
    if not inside.isprintable():
        raise refused
    return inside


SCALARS: Final[Mapping[object, ScalarDefinition]] = {
    datetime: strawberry.scalar(
        name="DateTime",
        description=f"An instant: RFC 3339 with an offset, such as {_EXAMPLE}. A value without an offset is refused. Answers are in UTC.",
        specified_by_url="https://www.rfc-editor.org/rfc/rfc3339",
        serialize=print_datetime,
        parse_value=parse_datetime,
    ),
    Cursor: strawberry.scalar(
        name="Cursor",
        description="Where a page ended. Opaque: pass an `endCursor` on as it came.",
        serialize=print_cursor,
        parse_value=parse_cursor,
    ),
}


def text_problem(text: str) -> str | None:
    """Why this string cannot be stored or sent on, or None. NUL and lone surrogates are in no UTF-8 text."""
    if "\0" in text:
        return "contains a NUL character"
    if any("\ud800" <= letter <= "\udfff" for letter in text):
        return "contains half of a surrogate pair"
    return None


def input_problems(variables: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """(path, reason) of each string or number in the variables that no scalar takes; the path has names and positions only.

    Walks with a stack of its own: the depth of the values is the caller's choice.
    """
    waiting: list[tuple[str, object]] = list(variables.items())
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, str):
            if reason := text_problem(value):
                yield path, reason
        elif isinstance(value, float) and not math.isfinite(value):
            yield path, "is not a finite number"
        elif isinstance(value, Mapping):
            waiting.extend((f"{path}.{name}", inner) for name, inner in cast(Mapping[str, object], value).items())
        elif isinstance(value, list):
            waiting.extend((f"{path}[{position}]", inner) for position, inner in enumerate(cast(list[object], value)))
