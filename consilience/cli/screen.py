"""What a start shows while it goes on: a line that moves in a terminal, plain lines in a log file."""

import threading
import time
from typing import TYPE_CHECKING, Final

from consilience.cli.console import say, stderr

if TYPE_CHECKING:
    from rich.status import Status

# In a log file, work that counts is told this often; words that stay the same less often.
_EVERY_S: Final = 2.0
_SAME_AGAIN_S: Final = 15.0


class Screen:
    """Takes reports from any thread.

    say: something is done or begun. moving: work that goes on, told as one short line; the next one takes its place.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._status: Status | None = None
        self._told, self._told_at = "", -_EVERY_S

    def say(self, line: str) -> None:
        with self._lock:
            self._stop()
            say(line)

    def moving(self, line: str) -> None:
        with self._lock:
            if stderr().is_terminal:
                self._show(line)
                return
            patience = _SAME_AGAIN_S if line == self._told else _EVERY_S
            if time.monotonic() - self._told_at >= patience:
                self._told, self._told_at = line, time.monotonic()
                say(line)

    def close(self) -> None:
        with self._lock:
            self._stop()

    def _show(self, line: str) -> None:
        from rich.text import Text

        if self._status is None:
            self._status = stderr().status(Text(line))
            self._status.start()
        else:
            self._status.update(Text(line))

    def _stop(self) -> None:
        if self._status is not None:
            self._status.stop()
            self._status = None
