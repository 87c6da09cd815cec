"""docs/benchmarks.md: tables and plots of what the benchmarks printed, the command over each."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from bench.page_beliefs import CORPORA, SECTIONS

HEAD: Final = """# Benchmarks

Made by `make bench` from what the benchmarks print; each can be run alone. The machine is shared and noisy: quote ratios, and
latencies only beside each other. The corpora are not part of this repository. `--data` names a folder; the default is
`../shared/data/NAME`.

| corpus | from | licence |
|---|---|---|
| LoCoMo | snap-research/LoCoMo, `data/locomo10.json` (Maharana et al. 2024) | CC BY-NC 4.0 |"""
LOCOMO_TEXT: Final = """
Ten conversations of two people over months, one space each, through the public API; every question of categories 1-4. Recall at
k is the share of a question's evidence turns among the first k hits, averaged over the questions. Recall is asked for
episodes only; no language model. The ranking's constants were tuned on conversations 1-5 (`tuned`); 6-10 (`rest`) were only
reported. In the same corpus stemmed BM25 alone gives R@10 60.9 and MiniLM vectors alone 43.9.

![Recall by category](images/locomo.svg)
"""
SPEED_TEXT: Final = """
10,000 short texts in batches of 500 through the API, in three rounds, each beside the floor on the same server: plain `UNWIND`
over Bolt doing the same writes (episode, four edges, audit event), and for `settled` the same embedding and index writes one step
after the other. The ratios are medians of the rounds.
"""


@dataclass(frozen=True, slots=True)
class Entry:
    """One benchmark's last result."""

    at: str
    machine: str
    seed: int
    n: int
    metrics: Mapping[str, float]
    by: Mapping[str, Mapping[str, Mapping[str, float]]]

    @classmethod
    def read(cls, path: Path) -> "Entry":
        held: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return cls(held["at"], held["machine"], held["seed"], held["n"], held["metrics"], held["by"])


def page(results: Mapping[str, Entry]) -> str:
    """The whole page."""
    parts = ["\n".join([HEAD, *(f"| {name} | {source} | {licence} |" for name, source, licence in CORPORA), ""])]
    if "locomo" in results:
        parts += [_heading("LoCoMo", "locomo", results["locomo"]), LOCOMO_TEXT, _locomo(results["locomo"])]
    if "speed" in results:
        parts += [_heading("Speed of remembering", "speed", results["speed"]), SPEED_TEXT, _speed(results["speed"])]
    for name, section in SECTIONS.items():
        if name in results:
            entry = results[name]
            parts += [_heading(section.title, name, entry), section.text, section.table(entry.metrics, entry.by)]
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


def _heading(title: str, name: str, entry: Entry) -> str:
    return f"## {title}\n\n`python -m bench.{name}` ({entry.at}, {entry.machine}, seed {entry.seed}, n = {entry.n:,})"


def _locomo(entry: Entry) -> str:
    names = ("r_at_5", "r_at_10", "ndcg_at_10", "mrr", "p50_ms", "p95_ms")
    rows = [("all", entry.metrics)] + [(key, values) for group in entry.by.values() for key, values in group.items()]
    lines = ["| | R@5 | R@10 | NDCG@10 | MRR | p50 ms | p95 ms |", "|---|---|---|---|---|---|---|"]
    lines += [f"| {key} | " + " | ".join(f"{values[name]:.1f}" for name in names) + " |" for key, values in rows]
    stored, settled = entry.metrics["episodes_per_s"], entry.metrics["settled_per_s"]
    rates = f"Ingest, a conversation at a time: {stored:.0f} episodes a second stored, {settled:.0f} settled."
    return "\n".join([*lines, "", rates])


def _speed(entry: Entry) -> str:
    metrics = entry.metrics
    lines = ["| | through the API, episodes/s | floor, episodes/s | ratio |", "|---|---|---|---|"]
    for title, name, ratio in (("stored", "stored_per_s", "ingest_ratio"), ("settled", "settled_per_s", "settled_ratio")):
        lines.append(f"| {title} | {metrics[name]:.0f} | {metrics['floor_' + name]:.0f} | {metrics[ratio]:.2f} |")
    return "\n".join(lines)
