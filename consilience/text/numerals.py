"""Numbers written as words, English and Chinese."""

import re
from typing import Final

_UNITS: Final = {
    word: value
    for value, word in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
        ]
    )
}
_TENS: Final = {
    word: 10 * value for value, word in enumerate(["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], 2)
}
_SCALES: Final = {"thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}
_LOOSE: Final = {"a": 1, "an": 1, "a couple of": 2, "a few": 3, "dozen": 12, "a dozen": 12}
_HAN: Final = {letter: value for value, letter in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_HAN_SCALES: Final = {"十": 10, "百": 100, "千": 1_000, "万": 10_000, "亿": 100_000_000}
_WORD: Final = re.compile(r"[\s-]+")


def english_number(text: str) -> int:
    """12, "twelve", "forty-two", "twenty thousand", "a few" (3). Raises ValueError if it is no number."""
    clean = text.strip().casefold()
    if clean in _LOOSE:
        return _LOOSE[clean]
    if clean.isascii() and clean.isdigit():
        return int(clean)
    total = part = 0
    for word in _WORD.split(clean):
        if word in _UNITS:
            part += _UNITS[word]
        elif word in _TENS:
            part += _TENS[word]
        elif word == "hundred":
            part = max(1, part) * 100
        elif word in _SCALES:
            total, part = total + max(1, part) * _SCALES[word], 0
        elif word != "and":
            raise ValueError("not a number in words")
    return total + part


def chinese_number(text: str) -> int:
    """12, 十二, 二〇二六, 三百零五, 两万. Raises ValueError if it is no number."""
    if text.isdecimal():
        return int(text)
    if len(text) > 1 and all(letter in _HAN for letter in text):
        return int("".join(str(_HAN[letter]) for letter in text))
    total = section = digit = 0
    for letter in text:
        if letter in _HAN:
            digit = _HAN[letter]
        elif letter.isdecimal():
            digit = digit * 10 + int(letter)
        elif letter in _HAN_SCALES:
            scale = _HAN_SCALES[letter]
            if scale >= 10_000:
                total, section, digit = (total + max(1, section + digit)) * scale if total else max(1, section + digit) * scale, 0, 0
            else:
                section, digit = section + max(1, digit) * scale, 0
        else:
            raise ValueError("not a number in words")
    return total + section + digit
