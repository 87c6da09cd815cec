"""The ports: chosen once, kept, given up only when somebody else has them."""

import socket
from pathlib import Path

import pytest

from consilience.config import load_settings
from consilience.errors import CannotStart
from consilience.server.ports import Ports, choose_ports, is_free, kept_ports


def listener(port: int = 0) -> socket.socket:
    held = socket.create_server(("127.0.0.1", port))
    assert not is_free(int(held.getsockname()[1])), "positive control: a port somebody listens on is not free"
    return held


def test_automatic_ports_are_free_different_and_kept(tmp_path: Path) -> None:
    settings, file = load_settings(home=tmp_path), tmp_path / "ports.json"
    first = choose_ports(settings, file=file)
    assert first.bolt != first.http
    assert is_free(first.bolt)
    assert is_free(first.http)
    assert choose_ports(settings, file=file) == first == kept_ports(file)


def test_an_automatic_port_that_became_busy_is_replaced_and_the_other_stays(tmp_path: Path) -> None:
    settings, file = load_settings(home=tmp_path), tmp_path / "ports.json"
    first = choose_ports(settings, file=file)
    with listener(first.bolt):
        second = choose_ports(settings, file=file)
    assert second.bolt != first.bolt
    assert second.http == first.http
    assert kept_ports(file) == second


@pytest.mark.parametrize("name", ["bolt_port", "http_port"])
def test_a_configured_port_that_is_busy_is_refused_by_its_number(name: str, tmp_path: Path) -> None:
    """O11."""
    with listener() as held:
        port = held.getsockname()[1]
        with pytest.raises(CannotStart, match=f"port {port} is busy: .* CONSILIENCE_{name.upper()}"):
            choose_ports(load_settings(home=tmp_path, **{name: port}), file=tmp_path / "ports.json")


def test_an_unreadable_record_counts_as_none(tmp_path: Path) -> None:
    file = tmp_path / "ports.json"
    file.write_text("{", encoding="utf-8")
    assert isinstance(choose_ports(load_settings(home=tmp_path), file=file), Ports)
