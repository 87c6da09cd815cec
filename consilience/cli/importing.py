"""Sending the lines of a file to the service: batch by batch, in order, so that the same command can go on where it stopped."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from consilience.cli.formats import BadLine, GoodLine
from consilience.schema.domain import Wait

if TYPE_CHECKING:
    from consilience.client import Client, Refused, Stored

# Small enough for a bar that moves and a stop that loses little work, large enough for speed.
BATCH: Final = 250
_EPISODE_FIELD: Final = re.compile(r"episodes\[(\d+)\]")


@dataclass(slots=True)
class Sent:
    """How far an import has come. `refused`: lines the service would not take, when those are skipped."""

    total: int
    stored: int = 0
    duplicates: int = 0
    quarantined: int = 0
    refused: list[BadLine] = field(default_factory=list[BadLine])

    @property
    def done(self) -> int:
        return self.stored + self.duplicates + len(self.refused)


async def send(
    client: "Client", lines: Sequence[GoodLine], *, space: str, wait: Wait, skip_refused: bool, sent: Sent, moved: Callable[[Sent], None]
) -> None:
    """Remembers the lines in order; `sent` is kept true after every request, so it also tells how far an interrupted import came.

    Raises Refused naming the line, unless refused lines are skipped; and what `Client.remember` raises.
    """
    for start in range(0, len(lines), BATCH):
        await _send_batch(client, lines[start : start + BATCH], space=space, wait=wait, skip_refused=skip_refused, sent=sent)
        moved(sent)


async def _send_batch(client: "Client", batch: Sequence[GoodLine], *, space: str, wait: Wait, skip_refused: bool, sent: Sent) -> None:
    from consilience.client import Refused

    left = list(batch)
    while left:
        try:
            answer = await client.remember([line.episode for line in left], space=space, wait=wait)
        except Refused as refusal:
            at = episode_index(refusal, among=len(left))
            if at is None:
                raise
            if not skip_refused:
                raise _at_line(refusal, number=left[at].number) from refusal
            sent.refused.append(BadLine(number=left[at].number, reason=f"{refusal.code}: {refusal.message}"))
            del left[at]
        else:
            _count(answer, sent=sent)
            return


def _count(answer: "Stored", *, sent: Sent) -> None:
    sent.stored += len(answer.episodes) - answer.duplicates
    sent.duplicates += answer.duplicates
    sent.quarantined += answer.quarantined


def episode_index(refusal: "Refused", *, among: int) -> int | None:
    """Which episode of the request the refusal is about; None if it is about the request as a whole."""
    found = _EPISODE_FIELD.search(refusal.field or "")
    return int(found[1]) if found and int(found[1]) < among else None


def _at_line(refusal: "Refused", *, number: int) -> "Refused":
    from consilience.client import Refused

    hint = refusal.hint or "mend the line, or leave such lines out with --skip-bad"
    return Refused(refusal.code, f"line {number}: {refusal.message}", hint=hint, field=refusal.field)


def in_file_order(bad: Sequence[BadLine], *, refused: Sequence[BadLine]) -> list[BadLine]:
    """The lines left out, by number."""
    return sorted([*bad, *refused], key=lambda line: line.number)
