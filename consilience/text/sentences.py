"""Sentences of a text, English and Chinese, each with its place. Code blocks are nobody's statement and are left out."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

_FENCE: Final = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
_ABBREVIATIONS: Final = frozenset(
    [
        "mr",
        "mrs",
        "ms",
        "dr",
        "prof",
        "sr",
        "jr",
        "st",
        "mt",
        "vs",
        "etc",
        "eg",
        "e.g",
        "ie",
        "i.e",
        "inc",
        "ltd",
        "co",
        "corp",
        "llc",
        "dept",
        "est",
        "fig",
        "no",
        "vol",
        "approx",
        "gen",
        "col",
        "lt",
        "sgt",
        "capt",
        "rev",
        "hon",
        "ph.d",
        "u.s",
        "u.k",
        "a.m",
        "p.m",
        "jan",
        "feb",
        "mar",
        "apr",
        "jun",
        "jul",
        "aug",
        "sep",
        "sept",
        "oct",
        "nov",
        "dec",
        "mon",
        "tue",
        "wed",
        "thu",
        "fri",
        "sat",
        "sun",
        "cf",
        "al",
        "op",
        "ed",
        "pp",
    ]
)
_CLOSERS: Final = "\"'”’」』）)]】"
_STOP: Final = re.compile(rf"[.!?…。！？；;]+[{re.escape(_CLOSERS)}]*|\n\s*")
_BULLET: Final = re.compile(r"\s*(?:(?:[-*•>#]+|\(?\d{1,6}[.)、]|\(?[a-z][.)])\s+)?")
_BULLET_NEXT: Final = re.compile(r"[-*•>#]|\(?\d{1,6}[.)、]\s")
_QUESTION: Final = re.compile(rf"[?？]+[!！?？]*[{re.escape(_CLOSERS)}]*\s*$")
_CHINESE_QUESTION: Final = re.compile(r"(?:吗|呢|么)[。！!.]*\s*$")
_WIDE: Final = frozenset("。！？；")


@dataclass(frozen=True, slots=True)
class Sentence:
    """`text` is exactly text[start:end] of the whole, without bullets and surrounding blanks; never empty."""

    text: str
    start: int
    end: int
    question: bool


def sentences(text: str) -> Iterator[Sentence]:
    """The sentences in reading order. Abbreviations, initials, decimals and versions do not end one."""
    clean = _FENCE.sub(lambda block: "\n" + " " * (len(block.group()) - 1) if block.group() else "", text)
    begin = 0
    for match in _STOP.finditer(clean):
        if _ends(clean, match):
            yield from _sentence(text, clean, begin, match.end())
            begin = match.end()
    yield from _sentence(text, clean, begin, len(clean))


def _sentence(text: str, clean: str, begin: int, end: int) -> Iterator[Sentence]:
    bullet = _BULLET.match(clean, begin, end)
    start = bullet.end() if bullet else begin
    piece = clean[start:end]
    start += len(piece) - len(piece.lstrip())
    end = start + len(piece.strip())
    if any(letter.isalnum() for letter in clean[start:end]):
        asked = bool(_QUESTION.search(text, start, end) or _CHINESE_QUESTION.search(text, start, end))
        yield Sentence(text[start:end], start, end, asked)


def _ends(text: str, match: re.Match[str]) -> bool:
    mark, at, end = match.group(), match.start(), match.end()
    if mark[0] == "\n":
        return _line_ends(text, mark, at, end)
    if mark[0] in _WIDE:
        return True
    after = text[end : end + 1]
    if after and not after.isspace() and not _is_han(after):
        return False
    if mark.rstrip(_CLOSERS) != ".":
        return True
    following = text[end : end + 3].lstrip()[:1]
    if following and following.islower():
        return False
    word = re.split(r"[\s(\[\"'“‘]", text[max(0, at - 24) : at])[-1]
    if len(word) == 1 and word.isupper() and following.isupper() and word != "I":
        return False
    return word.casefold() not in _ABBREVIATIONS or not following or not following.isalnum()


def _line_ends(text: str, mark: str, at: int, end: int) -> bool:
    """A line break ends a sentence unless it only wraps one: the next line goes on in small letters."""
    if mark.count("\n") > 1 or at == 0 or end >= len(text):
        return True
    return not text[end].islower() or bool(_BULLET_NEXT.match(text, end)) or text[at - 1] in ".!?:;"


def _is_han(letter: str) -> bool:
    return "\u3400" <= letter <= "\u9fff"
