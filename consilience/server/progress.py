"""What a start is doing, for whoever shows it to a person."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias


class Step(StrEnum):
    JARS = "jars"
    PASSWORD = "password"  # noqa: S105  # the name of a step
    STARTING = "starting"
    READY = "ready"


@dataclass(frozen=True, slots=True)
class Progress:
    """One moment of a start. Counts and bytes are of the jars to fetch; 0 in the other steps."""

    step: Step
    done: int = 0
    total: int = 0
    bytes_done: int = 0
    bytes_total: int = 0

    @property
    def text(self) -> str:
        """The moment as one short line, in English."""
        match self.step:
            case Step.JARS:
                return f"fetching Neo4j: {self.done} of {self.total} files, {self.bytes_done / 1e6:.0f} of {self.bytes_total / 1e6:.0f} MB"
            case Step.PASSWORD:
                return "setting the password of the new store"
            case Step.STARTING:
                return "starting Neo4j"
            case Step.READY:
                return "Neo4j is ready"


# Called from the thread that works: `ensure_jars` runs in a worker thread when a start calls it.
Report: TypeAlias = Callable[[Progress], None]
