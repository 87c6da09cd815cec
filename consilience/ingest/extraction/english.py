"""English clauses read as statements, by the table of frames; what no frame fits is read openly from its verb or noun."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from consilience.ingest.extraction.clauses import KNOWING, REPORTING, THINKING, Clause, clauses
from consilience.ingest.extraction.complements import ALTERING, MARITAL, read_copula
from consilience.ingest.extraction.names import mention
from consilience.ingest.extraction.objects import classified, find_frames, phrase_words, possession, third_person, value_of
from consilience.ingest.extraction.predicates import Frame, noun_predicate, predicate_info, slug
from consilience.ingest.extraction.readings import FROM_TABLE, OPEN_NOUN, OPEN_VERB, TIME, Reading, Scene, spoken
from consilience.ingest.extraction.relatives import RELATIVE, read_relative
from consilience.ingest.extraction.subjects import Subject, read_subject
from consilience.ingest.extraction.tables import mark, word_class
from consilience.ingest.extraction.tokens import Token, tokens
from consilience.schema.statements import Change, SubjectKind, SubjectRef
from consilience.text.dates import TimeMention, times

_LONGEST: Final = 120
_MODAL_HEDGE: Final = frozenset({"may", "might", "could", "would", "'d", "should"})
# "stopped drinking coffee" is about drinking coffee, and says that it is over.
_PHASES: Final[dict[str, tuple[Change | None, bool]]] = {
    **dict.fromkeys(("stop", "quit", "cease"), (Change.NO_LONGER, True)),
    **dict.fromkeys(("start", "begin"), (Change.MOVED, False)),
    **dict.fromkeys(("keep", "continue", "practice"), (None, False)),
}
# ", can you help me with that" in the middle of a sentence asks; the rest of it tells nothing.
_ASKING: Final = re.compile(
    r"(?:^|[,;(–—-]|\b(?:and|but|so))\s+(?:can|could|would|will|do|did|should|may) (?:you|i|we)\b.*", re.IGNORECASE | re.DOTALL
)
_GETTING: Final = frozenset({"get", "adopt", "buy"})
_UNREAL: Final = frozenset({"if", "unless", "when", "whenever", "before", "until", "after", "whether"})
_WEAK: Final = word_class("weak")


@dataclass(frozen=True, slots=True)
class _Seen:
    clause: Clause
    times: tuple[TimeMention, ...]
    scene: Scene
    text: str


def read_english(text: str, *, scene: Scene) -> list[Reading]:
    """The statements of one sentence, without those of its questions; empty if nothing fits."""
    text = _ASKING.sub("", text)
    named = times(text, reference=scene.occurred_at)
    words = _with_times(tokens(text), named)
    if len(words) > _LONGEST:
        return []
    found: list[Reading] = []
    parts = clauses(words)
    for at, clause in enumerate(parts):
        if clause.subordinator in _UNREAL:
            continue
        governor = parts[at - 1] if at and _governs(parts[at - 1], clause) else None
        for reading in _read(_Seen(clause, named, _under(governor, scene, text), text)):
            found.append(_governed(reading, governor, scene, text))
            if not reading.entity:
                scene = replace(scene, thing=reading.value)
    return [reading for reading in found if reading.predicate and (reading.value_ref or _says_something(reading.value))]


def _says_something(value: str) -> bool:
    """Whether a value is more than small words: "with", "so far", "make sure"."""
    small = word_class("adverbs") | word_class("prepositions") | word_class("pronouns")
    words = value.casefold().split()
    return bool(words) and not all(word in small for word in words) and words[:2] != ["make", "sure"] and value.casefold() != "sure"


def _governs(one: Clause, other: Clause) -> bool:
    """Whether `other` is what `one` says, thinks or knows: "Bob told me he moved"."""
    about = [word for word in one.rest if word.tag not in {"PUNCT", "PREP", TIME} and word.lower not in {"that", "like"}]
    return (
        one.group.lemma in REPORTING | THINKING | KNOWING
        and all(word.tag == "PRON" for word in about)
        and other.subordinator is None
        and not other.shared_subject
    )


def _reporter(governor: Clause | None, scene: Scene, text: str) -> SubjectRef | None:
    if governor is None or governor.group.lemma not in REPORTING:
        return None
    subject = read_subject(list(governor.subject), scene=scene, text=text)
    ref = subject.refs[0] if subject else None
    return None if ref == scene.first else ref


def _under(governor: Clause | None, scene: Scene, text: str) -> Scene:
    """In what Bob said, "he" is Bob."""
    ref = _reporter(governor, scene, text)
    return scene.seeing([mention(ref.name)]) if ref is not None and ref.name else scene


def _governed(reading: Reading, governor: Clause | None, scene: Scene, text: str) -> Reading:
    if governor is None:
        return reading
    if (
        governor.group.lemma in THINKING
        or any(word.lower == "sure" for word in governor.rest)
        or (governor.group.negated and governor.group.lemma in KNOWING)
    ):
        return replace(reading, hedged=True)
    return replace(reading, reported=_reporter(governor, scene, text) is not None or reading.reported)


def _with_times(words: list[Token], named: tuple[TimeMention, ...]) -> list[Token]:
    """The words with each named time as a single token."""
    if not named:
        return words
    found: list[Token] = []
    done = -1
    for word in words:
        at = next((i for i, time in enumerate(named) if time.span[0] <= word.start < time.span[1]), None)
        if at is None:
            found.append(word)
        elif at != done:
            done = at
            start, end = named[at].span
            found.append(Token("", f"\0{at}", start, end, TIME))
    return found


def _read(seen: _Seen) -> Iterator[Reading]:
    clause = seen.clause
    if any(word.lower in RELATIVE and word.tag != "NAME" for word in clause.subject[1:]):
        yield from (_coloured(reading, clause, [], seen.text) for reading in read_relative(clause, scene=seen.scene, text=seen.text))
        return
    subject = _subject_of(seen)
    if subject is None:
        return
    relation = _apposition(subject)
    if relation is not None:
        yield relation
    own = _times_of(clause, seen.times)
    read = read_copula if clause.group.copula or clause.group.passive else _read_verb
    for reading in read(clause, subject=subject, scene=seen.scene, text=seen.text, times=own):
        yield _coloured(reading, clause, own, seen.text)


def _subject_of(seen: _Seen) -> Subject | None:
    clause = seen.clause
    words = [word for word in clause.subject if word.tag != TIME]
    if words:
        return read_subject(words, scene=seen.scene, text=seen.text)
    # "Just moved to Lyon", "Love this place": talk without a subject is about the speaker
    group = clause.group
    if group.past or group.progressive or group.lemma in {"love", "hate", "like", "prefer", "enjoy", "miss"}:
        return Subject((seen.scene.first,))
    return None


def _apposition(subject: Subject) -> Reading | None:
    if subject.name is None or subject.owner is None or subject.noun is None:
        return None
    return Reading(subject.owner, noun_predicate(subject.noun), subject.name, FROM_TABLE, entity=True)


def _times_of(clause: Clause, named: tuple[TimeMention, ...]) -> list[TimeMention]:
    return [named[int(word.lower[1:])] for word in clause.words if word.tag == TIME]


def _coloured(reading: Reading, clause: Clause, own: list[TimeMention], text: str) -> Reading:
    """With the negation, tense, change and time of its clause."""
    group = clause.group
    info = predicate_info(reading.predicate)
    said = text[clause.words[0].start : clause.words[-1].end]
    negated = reading.negated != group.negated
    change = reading.change
    if group.used_to:
        change = Change.USED_TO
    elif group.negated and any(word.lower in {"longer", "anymore"} for word in clause.words):
        change = Change.NO_LONGER
    elif change is None and mark("now").search(said):
        change = Change.NOW
    time = reading.time
    if time is None and info.value != "date":
        time = next((t for t in own if not t.duration or group.perfect), None)
    past = group.used_to or (info.state and group.past and not group.perfect and time is None and change is None and not negated)
    event = reading.event or (
        (group.past or group.perfect) and not group.copula and not info.state and not group.passive and reading.confidence == OPEN_VERB
    )
    hedged = group.modal in _MODAL_HEDGE or mark("hedges").search(said) is not None
    return replace(reading, negated=negated, change=change, time=time, past=past, event=event, hedged=hedged)


def _read_verb(clause: Clause, *, subject: Subject, scene: Scene, text: str, times: list[TimeMention]) -> Iterator[Reading]:
    group, rest = clause.group, clause.rest
    if (
        group.lemma in {"get", "become"}
        and any(word.lower in MARITAL for word in rest[:1])
        and not any(word.lower == "to" for word in rest)
    ):
        for ref in subject.refs:
            yield Reading(ref, "marital_status", rest[0].lower, FROM_TABLE, change=Change.MOVED)
        return
    if group.lemma == "have" or (group.lemma in _GETTING and any(word.lower in {"named", "called"} for word in rest)):
        yield from possession(rest, subject=subject, scene=scene, text=text, times=times)
        return
    phase = _PHASES.get(group.lemma)
    verb = rest[0].is_form("g") if phase is not None and len(rest) > 0 else None
    if phase and verb:
        inner = replace(clause, group=replace(group, lemma=verb), rest=rest[1:])
        for reading in _read_verb(inner, subject=subject, scene=scene, text=text, times=times):
            yield replace(reading, negated=reading.negated != phase[1], change=phase[0] or reading.change)
        return
    altered = _altered(clause, subject=subject, text=text, times=times)
    if altered is not None:
        yield altered
        return
    matches = find_frames(group.lemma, rest)
    found: list[Reading] = []
    for at, match in enumerate(matches):
        end = matches[at + 1].start - 1 if at + 1 < len(matches) else len(rest)
        value = value_of(rest[: max(end, match.start + 1)], match, scene=scene, text=text, times=times)
        if value is not None:
            found.extend(_by_frames(match.frames, value, subject))
    certain = {reading.predicate for reading in found if not reading.alternatives}
    for reading in found:
        # "switched from Redis to Postgres": the one reading tells what the other means
        shared = next((name for name in reading.alternatives if name in certain), None)
        yield replace(reading, predicate=shared, alternatives=()) if shared else reading
    if not found:
        yield from _open_verb(clause, subject=subject, scene=scene, text=text)


def _altered(clause: Clause, *, subject: Subject, text: str, times: list[TimeMention]) -> Reading | None:
    """ "My budget grew to $600": the attribute has this value now."""
    rest = clause.rest
    if clause.group.lemma not in ALTERING or subject.noun is None or subject.owner is None or subject.relation:
        return None
    predicate = noun_predicate(subject.noun)
    at = next((i for i, word in enumerate(rest) if word.lower == "to"), None)
    if predicate_info(predicate).value == "date" or at is None:
        time = times[-1] if times and (at is None) and predicate_info(predicate).value == "date" else None
        return Reading(subject.owner, predicate, time.iso, FROM_TABLE, change=Change.MOVED, single=True) if time else None
    value = spoken(phrase_words(rest[at + 1 :]), text)
    return Reading(subject.owner, predicate, value, OPEN_NOUN, change=Change.MOVED, single=True) if value else None


def _by_frames(found: tuple[Frame, ...], value: Reading, subject: Subject) -> Iterator[Reading]:
    """One reading a subject; a frame with several predicates keeps the others as alternatives."""
    first = next((frame for frame in found if frame.predicate == value.predicate), found[0])
    others = value.alternatives if len(value.alternatives) > 1 else ()
    for ref in subject.refs:
        if first.flipped:
            yield replace(
                value,
                subject=SubjectRef(SubjectKind.NAMED, value.value),
                value=ref.name or "",
                value_ref=None if ref.name else ref,
                predicate=first.predicate,
            )
            continue
        yield replace(value, subject=ref, negated=first.negated, change=first.change, alternatives=others)


def _open_verb(clause: Clause, *, subject: Subject, scene: Scene, text: str) -> Iterator[Reading]:
    """A verb of no frame: the verb itself, with its preposition, is the predicate."""
    group = clause.group
    rest = [word for word in clause.rest if word.tag != TIME]
    if group.lemma in _WEAK or not rest or group.modal == "let":
        return
    prep = rest[0].lower if rest[0].tag == "PREP" and len(rest) > 1 else ""
    body = rest[1:] if prep else rest
    if body[0].tag in {"PRON", "ADV", "SUB"} and len(body) == 1:
        return
    classifier, value, single = classified(body, text)
    predicate = slug(f"{third_person(group.lemma)} {prep} {classifier}")
    value = value or re.sub(r"^(?:a|an|the|any|some) (?=\S)", "", spoken(body, text))
    for ref in subject.refs:
        yield Reading(ref, predicate, value, OPEN_VERB, entity=body[0].tag == "NAME", single=single)
