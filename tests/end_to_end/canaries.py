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
    spelled = {word: (word.encode(), word.encode("utf-16-le")) for word in words}
    found = {word: [file.name for file, content in contents.items() if any(s in content for s in spellings)] for word, spellings in spelled.items()}
    return {word: names for word, names in found.items() if names}
