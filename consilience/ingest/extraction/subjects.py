"""Who or what an English clause is about: persons, pronouns, possessives, "the N of X"."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from consilience.ingest.extraction.predicates import noun_predicate, nouns, predicate_info
from consilience.ingest.extraction.readings import Scene, spoken
from consilience.ingest.extraction.tables import word_class
from consilience.ingest.extraction.tokens import Token
from consilience.schema.statements import Arity, SubjectKind, SubjectRef

_FIRST: Final = frozenset({"i", "me", "we", "us", "myself", "mine"})
_SECOND: Final = frozenset({"you", "yourself", "yours"})
_THIRD: Final = frozenset({"he", "she", "it", "they", "him", "her", "them"})
_OWNERS: Final = frozenset({"my", "our", "your", "his", "her", "their", "its"})
_EMPTY: Final = word_class("empty")
_LONGEST_NAME: Final = 12


@dataclass(frozen=True, slots=True)
class Subject:
    """`refs`: who it is about (several: "Ana and Bob"). `owner` and `noun`: the subject as an attribute of somebody, "Ana's age".

    `name`: a name in apposition, "my sister Mary".
    """

    refs: tuple[SubjectRef, ...]
    owner: SubjectRef | None = None
    noun: str | None = None
    name: str | None = None

    @property
    def relation(self) -> bool:
        """Whether the attribute is somebody or something of its own: "my sister", not "my age"."""
        return self.noun is not None and is_relation(noun_predicate(self.noun))


def is_relation(predicate: str) -> bool:
    """Whether what stands in this predicate is an entity that things can be said of by themselves."""
    return predicate.startswith("has_") or predicate in {"spouse", "partner", "owns", "on_project", "works_at", "member_of"}


def read_subject(words: Sequence[Token], *, scene: Scene, text: str) -> Subject | None:
    """The subject these words name; None if they name nobody ("there", "everything", a pronoun without a name to go by)."""
    kept = [word for word in words if word.text not in {'"', "“", "”"}]
    if not kept or len(kept) > 24:
        return None
    if len(kept) == 1 or kept[0].tag == "PRON":
        ref = _pronoun(kept[0], scene)
        if ref is not None or kept[0].tag == "PRON":
            return Subject((ref,)) if ref is not None and len(kept) == 1 else None
    parts = _conjuncts(kept)
    if len(parts) > 1:
        refs = [ref for part in parts if (ref := _named(part, scene=scene, text=text)) is not None]
        return Subject(tuple(refs)) if refs else None
    owned = _owned(kept, scene=scene, text=text)
    if owned is not None:
        return owned
    of = _noun_of(kept, scene=scene, text=text)
    if of is not None:
        return of
    if kept[0].lower == "the" and len(kept) <= 3:
        noun = spoken(kept[1:], text)
        if _stands_alone(nouns().get(noun.casefold(), "")):
            alone = SubjectRef(SubjectKind.NAMED, noun)
            return Subject((alone,), alone, noun)
    ref = _named(kept, scene=scene, text=text)
    return Subject((ref,)) if ref is not None else None


def _stands_alone(predicate: str) -> bool:
    """Whether "the N" without an owner has one value: "the deadline is Friday", "the status is open"; not "the dog"."""
    info = predicate_info(predicate)
    return info.value in {"date", "number"} or (info.value == "text" and info.arity is Arity.ONE and not info.personal)


def _pronoun(word: Token, scene: Scene) -> SubjectRef | None:
    if word.lower in _FIRST:
        return scene.first
    if word.lower in _SECOND:
        return scene.second
    return scene.third(word.lower) if word.lower in _THIRD else None


def owner_ref(word: Token, scene: Scene) -> SubjectRef | None:
    """Whom my, your, his, her, their, its means."""
    if word.lower in {"my", "our"}:
        return scene.first
    return scene.second if word.lower == "your" else scene.third(word.lower)


def _owned(words: list[Token], *, scene: Scene, text: str) -> Subject | None:
    """ "my sister Mary", "Bob's mother", "their deadline"."""
    at = next((i for i, word in enumerate(words) if word.tag == "POSS" and 0 < i < len(words) - 1), None)
    if words[0].lower in _OWNERS and len(words) > 1 and at is None:
        owner, rest = owner_ref(words[0], scene), words[1:]
    else:
        if at is None:
            return None
        holder = read_subject(words[:at], scene=scene, text=text)
        if holder is not None and holder.noun is not None and holder.name is None and spoken(words[at + 1 :], text).casefold() == "name":
            return holder  # "my mother's name is Mary" says who she is
        owner, rest = (holder.refs[0] if holder else None), words[at + 1 :]
    if owner is None:
        return None
    if owner.via is not None:
        owner = SubjectRef(SubjectKind.NAMED, owner.label(speaker="speaker", addressee=None)) if owner.name else owner
    return _attribute(owner, rest, text)


def _attribute(owner: SubjectRef, rest: list[Token], text: str) -> Subject:
    """The owner's noun, with a name after it if there is one."""
    comma = next((i for i, word in enumerate(rest) if word.text == ","), len(rest))
    head = rest[:comma]
    cut = next((i for i in range(1, len(head)) if head[i].tag == "NAME" and head[i - 1].tag != "NAME"), len(head))
    noun, name = spoken(head[:cut], text), spoken(head[cut:], text) or None
    if name is not None and noun.casefold() not in nouns():
        noun, name = spoken(head, text), None
    predicate = noun_predicate(noun)
    ref = SubjectRef(owner.kind, owner.name, via=predicate or None) if owner.via is None else owner
    if name is not None:
        return Subject((SubjectRef(SubjectKind.NAMED, name),), owner, noun, name)
    return Subject((ref,), owner, noun)


def _noun_of(words: list[Token], *, scene: Scene, text: str) -> Subject | None:
    """ "the author of Misery", "CEO of Acme", "the deadline for the MVP". A name that holds "of" is no attribute."""
    article = words[0].tag == "DET"
    body = words[1:] if article else words
    cuts = [i for i, word in enumerate(body) if word.lower in {"of", "for"} and 0 < i < len(body) - 1]
    known = [i for i in cuts if spoken(body[:i], text).casefold() in nouns()]
    lower = [i for i in cuts if article and not any(word.text[0].isupper() and not word.text.isupper() for word in body[:i])]
    at = known[-1] if known else (lower[0] if lower else None)
    if at is None or at > 8:
        return None
    noun = spoken(body[:at], text)
    if noun.casefold() in nouns() and body[0].text[0].isupper() and predicate_info(nouns()[noun.casefold()]).personal:
        return None  # the University of Oslo is a name
    inner = body[at + 1 :]
    noun = "count" if noun.casefold().endswith("number") else noun
    if noun.casefold() == "name" and (deeper := _noun_of(inner, scene=scene, text=text)) is not None:
        return deeper
    owned = _owned(inner, scene=scene, text=text)
    owner = owned.refs[0] if owned else (_pronoun(inner[0], scene) if len(inner) == 1 else None) or _named(inner, scene=scene, text=text)
    if owner is None:
        return None
    predicate = noun_predicate(noun)
    return Subject((SubjectRef(owner.kind, owner.name, via=predicate or None) if owner.via is None else owner,), owner, noun)


def _conjuncts(words: list[Token]) -> list[list[Token]]:
    """ "Ana and Bob" is two subjects; "The Lion and the Unicorn" is one."""
    if (words[0].tag == "DET" and words[0].lower not in _OWNERS) or not any(word.lower == "and" for word in words):
        return [words]
    parts: list[list[Token]] = [[]]
    for word in words:
        if word.lower == "and" or word.text == ",":
            parts.append([])
        else:
            parts[-1].append(word)
    parts = [part for part in parts if part]
    alike = all(len(part) == 1 or part[0].lower in _OWNERS for part in parts)
    return parts if alike else [words]


def _named(words: list[Token], *, scene: Scene, text: str) -> SubjectRef | None:
    if len(words) == 1 and (ref := _pronoun(words[0], scene)) is not None:
        return ref
    if words[0].lower in _OWNERS and len(words) > 1 and (owner := owner_ref(words[0], scene)) is not None:
        return SubjectRef(owner.kind, owner.name, via=noun_predicate(spoken(words[1:], text)) or None)
    if words[0].lower in _EMPTY or (words[0].lower in word_class("pronouns") and words[0].lower != "i"):
        return None
    body = words[1:] if words[0].lower in {"the", "a", "an"} else words
    # "Mary, a doctor": the name stands before the comma
    comma = next((i for i, word in enumerate(body) if word.text == ","), None)
    if comma is not None and comma + 1 < len(body) and body[comma + 1].tag in {"DET", "SUB"}:
        body = body[:comma]
    if not body or len(body) > _LONGEST_NAME:
        return None
    name = spoken(body, text)
    return SubjectRef(SubjectKind.NAMED, name) if name and any(letter.isalnum() for letter in name) else None
