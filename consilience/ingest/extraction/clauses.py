"""English sentences taken apart into clauses: subject, verb group, what follows. Works left to right over closed-class words.

The verb group is found first; the words before it are the subject, those after it the object. Where two verb groups follow each
other, the last conjunction, comma or subordinator between them parts the clauses; without one the second belongs to the first's object.
"""

from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from consilience.ingest.extraction.tables import word_class
from consilience.ingest.extraction.tokens import Token
from consilience.ingest.extraction.verb_groups import Group, verb_groups

_RELATIVE: Final = frozenset({"who", "which", "that", "whose", "whom", "where"})
REPORTING: Final = word_class("reporting")
THINKING: Final = word_class("thinking")
KNOWING: Final = word_class("knowing")
_GOVERNING: Final = REPORTING | THINKING | KNOWING
_NOMINATIVE: Final = frozenset({"i", "you", "he", "she", "we", "they"})
_OBJECT_PRONOUNS: Final = frozenset({"me", "him", "us", "them"})


@dataclass(frozen=True, slots=True)
class Clause:
    """`subject`, `rest` (after the verb group) and `lead` (adverbials before the subject) as token lists; `start` of its first token."""

    subject: tuple[Token, ...]
    group: Group
    rest: tuple[Token, ...]
    verb: Token
    lead: tuple[Token, ...] = ()
    subordinator: str | None = None
    shared_subject: bool = False
    words: tuple[Token, ...] = ()


def clauses(words: list[Token]) -> list[Clause]:
    """The clauses of one sentence that have a finite verb, in order."""
    groups: list[Group] = []
    last_end = 0
    for group in verb_groups(words):
        if not _embedded(words, group, last_end):
            groups.append(group)
        last_end = group.end
    if not groups:
        return []
    cuts: list[int] = [0]
    kept: list[Group] = [groups[0]]
    for group in groups[1:]:
        cut = _cut(words, kept[-1], group)
        if cut is not None:
            cuts.append(cut)
            kept.append(group)
    found: list[Clause] = []
    for group, (begin, end) in zip(kept, pairwise([*cuts, len(words)]), strict=True):
        found.append(_clause(words, group, begin, end, found[-1] if found else None))
    return found


def _clause(words: list[Token], group: Group, begin: int, end: int, previous: Clause | None) -> Clause:
    lead, subject, subordinator = _subject(words[begin : group.start])
    rest = _strip(words[group.end : end])
    shared = not subject and previous is not None
    if shared and previous is not None:
        subject = list(previous.subject)
    return Clause(tuple(subject), group, tuple(rest), words[group.main], tuple(lead), subordinator, shared, tuple(words[begin:end]))


def _strip(words: list[Token]) -> list[Token]:
    """Without marks and dangling conjunctions at the end."""
    end = len(words)
    while end and (words[end - 1].tag in {"PUNCT", "CONJ", "SUB"} and words[end - 1].text not in {")", '"', "”"}):
        end -= 1
    return words[:end]


def _subject(words: list[Token]) -> tuple[list[Token], list[Token], str | None]:
    """Adverbials in front, the subject, and the subordinator that opens the clause, if any."""
    subordinator: str | None = None
    begin = 0
    openers = word_class("openers")
    while begin < len(words):
        word = words[begin]
        if word.tag == "SUB" and begin + 1 < len(words) and word.lower not in {"given", "considering"}:
            subordinator = word.lower
        elif not (word.tag in {"CONJ", "ADV", "PUNCT", "SUB"} or (word.lower in openers and _more(words, begin))):
            break
        begin += 1
    lead_end = begin
    commas = [at for at in range(begin, len(words)) if words[at].text == ","]
    if commas and words[begin].tag in {"PREP", "SUB", "VERB"} | {"ADV"}:
        lead_end = commas[-1] + 1
    subject = words[lead_end:]
    while subject and subject[-1].tag in {"ADV", "PUNCT", "NEG"} and subject[-1].text not in {")", '"', "”"}:
        subject = subject[:-1]
    return words[begin:lead_end], subject, subordinator


def _more(words: list[Token], at: int) -> bool:
    """Whether an opener like "well" or "first" is followed by a comma, or by a pronoun or name that can be the subject."""
    following = words[at + 1] if at + 1 < len(words) else None
    return following is not None and (following.text in {",", "!", ":", "—"} or following.tag in {"PRON", "NAME", "DET"})


def _embedded(words: list[Token], group: Group, last_end: int) -> bool:
    """Whether the group stands in a relative clause: right after who, which, that, or after their subject."""
    for back in range(group.start - 1, max(last_end - 1, group.start - 6), -1):
        word = words[back]
        if word.lower in _RELATIVE and word.tag != "NAME" and back > 0 and words[back - 1].tag not in {"PUNCT", "VERB", "CONJ"}:
            return not (word.lower == "that" and words[back - 1].tag in {"BE", "PRON"})
        if word.lower in {"which", "who"} and word.tag != "NAME" and back > 1 and words[back - 1].text == ",":
            return True
        if word.tag in {"PUNCT", "CONJ", "PREP", "BE"}:
            return False
    return False


def _cut(words: list[Token], one: Group, other: Group) -> int | None:
    """Where the clause of `other` begins, or None if it is part of what follows `one`."""
    between = range(other.start - 1, one.end - 1, -1)
    if words[other.start - 1].lower == "to" or (words[other.start].is_form("g") and words[other.start].tag != "BE"):
        return None
    for at in between:
        word = words[at]
        if word.lower == "that" and words[at - 1].tag in {"VERB", "PRON", "WORD"} and at <= one.end + 1 and at + 1 < other.start:
            return at + 1
        if word.tag == "SUB":
            return at
        if word.tag == "CONJ":
            subject = words[at + 1 : other.start]
            if _part_of_object(words, one, other, at, subject):
                return None
            fits = not [w for w in subject if w.tag not in {"ADV", "NEG"}] or _can_be_subject(subject)
            return at if fits else None
        if word.text in {",", ";", ":", "—", "–", "("} and (_can_be_subject(words[at + 1 : other.start])):
            return at
    # "I know you live in Lyon": a pronoun in the nominative begins a clause of its own
    if other.start - 1 >= one.end and words[other.start - 1].lower in _NOMINATIVE:
        return other.start - 1
    # "Bob says Ana likes tea", "I think my boss is ill": a whole subject stands between two verbs
    if words[one.start].tag != "BE" and one.lemma in _GOVERNING and _can_be_subject(words[one.end : other.start]):
        return one.end + (1 if words[one.end].lower in _OBJECT_PRONOUNS | {"that"} and one.end + 1 < other.start else 0)
    return None


def _part_of_object(words: list[Token], one: Group, other: Group, at: int, subject: list[Token]) -> bool:
    """ "wants to learn Spanish and improve it", "query caches and DOM updates": no clause of its own."""
    infinitive = any(words[i].lower == "to" and words[i + 1].is_form("b") for i in range(one.end, at - 1))
    if infinitive and not [w for w in subject if w.tag != "ADV"] and words[other.main].is_form("b"):
        return True
    lemma = words[other.main].is_form("s")
    return lemma is not None and lemma in word_class("shy") and bool(subject) and subject[0].tag in {"NAME", "WORD"}


def _can_be_subject(words: list[Token]) -> bool:
    return bool(words) and words[0].tag in {"PRON", "NAME", "DET", "WORD", "NUM", "ADV", "VERB"} and words[0].lower not in _OBJECT_PRONOUNS
