"""What of a belief is for whom: statuses that are hidden, counts that are rounded down. Pure."""

from typing import Final

from consilience.schema.domain import Status

_NEVER: Final = (Status.WITHHELD,)
_FOR_CURATORS: Final = (Status.WITHHELD, Status.QUARANTINED)
_STEPS: Final = (1, 2, 5)


def hidden_statuses(*, curator: bool) -> tuple[Status, ...]:
    """Statuses of memories that are not shown: WITHHELD to nobody, QUARANTINED to curators only."""
    return _NEVER if curator else _FOR_CURATORS


def open_statuses(status: Status | None, *, curator: bool) -> tuple[Status, ...]:
    """The statuses a listing may show: the one asked for, else all; those that are hidden taken out."""
    hidden = hidden_statuses(curator=curator)
    return tuple(one for one in ((status,) if status else Status) if one not in hidden)


def bucket(count: int) -> int:
    """The largest of 0, 1, 2, 3, 5, 10, 20, 50, 100, ... that is not over the count."""
    if count in (3, 4):
        return 3
    scale = 10 ** (len(str(count)) - 1)
    return max((step * scale for step in _STEPS if step * scale <= count), default=0)


def shown_count(count: int, *, curator: bool) -> int:
    """The count for a curator, the lower bound of its bucket for anybody else (k-anonymity, design §4)."""
    return count if curator else bucket(count)
