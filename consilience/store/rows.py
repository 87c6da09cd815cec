"""Rows of the driver as domain values: the only place that knows both."""

from datetime import UTC, datetime

from neo4j.time import DateTime

from consilience.schema.domain import Contributor, ContributorState, Episode, Job, JobState, Role, Session, Source, Status
from consilience.store.driver import Row


def instant(value: object) -> datetime:
    """A stored time as an aware UTC datetime. Raises TypeError for anything else."""
    if isinstance(value, DateTime):
        return value.to_native().astimezone(UTC)
    if isinstance(value, datetime):
        return value.astimezone(UTC)
    raise TypeError(f"not a time: {type(value).__name__}")


def optional_instant(value: object) -> datetime | None:
    return None if value is None else instant(value)


def contributor(row: Row) -> Contributor:
    return Contributor(
        id=row["id"],
        space=row["space"],
        external_id=row["externalId"],
        name=row.get("name"),
        state=ContributorState(row["state"]),
        epoch=row["epoch"],
        recorded_at=instant(row["recordedAt"]),
    )


def source(row: Row) -> Source:
    return Source(
        id=row["id"], space=row["space"], key=row["key"], channel=row["channel"], trust=row["trust"], recorded_at=instant(row["recordedAt"])
    )


def session(row: Row) -> Session:
    return Session(
        id=row["id"],
        space=row["space"],
        external_id=row["externalId"],
        started_at=instant(row["startedAt"]),
        ended_at=optional_instant(row.get("endedAt")),
    )


def episode(row: Row) -> Episode:
    """From a row {e: properties without embedding, p: contributor, s: source, z: session or None}."""
    e = row["e"]
    return Episode(
        id=e["id"],
        space=e["space"],
        text=e["text"],
        role=Role(e["role"]),
        status=Status(e["status"]),
        confidence=e["confidence"],
        trust=e["trust"],
        occurred_at=instant(e["occurredAt"]),
        recorded_at=instant(e["recordedAt"]),
        external_id=e.get("externalId"),
        contributor=contributor(row["p"]),
        source=source(row["s"]),
        session=session(row["z"]) if row.get("z") else None,
        digested_at=optional_instant(e.get("digestedAt")),
        metadata=pairs_of(e.get("metadata")),
        pinned=e.get("pinned") or False,
    )


def pairs_of(flat: list[str] | None) -> tuple[tuple[str, str], ...]:
    """Metadata as stored (key, value, key, value, ...) as pairs."""
    return tuple(zip(flat[::2], flat[1::2], strict=True)) if flat else ()


def job(row: Row) -> Job:
    j = row["j"]
    return Job(
        id=j["id"],
        space=j["space"],
        kind=j["kind"],
        state=JobState(j["state"]),
        done=j["done"],
        total=j["total"],
        attempts=j["attempts"],
        error=j.get("error"),
        created_at=instant(j["recordedAt"]),
        not_before=instant(j["notBefore"]),
    )
