"""What each predicate is (arity, kind, half-life, inverse, ...) and which words say it: predicates.toml, indexed."""

import re
from dataclasses import dataclass, field
from datetime import timedelta
from functools import cache
from typing import Final, cast

from consilience.ingest.extraction.tables import read_table
from consilience.schema.statements import Arity, Change, StatementKind

_DEFAULT_HALF_LIFE_DAYS: Final = 180
_LONGEST_SLUG: Final = 60
_NOT_SLUG: Final = re.compile(r"[^0-9a-z\u0080-\U0010ffff]+")
_LAST_PREPOSITION: Final = re.compile(r" (?:on|in|at|by|for|to|until|from)$")
_DROPPED: Final = frozenset({"the", "a", "an", "current", "currently", "present"})


@dataclass(frozen=True, slots=True)
class PredicateInfo:
    """`half_life` of beliefs in it; `personal`: the subject's own word counts most; `costly`: S11; `value` text | entity | date | number.

    `exclusive_group`: its values exclude each other even where the arity is many.
    """

    name: str
    arity: Arity = Arity.MANY
    kind: StatementKind = StatementKind.FACT
    personal: bool = False
    costly: bool = False
    half_life: timedelta = field(default=timedelta(days=_DEFAULT_HALF_LIFE_DAYS))
    inverse: str | None = None
    exclusive_group: str | None = None
    value: str = "text"
    split: bool = False
    state: bool = False


@dataclass(frozen=True, slots=True)
class Frame:
    """What a verb (+ preposition) says: a predicate, with the change it marks. `flipped`: the subject is the value."""

    predicate: str
    change: Change | None = None
    negated: bool = False
    flipped: bool = False


_Rows = dict[str, object]


def _words(row: _Rows, key: str) -> list[str]:
    return cast("list[str]", row.get(key, []))


@cache
def _infos() -> dict[str, PredicateInfo]:
    found: dict[str, PredicateInfo] = {}
    for name, row in read_table("predicates.toml").items():
        cells = cast("_Rows", row)
        found[name] = PredicateInfo(
            name,
            arity=Arity(str(cells.get("arity", "many")).upper()),
            kind=StatementKind(str(cells.get("kind", "FACT"))),
            personal=bool(cells.get("personal")),
            costly=bool(cells.get("costly")),
            half_life=timedelta(days=float(cast("float", cells.get("half_life", _DEFAULT_HALF_LIFE_DAYS)))),
            inverse=cast("str | None", cells.get("inverse")),
            exclusive_group=cast("str | None", cells.get("group")),
            value=str(cells.get("value", "text")),
            split=bool(cells.get("split")),
            state=bool(cells.get("state")),
        )
    return found


def predicate_info(predicate: str) -> PredicateInfo:
    """What the table says of a predicate; the defaults (arity many, fact, shared, 180 days) for an open one."""
    return _infos().get(predicate) or PredicateInfo(predicate)


def predicates() -> tuple[str, ...]:
    """The names of all predicates of the table."""
    return tuple(_infos())


@cache
def frames() -> dict[str, tuple[Frame, ...]]:
    """Verb frame, e.g. "work at" -> what it says; several where the verb has several readings ("move to")."""
    found: dict[str, list[Frame]] = {}
    kinds = (
        ("frames", Frame("")),
        ("reversed", Frame("", flipped=True)),
        ("starting", Frame("", change=Change.MOVED)),
        ("ending", Frame("", change=Change.NO_LONGER, negated=True)),
        ("disliking", Frame("", negated=True)),
    )
    for name, row in read_table("predicates.toml").items():
        for key, model in kinds:
            frame = Frame(name, model.change, model.negated, model.flipped)
            for words in _words(cast("_Rows", row), key):
                # A named time holds its own preposition ("by Friday"): date frames are found without theirs.
                form = _LAST_PREPOSITION.sub("", words) if predicate_info(name).value == "date" else words
                if frame not in found.setdefault(form, []):
                    found[form].append(frame)
    return {words: tuple(readings) for words, readings in found.items()}


@cache
def nouns() -> dict[str, str]:
    """Noun phrase, e.g. "place of birth" -> predicate. The first row that claims a noun has it."""
    found: dict[str, str] = {}
    for name, row in read_table("predicates.toml").items():
        for noun in _words(cast("_Rows", row), "nouns"):
            found.setdefault(noun, name)
    return found


def noun_predicate(phrase: str) -> str:
    """The predicate of "the N of": from the table, else the noun itself as an open predicate."""
    words = [word for word in phrase.casefold().split() if word not in _DROPPED]
    bare = " ".join(words)
    for form in (bare, bare.removeprefix("new "), bare.removesuffix("s")):
        if form in nouns():
            return nouns()[form]
    return slug(bare)


def slug(phrase: str) -> str:
    """A canonical snake_case name for an open predicate, at most 60 characters; "" if nothing in it is a word."""
    return _NOT_SLUG.sub("_", phrase.casefold()).strip("_")[:_LONGEST_SLUG].strip("_")
