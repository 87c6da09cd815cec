"""Logs: one JSON object a line, of fields on an allow-list only, so that nothing anybody said can get into them (S81, T09)."""

import logging
import sys
from typing import Final

import stamina
import structlog
from structlog.typing import EventDict, WrappedLogger

from consilience.errors import CannotStart

_PROCESS: Final = ("event", "level", "timestamp", "logger", "version", "pid", "url", "phase", "attempt", "exit_status")
_WORK: Final = ("kind", "jobs", "job", "dead", "pause_s", "count", "took_ms", "status", "space", "index")
_ERROR: Final = ("code", "field", "path", "error_id", "error_type")
ALLOWED: Final = frozenset((*_PROCESS, *_WORK, *_ERROR))


def only_allowed(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """Drops every field that is not on the list. A new field is added there on purpose or it is not logged."""
    return {key: value for key, value in event.items() if key in ALLOWED}


class _LibraryHandler(logging.Handler):
    """What libraries log: who and how bad. Their messages may quote values, so they are not written."""

    def emit(self, record: logging.LogRecord) -> None:
        kind = record.exc_info[0] if record.exc_info else None
        structlog.get_logger(record.name).log(record.levelno, "library", logger=record.name, error_type=kind.__name__ if kind else None)


def configure_logs(level: str) -> None:
    """Sets up structlog and the standard library's logging of this process, once. Raises CannotStart for a level there is not."""
    number = logging.getLevelNamesMapping().get(level.upper())
    if number is None:
        raise CannotStart(
            "setting log_level: no such level",
            hint="set CONSILIENCE_LOG_LEVEL to DEBUG, INFO, WARNING, ERROR or CRITICAL",
            field="log_level",
        )
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            only_allowed,
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.WriteLoggerFactory(file=sys.stderr),
        cache_logger_on_first_use=False,
    )
    stamina.instrumentation.set_on_retry_hooks([])  # its hook logs arguments
    logging.basicConfig(handlers=[_LibraryHandler()], level=max(number, logging.WARNING), force=True)
