"""The managed server's part of a data folder: where things lie, who may write there, and that only one service does."""

import os
import secrets
import shutil
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from filelock import FileLock, Timeout

from consilience.config import Settings
from consilience.errors import CannotStart

LEAST_FREE_MB: Final = 500
PASSWORD_BYTES: Final = 24


@dataclass(frozen=True, slots=True)
class Layout:
    """Paths under `<home>/neo4j`."""

    root: Path

    @property
    def conf(self) -> Path:
        return self.root / "conf"

    @property
    def data(self) -> Path:
        return self.root / "data"

    @property
    def logs(self) -> Path:
        return self.root / "logs"

    @property
    def password(self) -> Path:
        return self.root / "password"

    @property
    def ports(self) -> Path:
        return self.root / "ports.json"

    @property
    def state(self) -> Path:
        return self.root / "state.json"

    @property
    def arguments(self) -> Path:
        return self.root / "java.args"

    @property
    def console(self) -> Path:
        return self.logs / "console.log"

    @property
    def log(self) -> Path:
        return self.logs / "neo4j.log"


def layout(settings: Settings) -> Layout:
    """Where the managed server of this data folder lives."""
    return Layout(settings.home / "neo4j")


def is_first_start(place: Layout) -> bool:
    """Whether there is no store yet (a start that never came as far counts as none)."""
    return not (place.data / "databases").exists()


def prepare_home(settings: Settings) -> Layout:
    """The folders, made if absent, readable by their owner alone.

    Raises CannotStart if the data folder cannot be written, or if a first start finds less than 500 MB free.
    """
    place = layout(settings)
    try:
        settings.home.mkdir(parents=True, exist_ok=True, mode=0o700)
        for folder in (place.root, place.conf, place.data, place.logs, place.root / "run", place.root / "import"):
            folder.mkdir(exist_ok=True, mode=0o700)
            _try_writing(folder)
    except OSError as error:
        raise _cannot_write(settings.home, error) from error
    if is_first_start(place):
        refuse_full_disk(settings.home, free_mb=free_mb(settings.home))
    return place


def refuse_unwritable(home: Path) -> None:
    """Raises CannotStart if nothing can be written in this folder, or where it would be made. Leaves nothing behind."""
    try:
        _try_writing(_nearest(home))
    except OSError as error:
        raise _cannot_write(home, error) from error


def _try_writing(folder: Path) -> None:
    """Writes and removes an empty file. Permission bits do not tell: the disk may be mounted read-only."""
    trial = folder / f".write-test-{os.getpid()}"
    trial.touch()
    trial.unlink()


def _nearest(path: Path) -> Path:
    return next(folder for folder in (path, *path.parents) if folder.exists())


def refuse_full_disk(home: Path, *, free_mb: int) -> None:
    """Raises CannotStart with less than 500 MB free: a new store, its indexes and its log need about that."""
    if free_mb < LEAST_FREE_MB:
        raise CannotStart(
            f"only {free_mb} MB free on the disk of {home}: a new store needs {LEAST_FREE_MB} MB",
            hint="free some space or choose another folder with CONSILIENCE_HOME",
            field="home",
        )


def free_mb(path: Path) -> int:
    """Free space for us on the disk where `path` is or will be, MB."""
    return shutil.disk_usage(_nearest(path)).free // 1_000_000


def store_password(place: Layout) -> str:
    """The random password of the store's user `neo4j`, made for a new store; its file is readable by its owner alone.

    Hexadecimal digits only: the administration tool would take a leading `-` for an option.
    Raises CannotStart if there is a store but its password is gone.
    """
    try:
        return place.password.read_text(encoding="utf-8").strip()
    except FileNotFoundError as error:
        if not is_first_start(place):
            raise CannotStart(
                f"the password of the store is gone: {place.password} is missing",
                hint="restore the file, or choose another CONSILIENCE_HOME",
            ) from error
    password = secrets.token_hex(PASSWORD_BYTES)
    partial = place.root / "password.new"
    partial.unlink(missing_ok=True)
    with os.fdopen(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write(password + "\n")
    partial.replace(place.password)
    return password


class HomeLock:
    """Held by the one service that uses a data folder, for as long as it runs (also when its Neo4j is elsewhere).

    Entering raises CannotStart if another process holds it. Entering again in the same process is allowed. The operating system
    lets go when the process dies, however it dies.
    """

    def __init__(self, settings: Settings) -> None:
        self._home = settings.home
        self._lock = FileLock(settings.home / "lock", timeout=0, is_singleton=True, thread_local=False)

    def __enter__(self) -> Self:
        try:
            self._home.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._lock.acquire()
            (self._home / "lock.pid").write_text(f"{os.getpid()}\n", encoding="utf-8")
        except Timeout as error:
            raise CannotStart(
                f"another service (pid {self._holder()}) uses this data folder",
                hint="stop it with `consilience down` or choose another CONSILIENCE_HOME",
                field="home",
            ) from error
        except OSError as error:
            raise _cannot_write(self._home, error) from error
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._lock.release()

    def _holder(self) -> str:
        try:
            return (self._home / "lock.pid").read_text(encoding="utf-8").strip() or "unknown"
        except OSError:
            return "unknown"


def _cannot_write(home: Path, error: OSError) -> CannotStart:
    return CannotStart(
        f"cannot write the data folder {home}: {error.strerror or error}",
        hint="make it writable or choose another with CONSILIENCE_HOME",
        field="home",
    )
