"""What an installed Consilience consists of: the Dockerfile's install step, done here on a copy of the sources."""

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("consilience", "schema", "resolvers", "consolidation", "gc")


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """Names in a wheel built from what the Dockerfile copies."""
    source = tmp_path_factory.mktemp("source")
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source / name)
    for folder in FOLDERS:
        shutil.copytree(ROOT / folder, source / folder, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
    made = source / "made"
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", str(made), str(source)],
        check=True,
        timeout=120,
    )
    (wheel,) = made.iterdir()
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def test_the_wheel_holds_every_module_of_the_tree(names: set[str]) -> None:
    for folder in FOLDERS:
        prefix = "" if folder == "consilience" else "consilience/"
        for path in (ROOT / folder).rglob("*.py"):  # the links inside consilience/ are not followed
            assert f"{prefix}{path.relative_to(ROOT).as_posix()}" in names


def test_the_wheel_holds_the_files_the_service_reads(names: set[str]) -> None:
    static = ROOT / "consilience" / "app" / "static"
    wanted = {path.relative_to(ROOT).as_posix() for path in static.rglob("*") if path.is_file()}
    assert len(wanted) > 5
    assert wanted <= names
    assert {"consilience/py.typed", "consilience/schema/contract.graphql", "consilience/server/neo4j.lock"} <= names
