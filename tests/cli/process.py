"""The command line as its users meet it: a process with arguments, input, output and an exit status."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path


def environment(home: Path, **more: str) -> dict[str, str]:
    """The test's own environment without settings of the machine it runs on."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("CONSILIENCE_", "NEO4J_"))}
    return {**kept, "CONSILIENCE_HOME": str(home), "COLUMNS": "120", "PYTHONUTF8": "1", **more}


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-W", "error", "-m", "consilience", *arguments]


def run(
    *arguments: str, home: Path, stdin: bytes = b"", env: Mapping[str, str] | None = None, timeout_s: float = 60
) -> "subprocess.CompletedProcess[str]":
    """Runs one command to its end; stdout and stderr as text."""
    done = subprocess.run(
        command(*arguments), input=stdin, capture_output=True, env=environment(home, **(env or {})), timeout=timeout_s, check=False
    )
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8"))
