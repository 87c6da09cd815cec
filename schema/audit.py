"""The audit's hash chain (S80, T07): each event's hash covers its content and the hash before it. Pure. No plaintext: ids and codes."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import rfc8785

GENESIS: Final = "0" * 64


@dataclass(frozen=True, slots=True)
class Act:
    """What happened, before it has a place in the chain. `target` is an id; `reason` a code, never words of a person."""

    actor: str
    action: str
    target: str | None
    reason: str
    confidence_before: float | None = None
    confidence_after: float | None = None


@dataclass(frozen=True, slots=True)
class AuditEvent:
    seq: int
    at: datetime
    act: Act
    hash: str


def event_hash(previous: str, *, space: str, seq: int, at: datetime, act: Act) -> str:
    """SHA-256 over the canonical JSON (RFC 8785) of the event and the hash before it: 64 hex digits."""
    body: dict[str, str | int | float | None] = {
        "space": space,
        "seq": seq,
        "at": at.isoformat(),
        "actor": act.actor,
        "action": act.action,
        "target": act.target,
        "reason": act.reason,
        "before": act.confidence_before,
        "after": act.confidence_after,
        "previous": previous,
    }
    return hashlib.sha256(rfc8785.dumps(body)).hexdigest()


def chain(acts: Iterable[Act], *, space: str, head_seq: int, head_hash: str, at: datetime) -> list[AuditEvent]:
    """The acts as the next events of the chain whose last event is (head_seq, head_hash)."""
    events: list[AuditEvent] = []
    seq, previous = head_seq, head_hash
    for act in acts:
        seq += 1
        previous = event_hash(previous, space=space, seq=seq, at=at, act=act)
        events.append(AuditEvent(seq, at, act, previous))
    return events


def broken_at(events: Iterable[AuditEvent], *, space: str, head_seq: int, head_hash: str) -> int | None:
    """The first sequence number at which the chain does not hold, None if it is whole.

    Finds change, deletion, reordering and truncation (the head must be the last event).
    """
    seq, previous = 0, GENESIS
    for event in events:
        seq += 1
        if event.seq != seq or event_hash(previous, space=space, seq=seq, at=event.at, act=event.act) != event.hash:
            return seq
        previous = event.hash
    return None if (seq, previous) == (head_seq, head_hash) else seq + 1
