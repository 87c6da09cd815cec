"""Subjects with a relative clause of their own: "the music that Ann plays", "the company that makes it", "the city where she lives"."""

import re
from collections.abc import Iterator
from typing import Final

from consilience.ingest.extraction.clauses import Clause, clauses
from consilience.ingest.extraction.objects import third_person
from consilience.ingest.extraction.predicates import frames, nouns, slug
from consilience.ingest.extraction.readings import OPEN_NOUN, TIME, Reading, Scene, spoken
from consilience.ingest.extraction.subjects import read_subject
from consilience.ingest.extraction.tables import participle

RELATIVE: Final = frozenset({"that", "which", "where", "who"})


def read_relative(clause: Clause, *, scene: Scene, text: str) -> Iterator[Reading]:
    """ "The music that Ann plays is jazz": (Ann, plays_music, jazz). "The city where Ann lives is Lyon": (Ann, lives_in, Lyon)."""
    words = list(clause.subject)
    at = next(i for i, word in enumerate(words) if word.lower in RELATIVE and word.tag != "NAME" and i > 0)
    inner = clauses(words[at + 1 :])
    if len(inner) != 1 or not clause.group.copula or words[0].lower != "the":
        return
    value = spoken([word for word in clause.rest if word.tag != TIME], text)
    noun = re.sub(r"^(?:the )?(?:(?:type|kind|sort) of )?", "", spoken(words[:at], text), flags=re.IGNORECASE)
    group = inner[0].group
    if not inner[0].subject:
        # "The company that makes X is Y" is "X is made by Y"
        made = frames().get(f"be {participle(group.lemma)} by", ())
        owner = read_subject(list(inner[0].rest), scene=scene, text=text)
        if made and owner is not None and not group.passive:
            yield Reading(owner.refs[0], made[0].predicate, value, OPEN_NOUN, entity=True)
        return
    verb = f"be {participle(group.lemma)}" if group.passive else group.lemma
    placed = (
        next((frames()[f"{verb} {prep}"] for prep in ("at", "in") if f"{verb} {prep}" in frames()), ())
        if words[at].lower == "where"
        else ()
    )
    predicate = placed[0].predicate if placed else nouns().get(noun.casefold()) or slug(f"{third_person(group.lemma)} {noun}")
    subject = read_subject(list(inner[0].subject), scene=scene, text=text)
    for ref in subject.refs if subject else ():
        yield Reading(ref, predicate, value, OPEN_NOUN, entity=True, single=True)
