"""What follows an English copula or passive: attributes, roles, states, ages, places, kinds."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from consilience.ingest.extraction.clauses import Clause
from consilience.ingest.extraction.objects import SAYING_MORE, classified, entity_words, find_frames, phrase_words, value_of
from consilience.ingest.extraction.predicates import noun_predicate, nouns, predicate_info, predicates, slug
from consilience.ingest.extraction.readings import FROM_TABLE, OPEN_NOUN, OPEN_VERB, TIME, Reading, Scene, spoken
from consilience.ingest.extraction.subjects import Subject, owner_ref, read_subject
from consilience.ingest.extraction.tables import word_class
from consilience.ingest.extraction.tokens import Token
from consilience.schema.statements import Change, SubjectKind, SubjectRef
from consilience.text.dates import TimeMention

MARITAL: Final = frozenset({"married", "single", "divorced", "widowed", "engaged", "separated", "unmarried"})
_AGED: Final = re.compile(r"^(?P<n>\d{1,3}|[a-z]+(?:[- ][a-z]+)?)(?:[- ]years?[- ]old| years? of age| yo\b|$)", re.IGNORECASE)
_PLACED: Final = frozenset({"locate", "base", "situate", "headquarter", "hold", "schedule", "set", "find", "plan"})
# What happens to a deadline, a budget, a version: "the deadline was moved to", "my budget grew to".
ALTERING: Final = word_class("altering")
_AT: Final = frozenset({"in", "at", "on", "for", "to", "from", "by"})
_DEGREES: Final = word_class("degrees")


def read_copula(clause: Clause, *, subject: Subject, scene: Scene, text: str, times: Sequence[TimeMention]) -> Iterator[Reading]:
    """The statements of a clause with be: "X's N is Y", "X is the N of Y", "X was founded by Y", "X is 30", "X is a N"."""
    group = clause.group
    participle = _participle(clause)
    rest = ([participle] if participle else []) + [word for word in clause.rest if not (word.lower in _DEGREES and word.tag == "ADV")]
    if not rest:
        return
    if subject.noun is not None and subject.owner is not None and subject.name is None:
        attribute = _attribute(subject, rest, passive=group.passive, text=text, times=times)
        if attribute is not None:
            yield attribute
            return
    framed = list(_framed(rest, subject=subject, scene=scene, text=text, times=times))
    if framed:
        yield from framed
        return
    for ref in subject.refs:
        yield from _complement(ref, rest, scene=scene, text=text, times=times, progressive=group.progressive)


def _participle(clause: Clause) -> Token | None:
    """The main verb of a passive or progressive, put back in front as an adjective: "be" + "founded by"."""
    group = clause.group
    return clause.verb if group.passive else None


def _attribute(subject: Subject, rest: list[Token], *, passive: bool, text: str, times: Sequence[TimeMention]) -> Reading | None:
    """ "X's N is Y". None where the complement tells something of N itself: "my sister is a doctor", "my sister is 30"."""
    assert subject.noun is not None
    assert subject.owner is not None
    predicate = noun_predicate(subject.noun)
    placed = _placed(rest, passive=passive, relation=subject.relation)
    if not predicate or placed is None:
        return None
    body, change = placed
    info = predicate_info(predicate)
    known = predicate in predicates()
    sure = FROM_TABLE if known else OPEN_NOUN
    if info.value == "date" or (body and body[0].tag == TIME):
        time = next((t for t in times if not t.duration), None)
        return Reading(subject.owner, predicate, time.iso, sure, single=True, change=change) if time else None
    if (subject.relation and not (body and body[0].tag == "NAME")) or (not known and body and body[0].lower in {"a", "an"}):
        return None
    words = phrase_words(body)
    value = classified(words, text)[1] or _no_article(spoken(words, text))
    entity = info.value == "entity" or (bool(words) and words[0].tag == "NAME")
    return Reading(subject.owner, predicate, value, sure, entity=entity, single=None if known else True, change=change) if value else None


def _placed(rest: list[Token], *, passive: bool, relation: bool) -> tuple[list[Token], Change | None] | None:
    """The complement without "located in", "set to", "moved to", and whether that marks a change; None after any other participle."""
    if passive or (rest[0].is_form("n") and len(rest) > 1 and rest[1].tag == "PREP"):
        lemma = rest[0].is_form("n") or ""
        if lemma not in _PLACED and lemma not in ALTERING:
            return None
        body = rest[2:] if len(rest) > 1 and rest[1].lower in _AT else rest[1:]
        return body, Change.MOVED if lemma in ALTERING else None
    if rest[0].tag == "PREP" and len(rest) > 1 and rest[0].lower in _AT and not relation:
        return rest[1:], None
    return rest, None


def _no_article(value: str) -> str:
    return re.sub(r"^(?:the|a|an) (?=\S)", "", value, flags=re.IGNORECASE) if not re.match(r"(?:The|A|An) [A-Z]", value) else value


def _framed(rest: list[Token], *, subject: Subject, scene: Scene, text: str, times: Sequence[TimeMention]) -> Iterator[Reading]:
    for match in find_frames("be", rest):
        value = value_of(rest, match, scene=scene, text=text, times=times)
        if value is None:
            continue
        frame = next((frame for frame in match.frames if frame.predicate == value.predicate), match.frames[0])
        for ref in subject.refs:
            yield replace(value, subject=ref, negated=frame.negated, change=frame.change)
            if value.predicate == "spouse":
                yield Reading(ref, "marital_status", "married", FROM_TABLE, negated=frame.negated, change=frame.change)


def _complement(
    ref: SubjectRef, rest: list[Token], *, scene: Scene, text: str, times: Sequence[TimeMention], progressive: bool
) -> Iterator[Reading]:
    first = rest[0]
    words = phrase_words(rest)
    value = spoken(words, text)
    if first.tag == TIME:
        time = next((t for t in times if not t.duration), None)
        if time is not None:
            yield Reading(ref, "scheduled_on", time.iso, OPEN_NOUN)
        return
    if first.lower in MARITAL and len(words) == 1:
        yield Reading(
            ref, "marital_status", "married" if first.lower == "unmarried" else first.lower, FROM_TABLE, negated=first.lower == "unmarried"
        )
        return
    aged = _AGED.match(value)
    if aged and first.tag == "NUM" and aged["n"].isdigit() and int(aged["n"]) < 130:
        yield Reading(ref, "age", aged["n"], FROM_TABLE)
        return
    if (role := _role(ref, words, scene=scene, text=text)) is not None:
        yield role
        return
    yield from _described(ref, words, value, text)


def _role(ref: SubjectRef, words: list[Token], *, scene: Scene, text: str) -> Reading | None:
    """ "the CEO of Acme", "my mother", "Ana's manager" as complement: the slot is the owner's, the subject its value."""
    if not words or ref.via is not None:
        return None
    owner: SubjectRef | None = None
    noun = ""
    poss = next((i for i, word in enumerate(words) if word.tag == "POSS"), None)
    if words[0].lower in {"my", "our", "your", "his", "her", "their", "its"} and len(words) > 1:
        owner, noun = owner_ref(words[0], scene), spoken(words[1:], text)
    elif poss:
        held = read_subject(words[:poss], scene=scene, text=text)
        owner, noun = (held.refs[0] if held else None), spoken(words[poss + 1 :], text)
    else:
        held = (
            read_subject(words, scene=scene, text=text)
            if words[0].lower == "the" or spoken(words[:1], text).casefold() in nouns()
            else None
        )
        if held is not None and held.noun is not None and held.owner is not None:
            owner, noun = held.owner, held.noun
    if owner is None or not noun or owner == ref:
        return None
    predicate = noun_predicate(noun)
    if not predicate:
        return None
    known = predicate in nouns().values()
    sure = FROM_TABLE if known else OPEN_NOUN
    return Reading(owner, predicate, ref.name or "", sure, entity=True, single=None if known else True, value_ref=None if ref.name else ref)


def _described(ref: SubjectRef, words: list[Token], value: str, text: str) -> Iterator[Reading]:
    """What somebody or something is: a kind, a name, a quality, in a state towards something."""
    if not words or not value or words[0].lower in {"sure", "unsure", "certain"}:
        return
    first = words[0]
    comma = next((i for i, word in enumerate(words) if word.text == ","), len(words))
    if first.tag == "NAME" and comma + 2 < len(words) and words[comma + 1].lower in {"a", "an", "the"}:  # "Craig, a painter"
        yield from _described(ref, words[comma + 1 :], spoken(words[comma + 1 :], text), text)
        words = words[:comma]
        value = spoken(words, text)
    if first.lower in {"a", "an"} and len(words) > 1:
        yield from _kind(ref, words, text)
    elif first.tag == "NAME" and ref.kind is not SubjectKind.NAMED and len(words) <= 3 and _is_name(words):
        yield Reading(ref, "name", value, OPEN_NOUN, entity=True)
    elif len(words) > 2 and words[1].tag == "PREP" and first.tag in {"WORD", "VERB"} and first.text.islower():
        yield _towards(ref, words, text)
    elif first.tag == "PREP" and len(words) > 1:
        yield Reading(ref, slug(f"is {first.lower}"), spoken(words[1:], text), OPEN_VERB, entity=words[1].tag == "NAME")
    elif first.tag not in {"PRON", "SUB", "PREP"}:
        yield Reading(ref, "is", _no_article(value), OPEN_NOUN, entity=first.tag == "NAME", single=False)


def _is_name(words: list[Token]) -> bool:
    """Only names, and none that says where somebody is from: "I'm Ana", not "I'm Italian"."""
    return all(word.tag == "NAME" for word in words) and not re.search(r"(?:an|ese|ish|ch)$", words[0].lower)


def _kind(ref: SubjectRef, words: list[Token], text: str) -> Iterator[Reading]:
    """ "an engineer at Acme": the kind, and the place of work."""
    yield Reading(ref, "is_a", spoken(entity_words(words), text), FROM_TABLE)
    at = next((i for i, word in enumerate(words) if word.lower in {"at", "for"} and i > 1), None)
    if at is not None and at + 1 < len(words) and words[at + 1].tag == "NAME":
        yield Reading(ref, "works_at", spoken(entity_words(words[at + 1 :]), text), OPEN_NOUN, entity=True)


def _towards(ref: SubjectRef, words: list[Token], text: str) -> Reading:
    """ "proud of Ana", "associated with the sport of chess", "painted by Ana" (one value: who did it)."""
    first, body = words[0], words[2:]
    classifier, named, single = classified(body, text)
    by = words[1].lower == "by" and first.is_form("n") is not None
    predicate = classifier if single and classifier in SAYING_MORE else slug(f"{first.lower} {words[1].lower}")
    return Reading(ref, predicate, named or spoken(body, text), OPEN_VERB, entity=body[0].tag == "NAME", single=single or by or None)
