"""What names, keys, texts and times must be, whoever sends them. Pure; each refusal names the field and what to do."""

import re
from datetime import datetime
from typing import Final

from consilience.errors import InvalidInput

KEY_CHARS: Final = 256
_SPACE_NAME: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,62}")
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f]")
_UNSTORABLE: Final = re.compile("[\x00\ud800-\udfff]")


def check_space(space: str) -> None:
    """Raises InvalidInput unless this can be the name of a space: it becomes a label and an index name."""
    if not _SPACE_NAME.fullmatch(space):
        raise InvalidInput(
            "a space name has 1 to 63 characters a-z, 0-9, - and _, and starts with a letter or digit",
            hint="for example support-team",
            field="space",
        )


def check_key(value: str, *, field: str) -> None:
    """Raises InvalidInput unless this can be an external key: 1..256 characters, none of them control characters."""
    if not value.strip() or len(value) > KEY_CHARS or _CONTROL.search(value) or _UNSTORABLE.search(value):
        raise InvalidInput(f"{field} must have 1 to {KEY_CHARS} characters, no control characters and not only blanks", field=field)


def check_text(value: str, *, field: str) -> None:
    """Raises InvalidInput for characters no store keeps: NUL and lone surrogates."""
    if _UNSTORABLE.search(value):
        raise InvalidInput(f"{field} contains NUL or half of a surrogate pair", hint="send well-formed Unicode", field=field)


def check_time(value: datetime | None, *, field: str) -> None:
    """Raises InvalidInput for a time without an offset (T11)."""
    if value is not None and value.tzinfo is None:
        raise InvalidInput(f"{field} has no offset from UTC", hint="for example 2026-03-01T09:12:00+01:00", field=field)
