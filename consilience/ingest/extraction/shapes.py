"""Sentences whose shape says what they are: todos, rules, procedures, requests, other names."""

import re
from typing import Final

from consilience.ingest.extraction.readings import FROM_TABLE, OPEN_NOUN, SENTENCE, Reading
from consilience.ingest.extraction.tables import cased_mark, mark, verb_forms
from consilience.schema.domain import Role
from consilience.schema.statements import ALIAS_OF, StatementKind, SubjectKind, SubjectRef

_CALLED: Final = re.compile(r"(?i:(?:please |just |you can )*(?:call|address) me (?:as )?)(?P<name>[^\W_a-z][^,;]{0,40})$")
_I: Final = frozenset({"i", "we", "my", "our", "i'm", "we're", "i've", "we've", "he", "she", "they", "it"})
_ENGLISH_WORD: Final = re.compile(r"[A-Za-z']+")
_CONDITION: Final = re.compile(
    r"^(?:if|when(?:ever)?|unless|before|after|once|every time|in case)\b.+?,\s*(?:then )?(?P<main>.+)", re.IGNORECASE
)
_ORDER: Final = re.compile(r"^(?:please |always |never |do not |don't |you (?:should|must|need|can) )?(?P<verb>[a-z]+)\b", re.IGNORECASE)
_CHINESE_ORDER: Final = re.compile(r"必须|不得|禁止|不准|不允许|应当|务必|一律|不要|需要|应该|请")
_PERSONAL: Final = re.compile(r"^(?:我|他|她|我们|他们)")


def alias_in(text: str) -> tuple[Reading, str] | None:
    """ "Ana, also known as A. Berg, is ill": the other name of the one named first, and the sentence without it."""
    for number in (1, 2, 3) if text.isascii() else (1, 2, 3, 4):
        match = cased_mark(f"alias_{number}").search(text)
        if match:
            name, other = match["name"].strip("\"'“” "), match["other"].strip("\"'“” ")
            if name and other and name != other and name.casefold() not in _I:
                reading = Reading(SubjectRef(SubjectKind.NAMED, name), ALIAS_OF, other, FROM_TABLE, entity=True)
                return reading, f"{text[: match.end('name')]} {text[match.end('other') :].lstrip(')）,， ')}"
    return None


def shape_of(text: str, speaker: SubjectRef, role: Role) -> Reading | None:
    """A todo, rule, procedure or request, whole; None for what should be read word by word."""
    value = " ".join(text.split()).rstrip(".。!！ ")
    todo = mark("todo").match(value)
    if todo:
        action = next((part for part in todo.groups() if part), value)
        return Reading(speaker, "todo", action, FROM_TABLE, kind=StatementKind.TODO)
    called = _CALLED.match(value)
    if called:
        return Reading(speaker, "form_of_address", called["name"], FROM_TABLE, kind=StatementKind.IDENTITY)
    if mark("procedure").search(value) and not _tells(value):
        return Reading(speaker, "procedure", value, OPEN_NOUN, kind=StatementKind.PROCEDURE)
    if _is_rule(value):
        return Reading(speaker, "rule", value, OPEN_NOUN, kind=StatementKind.RULE)
    if role is Role.USER and _is_request(value):
        return Reading(speaker, "asks", value, SENTENCE, kind=StatementKind.EVENT)
    return None


def _first(value: str) -> str:
    match = _ENGLISH_WORD.match(value)
    return match.group().casefold() if match else ""


def _tells(value: str) -> bool:
    """Whether it is somebody's story rather than a way to do things: "First I went home, then ..."."""
    return bool(re.search(r"\b(?:i|we|he|she|they)(?:'\w+)?\b", value, re.IGNORECASE) or _PERSONAL.search(value))


def _is_rule(value: str) -> bool:
    if not mark("rule").search(value):
        return False
    condition = _CONDITION.match(value)
    if condition:
        return _orders(condition["main"]) or bool(re.search(r"\b(?:must|should|shall|always|never)\b", condition["main"], re.IGNORECASE))
    if re.match(r"(?:please )?(?:always|never|do not|don't|make sure|ensure|be sure|avoid|remember|under no)", value, re.IGNORECASE):
        return True
    if re.search("[\u4e00-\u9fff]", value):
        return bool(_CHINESE_ORDER.search(value)) and not _PERSONAL.match(value)
    return _first(value) not in _I and bool(
        re.search(r"\b(?:must|shall|should|(?:is|are) (?:required|forbidden|prohibited|not allowed|mandatory))\b", value, re.IGNORECASE)
    )


def _orders(main: str) -> bool:
    """Whether a main clause is an imperative: it begins with a bare verb."""
    match = _ORDER.match(main)
    return (
        match is not None
        and any(kind == "b" for _, kind in verb_forms().get(match["verb"].casefold(), ()))
        and match["verb"].casefold() not in _I
    )


def _is_request(value: str) -> bool:
    """ "Please book a table", "Help me with ...", "请帮我...": asks an agent for something now."""
    return bool(mark("request").match(value))
