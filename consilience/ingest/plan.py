"""Which episodes of some calls are new, which are there already, which contradict their external id (I4, I5). Pure."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import rfc8785

from consilience.errors import ExternalIdConflict
from consilience.schema.domain import NewEpisode
from consilience.schema.ids import new_id
from consilience.store.remember import NewRow


@dataclass(frozen=True, slots=True)
class Call:
    """One caller's `remember`: stored whole or refused whole."""

    episodes: tuple[NewEpisode, ...]
    actor: str
    now: datetime


@dataclass(frozen=True, slots=True)
class Answer:
    """The ids of a call's episodes in order, and how many of them were there before; or why it was refused."""

    ids: tuple[str, ...] = ()
    duplicates: int = 0
    refusal: ExternalIdConflict | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    rows: tuple[NewRow, ...]
    answers: tuple[Answer, ...]


def body_key(episode: NewEpisode) -> str:
    """SHA-256 of all a caller said of an episode: the same key twice is a retry, another body under one external id a conflict."""
    body: dict[str, object] = {
        "text": episode.text,
        "contributor": episode.contributor,
        "source": episode.source,
        "role": episode.role.value,
        "session": episode.session,
        "occurredAt": episode.occurred_at.astimezone(UTC).isoformat() if episode.occurred_at else None,
        "metadata": [list(pair) for pair in episode.metadata],
    }
    return hashlib.sha256(rfc8785.dumps(body)).hexdigest()  # type: ignore[arg-type]


def plan(calls: Sequence[Call], *, existing: Mapping[str, tuple[str, str]]) -> Plan:
    """Decides for each call in order of arrival; an accepted episode counts as existing for those after it.

    `existing`: external id -> (episode id, body key) in the store.
    """
    known = dict(existing)
    rows: list[NewRow] = []
    answers: list[Answer] = []
    for call in calls:
        answer, added, mine = _plan_call(call, known)
        answers.append(answer)
        rows += added
        known |= mine
    return Plan(tuple(rows), tuple(answers))


def _plan_call(call: Call, known: Mapping[str, tuple[str, str]]) -> tuple[Answer, list[NewRow], dict[str, tuple[str, str]]]:
    mine: dict[str, tuple[str, str]] = {}
    rows: list[NewRow] = []
    ids: list[str] = []
    for index, episode in enumerate(call.episodes):
        key = body_key(episode)
        earlier = episode.external_id and (mine.get(episode.external_id) or known.get(episode.external_id))
        if earlier:
            if earlier[1] != key:
                return Answer(refusal=_conflict(index)), [], {}
            ids.append(earlier[0])
            continue
        row = _row(episode, call=call, key=key)
        rows.append(row)
        ids.append(row.id)
        if episode.external_id:
            mine[episode.external_id] = (row.id, key)
    return Answer(tuple(ids), len(ids) - len(rows)), rows, mine


def _conflict(index: int) -> ExternalIdConflict:
    return ExternalIdConflict(
        f"episodes[{index}].externalId already names an episode that says something else",
        hint="use a fresh externalId, or `rectify` to correct the earlier episode",
        field=f"episodes[{index}].externalId",
    )


def _row(episode: NewEpisode, *, call: Call, key: str) -> NewRow:
    return NewRow(
        id=new_id("Episode"),
        text=episode.text,
        role=episode.role,
        contributor=episode.contributor,
        contributor_name=episode.contributor_name,
        source=episode.source,
        session=episode.session,
        occurred_at=episode.occurred_at or call.now,
        external_id=episode.external_id,
        body_key=key,
        metadata=episode.metadata,
        actor=call.actor,
    )
