"""Words nobody else writes: sent in every place a person can put words, and looked for in every place where none may be."""

import secrets
from collections.abc import Iterable
from pathlib import Path
from typing import Final

SENT: Final[list[str]] = []


def canary(place: str) -> str:
    """A word for this place, remembered as sent. Long enough to stand nowhere by chance."""
    word = f"canary{place}{secrets.token_hex(8)}"
    SENT.append(word)
    return word


def found_in(files: Iterable[Path], *, words: Iterable[str]) -> dict[str, list[str]]:
    """word -> names of the files that hold it, as UTF-8 or UTF-16."""
    contents = {file: file.read_bytes() for file in files if file.is_file()}
    found: dict[str, list[str]] = {}
    for word in words:
        spellings = (word.encode(), word.encode("utf-16-le"))
        found[word] = [file.name for file, content in contents.items() if any(spelling in content for spelling in spellings)]
    return {word: names for word, names in found.items() if names}
