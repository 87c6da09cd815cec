"""What the commands print: tables and JSON on stdout, everything else on stderr."""

import dataclasses
import json
import sys
import unicodedata
from collections.abc import Coroutine, Mapping
from datetime import datetime
from enum import Enum
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, cast

if TYPE_CHECKING:
    from rich.console import Console

T = TypeVar("T")


@dataclasses.dataclass(slots=True)
class Mode:
    """How this process was asked to speak. Set once, by the options `--json` and `--debug` of the command that runs."""

    json: bool = False
    debug: bool = False


MODE = Mode()


@cache
def stdout() -> "Console":
    from rich.console import Console

    return Console(highlight=False)


@cache
def stderr() -> "Console":
    from rich.console import Console

    return Console(stderr=True, highlight=False)


def run_async(work: "Coroutine[object, object, T]") -> T:
    """`asyncio.run`, imported late: help needs none of it."""
    import asyncio

    return asyncio.run(work)  # pyright: ignore[reportArgumentType]


def say(line: str) -> None:
    """A line for the person at the terminal; never on stdout, which belongs to the result."""
    print(line, file=sys.stderr, flush=True)


def print_json(value: object) -> None:
    """The value as one JSON object on stdout."""
    print(json.dumps(plain(value), ensure_ascii=False, allow_nan=False), flush=True)


def plain(value: object) -> object:
    """The value as JSON values: dataclasses as objects with the contract's names, times with offset."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {camel(field.name): plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(inner) for key, inner in cast("Mapping[object, object]", value).items()}
    if isinstance(value, (tuple, list)):
        return [plain(inner) for inner in cast("tuple[object, ...]", value)]
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Enum):
        return value.value
    return str(value) if isinstance(value, Path) else value


def camel(name: str) -> str:
    """`took_ms` -> `tookMs`."""
    first, *rest = name.split("_")
    return first + "".join(part.title() for part in rest)


def printable(text: str) -> str:
    """What somebody said, safe for a terminal: no escape sequences, no characters that turn the direction of writing."""
    return "".join(character if _harmless(character) else "\N{REPLACEMENT CHARACTER}" for character in text)


def _harmless(character: str) -> bool:
    if character in "\n\t":
        return True
    turns = character in "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
    return not turns and unicodedata.category(character) not in {"Cc", "Cs"}


def moment(at: datetime | None) -> str:
    """A time as a reader here says it: local, to the minute, with its offset."""
    if at is None:
        return "-"
    local = at.astimezone()
    offset = local.strftime("%z")
    return f"{local:%Y-%m-%d %H:%M} {offset[:3]}:{offset[3:5]}"
