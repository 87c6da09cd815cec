"""The JVM as a child process: start, watch, stop, and what its exit status means."""

import asyncio
import os
import subprocess
from pathlib import Path
from typing import Final

import psutil

from consilience.errors import CannotStart
from consilience.server.home import Layout
from consilience.server.java import Java

STOP_TIMEOUT_S: Final = 60.0
KILL_TIMEOUT_S: Final = 10.0
POLL_S: Final = 0.2
TAIL_LINES: Final = 15
ADMIN_TIMEOUT_S: Final = 120
MEANINGS: Final = {
    1: "the web server or another part could not start",
    2: "the database could not start; another server may hold the store",
    3: "the configuration is invalid, or the heap is used up",
    4: "the licence is missing",
    -9: "it was killed, perhaps for want of memory",
    137: "it was killed, perhaps for want of memory",
}


class Jvm:
    """A running JVM: one we started (then we reap it), or one left over by a service that was killed."""

    def __init__(self, process: psutil.Process, *, child: subprocess.Popen[bytes] | None = None) -> None:
        self.process = process
        self._child = child

    @property
    def pid(self) -> int:
        return self.process.pid

    def has_ended(self) -> bool:
        """Whether it is gone. Reaps our own child."""
        if self._child is not None:
            return self._child.poll() is not None
        try:
            return not self.process.is_running() or self.process.status() == psutil.STATUS_ZOMBIE
        except psutil.NoSuchProcess:
            return True

    @property
    def status(self) -> int | None:
        """Exit status of our own child, -N for signal N; None while it runs, and always for an adopted one."""
        return None if self._child is None else self._child.poll()

    async def wait(self, *, timeout_s: float | None = None) -> bool:
        """Until it is gone (True) or the time is up (False)."""
        clock = asyncio.get_running_loop().time
        deadline = None if timeout_s is None else clock() + timeout_s
        while not self.has_ended():
            if deadline is not None and clock() >= deadline:
                return False
            await asyncio.sleep(POLL_S)
        return True

    async def stop(self) -> None:
        """SIGTERM (Neo4j shuts down cleanly, some 10 s), after 60 s SIGKILL."""
        for send, timeout_s in ((self.process.terminate, STOP_TIMEOUT_S), (self.process.kill, KILL_TIMEOUT_S)):
            if self.has_ended():
                return
            try:
                send()
            except psutil.NoSuchProcess:
                return
            if await self.wait(timeout_s=timeout_s):
                return


def spawn(java: Java, *, place: Layout) -> Jvm:
    """Starts the server with its argument file, in a session of its own: Ctrl-C in the terminal must reach us, not it.

    Its files are for their owner alone. Raises CannotStart if the executable does not run.
    """
    try:
        with place.console.open("wb") as console:
            child = subprocess.Popen(  # noqa: S603  # our own arguments, no shell
                [java.path, f"@{place.arguments}"],
                stdin=subprocess.DEVNULL,
                stdout=console,
                stderr=subprocess.STDOUT,
                cwd=place.root,
                env=child_environment(),
                start_new_session=True,
                umask=0o077,
            )
    except OSError as error:
        raise CannotStart(f"cannot run {java.path}: {error.strerror}", hint="name another Java with CONSILIENCE_JAVA") from error
    return Jvm(psutil.Process(child.pid), child=child)


def run_admin(java: Java, *, place: Layout, arguments: Path, command: tuple[str, ...]) -> None:
    """Runs one administration command, server stopped. Raises CannotStart with what it said if it fails."""
    environment = {**child_environment(), "NEO4J_HOME": str(place.root), "NEO4J_CONF": str(place.conf)}
    name = f"neo4j-admin {' '.join(command[:2])}"
    try:
        done = subprocess.run(  # noqa: S603  # our own arguments, no shell
            [java.path, f"@{arguments}", *command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            cwd=place.root,
            env=environment,
            umask=0o077,
            timeout=ADMIN_TIMEOUT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise CannotStart(f"{name} did not run to its end: {type(error).__name__}", hint="see `consilience doctor`") from error
    if done.returncode != 0:
        said = "\n".join(done.stdout.splitlines()[-TAIL_LINES:])
        raise CannotStart(f"{name} failed with status {done.returncode}:\n{said}")


def child_environment() -> dict[str, str]:
    """Our environment without what would change the JVM's arguments, and without settings: they may hold secrets."""
    hidden = ("CONSILIENCE_", "NEO4J_")
    return {
        name: text
        for name, text in os.environ.items()
        if not name.startswith(hidden) and name not in ("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS")
    }


def failed_start(status: int | None, *, place: Layout, log_offset: int) -> CannotStart:
    """What to tell about a JVM that ended during its start: the meaning of its status and the end of its log."""
    meaning = MEANINGS.get(status or 0, "unexpectedly")
    path, lines = place.log, _tail(place.log, log_offset)
    if not lines:
        path, lines = place.console, _tail(place.console, 0)
    end = "\n".join(lines)
    return CannotStart(f"Neo4j ended during its start with status {status}: {meaning}. End of {path}:\n{end}", hint=f"see {place.logs}")


def _tail(path: Path, offset: int) -> list[str]:
    try:
        with path.open("rb") as file:
            file.seek(offset if offset <= path.stat().st_size else 0)  # shorter than before: it was rotated
            return file.read().decode("utf-8", errors="replace").splitlines()[-TAIL_LINES:]
    except OSError:
        return []
