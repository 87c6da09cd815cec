"""The one analysis of text into words, for storing and for asking alike (design §6). An index only: stored text keeps its own spelling.

Language goes by script, word by word, never by a guess over the whole text: a four-word question and the paragraph that
answers it would be guessed differently and then miss each other, so Latin script is always stemmed as English, which treats
both sides of a German or Spanish pair the same way. What has no stemmer here stays as it is.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import Final, NamedTuple, Protocol, cast

import rjieba
import Stemmer  # type: ignore[import-not-found]  # a C extension without type information
from opencc import OpenCC  # pyright: ignore[reportUnknownVariableType]

from consilience.text.stop_words import CHINESE, ENGLISH

# A whitespace-analysed Lucene term may have 255 characters; longer tokens would be split there and not here.
LONGEST_TOKEN: Final = 64
# Lucene refuses a boolean query of more than 1,024 clauses.
MOST_QUERY_TOKENS: Final = 256

_MARKS = "\u0300-\u036f"
# Joiners, direction marks, soft hyphens and variation selectors: invisible, so they must not tell two words apart.
_INVISIBLE: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]"
)
_LATIN_ACCENT: Final = re.compile(f"([a-z])[{_MARKS}]+")
_HAN = "\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
# Scripts written without blanks, or glued enough that pairs of letters match better than whole runs.
_UNSPACED = "\u3041-\u30ff\u31f0-\u31ff\uac00-\ud7af\u0e01-\u0eff\u1000-\u109f\u1780-\u17ff"
_LETTER = rf"[^\W\d_{_HAN}{_UNSPACED}]"
# Vowel signs and the like belong to the letter before them; Python's \w leaves them out.
_SIGN = (
    f"{_MARKS}\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670"
    "\u0900-\u0903\u093a-\u094f\u0951-\u0957\u0981-\u0983\u09bc-\u09cd\u0a01-\u0a4d\u0a81-\u0acd"
    "\u0b01-\u0b4d\u0b82-\u0bcd\u0c00-\u0c4d\u0c81-\u0ccd\u0d00-\u0d4d"
)
# Possessive and bounded, so that no text makes the search slow.
_MAIL = r"[a-z0-9][a-z0-9._%+-]{0,63}+@[a-z0-9-]{1,63}+(?:\.[a-z0-9-]{1,63}+)+"
_CODE = r"(?:[a-z]{1,24}+[-_./]?+){0,4}+[0-9](?:[a-z0-9]|[-_./:,](?=[a-z0-9]))*+"
_TOKEN: Final = re.compile(
    rf"""
    (?P<mail>  {_MAIL} )
  | (?P<code>  {_CODE} )
  | (?P<lang>  (?<!\w)[cfj](?:\+\+|\#)(?!\w) )
  | (?P<han>   [{_HAN}]+ )
  | (?P<pairs> [{_UNSPACED}]+ )
  | (?P<word>  {_LETTER}(?:{_LETTER}|[{_SIGN}])*(?:'{_LETTER}(?:{_LETTER}|[{_SIGN}])*)* )
  | (?P<digit> \d+ )
    """,
    re.VERBOSE,
)
_STEMMERS: Final = ((re.compile("[a-z]"), "english"), (re.compile("[\u0400-\u04ff]"), "russian"), (re.compile("[\u0370-\u03ff]"), "greek"))
_NUMBER: Final = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")


class Token(NamedTuple):
    """A piece of the text and the form it is indexed in; `stop`: too common to ask for."""

    text: str
    form: str
    stop: bool


class _Stemmer(Protocol):
    def stemWord(self, word: str) -> str: ...  # noqa: N802  # PyStemmer's name


class _Converter(Protocol):
    def convert(self, text: str) -> str: ...


def words(text: str) -> str:
    """The index form of a text: lower-case tokens joined by single blanks, "" if nothing in it is a word.

    Every token starts with a letter or digit and holds only letters, digits, marks and inner `. _ - @`: no query syntax.
    """
    return " ".join(token.form for token in tokens(text))


def query_words(text: str) -> str:
    """`words` of a question: without stop words, each token once, at most MOST_QUERY_TOKENS.

    A question of nothing but stop words ("who are you") keeps them all.
    """
    found = list(tokens(text))
    asked = [token for token in found if not token.stop] or found
    return " ".join(islice(dict.fromkeys(token.form for token in asked), MOST_QUERY_TOKENS))


def normalise(text: str) -> str:
    """NFKC, case-folded, invisible characters dropped, Latin letters without accents, curly apostrophes straight."""
    if text.isascii():
        return text.casefold()
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", _INVISIBLE.sub("", text)).casefold())
    bare = _LATIN_ACCENT.sub(r"\1", unicodedata.normalize("NFD", folded))
    return unicodedata.normalize("NFKC", bare).replace("\u2019", "'")


def tokens(text: str) -> Iterator[Token]:
    """The tokens of a text in reading order; Chinese gives its words and, between them, its overlapping pairs."""
    for match in _TOKEN.finditer(normalise(text)):
        piece = match.group()
        match match.lastgroup:
            case "han":
                yield from _chinese(piece)
            case "pairs":
                yield from (Token(pair, pair, stop=False) for pair in _pairs(piece))
            case "code":
                yield from _code(piece)
            case "mail":
                yield _token(piece, re.sub("[%+]", "-", piece))
            case "lang":
                yield _token(piece, piece.replace("++", "plusplus").replace("#", "sharp"))
            case _:
                yield _word(piece)


def _token(text: str, form: str, *, stop: bool = False) -> Token:
    return Token(text, form[:LONGEST_TOKEN].rstrip(".-_@"), stop)


def _word(piece: str) -> Token:
    bare = piece.removesuffix("'s").replace("'", "")
    return _token(piece, _stem(bare), stop=bare in ENGLISH or piece.replace("'", "") in ENGLISH)


def _stem(word: str) -> str:
    for script, language in _STEMMERS:
        if script.match(word):
            return _stemmer(language).stemWord(word[:LONGEST_TOKEN]) or word
    return word


def _code(piece: str) -> Iterator[Token]:
    """Numbers and identifiers stay whole; the longer words inside one are found by themselves too (covid-19, 18-year-old)."""
    whole = piece.replace(",", "") if _NUMBER.fullmatch(piece) else piece
    yield _token(piece, re.sub("[/:,]", "-", whole))
    if len(piece) > 4:
        yield from (_word(part) for part in re.findall("[a-z]{3,}", piece) if part != piece and not part.isdigit())


def _chinese(run: str) -> Iterator[Token]:
    """Jieba's words and all pairs of neighbouring characters of one run of Han characters, in simplified form."""
    simple = _simplifier().convert(run)
    spans = [(start, end, word) for word, start, end in rjieba.tokenize(simple)]
    common = [False] * len(simple)
    for start, end, word in spans:
        if word in CHINESE:
            common[start:end] = [True] * (end - start)
    whole = {(start, end) for start, end, _ in spans}
    pairs = [(at, at + 2, simple[at : at + 2]) for at in range(len(simple) - 1) if (at, at + 2) not in whole]
    for start, end, word in sorted(spans + pairs):
        yield _token(word, word, stop=any(common[start:end]))


def _pairs(run: str) -> list[str]:
    return [run[at : at + 2] for at in range(len(run) - 1)] or [run]


@cache
def _simplifier() -> _Converter:
    return cast("_Converter", OpenCC("t2s"))


@cache
def _stemmer(language: str) -> _Stemmer:
    # No cache of words inside (text lives in the store only). A call holds the interpreter lock, so threads may share it.
    return cast("_Stemmer", Stemmer.Stemmer(language, 0))  # pyright: ignore[reportUnknownMemberType]
