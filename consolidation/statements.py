"""From texts to statements with their subjects named by keys: what extraction read, made ready for the store (design §3). Pure."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from consilience.ingest.extraction import EXTRACTOR_ID, extract, mentions
from consilience.schema.domain import OPEN_END, OPEN_START
from consilience.schema.statements import ALIAS_OF, STATES, Draft, EntityMention, StatementKind, SubjectKind
from consilience.store.digest import Undigested
from consilience.store.statements import Named, NewStatement, Self
from consilience.text.composed import Composed, composed
from consilience.text.values import name_key, value_key

AGENT_KEY: Final = "@agent"
# Rules and procedures are about the world, whoever says them: nobody is the subject whose own word would count most (S20).
SHARED: Final = frozenset({StatementKind.RULE, StatementKind.PROCEDURE})


@dataclass(frozen=True, slots=True)
class Read:
    """What a batch of episodes says."""

    selves: tuple[Self, ...]
    named: tuple[Named, ...]
    statements: tuple[NewStatement, ...]


def read_statements(episodes: Sequence[Undigested]) -> Read:
    """The statements of these episodes, with the people and things they are about.

    A pronoun is resolved within the speaker's own turns only: what somebody else said never decides whom a statement is about, so that
    taking that person's words out changes no statement of others.
    """
    selves: dict[str, Self] = {}
    named: dict[str, Named] = {}
    statements: list[NewStatement] = []
    for episode in episodes:
        selves.setdefault(episode.contributor, _self(episode.contributor, episode.speaker, episode.contributor_key))
        if episode.addressee:
            selves.setdefault(episode.addressee[0], _self(*episode.addressee))
        for number, draft in enumerate(_drafts(episode)):
            statement, things = _statement(episode, number, draft)
            statements.append(statement)
            for thing in things:
                named.setdefault(thing.key, thing)
    return Read(tuple(selves.values()), tuple(named.values()), tuple(statements))


def _drafts(episode: Undigested) -> list[Draft]:
    recent: list[EntityMention] = [mention for text in episode.before for mention in mentions(composed(text).text)]
    read = composed(episode.text)
    drafts = extract(
        read.text,
        speaker=episode.speaker,
        addressee=episode.addressee[1] if episode.addressee else None,
        role=episode.role,
        occurred_at=episode.occurred_at,
        recent=recent,
    )
    return [_as_given(draft, read=read, text=episode.text) for draft in drafts]


def _as_given(draft: Draft, *, read: Composed, text: str) -> Draft:
    """The draft with its words and their place as they stand in the text."""
    start, end = read.span(*draft.span)
    return replace(draft, span=(start, end), words=text[start:end] if draft.words == read.text[slice(*draft.span)] else draft.words)


def _self(contributor: str, name: str, key: str) -> Self:
    own = name_key(name)
    first = name_key(name.split()[0]) if name.split() else own
    others = tuple(dict.fromkeys(other for other in (name_key(key), first) if other and other != own))
    return Self(contributor, name, own or contributor, f"{own}#{name_key(key)}", others)


def _statement(episode: Undigested, number: int, draft: Draft) -> tuple[NewStatement, list[Named]]:
    """The statement, and the things it names. What fits no pattern (`states`) is kept and votes in no slot."""
    subject, contributor, thing = draft.subject, None, None
    if draft.predicate != STATES and draft.kind is not StatementKind.TODO:
        if draft.kind in SHARED:
            thing = _rule(draft)
        elif subject.via is None and subject.kind is SubjectKind.SPEAKER:
            contributor = episode.contributor
        elif subject.via is None and subject.kind is SubjectKind.ADDRESSEE and episode.addressee:
            contributor = episode.addressee[0]
        else:
            label = subject.label(speaker=episode.speaker, addressee=episode.addressee[1] if episode.addressee else None)
            agent = subject.kind is SubjectKind.AGENT or (subject.kind is SubjectKind.ADDRESSEE and not episode.addressee)
            key = AGENT_KEY if agent and subject.via is None else name_key(label)
            thing = Named(key, label, "OTHER") if key else None
    identity = hashlib.sha256(f"{episode.id}|{number}|{EXTRACTOR_ID}".encode()).hexdigest()[:32]
    statement = NewStatement(
        id=f"st_{identity}",
        episode=episode.id,
        contributor_subject=contributor,
        name_subject=thing.key if thing else None,
        properties=_properties(episode, draft),
    )
    other = Named(name_key(draft.value), draft.value, "OTHER") if draft.predicate == ALIAS_OF else None
    return statement, [one for one in (thing, other) if one is not None and one.key]


def _rule(draft: Draft) -> Named:
    """What a rule is about: itself, so that all who say the same rule vote in one slot, and that slot holds no other rule."""
    said = value_key(draft.value, predicate=draft.predicate).key
    return Named(f"@{draft.predicate}:{hashlib.sha256(said.encode()).hexdigest()[:24]}", draft.predicate, "OTHER")


def _properties(episode: Undigested, draft: Draft) -> dict[str, object]:
    key = value_key(draft.value, predicate=draft.predicate)
    valid = draft.valid
    start = valid.start if valid and valid.start else None
    return {
        "predicate": draft.predicate,
        "value": draft.value,
        "valueKey": key.key,
        "negated": draft.negated != key.negated,
        "words": draft.words,
        "spanStart": draft.span[0],
        "spanEnd": draft.span[1],
        "kind": draft.kind.value,
        "arity": draft.arity.value,
        "hedged": draft.hedged,
        "reported": draft.reported,
        "explicit": draft.explicit,
        "vague": draft.vague,
        "change": draft.change.value if draft.change else "",
        "at": start or episode.occurred_at,
        "validFrom": start or OPEN_START,
        "validTo": valid.end if valid and valid.end else OPEN_END,
        "grain": valid.grain.value if valid else "",
        "instructionLike": draft.instruction_like,
        "confidence": draft.confidence,
        "extractor": draft.extractor or EXTRACTOR_ID,
    }
