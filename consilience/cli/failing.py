"""Errors, in one place: one or two lines for a person, an object for a program, and the exit status."""

import sys
import traceback
from collections.abc import Sequence

from consilience.cli.console import MODE, print_json, say
from consilience.cli.formats import BadLine
from consilience.errors import ConsilienceError, InvalidInput

INTERRUPTED = 130
UNHEALTHY = 6


class BadLines(InvalidInput):
    """Lines of a file that cannot be taken; nothing was sent."""

    def __init__(self, message: str, *, lines: Sequence[BadLine], hint: str) -> None:
        super().__init__(message, hint=hint)
        self.lines = tuple(lines)


def tell(error: ConsilienceError) -> int:
    """Says what went wrong and what to do; the exit status."""
    if MODE.debug:
        traceback.print_exception(error)
    say(f"consilience: {error.message}")
    if error.hint:
        say(f"  {error.hint}")
    if MODE.json:
        told: dict[str, object] = {"code": error.code, "message": error.message, "hint": error.hint, "field": error.field}
        if isinstance(error, BadLines):
            told["lines"] = error.lines
        print_json({"error": told})
    return error.exit_status


def tell_unexpected(error: Exception) -> int:
    """A defect: its kind only, because its words may quote what somebody said."""
    if MODE.debug:
        traceback.print_exception(error)
        sys.stderr.flush()
    say(f"consilience: unexpected error ({type(error).__name__})")
    say("  this is a defect: run it again with --debug to see where, and report it")
    if MODE.json:
        print_json({"error": {"code": ConsilienceError.code, "message": type(error).__name__, "hint": None, "field": None}})
    return ConsilienceError.exit_status
