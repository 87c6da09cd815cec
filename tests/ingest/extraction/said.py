"""Short ways to say something and to look at what was read out of it."""

from collections.abc import Sequence
from datetime import datetime, timedelta, timezone

from consilience.ingest.extraction import extract, mentions
from consilience.schema.domain import Role
from consilience.schema.statements import Draft, EntityMention

# A Wednesday, in the offset of the speaker.
NOW = datetime(2026, 5, 13, 10, 0, tzinfo=timezone(timedelta(hours=8)))


def said(
    text: str,
    *,
    addressee: str | None = None,
    role: Role = Role.USER,
    at: datetime = NOW,
    recent: Sequence[EntityMention] = (),
) -> list[Draft]:
    return extract(text, speaker="Alice", addressee=addressee, role=role, occurred_at=at, recent=recent)


def names(text: str) -> list[EntityMention]:
    return mentions(text)


def short(draft: Draft) -> tuple[str, str, str]:
    """Subject, predicate, value; a minus before a negated value."""
    subject = draft.subject.name or draft.subject.kind.value
    subject += f">{draft.subject.via}" if draft.subject.via else ""
    return subject, draft.predicate, f"-{draft.value}" if draft.negated else draft.value


def shorts(text: str, *, recent: Sequence[EntityMention] = ()) -> list[tuple[str, str, str]]:
    return [short(draft) for draft in said(text, recent=recent)]


def only(text: str, *, recent: Sequence[EntityMention] = (), role: Role = Role.USER) -> Draft:
    found = said(text, recent=recent, role=role)
    assert len(found) == 1, [short(draft) for draft in found]
    return found[0]
