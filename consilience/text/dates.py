"""Times a text names, English and Chinese, resolved against a moment with its offset, each with its grain. Own small grammar.

Only texts with a digit or a temporal word get as far as the patterns (date_forms.py).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from itertools import pairwise
from typing import Final

from consilience.schema.statements import Grain, ValidTime
from consilience.text.date_forms import DURATION, FORMS, WEEKDAYS, Resolver
from consilience.text.numerals import chinese_number


class Cue(StrEnum):
    """How the sentence uses the time: within it, from it on, up to it, or as a limit."""

    AT = "AT"
    SINCE = "SINCE"
    UNTIL = "UNTIL"
    BEFORE = "BEFORE"
    AFTER = "AFTER"
    BY = "BY"


@dataclass(frozen=True, slots=True)
class TimeMention:
    """A named time as [start, end) in UTC, where it stands in the text, cue word included, and its ISO form ("2026-04")."""

    start: datetime
    end: datetime
    grain: Grain
    cue: Cue
    span: tuple[int, int]
    iso: str
    duration: bool = False

    @property
    def valid(self) -> ValidTime:
        """What the cue makes of it: `since April` is open at the end, `until March` at the start, March included."""
        match self.cue:
            case Cue.SINCE:
                return ValidTime(self.start, None, self.grain)
            case Cue.AFTER:
                return ValidTime(self.end, None, self.grain)
            case Cue.UNTIL | Cue.BY:
                return ValidTime(None, self.end, self.grain)
            case Cue.BEFORE:
                return ValidTime(None, self.start, self.grain)
            case _:
                return ValidTime(self.start, self.end, self.grain)


_CUES: Final = re.compile(
    r"\d|\b(?:today|tonight|yesterday|tomorrow|ago|last|this|next|week|month|year|day|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day)|[年月周]|星期|礼拜|[今昨明前后]天|以前|之前|前|后",
    re.IGNORECASE,
)
_BEFORE: Final = re.compile(
    r"(?:\b(?P<since>since|from|as of|starting(?: from| in| on)?|beginning(?: in| on)?|effective)"
    r"|\b(?P<until>until|till|through|up to|to|and|ending(?: in| on)?)|\b(?P<before>before|prior to)|\b(?P<after>after)"
    r"|\b(?P<by>by|no later than|due(?: on| by)?)|\b(?P<at>in|on|at|during|within|around|back in|for|of|over|early in|late in))\s+"
    r"(?:the\s+|early\s+|late\s+|mid[- ]|end of\s+|(?:"
    + "|".join(WEEKDAYS)
    + r"),?\s+)*$|(?P<zsince>自从|自|从|打)$|(?P<zuntil>直到|截至|截止到?|(?<![改迟前期长整挪推])到|至)$|(?P<zat>在|于)$",
    re.IGNORECASE,
)
_AFTER: Final = re.compile(
    r"\s*(?:(?P<since>(?:开始|起|以来|至今|之后|以后)|\s?onwards?\b)|(?P<until>为止|之前|以前)|(?P<range>-|–|—|～|~))", re.IGNORECASE
)
_TIME: Final = re.compile(
    r"(?:,?\s*(?:at\s+)?(?P<h>\d{1,2})(?::(?P<m>\d\d))?\s*(?P<half>[ap]\.?m\b\.?)|,?\s*(?:at\s+)?(?P<h24>[01]?\d|2[0-3]):(?P<m24>[0-5]\d)(?!\d)"
    r"|(?P<part>早上|上午|中午|下午|晚上)?(?P<zh>[01]?\d|2[0-3]|[一二两三四五六七八九十]{1,2})[点时](?:(?P<zm>[0-5]?\d)分|(?P<zhalf>半))?)",
    re.IGNORECASE,
)


def has_time_cue(text: str) -> bool:
    """Whether it is worth looking for a time at all: a digit or a temporal word stands in it."""
    return _CUES.search(text) is not None


def times(text: str, *, reference: datetime) -> tuple[TimeMention, ...]:
    """The times named in a text, in reading order; none overlaps another. Raises ValueError if `reference` is naive."""
    if reference.tzinfo is None:
        raise ValueError("reference must be aware")
    if not has_time_cue(text):
        return ()
    taken: list[TimeMention] = []
    left = text
    for form, resolve in FORMS:
        for match in form.finditer(left):
            mention = _mention(match, resolve, text, reference)
            if mention is not None and not any(_overlap(mention.span, other.span) for other in taken):
                taken.append(mention)
        for mention in taken:
            left = left[: mention.span[0]] + "\0" * (mention.span[1] - mention.span[0]) + left[mention.span[1] :]
    return tuple(_ranges(sorted(taken, key=lambda mention: mention.span)))


def _overlap(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _mention(match: re.Match[str], resolve: Resolver, text: str, reference: datetime) -> TimeMention | None:
    try:
        start, end, grain = resolve(match, reference)
        clock = _TIME.match(text, match.end())
        stop = match.end()
        if clock and grain is Grain.DAY:
            start, end, grain, stop = (*_at_clock(clock, start), clock.end())
        iso = _iso(start, grain)
        start, end = start.astimezone(UTC), end.astimezone(UTC)
    except (ValueError, OverflowError):
        return None  # 31 February, year 0, a million years ago: not a time anybody meant
    cue, begin, stop = _cue(text, match.start(), stop)
    if match.re is DURATION:
        cue = Cue.SINCE
    return TimeMention(start, end, grain, cue, (begin, stop), iso, duration=match.re is DURATION)


def _cue(text: str, start: int, end: int) -> tuple[Cue, int, int]:
    before = _BEFORE.search(text, max(0, start - 32), start)
    after = _AFTER.match(text, end)
    if before and before.lastgroup:
        name = before.lastgroup.removeprefix("z")
        begin = before.start()
        end = after.end() if after and after.lastgroup != "range" else end
        return Cue(name.upper()), begin, end
    if after and after.lastgroup in {"since", "until"}:
        return Cue(after.lastgroup.upper()), start, after.end()
    return Cue.AT, start, end


def _ranges(found: list[TimeMention]) -> Iterator[TimeMention]:
    """Joins "from A to B" and "A - B" to one interval."""
    skip = False
    for one, other in pairwise([*found, None]):
        if skip or one is None:
            skip = False
            continue
        if other is not None and one.end > other.end and one.cue is Cue.SINCE and _joins(one, other):
            one = _year_of(one, other)
        if other is not None and one.end <= other.end and other.span[0] - one.span[1] <= 3 and _joins(one, other):
            yield replace(one, end=other.end, cue=Cue.AT, span=(one.span[0], other.span[1]), iso=f"{one.iso}/{other.iso}")
            skip = True
        else:
            yield one


def _year_of(one: TimeMention, other: TimeMention) -> TimeMention:
    """ "from March to April 2025": the year stands once."""
    years = one.start.year - other.start.year + (1 if one.start.month > other.start.month else 0)
    try:
        start, end = (moment.replace(year=moment.year - years) for moment in (one.start, one.end))
    except ValueError:
        return one
    return replace(one, start=start, end=end, iso=f"{int(one.iso[:4]) - years:04d}{one.iso[4:]}")


def _joins(one: TimeMention, other: TimeMention) -> bool:
    return one.cue in {Cue.SINCE, Cue.AT} and other.cue is Cue.UNTIL


def _iso(start: datetime, grain: Grain) -> str:
    forms = {Grain.YEAR: "%Y", Grain.MONTH: "%Y-%m", Grain.QUARTER: "%Y-%m", Grain.HOUR: "%Y-%m-%dT%H", Grain.MINUTE: "%Y-%m-%dT%H:%M"}
    return start.strftime(forms.get(grain, "%Y-%m-%d")).zfill(4)


def _at_clock(clock: re.Match[str], day: datetime) -> tuple[datetime, datetime, Grain]:
    part = clock.groupdict()
    hour = int(part["h"] or part["h24"] or chinese_number(part["zh"] or "0"))
    minute = int(part["m"] or part["m24"] or part["zm"] or (30 if part["zhalf"] else 0))
    late = (part["half"] or "").lower().startswith("p") or part["part"] in {"下午", "晚上", "中午"}
    hour = hour % 12 + 12 if late and hour <= 12 else (0 if (part["half"] or "").lower().startswith("a") and hour == 12 else hour)
    exact = bool(part["m"] or part["m24"] or part["zm"] or part["zhalf"])
    start = day.replace(hour=hour, minute=minute)
    return start, start + (timedelta(minutes=1) if exact else timedelta(hours=1)), Grain.MINUTE if exact else Grain.HOUR
