"""What follows an English verb: which frame of the table it fits, where its value ends, and what "have" has."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from consilience.ingest.extraction.names import name_kind
from consilience.ingest.extraction.predicates import Frame, frames, noun_predicate, nouns, predicate_info, slug
from consilience.ingest.extraction.readings import FROM_TABLE, OPEN_NOUN, OPEN_VERB, TIME, Reading, Scene, spoken
from consilience.ingest.extraction.subjects import Subject, is_relation
from consilience.ingest.extraction.tables import regular_forms, word_class
from consilience.ingest.extraction.tokens import Token
from consilience.schema.statements import EntityKind, SubjectKind, SubjectRef
from consilience.text.dates import TimeMention
from consilience.text.units import is_amount

_ARTICLES: Final = frozenset({"a", "an", "the"})
_OWNING: Final = frozenset({"my", "your", "his", "her", "our", "their", "its"})
_THIRD: Final = {"be": "is", "have": "has", "do": "does", "go": "goes"}
_CLASSES: Final = word_class("classes")
_LONGEST_FRAME: Final = 4
# Predicates a class names better than the verb does: "plays the position of".
SAYING_MORE: Final = frozenset({"sport", "religion", "field", "position_played", "genre", "occupation"})
_CUTS: Final = frozenset({"who", "which", "because", "where", "when", "while", "although", "since", "but", "so"})


@dataclass(frozen=True, slots=True)
class FrameMatch:
    """Frames that fit, and the place in the words where their value begins."""

    frames: tuple[Frame, ...]
    start: int


def third_person(lemma: str) -> str:
    """The form an open predicate is named by: administer -> administers."""
    return _THIRD.get(lemma) or regular_forms(lemma)[0]


def find_frames(lemma: str, rest: Sequence[Token]) -> list[FrameMatch]:
    """The frames of this verb: the longest that begins right after it, and each one by a later preposition."""
    table = frames()
    found: list[FrameMatch] = []
    first = _direct(lemma, rest, table)
    if first is not None:
        found.append(first)
    after = first.start if first else 0
    base = f"be {rest[0].lower}" if lemma == "be" and rest else lemma
    if lemma == "be" and not (rest and rest[0].is_form("n")):
        return found
    for at in range(after, len(rest) - 1):
        if rest[at].tag == "PREP" and (found or at == 0 or _follows_phrase(rest, at)):
            later = table.get(f"{base} {rest[at].lower}")
            if later and not any(later == match.frames for match in found):
                found.append(FrameMatch(later, at + 1))
    return found


def _follows_phrase(rest: Sequence[Token], at: int) -> bool:
    """ "moved from Paris to Lyon", "works full time at Acme": the object before is short."""
    return at <= 4 and not any(word.text == "," for word in rest[:at])


def _direct(lemma: str, rest: Sequence[Token], table: dict[str, tuple[Frame, ...]]) -> FrameMatch | None:
    kept = [
        (i, word)
        for i, word in enumerate(rest[: _LONGEST_FRAME + 4])
        if (word.lower not in _ARTICLES | _OWNING and word.tag not in {"ADV", "NEG"}) or word.tag == "PREP"
    ]
    for size in range(min(_LONGEST_FRAME, len(kept)), 0, -1):
        found = table.get(" ".join([lemma, *(word.lower for _, word in kept[:size])]))
        start = kept[size - 1][0] + 1
        if found and start < len(rest):
            return FrameMatch(found, start)
    alone = table.get(lemma)
    infinitive = len(rest) > 1 and rest[0].lower == "to" and rest[1].is_form("b") is not None
    if alone and rest and (infinitive or kept) and (infinitive or rest[kept[0][0]].tag != "PREP"):
        return FrameMatch(alone, 0)
    return None


def value_of(rest: Sequence[Token], match: FrameMatch, *, scene: Scene, text: str, times: Sequence[TimeMention]) -> Reading | None:
    """The value a frame takes, as a reading without its subject; None if there is none or it does not fit any of the predicates."""
    body = rest[match.start :]
    fitting = [frame for frame in match.frames if _fits(frame, body)]
    if not fitting:
        return None
    frame = fitting[0]
    info = predicate_info(frame.predicate)
    if info.value == "date":
        return _dated(frame.predicate, body, times)
    words = entity_words(body) if info.value == "entity" and not frame.flipped else phrase_words(body)
    classifier, named, single = classified(words, text)
    value = named if classifier else spoken(words, text)
    entity = info.value == "entity" or (bool(words) and words[0].tag == words[-1].tag == "NAME")
    pronoun = words[0] if len(words) == 1 and words[0].tag == "PRON" else None
    if pronoun is not None and pronoun.lower in {"me", "us", "you"}:
        return Reading(
            scene.first, frame.predicate, "", FROM_TABLE, entity=True, value_ref=scene.second if pronoun.lower == "you" else scene.first
        )
    if pronoun is not None:
        ref = scene.third(pronoun.lower)
        value, entity = (ref.name or "", True) if ref is not None and pronoun.lower != "it" else (scene.thing or "", False)
    value = re.sub(r"^(?:a|an|the|any|some|to) (?=\S)", "", value)
    if not value or (words[0].tag in {"DET", "ADV"} and len(words) == 1):
        return None
    predicate = _classified_predicate(frame.predicate, classifier)
    reading = Reading(scene.first, predicate, value, FROM_TABLE, entity=entity, single=single or None)
    return _by_kind(reading, fitting, value) if len({f.predicate for f in fitting}) > 1 else reading


def _classified_predicate(predicate: str, classifier: str) -> str:
    """ "plays the position of center": the class says more than the verb, unless the table names a place for this very verb."""
    if not classifier or predicate_info(predicate).value == "entity" or classifier in {predicate, "location", "owns"}:
        return predicate
    return classifier if classifier in SAYING_MORE else predicate


def _by_kind(reading: Reading, fitting: list[Frame], value: str) -> Reading:
    """A verb with two readings ("moved to") goes by the kind of its object; unknown, all readings stay open."""
    kind = name_kind(value)
    wanted = {EntityKind.PLACE: "lives_in", EntityKind.ORGANISATION: "works_at"}.get(kind)
    names = [frame.predicate for frame in fitting]
    if wanted in names:
        return replace(reading, predicate=str(wanted), alternatives=(str(wanted),))
    return replace(reading, predicate=names[0], alternatives=tuple(dict.fromkeys(names)), confidence=OPEN_VERB)


def _fits(frame: Frame, body: Sequence[Token]) -> bool:
    info = predicate_info(frame.predicate)
    timed = bool(body) and body[0].tag == TIME
    if info.value == "date":
        return timed
    if frame.flipped:
        return bool(body) and (body[0].tag == "NAME" or (body[0].lower in _ARTICLES and len(body) > 1 and body[1].tag == "NAME"))
    if info.value == "number":
        return any(word.tag == "NUM" for word in body[:4])
    if info.value == "entity" and body and body[0].tag == "VERB" and body[0].text.islower() and body[0].is_form("g"):
        return False
    return bool(body) and not (timed and len(body) == 1)


def _dated(predicate: str, body: Sequence[Token], times: Sequence[TimeMention]) -> Reading | None:
    named = next((word for word in body if word.tag == TIME), None)
    if named is None:
        return None
    time = next((t for t in times if t.span == (named.start, named.end)), None)
    if time is None or time.duration:
        return None
    return Reading(SubjectRef(SubjectKind.SPEAKER), predicate, time.iso, FROM_TABLE)


def phrase_words(body: Sequence[Token]) -> list[Token]:
    """The words of a value: up to a time, a clause of reason or a relative clause after a comma."""
    found: list[Token] = []
    for at, word in enumerate(body):
        cut = word.tag == TIME and bool(found)
        clause = word.lower in _CUTS and at > 0 and (word.lower in {"because", "although", "while"} or body[at - 1].text == ",")
        if cut or clause:
            break
        if word.tag != TIME:
            found.append(word)
    while found and (
        found[-1].tag in {"CONJ", "SUB"} or found[-1].text in {",", ";", ":", "—", "–"} or found[-1].lower in {"anymore", "now", "too"}
    ):
        found.pop()
    return found


def entity_words(body: Sequence[Token]) -> list[Token]:
    """The words of an entity: up to the next preposition that is no part of a name."""
    found: list[Token] = []
    for at, word in enumerate(phrase_words(body)):
        following = body[at + 1] if at + 1 < len(body) else None
        named = bool(found) and found[-1].tag == "NAME" and following is not None and following.tag in {"NAME", "DET"}
        if word.tag == "PREP" and found and not (word.lower == "of" or (named and word.lower in {"for"})):
            break
        if word.lower in {"who", "which", "that", "where", "to"} and found:
            break
        if word.text == "(" or (word.lower == "and" and following is not None and following.tag not in {"NAME", "DET", "WORD", "PRON"}):
            break
        if not (not found and word.lower in _ARTICLES and following is not None):
            found.append(word)
    return found


def classified(body: Sequence[Token], text: str) -> tuple[str, str, bool]:
    """(predicate, value, True) of "the sport of chess": a definite class names the slot and holds one value; ("", "", False) else."""
    start = 1 if body and body[0].lower == "the" else 0
    at = next((i for i in range(start + 1, min(5, len(body) - 1)) if body[i].lower == "of"), None)
    if at is None or not all(word.text[0].islower() for word in body[start:at]):
        return "", "", False
    noun = spoken(body[start:at], text)
    if noun.casefold() not in _CLASSES and noun.casefold() not in nouns():
        return "", "", False
    return noun_predicate(noun) or slug(noun), spoken(body[at + 1 :], text), True


def possession(rest: Sequence[Token], *, subject: Subject, scene: Scene, text: str, times: Sequence[TimeMention]) -> Iterator[Reading]:
    """What somebody has: "a deadline of April 15", "a dog named Rex", "two sisters, Ann and Bea", "a car"."""
    words = [word for word in rest if word.tag != "ADV"]
    none = bool(words) and words[0].lower == "no"
    body = [word for word in words if word.lower not in _ARTICLES]
    body = body[1:] if none or (body and body[0].tag in {"DET"}) else body
    if not body:
        return
    at = next(
        (
            i
            for i in range(1, len(body))
            if body[i].lower in {"of", "named", "called", "on", "to", "for", "with", ",", ":", "by"}
            or body[i].tag in {TIME, "NAME"}
            or is_amount(body[i].text)
        ),
        len(body),
    )
    noun = spoken([word for word in body[:at] if word.tag != "NUM"], text)
    head = noun.casefold() if noun.casefold() in nouns() else (noun.casefold().split() or [""])[-1]
    if head in nouns():
        predicate = nouns()[head]
        value = _possessed(predicate, body, at, text, times)
        unnamed = is_relation(predicate) and predicate != "has_pet" and not value[:1].isupper()
        if value and not unnamed:
            for ref in subject.refs:
                yield Reading(ref, predicate, value, FROM_TABLE, entity=predicate_info(predicate).value == "entity", negated=none)
                if is_relation(predicate) and value != noun and head not in {"pet"} and predicate == "has_pet":
                    yield Reading(SubjectRef(SubjectKind.NAMED, value), "is_a", head, FROM_TABLE)
            return
    value = spoken(phrase_words(rest[1:] if none else rest), text)
    if value and not (len(rest) == 1 and rest[0].tag == "PRON"):
        for ref in subject.refs:
            yield Reading(ref, "has", re.sub(r"^(?:a|an|the|any) ", "", value), OPEN_NOUN, negated=none)


def _possessed(predicate: str, body: Sequence[Token], at: int, text: str, times: Sequence[TimeMention]) -> str:
    info = predicate_info(predicate)
    if info.value == "date":
        dated = _dated(predicate, body, times)
        return dated.value if dated else ""
    start = at + 1 if at < len(body) and (body[at].tag == "PREP" or body[at].lower in {"named", "called", "to", ",", ":"}) else at
    value = spoken(phrase_words(body[start:]), text)
    if info.value == "number" and not any(word.tag == "NUM" for word in body):
        return ""
    return value or spoken(body[:at], text)
