"""The jars of the managed server: fetched once, verified by SHA-256, kept in the cache that all data folders of a user share.

A jar appears under its own name only when its hash is right. `verified.json` remembers size and change time of every verified
file, so that the check before each start need not hash 180 MB; a file somebody touched is hashed again, and replaced if it differs.
"""

import hashlib
import json
import shutil
import threading
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from filelock import FileLock

from consilience.config import NEO4J_VERSION, Settings
from consilience.errors import CannotStart
from consilience.server.lock import Jar, read_lock
from consilience.server.progress import Report

STAMPS: Final = "verified.json"


@dataclass(frozen=True, slots=True)
class JarSet:
    """A complete set: `class_path` is every jar, the plugins first as Neo4j's own launcher has them; `plugins` is their folder."""

    root: Path
    class_path: tuple[Path, ...]
    plugins: Path


def ensure_jars(
    settings: Settings, *, report: Report, jars: tuple[Jar, ...] | None = None, cancelled: threading.Event | None = None
) -> JarSet:
    """All jars of the lock in `settings.cache`, fetching what is missing or damaged.

    Reports only if something has to be fetched. Safe for several processes at once: the second one waits, then finds them there.
    Raises CannotStart without the extra `local`, without a network, or when a jar does not come out right.
    """
    wanted = read_lock() if jars is None else jars
    root = jar_root(settings)
    found = JarSet(root, tuple(_place(root, jar) for jar in sorted(wanted, key=lambda jar: jar.where == "lib")), root / "plugins")
    if not missing_jars(root, wanted):
        return found
    _make_folders(root)
    with FileLock(root / ".lock"):
        # Asked again: another process may have been quicker. Only files without a stamp are hashed.
        todo = [jar for jar in missing_jars(root, wanted) if not _is_right(_place(root, jar), jar)]
        if todo:
            _fetch_all(root, todo, settings=settings, report=report, cancelled=cancelled or threading.Event())
        _remove_strays(root, wanted)
        _write_stamps(root, wanted)
    return found


def jar_root(settings: Settings) -> Path:
    """The folder of this version's jars in the cache."""
    return settings.cache / f"neo4j-{NEO4J_VERSION}"


def missing_jars(root: Path, jars: Iterable[Jar]) -> list[Jar]:
    """Jars that are absent or not as they were when verified. Looks at names, sizes and times only: some milliseconds."""
    stamps = _read_stamps(root)
    return [jar for jar in jars if (stamp := _stamp(_place(root, jar))) is None or stamps.get(_stamp_key(jar)) != stamp]


def _place(root: Path, jar: Jar) -> Path:
    return root / jar.where / jar.file_name


def _stamp_key(jar: Jar) -> str:
    """The hash is in it: another lock's stamp is none of ours. So is the name: two jars may have the same content."""
    return f"{jar.where}/{jar.file_name}@{jar.sha256}"


def _stamp(path: Path) -> list[int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return [status.st_size, status.st_mtime_ns]


def _read_stamps(root: Path) -> dict[str, list[int]]:
    try:
        found: dict[str, list[int]] = json.loads((root / STAMPS).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found


def _write_stamps(root: Path, jars: Iterable[Jar]) -> None:
    partial = root / f"{STAMPS}.new"
    partial.write_text(json.dumps({_stamp_key(jar): _stamp(_place(root, jar)) for jar in jars}), encoding="utf-8")
    partial.replace(root / STAMPS)


def _make_folders(root: Path) -> None:
    try:
        for folder in ("lib", "plugins", ".partial"):
            (root / folder).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CannotStart(
            f"cannot write the cache folder {root}: {error.strerror}", hint="choose another with CONSILIENCE_CACHE", field="cache"
        ) from error


def _remove_strays(root: Path, jars: Iterable[Jar]) -> None:
    """Neo4j loads whatever lies in plugins/, so only what the lock names may lie there."""
    named = {_place(root, jar) for jar in jars}
    for folder in (root / "lib", root / "plugins"):
        for path in folder.iterdir():
            if path not in named:
                path.unlink()
    shutil.rmtree(root / ".partial", ignore_errors=True)


def _is_right(path: Path, jar: Jar) -> bool:
    """Whether the file has the locked size and hash (reads it)."""
    stamp = _stamp(path)
    if stamp is None or stamp[0] != jar.size:
        return False
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest() == jar.sha256


def _fetch_all(root: Path, jars: list[Jar], *, settings: Settings, report: Report, cancelled: threading.Event) -> None:
    try:
        from consilience.server import fetch
    except ImportError as error:
        raise CannotStart(
            "the managed Neo4j needs the extra `local`: pip install 'consilience[local]', or set NEO4J_URI to use a Neo4j of your own"
        ) from error
    fetch.fetch_all(root, jars, repository=settings.maven_repository, report=report, cancelled=cancelled)
