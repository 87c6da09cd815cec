"""Ids: a prefix that says the kind, then a UUIDv7 (RFC 9562): sortable by time, made by the application, never by the store."""

from typing import Final

from uuid_utils import uuid7

PREFIXES: Final = {
    "Space": "sp",
    "Contributor": "con",
    "Source": "src",
    "Session": "ses",
    "Episode": "ep",
    "Statement": "st",
    "Entity": "ent",
    "Slot": "slot",
    "Fact": "fact",
    "Rule": "rule",
    "Lesson": "les",
    "Summary": "sum",
    "Job": "job",
    "AuditEvent": "aud",
    "Conflict": "conf",
    "Origin": "org",
    "Decision": "dec",
    "Identity": "idy",
    "Use": "use",
}


def new_id(label: str) -> str:
    """A fresh id for a node of this label, e.g. `ep_0198...`. Raises KeyError for an unknown label."""
    return f"{PREFIXES[label]}_{uuid7().hex}"
