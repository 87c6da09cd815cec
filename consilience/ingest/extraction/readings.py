"""What passes between the readers of a sentence: the scene it was said in, and what was read out of it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from consilience.ingest.extraction.tokens import Token
from consilience.schema.statements import Change, EntityKind, EntityMention, StatementKind, SubjectKind, SubjectRef
from consilience.text.dates import TimeMention

# How sure the rules are, by how the reading came about.
FROM_TABLE: Final = 0.9
OPEN_NOUN: Final = 0.75
OPEN_VERB: Final = 0.65
SENTENCE: Final = 0.5
TIME: Final = "TIME"


@dataclass(frozen=True, slots=True)
class Scene:
    """Who speaks to whom, when, and whom pronouns may mean. `first`, `second`: who "I" and "you" are."""

    first: SubjectRef
    second: SubjectRef
    occurred_at: datetime
    recent: tuple[EntityMention, ...] = ()
    thing: str | None = None  # what the clause before was about: "it"

    def third(self, pronoun: str) -> SubjectRef | None:
        """Whom he, she, it or they means: the last name of the session that fits, else None."""
        wanted = {"she": True, "her": True, "hers": True, "he": False, "him": False, "his": False}.get(pronoun)
        for mention in reversed(self.recent):
            person = mention.kind is EntityKind.PERSON
            if wanted is None:
                if pronoun in {"it", "its"} and person:
                    continue
                return SubjectRef(SubjectKind.NAMED, mention.name)
            if mention.feminine is wanted or (mention.feminine is None and mention.kind in {EntityKind.PERSON, EntityKind.OTHER}):
                return SubjectRef(SubjectKind.NAMED, mention.name)
        return None

    def seeing(self, names: Sequence[EntityMention]) -> "Scene":
        """The scene after these names have been said too."""
        return replace(self, recent=(*self.recent, *names)[-32:]) if names else self


@dataclass(frozen=True, slots=True)
class Reading:
    """A (subject, predicate, value) before the sentence's own colours (hedge, report, ...) are put on."""

    subject: SubjectRef
    predicate: str
    value: str
    confidence: float = FROM_TABLE
    entity: bool = False
    negated: bool = False
    change: Change | None = None
    alternatives: tuple[str, ...] = ()
    kind: StatementKind | None = None
    single: bool | None = None  # arity of an open predicate: True one
    time: TimeMention | None = None  # the time that says when it holds
    past: bool = False  # a state told in the past, without a time: over by now
    event: bool = False
    hedged: bool = False
    reported: bool = False
    value_ref: SubjectRef | None = None  # the value is a person of the scene ("I am the CEO of Acme"); `value` is then empty


def spoken(words: Sequence[Token], text: str) -> str:
    """The words as they stand in the text, blanks evened, surrounding marks dropped."""
    kept = list(words)
    while kept and kept[0].tag == "PUNCT" and kept[0].text not in "([#":
        kept = kept[1:]
    while kept and kept[-1].tag == "PUNCT" and kept[-1].text not in ")]%":
        kept = kept[:-1]
    if not kept:
        return ""
    return " ".join(text[kept[0].start : kept[-1].end].split()).strip("\"“”'‘’ ")
