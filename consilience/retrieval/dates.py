"""Dates a question names outright (year, month, day; English, Chinese) and how well a moment fits them. Relative words are left alone."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

_NAMES: Final = ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december")
_MONTH_OF: Final = {name[:size]: at for at, name in enumerate(_NAMES, 1) for size in (3, len(name))} | {"sept": 9}
_MONTH = r"(?P<month>" + "|".join(sorted(_MONTH_OF, key=len, reverse=True)) + r")\.?"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_DAY = r"(?P<day>3[01]|[12]\d|0?[1-9])"
# The most exact forms first; what one form has used up the next does not see.
_FORMS: Final = tuple(
    re.compile(form)
    for form in (
        rf"{_YEAR}[-/.](?P<number>1[0-2]|0?[1-9])[-/.]{_DAY}(?!\d)",
        rf"{_YEAR} ?年 ?(?P<number>1[0-2]|0?[1-9]) ?月 ?{_DAY} ?[日号]",
        rf"(?P<number>1[0-2]|(?<!\d)0?[1-9]) ?月 ?{_DAY} ?[日号]",
        rf"\b{_DAY}(?:st|nd|rd|th)?(?: of)? {_MONTH},?(?: {_YEAR})?\b",
        rf"\b{_MONTH} {_DAY}(?:st|nd|rd|th)?\b(?:,? {_YEAR}\b)?",
        rf"\b{_MONTH},?(?: of)? {_YEAR}\b",
        rf"{_YEAR} ?年 ?(?P<number>1[0-2]|0?[1-9]) ?月",
        rf"{_YEAR}-(?P<number>1[0-2]|0[1-9])(?![\d-])",
        r"(?<!\d)(?P<number>1[0-2]|0?[1-9]) ?月(?!\w*前)",
        rf"\b(?:in|during|of|by|since|until|around|for|from|before|after|(?:early|mid|late)[ -]?|this|last|next) {_MONTH}\b",
        r"\b(?P<month>january|february|april|june|july|august|september|october|november|december)\b",
        rf"(?<![\d.-]){_YEAR}(?![\d-])",
    )
)


@dataclass(frozen=True, slots=True)
class DateMention:
    """A date as far as it was named: a day, a month (of a year or of any year), or a year."""

    year: int | None
    month: int | None
    day: int | None


def dates_in(text: str) -> tuple[DateMention, ...]:
    """The dates named in a text that `normalise` has been over, each once, the most exact first."""
    found: list[DateMention] = []
    left = text
    for form in _FORMS:
        for match in form.finditer(left):
            part = match.groupdict()
            month = _MONTH_OF[part["month"]] if part.get("month") else _number(part.get("number"))
            found.append(DateMention(_number(part.get("year")), month, _number(part.get("day"))))
        left = form.sub(" ", left)
    return tuple(dict.fromkeys(found))


def _number(digits: str | None) -> int | None:
    return int(digits) if digits else None


def date_fit(mention: DateMention, moment: datetime) -> float:
    """How well a moment fits a named date, 0..1. People tell what happened in the days after it: those count too, fading out."""
    if mention.month is None:
        return 0.5 if mention.year == moment.year else 0.0
    years = [mention.year] if mention.year else [max(1, moment.year - 1), moment.year]
    return max(_fit(start, end, moment, exact=mention.day is not None) for start, end in (_span(mention, year) for year in years))


def _span(mention: DateMention, year: int) -> tuple[datetime, datetime]:
    month = mention.month or 1
    first = datetime(year, month, 1, tzinfo=UTC)
    if mention.day is None:
        return first, datetime(year + month // 12, month % 12 + 1, 1, tzinfo=UTC)
    start = first + timedelta(days=mention.day - 1)  # 30 February is 2 March: a slip of the pen, not an error
    return start, start + timedelta(days=1)


def _fit(start: datetime, end: datetime, moment: datetime, *, exact: bool) -> float:
    if start <= moment < end:
        return 1.0
    late, early = (moment - end) / timedelta(days=1), (start - moment) / timedelta(days=1)
    if late >= 0:
        return max(0.0, (0.9 if exact else 0.6) * (1.0 - late / (14.0 if exact else 10.0)))
    return max(0.0, 0.5 * (1.0 - early / 7.0)) if exact else 0.0
