"""Text as it is read: letters composed, invisible ones left out, with the way back to the text as it was given."""

import unicodedata
from dataclasses import dataclass
from typing import Final

# They show nothing and split words. Joiners that shape letters (U+200C, U+200D) stay.
_INVISIBLE: Final = frozenset("\u00ad\u200b\u2060\ufeff")


@dataclass(frozen=True, slots=True)
class Composed:
    """`text` in NFC; character i of it begins at `starts[i]` of what was given, and `starts` has one more entry, the end."""

    text: str
    starts: tuple[int, ...]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where [start, end) of `text` stands in what was given."""
        return self.starts[start], self.starts[end] if end > start else self.starts[start]


def composed(given: str) -> Composed:
    """The text in NFC without invisible characters. Total; linear in its length."""
    if given.isascii():
        return Composed(given, tuple(range(len(given) + 1)))
    parts: list[str] = []
    starts: list[int] = []
    cluster, begun = "", 0

    def close() -> None:
        whole = unicodedata.normalize("NFC", cluster)
        parts.append(whole)
        starts.extend([begun] * len(whole))

    for at, character in enumerate(given):
        if character in _INVISIBLE:
            continue
        if not _continues(character):
            close()
            cluster, begun = "", at
        cluster += character
    close()
    return Composed("".join(parts), (*starts, len(given)))


def _continues(character: str) -> bool:
    """Whether it may be composed with what stands before it: combining marks, and vowels and finals of Hangul."""
    return unicodedata.combining(character) != 0 or "\u1160" <= character <= "\u11ff"
