"""Why something is believed: one sentence a person can read, then the steps to it in the order of time. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from consilience.resolvers.seeing import shown_count
from consilience.schema.beliefs import ConflictState, Decision, DecisionKind, StoredFact
from consilience.schema.domain import Episode, Status
from consilience.store.facts import StoredConflict, StoredSupersession

_STANDS: Final = {
    Status.ACTIVE: "is believed",
    Status.CANDIDATE: "waits for more independent support or for a review",
    Status.TO_VERIFY: "is not believed until it is verified",
    Status.SUPERSEDED: "was believed and has been replaced",
    Status.QUARANTINED: "was stopped at the write gate",
    Status.WITHHELD: "is withheld",
    Status.ARCHIVED: "is in the cold archive",
    Status.RETRACTED: "is retracted",
}
_WAITS: Final = {
    "COSTLY": "it would be costly to be wrong",
    "PATTERN": "a pattern needs more occasions",
    "PROCEDURE": "a procedure needs more support",
    "INSTRUCTION": "it reads like an instruction",
    "HEDGED": "it was said with doubt",
    "VAGUE": "it was said vaguely",
    "OUTBURST": "it was said in anger",
    "FUTURE": "it begins later",
    "DISPUTED": "nothing decides between it and what contradicts it",
    "OUTWEIGHED": "what contradicts it weighs more",
    "CONTRADICTS_TRUSTED": "it contradicts what better sources say",
    "REJECTED": "a person rejected it",
    "REJECTED_BEFORE": "a person rejected the same before",
}
_SUSPECTED: Final = {
    "CONTRADICTED": "Several others say otherwise.",
    "INSTRUCTION_LIKE": "It reads like an instruction.",
    "NO_PROVENANCE": "Nothing says where it comes from.",
}
_DECIDED: Final = {
    DecisionKind.CONFIRM: "confirmed it",
    DecisionKind.REJECT: "rejected it",
    DecisionKind.RESOLVE: "decided a conflict for it",
    DecisionKind.RESTORE: "put it back in force",
}


@dataclass(frozen=True, slots=True)
class Step:
    at: datetime
    what: str
    episode: Episode | None = None


@dataclass(frozen=True, slots=True)
class Known:
    """All that is said of a fact: the episodes it rests on and how many more there are; supersessions and conflicts it is part of;
    `others`, the other sides of both, by id; people's decisions about its slot. Only what the reader may see.
    """

    fact: StoredFact
    episodes: Sequence[Episode]
    further: int
    supersessions: Sequence[StoredSupersession]
    conflicts: Sequence[StoredConflict]
    others: dict[str, StoredFact]
    decisions: Sequence[Decision]


def fact_sentence(known: Known, *, curator: bool) -> str:
    """What is said, how it stands, on whose word, what it replaced and on what grounds, whether it is disputed."""
    fact = known.fact
    told = fact.reason and fact.status not in (Status.ACTIVE, Status.SUPERSEDED)  # the grounds of the one that replaced it follow
    why = f": {_WAITS.get(fact.reason, fact.reason)}" if told else ""
    stands = "was believed, and its time is over" if fact.reason == "ENDED" and not known.supersessions else _STANDS[fact.status]
    parts = [f"{claim(fact)} {stands} (confidence {fact.confidence:.2f}){why}.", _voices(known, curator=curator)]
    parts += [
        f"{_capital(_replacement(one, known))} ({one.at:%Y-%m-%d}, decided by {_decider(one, known)})." for one in known.supersessions
    ]
    parts += [_dispute(conflict, rivals) for conflict in known.conflicts if (rivals := _rivals(conflict, known))]
    parts += [_SUSPECTED[code] for code in fact.suspect if code in _SUSPECTED]
    return " ".join(parts)


def fact_steps(known: Known) -> list[Step]:
    """Each supporting episode, each supersession, each conflict and each decision, oldest first."""
    fact = known.fact
    steps = [Step(one.occurred_at, _said(one, "said so"), one) for one in known.episodes]
    if known.further:
        steps.append(Step(fact.last_at or fact.recorded_at, f"{known.further} further episodes support it: see `evidence`"))
    steps += [Step(one.at, f"{_replacement(one, known)} (decided by {_decider(one, known)})") for one in known.supersessions]
    steps += [Step(one.opened_at, f"it came into conflict with {rivals}") for one in known.conflicts if (rivals := _rivals(one, known))]
    steps += [Step(one.at, _decision(one, fact)) for one in known.decisions]
    return sorted(steps, key=lambda step: step.at)


def episode_sentence(episode: Episode, *, beliefs: int) -> str:
    """Who said it, when and through what, and how much rests on it."""
    where = f" in the session {quoted(episode.session.external_id)}" if episode.session else ""
    rests = {0: "Nothing rests on it", 1: "1 belief rests on it"}.get(beliefs, f"{beliefs} beliefs rest on it")
    stopped = " It was stopped at the write gate." if episode.status is Status.QUARANTINED else ""
    return f"{_said(episode, 'said this')} on {episode.occurred_at:%Y-%m-%d}{where}. {rests}.{stopped}"


def episode_steps(episode: Episode, *, beliefs: Sequence[StoredFact]) -> list[Step]:
    """When it was said, when it was recorded, and what came of it, oldest first."""
    steps = [Step(episode.occurred_at, _said(episode, "said it"), episode), Step(episode.recorded_at, "the service recorded it")]
    steps += [Step(fact.recorded_at, f"it supports: {claim(fact)} ({fact.status.value})") for fact in beliefs]
    return sorted(steps, key=lambda step: step.at)


def claim(fact: StoredFact) -> str:
    """A fact in words that name its subject: its own text may be in the first person."""
    said = f"{fact.subject.name} {fact.predicate.replace('_', ' ')} {quoted(fact.value)}"
    return f"That it is not so that {said}" if fact.negated else f"That {said}"


def quoted(text: str) -> str:
    return f"\N{LEFT DOUBLE QUOTATION MARK}{text}\N{RIGHT DOUBLE QUOTATION MARK}"


def _voices(known: Known, *, curator: bool) -> str:
    """On how many independent voices it rests, and through which channels they came."""
    fact, channels = known.fact, sorted({episode.source.channel for episode in known.episodes})
    voices, exact = shown_count(fact.origins, curator=curator), shown_count(fact.origins, curator=curator) == fact.origins
    if not voices:
        return "Nothing supports it."
    sure = "" if exact and (curator or voices < 3) else "at least "
    number = f"{sure}{voices} independent {'voice' if voices == 1 else 'voices'}"
    return f"It rests on {number}" + (f" through {_listed(channels)}." if channels else ".")


def _replacement(one: StoredSupersession, known: Known) -> str:
    """A supersession as a clause; its grounds without the dot at their end."""
    won = one.winner == known.fact.id
    other = known.others.get(one.loser if won else one.winner)
    name = quoted(other.value) if other else "what is not shown"
    clause = f"it replaced {name}" if won else f"it was replaced by {name}"
    return f"{clause}: {one.grounds.summary.rstrip('.')}" if one.grounds.summary else clause


def _decider(one: StoredSupersession, known: Known) -> str:
    """The rule that decided, or the person whose decision it was."""
    return next((decision.actor for decision in known.decisions if decision.id == one.grounds.decided_by), one.grounds.decided_by)


def _rivals(conflict: StoredConflict, known: Known) -> str:
    """The values of the other sides that may be seen."""
    return _listed(quoted(known.others[side].value) for side in conflict.sides if side in known.others)


def _dispute(conflict: StoredConflict, rivals: str) -> str:
    if conflict.state is ConflictState.OPEN:
        return f"It is disputed: {rivals} cannot be true beside it, and nothing decides between them yet."
    why = f": {conflict.grounds.summary.rstrip('.')}" if conflict.grounds else ""
    by = "by a person" if conflict.state is ConflictState.REVIEWED else "by the evidence"
    return f"It contradicts {rivals}; that is settled {by}{why}."


def _said(episode: Episode, what: str) -> str:
    who, source = episode.contributor, episode.source
    stopped = "; stopped at the write gate" if episode.status is Status.QUARANTINED else ""
    return f"{who.name or who.external_id} {what} through {source.key} ({source.channel}, trust {source.trust:.2f}{stopped})"


def _decision(decision: Decision, fact: StoredFact) -> str:
    same = (decision.value_key, decision.negated) == (fact.value_key, fact.negated)
    return f"{decision.actor} {_DECIDED[decision.kind] if same else 'decided about another value of the same'}"


def _listed(names: Iterable[str]) -> str:
    """a, b and c."""
    *most, last = [*names] or [""]
    return f"{', '.join(most)} and {last}" if most else last


def _capital(clause: str) -> str:
    return clause[:1].upper() + clause[1:]
