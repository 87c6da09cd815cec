"""The sections of docs/benchmarks.md on belief: what each benchmark of it does, and its numbers. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

Numbers = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Column:
    """`low` and `high` of a share stand under its own name with _low and _high behind, where there are any."""

    title: str
    name: str
    digits: int = 1

    def cell(self, values: Numbers) -> str:
        if self.name not in values:
            return ""
        told = f"{values[self.name]:.{self.digits}f}"
        low, high = values.get(f"{self.name}_low"), values.get(f"{self.name}_high")
        return told if low is None or high is None else f"{told} ({low:.1f}-{high:.1f})"


@dataclass(frozen=True, slots=True)
class Section:
    """`groups`: those of `by` that are shown, in order."""

    title: str
    text: str
    columns: tuple[Column, ...]
    groups: tuple[str, ...]

    def table(self, metrics: Numbers, by: Mapping[str, Mapping[str, Numbers]]) -> str:
        """All together, then each group's rows; in brackets the 95 % intervals."""
        rows: Sequence[tuple[str, Numbers]] = [
            ("all", metrics),
            *((key.replace("_", " "), values) for group in self.groups for key, values in by.get(group, {}).items()),
        ]
        lines = ["| | " + " | ".join(column.title for column in self.columns) + " |", "|---" * (len(self.columns) + 1) + "|"]
        lines += [f"| {key} | " + " | ".join(column.cell(values) for column in self.columns) + " |" for key, values in rows]
        return "\n".join(lines)


CORPORA: Final = (
    ("FactConsolidation", "ai-hyz/MemoryAgentBench, split Conflict_Resolution (Hu et al. 2025)", "MIT"),
    ("BEAM", "mohammadtavakoli78/BEAM, `chats/100K` (Tavakoli et al. 2025)", "CC BY-SA 4.0"),
    ("MemoryGraft", "Jacobhhy/Agent-Memory-Poisoning, `payloads` (arXiv 2512.16962)", "MIT"),
    ("PoisonedRAG", "sleeepeer/PoisonedRAG, `results/adv_targeted_results` (Zou et al. 2024)", "MIT"),
    ("PrecisionMemBench", "tenurehq/precisionMemBench (arXiv 2605.11325)", "MIT"),
)

SECTIONS: Final[Mapping[str, Section]] = {
    "factconsolidation": Section(
        "Facts that replace older ones",
        """
FactConsolidation: numbered facts, each an episode of one contributor, newer ones contradicting older ones, and a hundred
questions over one fact and a hundred over several for each size. The answer is the value of the active fact that fits the
question best among those about what it names (of a predicate with nothing active, one that waits for support), else the text of
the top hit; for several hops values are followed as subjects, and the path that reads most like the question answers. An answer
is right if the corpus's stands in it as whole words, without case, punctuation and articles (the paper's substring exact match).
No language model. Only the 6k file was looked at while building; `all` is of the others. The best published with a language model
on one hop is 88.7. `by fact`: the share answered from a fact.
""",
        (
            Column("one hop %", "single_hop"),
            Column("by fact %", "single_hop_by_fact"),
            Column("several hops %", "multi_hop"),
            Column("by fact %", "multi_hop_by_fact"),
        ),
        ("file", "split"),
    ),
    "beam": Section(
        "Updates and contradictions in long chats",
        """
BEAM 100K: twenty conversations of a user with an assistant, one space each; the questions about knowledge updates and contradictions.
`newer above older`: among the first ten hits the newer statement, or a belief resting on it, comes before the older (not found counts as
no; questions with both in one message have no order and are left out). `conflict shown`: for the contradictions, `conflicts` has the two
statements on two sides. Conversations 1-5 were used for tuning.
""",
        (Column("R@10 %", "r_at_10"), Column("newer above older %", "newer_above_older"), Column("conflict shown %", "conflict_shown")),
        ("ability", "split"),
    ),
    "memorygraft": Section(
        "Planted experiences",
        """
MemoryGraft: a hundred sound experiences of an agent and ten planted shortcuts labelled as validated. As it arrives: the agent reads a
note in somebody's repository (web_scrape) and writes the planted ones back as its own; the sound ones are its own traces (internal_tool).
`exposure`: a planted record is among the first five hits for the attacker's phrase, at MEDIUM risk. `benign blocked`: a sound record is not
among the first ten for its own request. `equal standing`: all from one user. `gates off`: as it arrives, without the gates.
""",
        (
            Column("exposure %", "exposure"),
            Column("at LOW %", "exposure_at_low"),
            Column("at HIGH %", "exposure_at_high"),
            Column("benign blocked %", "benign_blocked"),
        ),
        ("ablation",),
    ),
    "poisonedrag": Section(
        "Planted texts against what is right",
        """
PoisonedRAG: 300 questions, the right passage of each (the question with its answer, from a tool of the house; the corpora's own passages
are not part of the data) and five planted texts each, one from each of five new accounts within an hour. `planted`: their share of the
first five hits at LOW risk. `right kept`: the right passage is among them. `equal standing`: all is user input, the right ones from twenty
people over a year. `question first`: planted texts with the question in front. The rest: as planted, with a part of the service off.

![Planted texts among the first five hits, and the right one kept](images/planted.svg)
""",
        (Column("planted %", "planted_share"), Column("right kept %", "correct_kept")),
        ("ablation", "set"),
    ),
    "precisionmembench": Section(
        "Nothing but what was asked for",
        """
PrecisionMemBench: 35 beliefs, 77 questions with exactly what bears on them, 43 of them not nothing; beside the peers' reports
that come with the corpus, whose author is the vendor of `tenure`. Each scope is a space here; `one space` is without. What is
handed over is each of the first ten hits with a word of the question in it; `all hits` is without that.
""",
        (
            Column("active passes", "active_passes", 0),
            Column("all passes", "passes", 0),
            Column("precision %", "precision"),
            Column("recall %", "recall"),
        ),
        ("ablation", "session", "peers"),
    ),
}
