"""Plots of benchmark results, as SVG."""

# matplotlib's types leave its keyword arguments open.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from pathlib import Path

from bench.page import Entry


def plot_locomo(entry: Entry, path: Path) -> None:
    """Bars of R@5 and R@10 by category and by split, as SVG."""
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "consilience"
    from matplotlib import pyplot as plt

    rows = [("all", entry.metrics)] + [(key, values) for group in entry.by.values() for key, values in group.items()]
    figure, axes = plt.subplots(figsize=(7.5, 3.2), layout="constrained")
    places = range(len(rows))
    for shift, name, label in ((-0.2, "r_at_5", "R@5"), (0.2, "r_at_10", "R@10")):
        bars = axes.bar([place + shift for place in places], [values[name] for _, values in rows], width=0.38, label=label)
        axes.bar_label(bars, fmt="%.0f", fontsize=7)
    axes.axhline(60.9, color="0.5", linewidth=0.8, linestyle="--")
    axes.text(len(rows) - 0.5, 61.5, "BM25 alone, R@10", fontsize=7, color="0.4", ha="right")
    axes.set_xticks(list(places), [key for key, _ in rows])
    axes.set_ylabel("turn recall, %")
    axes.set_ylim(0, 105)
    axes.legend(loc="upper left", ncols=2, frameon=False)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)
