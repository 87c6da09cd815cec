"""Fetching jars from a Maven repository. Needs the extra `local`; imported only when something has to be fetched."""

import threading
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from functools import partial
from pathlib import Path
from typing import Final

import pooch  # pyright: ignore[reportMissingTypeStubs]  # it publishes none
import requests
import stamina
from jgo.constants import MAVEN_CENTRAL_URL

from consilience.errors import CannotStart
from consilience.server.lock import Jar
from consilience.server.progress import Progress, Report, Step

DOWNLOADS: Final = 8
ATTEMPTS: Final = 5
TIMEOUT_S: Final = 30
RETRY_STATUSES: Final = frozenset({408, 425, 429, 500, 502, 503, 504})
LONGEST_WAIT_S: Final = 15.0
CHUNK_BYTES: Final = 64 * 1024


def fetch_all(root: Path, jars: list[Jar], *, repository: str | None, report: Report, cancelled: threading.Event) -> None:
    """These jars into `root`'s folders, several at a time. What has arrived stays, whatever happens to the rest.

    `repository` is the address of a Maven repository, None for Maven Central. Raises CannotStart with the first jar that fails.
    """
    base = (repository or MAVEN_CENTRAL_URL).rstrip("/")
    pooch.get_logger().setLevel("WARNING")  # it announces each file at INFO
    bytes_total, bytes_done = sum(jar.size for jar in jars), 0
    report(Progress(Step.JARS, total=len(jars), bytes_total=bytes_total))
    with requests.Session() as session, ThreadPoolExecutor(DOWNLOADS, thread_name_prefix="jars") as pool:
        fetch = partial(_fetch, root, base=base, session=session, cancelled=cancelled)
        futures: dict[Future[None], Jar] = {pool.submit(fetch, jar=jar): jar for jar in jars}
        try:
            for done, future in enumerate(as_completed(futures), start=1):
                future.result()
                bytes_done += futures[future].size
                report(Progress(Step.JARS, done, len(jars), bytes_done, bytes_total))
        except BaseException:
            cancelled.set()
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def retry_wait(error: Exception) -> bool | float:
    """Whether another attempt may help: True, False, or the seconds a server asked for (at most 15)."""
    if isinstance(error, requests.HTTPError):
        response = error.response
        if response is None or response.status_code not in RETRY_STATUSES:
            return False
        asked = response.headers.get("Retry-After", "")
        return min(float(asked), LONGEST_WAIT_S) if asked.isdecimal() else True
    # ValueError is pooch's word for a wrong hash. A connection cut half way gives one, so it is worth another attempt.
    return isinstance(error, requests.ConnectionError | requests.Timeout | requests.exceptions.ChunkedEncodingError | ValueError)


def _fetch(root: Path, *, jar: Jar, base: str, session: requests.Session, cancelled: threading.Event) -> None:
    """One jar to its place. pooch writes and hashes a temporary file; only the right one is renamed into the folder."""

    def again(error: Exception) -> bool | float:
        return not cancelled.is_set() and retry_wait(error)

    try:
        for attempt in stamina.retry_context(on=again, attempts=ATTEMPTS, timeout=None, wait_initial=0.5, wait_max=LONGEST_WAIT_S):
            with attempt:
                if cancelled.is_set():
                    raise CannotStart("fetching Neo4j was interrupted", hint="start again: it goes on where it stopped")
                pooch.retrieve(  # pyright: ignore[reportUnknownMemberType]
                    f"{base}/{jar.path}",
                    known_hash=f"sha256:{jar.sha256}",
                    fname=jar.file_name,
                    path=root / ".partial",
                    downloader=partial(_download, session),  # pyright: ignore[reportArgumentType]  # pooch's annotation names others
                )
                (root / ".partial" / jar.file_name).replace(root / jar.where / jar.file_name)
    except (requests.RequestException, ValueError, OSError) as error:
        raise _cannot_fetch(jar, error) from error


def _download(session: requests.Session, url: str, file: str, pooch: object) -> None:
    """One attempt (pooch's own downloader would open a connection for every file, and leave it open at a refusal)."""
    with session.get(url, stream=True, timeout=TIMEOUT_S) as response:
        response.raise_for_status()
        with Path(file).open("wb") as target:
            for chunk in response.iter_content(CHUNK_BYTES):
                target.write(chunk)


def _cannot_fetch(jar: Jar, error: Exception) -> CannotStart:
    if isinstance(error, requests.HTTPError) and error.response is not None:
        said = f"it answered {error.response.status_code}"
    elif isinstance(error, OSError) and not isinstance(error, requests.RequestException):
        return CannotStart(
            f"cannot keep {jar.coordinate} in the cache: {error.strerror or error}",
            hint="free some space (about 200 MB) or choose another folder with CONSILIENCE_CACHE",
        )
    elif isinstance(error, requests.RequestException):
        said = type(error).__name__
    else:
        return CannotStart(
            f"{jar.coordinate} came with another content than the one locked",
            hint="something between here and the Maven repository changes files: try another network or set CONSILIENCE_MAVEN_REPOSITORY",
        )
    return CannotStart(
        f"cannot fetch {jar.coordinate} from the Maven repository: {said}",
        hint="check the network and start again (what is fetched stays), or name a mirror with CONSILIENCE_MAVEN_REPOSITORY",
    )
