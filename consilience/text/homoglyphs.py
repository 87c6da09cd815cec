"""Letters of other scripts that look Latin, and letters nobody sees: a guard against disguised words. For comparing only, never stored."""

import re
from typing import Final

_INVISIBLE: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]"
)
_ALIKE: Final = str.maketrans(
    "аеорсухіјѕһԁԛԝАВЕКМНОРСТУХІЈЅԌαοενικρτυχΑΒΕΖΗΙΚΜΝΟΡΤΥΧƖɡıⅼ",
    "aeopcyxijshdqwABEKMHOPCTYXIJSGaoevikptuxABEZHIKMNOPTYXlgil",
)  # fmt: skip
_LATIN: Final = re.compile("[A-Za-z]")
_WORD: Final = re.compile(r"\w+")


def visible(text: str) -> str:
    """Without joiners, direction marks and other letters nobody sees."""
    return text if text.isascii() else _INVISIBLE.sub("", text)


def latin_skeleton(text: str) -> str:
    """Lookalikes from Cyrillic and Greek as Latin letters, everywhere: to match patterns of attacks."""
    return visible(text).translate(_ALIKE)


def unmixed(text: str) -> str:
    """Lookalikes as Latin letters only in words that mix scripts ("Аcme" with a Cyrillic А); real Russian or Greek stays."""
    if text.isascii():
        return text
    return _WORD.sub(lambda word: word.group().translate(_ALIKE) if _LATIN.search(word.group()) else word.group(), visible(text))
