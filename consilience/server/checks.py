"""What a check of this machine found. Shared with the store's own checks."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Check:
    """`ok` is None when the question does not arise (no managed server here, say); `advice` says what to do about a False."""

    name: str
    ok: bool | None
    found: str
    advice: str | None = None
