"""Fetching jars, against a real HTTP server that cuts, refuses and damages."""

import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from consilience.config import Settings, load_settings
from consilience.errors import CannotStart
from consilience.server import fetch
from consilience.server.jars import ensure_jars, jar_root, missing_jars
from consilience.server.lock import Jar
from consilience.server.progress import Progress
from tests.server.repository import Repository, a_jar

BIG, SMALL = bytes(range(256)) * 4000, b"a small jar"
BIG_JAR, SMALL_JAR = a_jar("big", BIG), a_jar("small", SMALL, where="plugins")
JARS = (BIG_JAR, SMALL_JAR)


def settings_of(tmp_path: Path, repository: Repository) -> Settings:
    return load_settings(home=tmp_path / "home", cache=tmp_path / "cache", maven_repository=repository.url)


def place(settings: Settings, jar: Jar) -> Path:
    return jar_root(settings) / jar.where / jar.file_name


def fill(repository: Repository) -> None:
    repository.holds(BIG_JAR, BIG)
    repository.holds(SMALL_JAR, SMALL)


def test_missing_jars_are_fetched_once_and_reported_with_counts_and_bytes(tmp_path: Path, repository: Repository) -> None:
    fill(repository)
    settings, reports = settings_of(tmp_path, repository), list[Progress]()
    found = ensure_jars(settings, report=reports.append, jars=JARS)
    ensure_jars(settings, report=reports.append, jars=JARS)
    assert [path.read_bytes() for path in found.class_path] == [SMALL, BIG]
    assert found.plugins == place(settings, SMALL_JAR).parent
    assert [(report.done, report.total) for report in reports] == [(0, 2), (1, 2), (2, 2)]
    assert reports[-1].bytes_done == reports[-1].bytes_total == len(BIG) + len(SMALL)
    assert set(repository.requests.values()) == {1}


def test_a_connection_cut_half_way_is_fetched_again_and_never_seen_half(tmp_path: Path, repository: Repository) -> None:
    """O11 in part: positive control below, the same server without the fault asks once."""
    fill(repository)
    repository.holds(BIG_JAR, BIG, "cut")
    settings = settings_of(tmp_path, repository)
    ensure_jars(settings, report=lambda _: None, jars=JARS)
    assert place(settings, BIG_JAR).read_bytes() == BIG
    assert repository.requests[BIG_JAR.path] == 2
    assert repository.requests[SMALL_JAR.path] == 1
    assert {path.name for path in jar_root(settings).rglob("*.jar")} == {BIG_JAR.file_name, SMALL_JAR.file_name}


def test_a_busy_repository_is_asked_again(tmp_path: Path, repository: Repository) -> None:
    fill(repository)
    repository.holds(SMALL_JAR, SMALL, 429, 429)
    settings = settings_of(tmp_path, repository)
    ensure_jars(settings, report=lambda _: None, jars=JARS)
    assert place(settings, SMALL_JAR).read_bytes() == SMALL
    assert repository.requests[SMALL_JAR.path] == 3


def test_a_jar_that_is_not_there_is_not_asked_for_again_and_the_others_stay(tmp_path: Path, repository: Repository) -> None:
    fill(repository)
    del repository.contents[SMALL_JAR.path]
    settings = settings_of(tmp_path, repository)
    with pytest.raises(CannotStart, match=r"cannot fetch org\.example:small:1\.0 .* 404"):
        ensure_jars(settings, report=lambda _: None, jars=JARS)
    assert repository.requests[SMALL_JAR.path] == 1
    repository.contents[SMALL_JAR.path] = SMALL
    ensure_jars(settings, report=lambda _: None, jars=JARS)
    assert repository.requests[BIG_JAR.path] == 1, "what had arrived is not fetched again"


def test_a_damaged_jar_in_the_cache_is_replaced(tmp_path: Path, repository: Repository) -> None:
    fill(repository)
    settings = settings_of(tmp_path, repository)
    ensure_jars(settings, report=lambda _: None, jars=JARS)
    place(settings, BIG_JAR).write_bytes(BIG[::-1])  # same size: only the hash tells
    assert missing_jars(jar_root(settings), JARS) == [BIG_JAR]
    ensure_jars(settings, report=lambda _: None, jars=JARS)
    assert place(settings, BIG_JAR).read_bytes() == BIG
    assert repository.requests == {BIG_JAR.path: 2, SMALL_JAR.path: 1}


def test_a_jar_only_touched_is_not_fetched_again(tmp_path: Path, repository: Repository) -> None:
    fill(repository)
    settings = settings_of(tmp_path, repository)
    ensure_jars(settings, report=lambda _: None, jars=JARS)
    place(settings, BIG_JAR).touch()
    ensure_jars(settings, report=lambda _: None, jars=JARS)
    assert repository.requests[BIG_JAR.path] == 1


def test_a_foreign_jar_among_the_plugins_is_removed_with_the_next_fetch(tmp_path: Path, repository: Repository) -> None:
    fill(repository)
    settings = settings_of(tmp_path, repository)
    ensure_jars(settings, report=lambda _: None, jars=(SMALL_JAR,))
    stray = place(settings, SMALL_JAR).with_name("old-plugin-0.9.jar")
    stray.write_bytes(b"old")
    ensure_jars(settings, report=lambda _: None, jars=JARS)
    assert not stray.exists()


def test_another_content_than_the_locked_one_is_refused(tmp_path: Path, repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetch, "ATTEMPTS", 2)
    fill(repository)
    repository.contents[SMALL_JAR.path] = b"something else"
    settings = settings_of(tmp_path, repository)
    with pytest.raises(CannotStart, match=r"org\.example:small:1\.0 came with another content"):
        ensure_jars(settings, report=lambda _: None, jars=(SMALL_JAR,))
    assert not place(settings, SMALL_JAR).exists()


def test_no_network_is_said_with_the_coordinate_and_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """O11."""
    monkeypatch.setattr(fetch, "ATTEMPTS", 2)
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{closed.getsockname()[1]}"
    settings = load_settings(home=tmp_path, cache=tmp_path / "cache", maven_repository=address)
    with pytest.raises(CannotStart, match=r"cannot fetch org\.example:small:1\.0") as refusal:
        ensure_jars(settings, report=lambda _: None, jars=(SMALL_JAR,))
    assert refusal.value.hint is not None
    assert "CONSILIENCE_MAVEN_REPOSITORY" in refusal.value.hint
    assert refusal.value.exit_status == 5


def test_without_the_extra_the_command_to_install_it_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "consilience.server.fetch", None)
    monkeypatch.delattr("consilience.server.fetch")
    with pytest.raises(CannotStart, match=r"pip install 'consilience\[local\]'"):
        ensure_jars(load_settings(home=tmp_path, cache=tmp_path / "cache"), report=lambda _: None, jars=(SMALL_JAR,))


def test_a_cancelled_fetch_ends_and_says_that_it_goes_on_later(tmp_path: Path, repository: Repository) -> None:
    fill(repository)
    cancelled = threading.Event()
    cancelled.set()
    with pytest.raises(CannotStart, match="interrupted"):
        ensure_jars(settings_of(tmp_path, repository), report=lambda _: None, jars=JARS, cancelled=cancelled)


def test_two_processes_at_once_fetch_every_jar_once(tmp_path: Path, repository: Repository) -> None:
    fill(repository)
    rows = "".join(f"{jar.where} {jar.coordinate} {jar.sha256} {jar.size}\n" for jar in JARS)
    program = (
        "import sys; from pathlib import Path\n"
        "from consilience.config import load_settings\n"
        "from consilience.server.jars import ensure_jars\n"
        "from consilience.server.lock import parse_lock\n"
        "settings = load_settings(home=Path(sys.argv[1]), cache=Path(sys.argv[1]) / 'cache', maven_repository=sys.argv[2])\n"
        "ensure_jars(settings, report=lambda _: None, jars=parse_lock(sys.argv[3]))\n"
    )
    command = [sys.executable, "-c", program, str(tmp_path), repository.url, rows]
    with subprocess.Popen(command) as one, subprocess.Popen(command) as other:
        assert (one.wait(60), other.wait(60)) == (0, 0)
    assert repository.requests == {BIG_JAR.path: 1, SMALL_JAR.path: 1}


def test_the_check_before_each_start_is_quick() -> None:
    """Positive control: the user's cache is complete, or this fetches it first."""
    ensure_jars(load_settings(), report=lambda _: None)
    begun = time.perf_counter()
    ensure_jars(load_settings(), report=lambda _: None)
    assert time.perf_counter() - begun < 0.3
