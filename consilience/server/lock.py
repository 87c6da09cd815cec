"""The lock: which jars make up the managed server. Pure but for reading the file that ships beside this one."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

LOCK: Final = Path(__file__).with_name("neo4j.lock")


@dataclass(frozen=True, slots=True)
class Jar:
    """One row: `where` is `lib` or `plugins`, `sha256` 64 hex digits, `size` in bytes."""

    where: str
    coordinate: str
    sha256: str
    size: int

    @property
    def file_name(self) -> str:
        """`artifact-version[-classifier].jar`, as a Maven repository names it."""
        _, artifact, version, *classifier = self.coordinate.split(":")
        return "-".join([artifact, version, *classifier]) + ".jar"

    @property
    def path(self) -> str:
        """Path below the repository's address (Maven's default layout)."""
        group, artifact, version, *_ = self.coordinate.split(":")
        return f"{group.replace('.', '/')}/{artifact}/{version}/{self.file_name}"


def parse_lock(text: str) -> tuple[Jar, ...]:
    """The rows of a lock, in its order. Raises ValueError at a row that is none."""
    rows: list[Jar] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line or line.startswith("#"):
            continue
        match line.split():
            case [("lib" | "plugins") as where, coordinate, sha256, size] if len(sha256) == 64 and size.isdecimal():
                rows.append(Jar(where, coordinate, sha256, int(size)))
            case _:
                raise ValueError(f"line {number} of the lock is not `where coordinate sha256 size`")
    return tuple(rows)


def read_lock(path: Path = LOCK) -> tuple[Jar, ...]:
    """The rows of the lock that ships with the package."""
    return parse_lock(path.read_text(encoding="utf-8"))
