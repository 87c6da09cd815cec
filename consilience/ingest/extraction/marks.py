"""The colours of a sentence: hedge, question, outburst, change, small talk, and text that tries to give orders to an agent."""

import re
import unicodedata
from dataclasses import dataclass
from functools import cache
from typing import Final

from consilience.ingest.extraction.tables import mark, word_class
from consilience.schema.domain import Role
from consilience.text.homoglyphs import latin_skeleton

_SHOUTED: Final = re.compile(r"[!！]{2,}|\b[A-Z]{4,}\b(?:.*\b[A-Z]{4,}\b)")
_RAISED: Final = re.compile(r"[!！]|[A-Z]{4}")
_WORDS: Final = re.compile(r"[a-z]+|[\u3400-\u9fff<\[]")
_SWEARING: Final = re.compile(r"[!！]")
_AT_LISTENER: Final = re.compile(r"\b(?:you|your|u)\b|[你您]", re.IGNORECASE)
_LONGEST_CHECKED: Final = 4_000


@dataclass(frozen=True, slots=True)
class Marks:
    hedged: bool
    asks: bool
    outburst: bool
    now: bool
    no_longer: bool
    vague: bool


def marks_of(text: str) -> Marks:
    """The marks of one sentence."""
    short = text[:_LONGEST_CHECKED]
    return Marks(
        hedged=bool(mark("hedges").search(_without_negation_of_may(short))),
        asks=bool(mark("question_start").match(short)) and short.rstrip()[-1:] in "?？",
        outburst=_is_outburst(short),
        now=bool(mark("now").search(short)),
        no_longer=bool(mark("no_longer").search(short)),
        vague=bool(mark("vague").match(short)) or not any(letter.isalpha() for letter in short),
    )


def _without_negation_of_may(text: str) -> str:
    """The month and the name are no hedge: "in May", "May is ..."."""
    return re.sub(r"\bMay\b", "", text)


def _is_outburst(text: str) -> bool:
    """Strong feeling about everything or at the listener, shouted: "I hate you, stupid bot!". A calm "I hate spam" is a preference."""
    if not _RAISED.search(text) or not mark("outburst").search(text):
        return False
    sweeping = mark("absolute").search(text) is not None or _AT_LISTENER.search(text) is not None
    return bool(_SHOUTED.search(text)) or (sweeping and bool(_SWEARING.search(text)))


@cache
def _cues() -> frozenset[str]:
    return word_class("instruction_cues")


def is_instruction(text: str, *, role: Role) -> bool:
    """Whether the sentence tries to instruct an agent or to change a rule of the system, disguised letters included (A15, A17).

    From a tool or an assistant a bare imperative is enough: data has no orders to give.
    """
    plain = latin_skeleton(unicodedata.normalize("NFKC", text[:_LONGEST_CHECKED]))
    # The long pattern only where one of its words stands: it is the most expensive of all.
    if not _cues().isdisjoint(_WORDS.findall(plain.casefold())) and mark("instruction").search(plain):
        return True
    return role in {Role.TOOL, Role.ASSISTANT} and bool(mark("imperative").match(plain))
