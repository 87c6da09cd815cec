"""service.json is believed only while the process it names lives."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from consilience.cli.running import find_running, remove_running, this_process, write_running

NOTE = this_process("http://127.0.0.1:8765", browser_url=None, started_at="2026-03-01T08:12:00+00:00")


def test_a_living_service_is_found(home: Path) -> None:
    write_running(home, NOTE)
    assert find_running(home) == NOTE
    assert [file.name for file in home.iterdir()] == ["service.json"]


def test_a_later_process_with_the_same_pid_is_not_taken_for_it(home: Path) -> None:
    write_running(home, NOTE)
    note = home / "service.json"
    note.write_text(json.dumps(json.loads(note.read_text()) | {"create_time": NOTE.create_time - 60}))
    assert find_running(home) is None


def test_a_service_that_has_ended_is_not_found(home: Path) -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    write_running(home, NOTE)
    note = home / "service.json"
    note.write_text(json.dumps(json.loads(note.read_text()) | {"pid": ended.pid}))
    assert find_running(home) is None


@pytest.mark.parametrize(
    "content", ["", "{", "[]", "{}", '{"pid": "x", "create_time": 1, "url": "u"}', '{"pid": -1, "create_time": 1, "url": "u"}']
)
def test_a_broken_note_counts_as_none(home: Path, content: str) -> None:
    home.mkdir()
    (home / "service.json").write_text(content)
    assert find_running(home) is None


def test_only_its_own_process_takes_a_note_away(home: Path) -> None:
    write_running(home, NOTE)
    remove_running(home, pid=os.getpid() + 1)
    assert find_running(home) is not None
    remove_running(home, pid=os.getpid())
    assert find_running(home) is None
