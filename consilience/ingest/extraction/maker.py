"""The keyless statement maker: text in, drafts out. Pure; nothing is kept between calls."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from consilience.ingest.extraction.chinese import read_chinese
from consilience.ingest.extraction.english import read_english
from consilience.ingest.extraction.marks import Marks, is_instruction, marks_of
from consilience.ingest.extraction.names import mentions
from consilience.ingest.extraction.predicates import predicate_info, predicates
from consilience.ingest.extraction.readings import SENTENCE, Reading, Scene
from consilience.ingest.extraction.shapes import alias_in, shape_of
from consilience.schema.domain import Role
from consilience.schema.statements import (
    STATES,
    Arity,
    Change,
    Draft,
    EntityMention,
    Grain,
    StatementKind,
    SubjectKind,
    SubjectRef,
    ValidTime,
)
from consilience.text.dates import Cue, TimeMention, times
from consilience.text.sentences import Sentence, sentences

EXTRACTOR_ID: Final = "rules-1"
_HAN: Final = re.compile("[\u3400-\u9fff]")
_LATIN: Final = re.compile("[A-Za-z]")
_SPLIT: Final = re.compile(r"\s*(?:,\s*(?:and|or)\s+|,\s+|\s+and\s+|\s+or\s+|、|和|以及|与)\s*")
_AND: Final = re.compile(r"\b(?:and|or)\b|[、和与]|以及")
_LONGEST_PART: Final = 4  # words; longer parts are clauses, not items of a list
_MOST_CHARACTERS: Final = 1_200  # of a sentence that is read for more than `states`


@dataclass(frozen=True, slots=True)
class _Said:
    sentence: Sentence
    role: Role
    speaker: SubjectRef
    marks: Marks
    instruction: bool
    occurred_at: datetime
    body: str


def extract(
    text: str,
    *,
    speaker: str,
    addressee: str | None,
    role: Role,
    occurred_at: datetime,
    recent: Sequence[EntityMention] = (),
) -> list[Draft]:
    """The statements of a text in the order of its sentences; questions yield none, any other sentence at least a `states`.

    `recent`: names of the session so far, oldest first, for he, she, it, 他, 她. Times are resolved against `occurred_at`
    with its own offset. Raises ValueError if `occurred_at` is naive.
    """
    if occurred_at.tzinfo is None:
        raise ValueError("occurred_at must be aware")
    me = SubjectRef(SubjectKind.AGENT if role in {Role.ASSISTANT, Role.SYSTEM} else SubjectKind.SPEAKER)
    you = SubjectRef(SubjectKind.ADDRESSEE if addressee or role is Role.ASSISTANT else SubjectKind.AGENT)
    scene = Scene(me, you, occurred_at, tuple(recent))
    found: list[Draft] = []
    for sentence in sentences(text):
        said = _said(sentence, role=role, speaker=me, occurred_at=occurred_at)
        found.extend(_drafts(said, scene))
        scene = replace(scene.seeing(mentions(sentence.text)), thing=None)
    # A person of the scene as a value ("I am the CEO of Acme") is called by name; `value_ref` says who it is.
    return [_named(draft, speaker=speaker, addressee=addressee) for draft in found]


def _named(draft: Draft, *, speaker: str, addressee: str | None) -> Draft:
    if draft.value_ref is None:
        return draft
    name = draft.value_ref.label(speaker=speaker, addressee=addressee)
    return replace(draft, value=name, value_entity=name)


def _said(sentence: Sentence, *, role: Role, speaker: SubjectRef, occurred_at: datetime) -> _Said:
    body = sentence.text
    return _Said(sentence, role, speaker, marks_of(body), is_instruction(body, role=role), occurred_at, body)


def _drafts(said: _Said, scene: Scene) -> Iterator[Draft]:
    sentence = said.sentence
    if sentence.question:
        readings = _declared(sentence.text, scene)
        yield from (_draft(reading, said) for reading in readings)
        return
    if said.marks.asks:
        return
    if said.marks.outburst:
        yield replace(_states(said), kind=StatementKind.OUTBURST)
        return
    shaped = shape_of(sentence.text, said.speaker, said.role)
    if shaped is not None:
        yield _draft(shaped, said, whole=True)
        return
    readings = [] if said.instruction or len(sentence.text) > _MOST_CHARACTERS else _read(sentence.text, scene)
    drafts = [_draft(part, said, whole=_HAN.search(sentence.text) is not None) for reading in readings for part in _items(reading)]
    yield from dict.fromkeys(drafts)
    if not drafts:
        yield _states(said)


def _read(text: str, scene: Scene) -> list[Reading]:
    """By script: Chinese where its characters stand, English where Latin letters do."""
    found: list[Reading] = []
    alias = alias_in(text)
    if alias is not None:
        found.append(alias[0])
        text = alias[1]
    han = len(_HAN.findall(text))
    if han:
        found += read_chinese(text, scene=scene)
    if han <= len(text) / 4 and len(_LATIN.findall(text)) > 1:
        found += read_english(text, scene=scene)
    return found


def _declared(text: str, scene: Scene) -> list[Reading]:
    """What a question tells in passing: "considering I use Flask, how ...?". Only clauses before the asking one, about the speaker."""
    if _HAN.search(text):
        return []
    asked = re.search(
        r"[,;]? (?:(?:and|but|so) )?(?:can|could|would|will|do|does|is|are|what|how|why|when|where|who|which|should)\b(?=[^,;]*\?)", text
    )
    if asked is None or asked.start() < 8 or marks_of(text).asks:
        return []
    told = text[: asked.start()]
    return [reading for reading in read_english(told, scene=scene) if reading.subject.kind is not SubjectKind.ADDRESSEE and " " in told]


def _items(reading: Reading) -> Iterator[Reading]:
    """ "tea and coffee" as two values where the predicate takes lists."""
    parts = [part for part in _SPLIT.split(reading.value) if part]
    # A comma alone is an apposition ("Ann, Duchess of York"); a list has its "and".
    listed = predicate_info(reading.predicate).split and 1 < len(parts) <= 12 and _AND.search(reading.value) is not None
    if listed and all(len(part.split()) <= _LONGEST_PART for part in parts):
        for part in parts:
            yield replace(reading, value=part)
    else:
        yield reading


def _draft(reading: Reading, said: _Said, *, whole: bool = False) -> Draft:
    info = predicate_info(reading.predicate)
    marks = said.marks
    hedged = reading.hedged or (whole and marks.hedged)
    change = reading.change or (Change.NO_LONGER if reading.negated and marks.no_longer else (Change.NOW if whole and marks.now else None))
    kind = reading.kind or (StatementKind.EVENT if reading.event else info.kind)
    arity = info.arity if reading.predicate in _TABLE else (Arity.ONE if reading.single else Arity.MANY)
    confidence = reading.confidence * (0.6 if hedged else 1.0) * (0.8 if reading.reported else 1.0)
    return Draft(
        subject=reading.subject,
        predicate=reading.predicate,
        value=reading.value,
        words=said.sentence.text,
        span=(said.sentence.start, said.sentence.end),
        kind=kind,
        arity=arity,
        value_entity=reading.value if reading.entity else None,
        value_ref=reading.value_ref,
        alternatives=reading.alternatives if len(reading.alternatives) > 1 else (),
        negated=reading.negated,
        hedged=hedged,
        reported=reading.reported,
        explicit=not (hedged or reading.reported),
        change=change,
        valid=_valid(reading, kind=kind, change=change, occurred_at=said.occurred_at),
        instruction_like=said.instruction,
        confidence=round(confidence, 3),
        extractor=EXTRACTOR_ID,
    )


def _valid(reading: Reading, *, kind: StatementKind, change: Change | None, occurred_at: datetime) -> ValidTime | None:
    """When it holds: as the time says; a change begins there and stays; a past state without a time is over by now."""
    time = reading.time
    if time is None:
        return ValidTime(None, occurred_at, Grain.DAY) if reading.past else None
    valid = time.valid
    lasting = change is Change.MOVED and kind is not StatementKind.EVENT
    if lasting and time.cue is Cue.AT and not reading.negated:
        return replace(valid, end=None)
    if reading.past and valid.end is None:
        return replace(valid, end=occurred_at)
    return valid


def _states(said: _Said) -> Draft:
    """The sentence itself: what is left where nothing else could be read."""
    named: tuple[TimeMention, ...] = times(said.sentence.text[:_MOST_CHARACTERS], reference=said.occurred_at)
    time = next((time for time in named if not time.duration), None)
    reading = Reading(said.speaker, STATES, " ".join(said.sentence.text.split()), SENTENCE, time=time)
    return replace(_draft(reading, said, whole=True), vague=said.marks.vague)


_TABLE: Final = frozenset(predicates())


def choose(draft: Draft, *, filled: Collection[str]) -> Draft:
    """A verb with two readings decided by which of the subject's slots is filled; `states` if none or several are (design §4)."""
    if not draft.alternatives:
        return draft
    fitting = [name for name in draft.alternatives if name in filled]
    if len(fitting) == 1:
        info = predicate_info(fitting[0])
        return replace(draft, predicate=info.name, arity=info.arity, kind=info.kind, alternatives=())
    return replace(
        draft, predicate=STATES, value=" ".join(draft.words.split()), value_entity=None, arity=Arity.MANY, alternatives=(), negated=False
    )
