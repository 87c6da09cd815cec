"""One form for all benchmarks: options, a service of their own on a temporary folder, progress on stderr, one JSON object at the end."""

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import psutil

CORPORA: Final = Path("../shared/data")
START_TIMEOUT_S: Final = 300


@dataclass(frozen=True, slots=True)
class Options:
    """What every benchmark takes. `data`: the corpus folder; `limit`: how much of it; `url`: a running service."""

    data: Path
    limit: int | None
    seed: int
    as_json: bool
    url: str | None


@dataclass(frozen=True, slots=True)
class Result:
    """What a benchmark found: shares in percent, times as named."""

    bench: str
    seed: int
    n: int
    metrics: Mapping[str, float]
    by: Mapping[str, Mapping[str, Mapping[str, float]]]

    def as_json(self) -> str:
        """The one object of `--json`, numbers to four digits after the point."""
        body: dict[str, Any] = {
            "bench": self.bench,
            "version": version("consilience"),
            "machine": machine(),
            "seed": self.seed,
            "n": self.n,
            "metrics": _rounded(self.metrics),
            "by": {name: {key: _rounded(values) for key, values in groups.items()} for name, groups in self.by.items()},
        }
        return json.dumps(body, ensure_ascii=False)


def options(name: str, *, data: str | None = None, argv: Sequence[str] | None = None) -> Options:
    """Reads the command line of `python -m bench.NAME`. Exits with status 2 if the corpus is not there."""
    parser = argparse.ArgumentParser(prog=f"python -m bench.{name}")
    parser.add_argument("--data", type=Path, default=CORPORA / (data or name), help="corpus folder (default %(default)s)")
    parser.add_argument("--limit", type=int, help="use only so much of it")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--url", help="a running service; default: one of its own on a temporary data folder")
    given = parser.parse_args(argv)
    if data != "" and not given.data.is_dir():
        parser.error(f"no corpus at {given.data}: docs/benchmarks.md says where it comes from; name its folder with --data")
    return Options(given.data, given.limit, given.seed, given.json, given.url)


@contextmanager
def service(opts: Options, *, without: str | None = None) -> Generator[str]:
    """The address of the service to measure; our own is stopped and its data removed at the end.

    `without` names a part to switch off, which needs a service of our own.
    """
    if opts.url and without is None:
        yield opts.url
        return
    with tempfile.TemporaryDirectory(prefix="consilience-bench-") as home, own_service(Path(home), without=without) as url:
        yield url


@contextmanager
def own_service(home: Path, *, without: str | None = None) -> Generator[str]:
    """A service process on this data folder, ready; `without` names a part to switch off (bench.ablated)."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("CONSILIENCE_", "NEO4J_"))}
    environment |= {"CONSILIENCE_HOME": str(home), "CONSILIENCE_PORT": "0"}
    with (home / "bench.log").open("wb") as log:
        command = ["consilience", "serve"] if without is None else ["bench.ablated", without]
        process = subprocess.Popen([sys.executable, "-m", *command], env=environment, stdout=log, stderr=log)
    try:
        yield _wait_ready(process, home)
    finally:
        process.terminate()
        process.wait(timeout=120)


def _wait_ready(process: "subprocess.Popen[bytes]", home: Path) -> str:
    deadline = time.monotonic() + START_TIMEOUT_S
    while time.monotonic() < deadline and process.poll() is None:
        try:
            return str(json.loads((home / "service.json").read_text(encoding="utf-8"))["url"])
        except (OSError, ValueError):
            time.sleep(0.2)
    raise RuntimeError(f"the service did not start:\n{(home / 'bench.log').read_text(encoding='utf-8')[-2000:]}")


def say(line: str) -> None:
    """Progress, to stderr."""
    print(line, file=sys.stderr, flush=True)


def publish(result: Result, opts: Options) -> None:
    """The result on stdout: JSON, or a short table."""
    if opts.as_json:
        print(result.as_json())
        return
    print(f"{result.bench}: n = {result.n}, seed {result.seed}, {machine()}")
    for name, value in result.metrics.items():
        print(f"  {name:24} {value:10.2f}")
    for group, rows in result.by.items():
        for key, values in rows.items():
            print(f"  {group} {key}: " + "  ".join(f"{name} {value:.1f}" for name, value in values.items()))


def machine() -> str:
    """The machine in a few words: numbers from another one are not comparable."""
    memory = psutil.virtual_memory().total / 2**30
    return f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, {memory:.0f} GiB, Python {platform.python_version()}"


def _rounded(values: Mapping[str, float]) -> dict[str, float]:
    return {name: round(value, 4) for name, value in values.items()}
