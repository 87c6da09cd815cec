"""One line of JSON Lines as an episode. Pure. The keys are those of `EpisodeInput` in the contract."""

import json
from datetime import UTC, datetime
from typing import Final, cast

from consilience.schema.domain import NewEpisode, Role

MOST_TEXT_BYTES: Final = 32 * 1024
MOST_METADATA: Final = 32
LONGEST_ID: Final = 256
_KEYS: Final = ("text", "contributor", "source", "role", "session", "occurredAt", "externalId", "metadata")
_ROLES: Final = ", ".join(role.value for role in Role)


class LineError(ValueError):
    """What is wrong with a line, in words that quote none of it."""


def episode_of(line: str | None, *, source: str, contributor: str | None, session: str | None) -> NewEpisode:
    """The episode of this line; the arguments stand in for keys it lacks. None: the line is not UTF-8. Raises LineError."""
    fields = _object(line)
    name: str | None = None
    who = fields.get("contributor")
    if isinstance(who, dict):
        person = cast("dict[str, object]", who)
        _known(person, ("externalId", "name"), where="contributor.")
        who, name = person.get("externalId"), _optional(person, "name", where="contributor.")
    who = contributor if who is None else who
    if who is None:
        raise LineError("contributor: missing (a name, or an object with externalId and name; or give --contributor)")
    return NewEpisode(
        text=text_of(fields.get("text")),
        contributor=identifier(who, field="contributor"),
        contributor_name=name,
        source=identifier(fields.get("source") or source, field="source"),
        role=_role(fields.get("role")),
        session=_identifier_or_none(fields.get("session") or session, field="session"),
        occurred_at=_time(fields.get("occurredAt")),
        external_id=_identifier_or_none(fields.get("externalId"), field="externalId"),
        metadata=_metadata(fields.get("metadata")),
    )


def text_of(value: object) -> str:
    """What was said, 1 character to 32 KiB of UTF-8. Raises LineError."""
    if value is None:
        raise LineError("text: missing")
    if not isinstance(value, str):
        raise LineError("text: must be a string")
    if not value.strip():
        raise LineError("text: empty")
    _whole(value, field="text")
    size = len(value.encode("utf-8"))
    if size > MOST_TEXT_BYTES:
        raise LineError(f"text: {size} bytes, at most {MOST_TEXT_BYTES}; split it")
    return value


def identifier(value: object, *, field: str) -> str:
    """An id of the caller's: 1..256 characters, no control characters. Raises LineError."""
    if not isinstance(value, str):
        raise LineError(f"{field}: must be a string")
    _whole(value, field=field)
    if not value.strip():
        raise LineError(f"{field}: empty")
    if len(value) > LONGEST_ID:
        raise LineError(f"{field}: {len(value)} characters, at most {LONGEST_ID}")
    if any(ord(character) < 0x20 or 0x7F <= ord(character) < 0xA0 for character in value):
        raise LineError(f"{field}: has a control character in it")
    return value


def _identifier_or_none(value: object, *, field: str) -> str | None:
    return None if value is None else identifier(value, field=field)


def _object(line: str | None) -> dict[str, object]:
    if line is None:
        raise LineError("not UTF-8")
    try:
        value: object = json.loads(line)
    except (ValueError, RecursionError) as error:
        at = f" (column {error.colno}: {error.msg})" if isinstance(error, json.JSONDecodeError) else ""
        raise LineError(f"not JSON{at}") from error
    if not isinstance(value, dict):
        raise LineError("not a JSON object")
    fields = cast("dict[str, object]", value)
    _known(fields, _KEYS)
    return fields


def _known(fields: dict[str, object], keys: tuple[str, ...], *, where: str = "") -> None:
    """A key with a slip in it would lose what it holds, so it is refused."""
    unknown = sorted(set(fields) - set(keys))
    if unknown:
        raise LineError(f"unknown key {where}{_shown(unknown[0])} (known: {', '.join(keys)})")


def _shown(key: str) -> str:
    printable = "".join(character if character.isprintable() else "?" for character in key)
    return printable if len(printable) <= 40 else printable[:40] + "..."


def _optional(fields: dict[str, object], key: str, *, where: str) -> str | None:
    value = fields.get(key)
    if value is None:
        return None
    if not isinstance(value, str):
        raise LineError(f"{where}{key}: must be a string")
    _whole(value, field=where + key)
    return value


def _whole(value: str, *, field: str) -> None:
    if "\x00" in value:
        raise LineError(f"{field}: has a NUL character in it")
    if any(0xD800 <= ord(character) <= 0xDFFF for character in value):
        raise LineError(f"{field}: has half of a surrogate pair in it")


def _role(value: object) -> Role:
    if value is None:
        return Role.USER
    try:
        return Role(value.upper() if isinstance(value, str) else "")
    except ValueError as error:
        raise LineError(f"role: must be one of {_ROLES}") from error


def _time(value: object) -> datetime | None:
    if value is None:
        return None
    if not isinstance(value, str):
        raise LineError("occurredAt: must be a string such as 2026-03-01T09:12:00+01:00")
    return instant(value, field="occurredAt")


def instant(value: str, *, field: str) -> datetime:
    """The instant in UTC. Raises LineError if it is no RFC 3339 time or has no offset."""
    try:
        at = datetime.fromisoformat(value)
        in_utc = at.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise LineError(f"{field}: not a time; write it as 2026-03-01T09:12:00+01:00") from error
    if at.tzinfo is None:
        raise LineError(f"{field}: a time without an offset; write it as 2026-03-01T09:12:00+01:00")
    return in_utc


def _metadata(value: object) -> tuple[tuple[str, str], ...]:
    if value is None:
        return ()
    if not isinstance(value, dict):
        raise LineError("metadata: must be an object of strings")
    entries = cast("dict[str, object]", value)
    if len(entries) > MOST_METADATA:
        raise LineError(f"metadata: {len(entries)} entries, at most {MOST_METADATA}")
    pairs: list[tuple[str, str]] = []
    for key, inner in entries.items():
        if not isinstance(inner, str):
            raise LineError(f"metadata.{_shown(key)}: must be a string")
        _whole(inner, field=f"metadata.{_shown(key)}")
        pairs.append((identifier(key, field="metadata key"), inner))
    return tuple(pairs)
