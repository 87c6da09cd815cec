"""Plots of benchmark results, as SVG."""

# matplotlib's types leave its keyword arguments open.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bench.page import Entry


def plot_locomo(entry: Entry, path: Path) -> None:
    """Bars of R@5 and R@10 by category and by split, as SVG."""
    rows = [("all", entry.metrics)] + [(key, values) for group in entry.by.values() for key, values in group.items()]
    with _figure(path, "turn recall, %", rows) as axes:
        _bars(axes, rows, (("r_at_5", "R@5"), ("r_at_10", "R@10")))
        axes.axhline(60.9, color="0.5", linewidth=0.8, linestyle="--")
        axes.text(len(rows) - 0.5, 61.5, "BM25 alone, R@10", fontsize=7, color="0.4", ha="right")


def plot_planted(entry: Entry, path: Path) -> None:
    """Bars of the planted share and of what is kept, by ablation, as SVG."""
    rows = [(key.replace("_", "\n"), values) for key, values in entry.by["ablation"].items()]
    with _figure(path, "%", rows) as axes:
        _bars(axes, rows, (("planted_share", "planted, share of the top five"), ("correct_kept", "right passage kept")))


Rows = Sequence[tuple[str, Mapping[str, float]]]


@contextmanager
def _figure(path: Path, label: str, rows: Rows) -> Generator[Any]:
    """The axes of a figure that is written when its bars are drawn."""
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "consilience"
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(figsize=(7.5, 3.2), layout="constrained")
    yield axes
    axes.set_xticks(list(range(len(rows))), [key for key, _ in rows])
    axes.set_ylabel(label)
    axes.set_ylim(0, 105)
    axes.legend(loc="upper left", ncols=2, frameon=False)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)


def _bars(axes: Any, rows: Rows, names: Sequence[tuple[str, str]]) -> None:
    for shift, (name, label) in zip((-0.2, 0.2), names, strict=True):
        bars = axes.bar([place + shift for place in range(len(rows))], [values[name] for _, values in rows], width=0.38, label=label)
        axes.bar_label(bars, fmt="%.0f", fontsize=7)
