"""What is known of the running managed server, for other commands and for the next start after a crash."""

import json
from dataclasses import asdict, dataclass
from datetime import datetime

import psutil

from consilience.config import Settings
from consilience.server.home import Layout, layout


@dataclass(frozen=True, slots=True)
class ServerState:
    """A started JVM. `created` (seconds of the system clock) tells it from a later process with the same pid; `fingerprint` stands for
    everything it was started with."""

    pid: int
    created: float
    bolt_uri: str
    http_uri: str
    java: str
    fingerprint: str
    started_at: datetime

    def process(self) -> psutil.Process | None:
        """The process, if it is still the same one and runs."""
        try:
            process = psutil.Process(self.pid)
            alive = abs(process.create_time() - self.created) < 1.0 and process.status() != psutil.STATUS_ZOMBIE
        except psutil.Error:
            return None
        return process if alive else None


def read_state(settings: Settings) -> ServerState | None:
    """What the last start wrote; None after a clean stop. Ask `.process()` whether it is still true."""
    return find_state(layout(settings))


def find_state(place: Layout) -> ServerState | None:
    """As `read_state`. An unreadable file counts as none."""
    try:
        found = json.loads(place.state.read_text(encoding="utf-8"))
        return ServerState(
            pid=int(found["pid"]),
            created=float(found["created"]),
            bolt_uri=str(found["bolt_uri"]),
            http_uri=str(found["http_uri"]),
            java=str(found["java"]),
            fingerprint=str(found["fingerprint"]),
            started_at=datetime.fromisoformat(found["started_at"]),
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None


def write_state(place: Layout, state: ServerState) -> None:
    """Replaces the file in one step."""
    partial = place.root / "state.json.new"
    partial.write_text(json.dumps({**asdict(state), "started_at": state.started_at.isoformat()}), encoding="utf-8")
    partial.replace(place.state)
