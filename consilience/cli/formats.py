"""Files of conversations as episodes: JSON Lines and plain chat exports (docs/guides/formats.md). Pure: bytes in, values out.

Nothing here quotes what somebody said: a bad line is told by its number and by what is wrong with it.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from pathlib import PurePath
from typing import Final

from consilience.cli.chat import messages_of, opens_a_message
from consilience.cli.json_lines import LineError, episode_of
from consilience.errors import InvalidInput
from consilience.schema.domain import DEFAULT_SOURCE, NewEpisode

_UTF16_MARKS: Final = (b"\xff\xfe", b"\xfe\xff")
# A longer silence than this in a chat ends a session: longer than a lunch, shorter than a night.
SESSION_GAP: Final = timedelta(hours=6)


class Form(StrEnum):
    JSONL = "jsonl"
    CHAT = "chat"


@dataclass(frozen=True, slots=True)
class Defaults:
    """What a line that does not say it itself gets. `contributor` None: every line must name one."""

    source: str = DEFAULT_SOURCE
    contributor: str | None = None
    session: str | None = None


@dataclass(frozen=True, slots=True)
class GoodLine:
    """An episode and the number (from 1) of the line it starts on."""

    number: int
    episode: NewEpisode


@dataclass(frozen=True, slots=True)
class BadLine:
    number: int
    reason: str


@dataclass(frozen=True, slots=True)
class Parsed:
    """All of a file. `empty`: messages of a chat without any text (a picture, a deleted message)."""

    good: tuple[GoodLine, ...]
    bad: tuple[BadLine, ...]
    empty: int = 0


def parse(content: bytes, *, form: Form, defaults: Defaults | None = None) -> Parsed:
    """The file's episodes, each with an externalId, and its bad lines. Never raises for what is inside a line.

    Raises InvalidInput if the file as a whole cannot be read: UTF-16.
    """
    given = defaults or Defaults()
    lines = list(_lines(content))
    parsed = _parse_json_lines(lines, given) if form is Form.JSONL else _parse_chat(lines, given)
    return replace(parsed, good=tuple(with_external_ids(parsed.good)))


def detect(content: bytes, *, name: str = "") -> Form:
    """The format, by the file's name or else its first line that is not blank. Raises InvalidInput if it is neither."""
    if PurePath(name).suffix.lower() in {".jsonl", ".ndjson"}:
        return Form.JSONL
    first = next((line.strip() for _, line in _lines(content) if line and line.strip()), "")
    if opens_a_message(first):
        return Form.CHAT
    if first.startswith("{"):
        return Form.JSONL
    if first.startswith("["):
        raise InvalidInput(
            "this looks like a JSON array", hint="write one object per line (JSON Lines): see docs/guides/formats.md", field="format"
        )
    if not first:
        return Form.JSONL
    raise InvalidInput(
        "this is neither JSON Lines nor a plain chat export",
        hint="give --format, or see docs/guides/formats.md for the two formats",
        field="format",
    )


def with_external_ids(lines: Iterable[GoodLine]) -> Iterator[GoodLine]:
    """The lines, each with an externalId: its own, or one made of who, when, in which session, what, and how often before.

    So the same file read again gives the same ids, also after lines were added before, between or behind them.
    Source and role stay out of it: the same words offered under another source are refused as a conflict, not doubled.
    """
    seen: Counter[str] = Counter()
    for line in lines:
        said = line.episode
        if said.external_id is not None:
            yield line
            continue
        at = said.occurred_at.isoformat() if said.occurred_at else ""
        parts = (said.contributor, at, said.session or "", said.text)
        digest = hashlib.blake2b("\x00".join(parts).encode(), digest_size=16).hexdigest()
        seen[digest] += 1
        nth = "" if seen[digest] == 1 else f"-{seen[digest]}"
        yield replace(line, episode=replace(said, external_id=f"line-{digest}{nth}"))


def _lines(content: bytes) -> Iterator[tuple[int, str | None]]:
    """Numbered lines without their ends; None for one that is not UTF-8. Split at LF alone: U+2028 and its like are text."""
    if content.startswith(_UTF16_MARKS):
        raise InvalidInput("the file is UTF-16", hint="save it as UTF-8")
    for number, raw in enumerate(content.removeprefix(b"\xef\xbb\xbf").split(b"\n"), start=1):
        try:
            yield number, raw.removesuffix(b"\r").decode("utf-8")
        except UnicodeDecodeError:
            yield number, None


def _parse_json_lines(lines: Iterable[tuple[int, str | None]], given: Defaults) -> Parsed:
    good: list[GoodLine] = []
    bad: list[BadLine] = []
    first_use: dict[str, GoodLine] = {}
    for number, line in lines:
        if line is not None and not line.strip():
            continue
        try:
            episode = episode_of(line, source=given.source, contributor=given.contributor, session=given.session)
        except LineError as error:
            bad.append(BadLine(number=number, reason=str(error)))
            continue
        here = GoodLine(number=number, episode=episode)
        earlier = first_use.setdefault(episode.external_id, here) if episode.external_id is not None else here
        if earlier.episode != episode:
            bad.append(BadLine(number=number, reason=f"externalId: line {earlier.number} has the same one with other contents"))
        else:
            good.append(here)
    return Parsed(good=tuple(good), bad=tuple(bad))


def _parse_chat(lines: Iterable[tuple[int, str | None]], given: Defaults) -> Parsed:
    good: list[GoodLine] = []
    bad: list[BadLine] = []
    empty = 0
    session, last = "", None
    for message in messages_of(lines):
        if message.problem is not None or message.at is None:
            bad.append(BadLine(number=message.number, reason=message.problem or "no time"))
            continue
        if not message.text:
            empty += 1
            continue
        if last is None or abs(message.at - last) > SESSION_GAP:
            session = _session_of(message.at, said_by=message.name, text=message.text)
        last = message.at
        episode = NewEpisode(
            text=message.text,
            contributor=message.name,
            contributor_name=message.name,
            source=given.source,
            session=given.session or session,
            occurred_at=message.at,
        )
        good.append(GoodLine(number=message.number, episode=episode))
    return Parsed(good=tuple(good), bad=tuple(bad), empty=empty)


def _session_of(start: datetime, *, said_by: str, text: str) -> str:
    """A name for the session that a message opens: the same whenever the same chat is read again."""
    digest = hashlib.blake2b(f"{said_by}\x00{text}".encode(), digest_size=4).hexdigest()
    return f"chat-{start:%Y%m%dT%H%MZ}-{digest}"
