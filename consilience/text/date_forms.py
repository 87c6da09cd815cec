"""The forms in which English and Chinese name a time, and what each resolves to beside a moment: [start, end) in its offset, and a grain.

Weeks start on Monday. A month or day without a year is the nearest one to the moment. Numbers like 5/12/2026 are read month first
unless that is impossible.
"""

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

from consilience.schema.statements import Grain
from consilience.text.numerals import chinese_number, english_number

_MONTHS: Final = ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december")
_MONTH_OF: Final = {name[:size]: at for at, name in enumerate(_MONTHS, 1) for size in (3, len(name))} | {"sept": 9}
WEEKDAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_M: Final = (
    r"(?P<month>(?i:january|february|april|june|july|august|september|october|november|december|jan|feb|apr|jun|jul|aug|sept|sep|oct|nov|dec)"
    r"|March|May|Mar|MARCH|MAY|(?<=in )(?:march|may)|(?<=since )(?:march|may)|(?<=until )(?:march|may))(?:\.(?=\s?\d))?"
)
_Y: Final = r"(?P<year>(?:1[0-9]|20|21)\d\d)"
_D: Final = r"(?P<day>3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?"
_N: Final = r"(?P<n>\d{1,4}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|a couple of|a few)"
_UNIT: Final = r"(?P<unit>day|week|month|year|hour|minute)s?"
_W: Final = r"(?P<weekday>" + "|".join(WEEKDAYS) + ")"
_ZN: Final = "[0-9〇零一二两三四五六七八九十百]"
_ZY: Final = r"(?:\d{4}|[〇零一二三四五六七八九]{4})"
_ZW: Final = r"(?:周|星期|礼拜)"
Found = tuple[datetime, datetime, Grain]
Resolver = Callable[[re.Match[str], datetime], Found]
_Form = tuple[re.Pattern[str], Resolver]


def _midnight(moment: datetime) -> datetime:
    return moment.replace(hour=0, minute=0, second=0, microsecond=0)


def _year(year: int, zone: datetime) -> Found:
    return datetime(year, 1, 1, tzinfo=zone.tzinfo), datetime(year + 1, 1, 1, tzinfo=zone.tzinfo), Grain.YEAR


def _month(year: int, month: int, zone: datetime) -> Found:
    start = datetime(year, month, 1, tzinfo=zone.tzinfo)
    return start, datetime(year + month // 12, month % 12 + 1, 1, tzinfo=zone.tzinfo), Grain.MONTH


def _day(moment: datetime, days: float = 0) -> Found:
    start = _midnight(moment) + timedelta(days=days)
    return start, start + timedelta(days=1), Grain.DAY


def _date(year: int, month: int, day: int, zone: datetime) -> Found:
    return _day(datetime(year, month, day, tzinfo=zone.tzinfo))


def _shift(moment: datetime, *, months: int) -> datetime:
    at = moment.year * 12 + moment.month - 1 + months
    first = moment.replace(year=at // 12, month=at % 12 + 1, day=1)
    return first + timedelta(days=min(moment.day, ((_month(first.year, first.month, first)[1] - _midnight(first)).days)) - 1)


def _named(match: re.Match[str], ref: datetime) -> Found:
    """Year, month, day as far as they stand there; the year that brings the date nearest to the moment if it is missing."""
    part = match.groupdict()
    month_text = part.get("month")
    month = _MONTH_OF[month_text.lower().rstrip(".")] if month_text else chinese_number(part.get("zm") or "0")
    day = chinese_number(part.get("day") or "0")
    year_text = part.get("year")
    if year_text:
        year = chinese_number(year_text) if not year_text.isdigit() else int(year_text)
        year += 2000 if year < 100 else 0
    else:
        year = min(
            (ref.year, ref.year - 1, ref.year + 1), key=lambda y: abs(_days(y, month, day or 15) - _days(ref.year, ref.month, ref.day))
        )
    if not month:
        return _year(year, ref)
    return _date(year, month, day, ref) if day else _month(year, month, ref)


def _days(year: int, month: int, day: int) -> int:
    return year * 366 + month * 31 + day


def _slashes(match: re.Match[str], ref: datetime) -> Found:
    one, two, year = (int(part) for part in match.group("one", "two", "year"))
    return _date(year, two, one, ref) if one > 12 else _date(year, one, two, ref)


def _amount(unit: str, count: int, ref: datetime) -> Found:
    """The day, week, month or year `count` of them away from the moment."""
    match unit:
        case "year":
            return _year(ref.year + count, ref)
        case "month":
            moment = _shift(ref, months=count)
            return _month(moment.year, moment.month, ref)
        case "week":
            start = _midnight(ref) + timedelta(days=7 * count - ref.weekday())
            return start, start + timedelta(days=7), Grain.WEEK
        case "hour" | "minute":
            step = timedelta(hours=1) if unit == "hour" else timedelta(minutes=1)
            start = (ref + count * step).replace(second=0, microsecond=0)
            return start, start + step, Grain.HOUR if unit == "hour" else Grain.MINUTE
        case "quarter":
            moment = _shift(ref.replace(day=1), months=3 * count - (ref.month - 1) % 3)
            start = _midnight(moment)
            return start, _shift(start, months=3), Grain.QUARTER
        case "weekend":
            start = _midnight(ref) + timedelta(days=7 * count - ref.weekday() + 5)
            return start, start + timedelta(days=2), Grain.DAY
        case _:
            return _day(ref, count)


def _relative(match: re.Match[str], ref: datetime) -> Found:
    """last / this / next with a unit, a weekday or a month."""
    step = {"last": -1, "past": -1, "previous": -1, "next": 1, "coming": 1}.get(match["which"].lower(), 0)
    what = match["what"].lower()
    if what in WEEKDAYS:
        away = WEEKDAYS.index(what) - ref.weekday()
        if step < 0:
            return _day(ref, away - 7 if away >= 0 else away)
        return _day(ref, away + 7 * step)
    if what in _MONTH_OF:
        month = _MONTH_OF[what]
        year = ref.year + (step if (month >= ref.month and step < 0) or (month <= ref.month and step > 0) else 0)
        return _month(year, month, ref)
    if what == "night":
        return _day(ref, step)
    return _amount(what, step, ref)


def _ago(match: re.Match[str], ref: datetime) -> Found:
    return _amount(match["unit"].lower(), -english_number(match["n"]), ref)


def _ahead(match: re.Match[str], ref: datetime) -> Found:
    return _amount(match["unit"].lower(), english_number(match["n"]), ref)


def _weekday(match: re.Match[str], ref: datetime) -> Found:
    away = WEEKDAYS.index(match["weekday"].lower()) - ref.weekday()
    return _day(ref, away if abs(away) <= 3 else away - 7 * (1 if away > 0 else -1))


def _decade(match: re.Match[str], ref: datetime) -> Found:
    year = int(match["decade"])
    return datetime(year, 1, 1, tzinfo=ref.tzinfo), datetime(year + 10, 1, 1, tzinfo=ref.tzinfo), Grain.YEAR


def _quarter(match: re.Match[str], ref: datetime) -> Found:
    start = datetime(int(match["year"] or ref.year), 3 * int(match["q"]) - 2, 1, tzinfo=ref.tzinfo)
    return start, _shift(start, months=3), Grain.QUARTER


_WORDS: Final = {"today": 0, "tonight": 0, "yesterday": -1, "tomorrow": 1, "the day before yesterday": -2, "the day after tomorrow": 2}
_CHINESE_DAYS: Final = {
    "今天": 0,
    "今日": 0,
    "今晚": 0,
    "今早": 0,
    "昨天": -1,
    "昨日": -1,
    "昨晚": -1,
    "明天": 1,
    "明日": 1,
    "明晚": 1,
    "前天": -2,
    "后天": 2,
    "大前天": -3,
    "大后天": 3,
}
_CHINESE_YEARS: Final = {"今年": 0, "去年": -1, "前年": -2, "明年": 1, "后年": 2}
_CHINESE_UNITS: Final = {
    "天": "day",
    "日": "day",
    "周": "week",
    "星期": "week",
    "礼拜": "week",
    "月": "month",
    "年": "year",
    "小时": "hour",
    "分钟": "minute",
}


def _chinese_year(match: re.Match[str], ref: datetime) -> Found:
    year = ref.year + _CHINESE_YEARS[match["which"]]
    month, day = chinese_number(match["zm"] or "0"), chinese_number(match["day"] or "0")
    if not month:
        return _year(year, ref)
    return _date(year, month, day, ref) if day else _month(year, month, ref)


def _chinese_relative(match: re.Match[str], ref: datetime) -> Found:
    step = {"上": -1, "下": 1}.get(match["which"], 0) * len(match["more"] or "上")
    if match["weekday"]:
        day = "一二三四五六日天".index(match["weekday"])
        return _day(ref, min(day, 6) - ref.weekday() + 7 * step)
    return _amount("month" if match["unit"] == "月" else ("quarter" if match["unit"] == "季度" else "week"), step, ref)


def _chinese_away(match: re.Match[str], ref: datetime) -> Found:
    count = chinese_number(match["n"]) if match["n"] != "半" else 0
    sign = -1 if match["way"].endswith("前") else 1
    if match["n"] == "半":
        return _amount("month", sign * 6, ref)
    return _amount(_CHINESE_UNITS[match["unit"]], sign * count, ref)


DURATION: Final = re.compile(rf"\bfor (?:the (?:last|past) |about |over |more than |almost |nearly )*{_N} {_UNIT}\b(?! old)", re.IGNORECASE)

# A bare year counts after a word of time only, and never as an amount.
_BEFORE_YEARS: Final = (
    "in ",
    "since ",
    "until ",
    "till ",
    "from ",
    "to ",
    "by ",
    "before ",
    "after ",
    "during ",
    "of ",
    "through ",
    "and ",
    "around ",
    "–",
)
_AFTER_CUE: Final = "(?:" + "|".join(f"(?<={cue})" for cue in (*_BEFORE_YEARS, r"\d-")) + ")"
_COUNTED: Final = "(?:dollars|euros|people|units|items|users|points|words|steps|calories|km|kg|mb|gb)"


def _forms(*rows: tuple[str, Resolver]) -> tuple[_Form, ...]:
    return tuple((re.compile(form, re.IGNORECASE if "(?P<month>" not in form else 0), resolve) for form, resolve in rows)


# The most exact first: what one form has used up the next does not see.
FORMS: Final[tuple[_Form, ...]] = (
    *_forms(
        (r"(?<![\w.-])(?P<year>\d{4})[-/.](?P<zm>1[0-2]|0?[1-9])[-/.](?P<day>3[01]|[12]\d|0?[1-9])(?!\d)T?", _named),
        (r"(?<![\d.-])(?P<year>(?:19|20)\d\d)-(?P<zm>1[0-2]|0[1-9])(?![\d-])", _named),
        (r"(?<![\d/])(?P<one>[0-3]?\d)/(?P<two>[0-3]?\d)/(?P<year>(?:19|20)\d\d)(?![\d/])", _slashes),
        (
            rf"(?P<year>{_ZY}) ?年 ?(?:(?P<zm>{_ZN}{{1,3}}) ?月(?:份)?(?: ?(?P<day>{_ZN}{{1,3}}) ?[日号])?)?",
            _named,
        ),
        (rf"(?P<which>今年|去年|前年|明年|后年)(?:(?P<zm>{_ZN}{{1,3}})月(?:份)?(?:(?P<day>{_ZN}{{1,3}})[日号])?)?", _chinese_year),
        (rf"(?<![个{_ZN[1:-1]}])(?P<zm>{_ZN}{{1,3}}) ?月(?:份)?(?: ?(?P<day>{_ZN}{{1,3}}) ?[日号])?", _named),
        (rf"(?P<which>[上下])(?P<more>[上下])?个?{_ZW}(?P<weekday>[一二三四五六日天])?(?P<unit>)", _chinese_relative),
        (rf"(?P<which>[这本])(?P<more>)个?{_ZW}(?P<weekday>[一二三四五六日天])?(?P<unit>)", _chinese_relative),
        (r"(?P<which>[上下这本])(?P<more>[上下])?个?(?P<unit>月|季度)(?P<weekday>)", _chinese_relative),
        (rf"(?P<which>这?){_ZW}(?P<weekday>[一二三四五六日天])(?P<more>)(?P<unit>)", _chinese_relative),
        (rf"(?P<n>{_ZN}{{1,4}}|半)个?(?P<unit>天|日|周|星期|礼拜|月|年|小时|分钟)(?P<way>(?:以|之)?前|后)", _chinese_away),
        (
            "大前天|大后天|今天|今日|今晚|今早|昨天|昨日|昨晚|明天|明日|明晚|前天|后天",
            lambda match, ref: _day(ref, _CHINESE_DAYS[match.group()]),
        ),
        (rf"\b{_D}(?: of)? {_M},?(?: {_Y})?\b", _named),
        (rf"\b{_M} {_D}\b(?!:)(?:,? {_Y}\b)?", _named),
        (rf"\b{_M},?(?: of)? {_Y}\b", _named),
        (r"\bQ(?P<q>[1-4])(?:,? (?P<year>20\d\d))?\b", _quarter),
        (rf"\b{_N} {_UNIT} (?:ago|earlier|back)\b", _ago),
        (rf"\bin {_N} {_UNIT}(?:'s? time| from now)?\b", _ahead),
        (rf"\b{_N} {_UNIT} from (?:now|today)\b", _ahead),
        (
            r"\bthe day (?:before yesterday|after tomorrow)\b|\b(?:today|tonight|yesterday|tomorrow)\b",
            lambda match, ref: _day(ref, _WORDS[match.group().lower()]),
        ),
    ),
    (DURATION, _ago),
    *_forms(
        (
            r"\b(?P<which>last|this|next|past|previous|coming) "
            r"(?P<what>week|month|year|night|morning|afternoon|evening|weekend|quarter|"
            + "|".join((*WEEKDAYS, *sorted(_MONTH_OF, key=len, reverse=True)))
            + r")\b",
            _relative,
        ),
        (r"\bthis (?P<what>week|month|year|quarter|weekend)\b(?P<which>)", _relative),
        (rf"(?<!every )(?<!each )\b{_W}\b", _weekday),
        (rf"\b{_M}\b(?! ?\d)", _named),
        (r"\b(?P<decade>(?:1[5-9]|20)\d0)s\b", _decade),
        (
            rf"{_AFTER_CUE}{_Y}(?![\d-]|[.:]\d| {_COUNTED})",
            _named,
        ),
        (r"(?<![\w.,$€£¥-])(?P<year>(?:19|20)\d\d)(?=\s*[.!。]?\s*$)", _named),
    ),
)
