"""Amounts: a number with a unit or currency, brought to a base unit so that 5 mg and 5000 µg are one value (T17)."""

import re
import tomllib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib.resources import files
from typing import Final, Protocol, cast


def _spellings(table: str) -> dict[str, str]:
    """Spelling -> what it stands for, of one table of units.toml."""
    rows = tomllib.loads(files("consilience.text").joinpath("units.toml").read_text("utf-8"))[table]
    return {spelling: name for name, spellings in rows.items() for spelling in spellings.split()}


_SPELT: Final = _spellings("units")
_MONEY: Final = _spellings("money")
_RATES: Final = _spellings("rates")
_OWN: Final = {"iu": Fraction(1), "catty": Fraction(500), "year_of_age": Fraction(1)}
_SCALES: Final = {spelling: int(scale) for spelling, scale in _spellings("scales").items()}
_AMOUNT: Final = re.compile(
    r"""
    (?P<money>us\$|[$€£¥])?\s*
    (?P<number>[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?|[+-]?\d{1,15}(?:\.\d{1,9})?)\s*
    (?P<scale>thousand|million|billion|mn|bn|k(?![a-z])|m(?![a-z/²\d])|百万|[万千亿])?\s*
    (?P<unit>k?m[²2]|[^\d\s,.;:]*(?:/[a-z]+)?|)\s*
    (?P<rate>(?:per|a|each|every|/)\s*(?:day|week|month|year|hour)|daily|weekly|monthly|yearly|annually|每天|每周|每月|每年)?
    """,
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Amount:
    """An exact number in the base unit of its `dimension` ("kilogram", "usd", a counted noun, "")."""

    number: Fraction
    dimension: str

    def __str__(self) -> str:
        number = str(self.number.numerator) if self.number.denominator == 1 else f"{self.number.numerator}/{self.number.denominator}"
        return f"{number} {self.dimension}".strip()


def is_amount(word: str) -> bool:
    """Whether a single word is a number, with or without a unit glued to it."""
    return bool(word) and (word[0].isdigit() or word[0] in "$€£¥") and find_amount(word) is not None


def find_amount(text: str) -> Amount | None:
    """The amount a text is, whole: "5 mg", "$1,200", "20 thousand", "5000 µg a day", "两万" as digits. None if it is anything else."""
    folded = text.strip().casefold().replace("μ", "µ")
    match = _AMOUNT.fullmatch(folded)
    if match is None:
        return None
    number = Fraction(match["number"].replace(",", ""))
    unit = (match["unit"] or "").rstrip(".")
    scale = match["scale"]
    if scale == "m" and not match["money"]:
        scale, unit = None, "m"
    number *= _SCALES.get(scale or "", 1)
    rate = _RATES.get(match["rate"] or "") or re.sub(r"^(?:per|a|each|every|/)\s*", "/", match["rate"] or "")
    if match["money"]:
        return Amount(number, _MONEY[match["money"]] + rate) if not unit else None
    if not unit:
        return Amount(number, rate)
    if unit == "%":
        return Amount(number, "%" + rate)
    singular = unit.removesuffix("s") if len(unit) > 2 else unit
    for form in (unit, singular):
        if form in _MONEY:
            return Amount(number, _MONEY[form] + rate)
        if form in _SPELT:
            factor, dimension = _base(form)
            return Amount(number * factor, dimension + rate)
    return None


class _Quantity(Protocol):
    magnitude: Fraction

    def unit_items(self) -> Iterable[tuple[str, Fraction]]: ...
    def to_root_units(self) -> "_Quantity": ...


class _Registry(Protocol):
    def Quantity(self, number: Fraction, unit: str) -> _Quantity: ...  # noqa: N802  # pint's name


@cache
def _registry() -> _Registry:
    import pint  # takes most of a second: only once somebody names a unit

    make = cast("Callable[..., _Registry]", pint.UnitRegistry)  # its type information knows floats only
    return make(non_int_type=Fraction)


@cache
def _base(spelling: str) -> tuple[Fraction, str]:
    """Factor to the base unit and that unit's name, for a spelling of the table above (so the cache holds no one's words)."""
    unit = _SPELT[spelling]
    if unit in _OWN:
        return _OWN[unit], {"catty": "gram"}.get(unit, unit)
    base = _registry().Quantity(Fraction(1), unit).to_root_units()
    dimension = " ".join(name if power == 1 else f"{name}^{power}" for name, power in sorted(base.unit_items()))
    return Fraction(base.magnitude).limit_denominator(10**12), dimension
