"""Plain chat exports: `[2026-03-01 09:12 +01:00] Name: text`, longer messages going on in the lines below. Pure."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from consilience.cli.json_lines import LineError, identifier, instant, text_of

# The name ends at the first colon, ASCII or full-width.
_HEADER: Final = re.compile(
    r"\[(?P<date>\d{4}-\d{2}-\d{2})[ T](?P<time>\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?) ?(?P<offset>[+-]\d{2}:?\d{2}|Z)?\][ \t]*(?P<rest>.*)",
    re.DOTALL,
)
_NAMED: Final = re.compile(r"(?P<name>[^:：]*)[:：](?P<text>.*)", re.DOTALL)
_LOOKS_LIKE_HEADER: Final = re.compile(r"\[\d{4}-\d{2}-\d{2}")
_INDENT: Final = re.compile(r"\t| {1,4}")


@dataclass(frozen=True, slots=True)
class Message:
    """One message. `number`: the line it starts on, from 1. `problem`: why it cannot be taken, quoting none of it."""

    number: int
    name: str = ""
    at: datetime | None = None
    text: str = ""
    problem: str | None = None


@dataclass(slots=True)
class _Open:
    """The message being read: its header and the lines so far."""

    number: int
    name: str
    at: datetime
    lines: list[str] = field(default_factory=list[str])

    def closed(self) -> Message:
        text = "\n".join(self.lines).strip()
        if not text:
            return Message(number=self.number, name=self.name, at=self.at)
        try:
            return Message(number=self.number, name=self.name, at=self.at, text=text_of(text))
        except LineError as error:
            return Message(number=self.number, problem=str(error))


def opens_a_message(line: str) -> bool:
    """Whether this line looks like the header of a message, whole or with a slip in it."""
    return _LOOKS_LIKE_HEADER.match(line) is not None


def messages_of(lines: Iterable[tuple[int, str | None]]) -> Iterator[Message]:
    """The messages in order. A line that opens none belongs to the message above; an indented one always does.

    After a bad header its lines go with it, and only the header is reported.
    """
    current: _Open | None = None
    orphaned = True  # lines before the first header are reported; those under a bad header are part of that report
    for number, line in lines:
        if line is not None and not opens_a_message(line):
            if current is not None:
                current.lines.append(_INDENT.sub("", line, count=1) if line[:1] in " \t" else line)
            elif orphaned and line.strip():
                yield Message(number=number, problem="no message is open: it needs a header such as [2026-03-01 09:12 +01:00] Name: text")
                orphaned = False
            continue
        if current is not None:
            yield current.closed()
        current, orphaned = None, False
        try:
            current = _header(line, number=number)
        except LineError as error:
            yield Message(number=number, problem=str(error))
    if current is not None:
        yield current.closed()


def _header(line: str | None, *, number: int) -> _Open:
    if line is None:
        raise LineError("not UTF-8")
    found = _HEADER.fullmatch(line)
    if found is None:
        raise LineError("a header that cannot be read; write it as [2026-03-01 09:12 +01:00] Name: text (indent a line that is none)")
    named = _NAMED.fullmatch(found["rest"])
    if named is None:
        raise LineError("no `Name:` after the time")
    at = instant(f"{found['date']}T{found['time']}{found['offset'] or ''}", field="time")
    name = identifier(unicodedata.normalize("NFC", named["name"].strip()), field="name")
    return _Open(number=number, name=name, at=at, lines=[named["text"]])
