"""Traditional Chinese in simplified characters, letter by letter, so that places stay the same."""

from functools import cache
from typing import Protocol, cast

from opencc import OpenCC  # pyright: ignore[reportUnknownVariableType]


class _Converter(Protocol):
    def convert(self, text: str) -> str: ...


@cache
def _converter() -> _Converter:
    return cast("_Converter", OpenCC("t2s"))


def simplified(text: str) -> str:
    """The text in simplified characters; as it is where that would change its length, or where nothing is Chinese."""
    if text.isascii():
        return text
    simple = _converter().convert(text)
    return simple if len(simple) == len(text) else text
