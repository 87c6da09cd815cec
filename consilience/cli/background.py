"""A service in the background: started, waited for, stopped. What it prints goes to `<home>/logs/service.log`."""

import os
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

import psutil

from consilience.cli.running import Running, find_running, process_of, remove_running
from consilience.cli.screen import Screen
from consilience.errors import CannotStart, ConsilienceError, ServiceUnavailable, StoreUnavailable

if TYPE_CHECKING:
    from consilience.config import Settings

STOP_TIMEOUT_S: Final = 60.0
_LOOK_EVERY_S: Final = 0.2
_ERROR_MARK: Final = "consilience: "
_TAIL_BYTES: Final = 64 * 1024


def log_file(home: Path) -> Path:
    return home / "logs" / "service.log"


def service_url(settings: "Settings", *, start: bool = True) -> str:
    """Where to find a service: the address of the settings, else the one running on the data folder, else one started now.

    Raises ServiceUnavailable if there is none and `start` is False; CannotStart, StoreUnavailable if it does not come up.
    """
    if settings.url is not None:
        from consilience.client.transport import checked_url

        return checked_url(settings.url)
    running = find_running(settings.home)
    if running is not None:
        return running.url
    if not start:
        raise ServiceUnavailable(
            f"no service runs on the data folder {settings.home}", hint="start one with `consilience up`, or give its --url"
        )
    screen = Screen()
    screen.say("No service is running: starting one in the background (stop it with `consilience down`).")
    return start_service(settings, screen=screen).url


def start_service(settings: "Settings", *, screen: Screen, timeout_s: float = 900.0) -> Running:
    """The running service of the data folder, started if there is none; it answers /readyz with 200.

    Two callers at once get the same one. Raises CannotStart or StoreUnavailable with what its log says.
    """
    from filelock import FileLock, Timeout

    deadline = time.monotonic() + timeout_s
    try:
        settings.home.mkdir(parents=True, exist_ok=True, mode=0o700)
        with FileLock(settings.home / "starting.lock", timeout=timeout_s):
            running = find_running(settings.home) or _spawn_and_wait(settings, screen=screen, deadline=deadline)
        _wait_ready(running, deadline=deadline, screen=screen)
    except Timeout as error:
        raise CannotStart(f"another start on {settings.home} did not end in {timeout_s:g} s", hint="see `consilience logs`") from error
    except OSError as error:
        raise CannotStart(
            f"cannot use the data folder {settings.home}: {error.strerror or error}", hint="choose another with --home"
        ) from error
    finally:
        screen.close()
    return running


def stop_service(running: Running, *, home: Path, force: bool = False, timeout_s: float = STOP_TIMEOUT_S) -> None:
    """Ends the service and waits until it has ended. Raises ConsilienceError if it does not."""
    process = process_of(running)
    if process is None:
        return
    try:
        process.kill() if force else process.terminate()
        process.wait(timeout_s)
    except psutil.NoSuchProcess:
        pass
    except psutil.AccessDenied as error:
        raise ConsilienceError(f"the service (process {running.pid}) belongs to another user", hint="stop it as that user") from error
    except psutil.TimeoutExpired as error:
        raise ConsilienceError(
            f"the service (process {running.pid}) did not end in {timeout_s:g} s", hint="use `consilience down --force`"
        ) from error
    remove_running(home, pid=running.pid)


def is_ready(url: str) -> bool:
    """Whether the service answers /readyz with 200 now."""
    import httpx

    try:
        return httpx.get(f"{url}/readyz", timeout=5.0, trust_env=False).status_code == httpx.codes.OK.value
    except httpx.HTTPError:
        return False


def _spawn_and_wait(settings: "Settings", *, screen: Screen, deadline: float) -> Running:
    """Starts `consilience serve` in a session of its own; returns when it has noted itself in service.json."""
    log = log_file(settings.home)
    log.parent.mkdir(parents=True, exist_ok=True)
    begins = log.stat().st_size if log.exists() else 0
    command = [
        sys.executable,
        "-m",
        "consilience",
        "serve",
        "--home",
        str(settings.home),
        "--host",
        settings.host,
        "--port",
        str(settings.port),
    ]
    environment = {**os.environ, "NO_COLOR": "1"}
    with log.open("ab") as sink:
        child = subprocess.Popen(  # noqa: S603  # our own interpreter and module, no shell
            command, stdin=subprocess.DEVNULL, stdout=sink, stderr=subprocess.STDOUT, start_new_session=True, env=environment
        )
    try:
        return _noted(child, settings.home, log=log, begins=begins, screen=screen, deadline=deadline)
    except BaseException:
        with suppress(ProcessLookupError):
            child.terminate()
        raise


def _noted(child: "subprocess.Popen[bytes]", home: Path, *, log: Path, begins: int, screen: Screen, deadline: float) -> Running:
    """Waits for the child's note, showing the last line of its log. Raises what kept it from starting."""
    while (running := find_running(home)) is None:
        status = child.poll()
        lines = tail(log, start=begins)
        if status is not None:
            raise _why_not(lines, status=status)
        if time.monotonic() > deadline:
            raise CannotStart("the service did not come up in time", hint="see `consilience logs`")
        screen.moving(lines[-1] if lines and not lines[-1].startswith("{") else "starting the service")
        time.sleep(_LOOK_EVERY_S)
    return running


def _wait_ready(running: Running, *, deadline: float, screen: Screen) -> None:
    while not is_ready(running.url):
        if process_of(running) is None:
            raise CannotStart("the service ended while starting", hint="see `consilience logs`")
        if time.monotonic() > deadline:
            raise CannotStart(f"the service at {running.url} is not ready in time", hint="see `consilience doctor` and `consilience logs`")
        screen.moving("waiting until it is ready")
        time.sleep(_LOOK_EVERY_S)


def _why_not(lines: list[str], *, status: int) -> ConsilienceError:
    """The error the service printed last, as this command's own."""
    at = max((number for number, line in enumerate(lines) if line.startswith(_ERROR_MARK)), default=None)
    kind = StoreUnavailable if status == StoreUnavailable.exit_status else CannotStart
    if at is None:
        return kind(f"the service did not start (exit status {status})", hint="see `consilience logs` and `consilience doctor`")
    hint = lines[at + 1].strip() if at + 1 < len(lines) and lines[at + 1].startswith("  ") else None
    return kind(lines[at].removeprefix(_ERROR_MARK), hint=hint)


def tail(file: Path, *, start: int = 0) -> list[str]:
    """The last lines of a file, from byte `start` on and at most 64 KiB of them; none if it cannot be read."""
    try:
        with file.open("rb") as opened:
            size = opened.seek(0, os.SEEK_END)
            opened.seek(max(start, size - _TAIL_BYTES))
            return opened.read().decode("utf-8", errors="replace").splitlines()
    except OSError:
        return []
