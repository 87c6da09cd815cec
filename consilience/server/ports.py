"""The two loopback ports of the managed server: chosen free at the first start and kept, so that bookmarks stay good."""

import json
import socket
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from consilience.config import Settings
from consilience.errors import CannotStart

LOOPBACK: Final = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class Ports:
    """Bolt for the service, HTTP for Neo4j Browser only."""

    bolt: int
    http: int


def choose_ports(settings: Settings, *, file: Path) -> Ports:
    """Ports to start on: the settings' where given, else those kept in `file` if still free, else new ones (kept from now on).

    Raises CannotStart if a configured port is busy.
    """
    kept = kept_ports(file)
    bolt = _configured("bolt_port", settings.bolt_port) or _free_port(kept.bolt if kept else 0, taken=settings.http_port)
    http = _configured("http_port", settings.http_port) or _free_port(kept.http if kept else 0, taken=bolt)
    ports = Ports(bolt, http)
    if ports != kept:
        file.write_text(json.dumps(asdict(ports)), encoding="utf-8")
    return ports


def is_free(port: int) -> bool:
    """Whether a server could listen on this loopback port now."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as the JVM does: a closing connection is no hindrance
        try:
            probe.bind((LOOPBACK, port))
        except OSError:
            return False
    return True


def _configured(name: str, port: int) -> int:
    if port and not is_free(port):
        raise CannotStart(
            f"port {port} is busy: stop what uses it or choose another with CONSILIENCE_{name.upper()} (0 picks a free one)", field=name
        )
    return port


def _free_port(kept: int, *, taken: int) -> int:
    if kept and kept != taken and is_free(kept):
        return kept
    while True:
        with socket.socket() as probe:
            probe.bind((LOOPBACK, 0))
            port = int(probe.getsockname()[1])
        if port != taken:
            return port


def kept_ports(file: Path) -> Ports | None:
    """The ports of the last start; None before the first."""
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
        return Ports(int(found["bolt"]), int(found["http"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None
