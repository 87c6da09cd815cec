"""`python -m bench`: runs the benchmarks one after the other and writes docs/benchmarks.md with its plots from what they print."""

import argparse
import json
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from bench.harness import say
from bench.page import Entry, page
from bench.plots import plot_locomo, plot_planted

ROOT: Final = Path(__file__).resolve().parent.parent
OUT: Final = ROOT / "bench" / "out"
NAMES: Final = ("locomo", "speed", "factconsolidation", "beam", "memorygraft", "poisonedrag", "precisionmembench")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"which of {', '.join(NAMES)} to run; the others keep their last result")
    chosen = parser.parse_args().names or list(NAMES)
    OUT.mkdir(parents=True, exist_ok=True)
    for name in chosen:
        say(f"== {name}")
        done = subprocess.run([sys.executable, "-m", f"bench.{name}", "--json"], stdout=subprocess.PIPE, check=False, cwd=ROOT)
        if done.returncode:
            return done.returncode
        stamped = {"at": datetime.now(UTC).date().isoformat()} | json.loads(done.stdout)
        (OUT / f"{name}.json").write_text(json.dumps(stamped, indent=1), encoding="utf-8")
    results = {path.stem: Entry.read(path) for path in sorted(OUT.glob("*.json")) if path.stem in NAMES}
    if "locomo" in results:
        plot_locomo(results["locomo"], ROOT / "docs" / "images" / "locomo.svg")
    if "poisonedrag" in results:
        plot_planted(results["poisonedrag"], ROOT / "docs" / "images" / "planted.svg")
    (ROOT / "docs" / "benchmarks.md").write_text(page(results), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
