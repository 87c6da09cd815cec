"""Answering a question by following facts from the thing it names: a general planner over the words, without patterns of any corpus.

From every thing the question names, all paths of facts up to a few hops are walked; a path reads as "RELATION of the RELATION of
NAME", and the one whose reading is nearest to the question in meaning (the embedder the service uses) gives the answer: its last value.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np
import numpy.typing as npt

from bench.corpora.factconsolidation import normalised
from bench.served import Fact

STARTS: Final = 2
MOST_PATHS: Final = 400

FactsOf = Callable[[str], Awaitable[Sequence[Fact]]]


class Embeds(Protocol):
    def embed(self, texts: Sequence[str], /) -> npt.NDArray[np.float32]: ...


@dataclass(frozen=True, slots=True)
class Path:
    """Facts one after the other: each is about the value of the one before. `start`: the name in the question."""

    start: str
    facts: tuple[Fact, ...]

    @property
    def reading(self) -> str:
        return " of the ".join(relation(fact) for fact in reversed(self.facts)) + f" of {self.start}"

    @property
    def since(self) -> tuple[float, ...]:
        """When each of its facts began to hold, seconds; of paths that read alike the later one is meant."""
        return tuple(fact.valid_from.timestamp() if fact.valid_from else 0.0 for fact in self.facts)


def relation(fact: Fact) -> str:
    """The relation in words."""
    return fact.predicate.replace("_", " ")


def named(question: str, facts: Sequence[Fact]) -> list[str]:
    """The subjects of these facts that the question names, the longest first; one within a longer one is left out."""
    words = f" {normalised(question)} "
    found = {name: normalised(name) for name in (fact.subject.name for fact in facts)}
    inside = sorted((name for name, key in found.items() if key and f" {key} " in words), key=lambda name: (-len(found[name]), name))
    kept: list[str] = []
    for name in inside:
        if not any(f" {found[name]} " in f" {found[longer]} " for longer in kept):
            kept.append(name)
    return kept


def spans(question: str, *, longest: int = 6, most: int = 40) -> list[str]:
    """Runs of the question's words that could be a name, those with capitals inside first, then the longest."""
    words = question.rstrip("?!. ").split()
    runs = [words[at : at + length] for length in range(1, longest + 1) for at in range(1, len(words) - length + 1)]
    runs.sort(key=lambda run: (-sum(word[:1].isupper() for word in run), len(run)))
    return list(dict.fromkeys(" ".join(run).removesuffix("'s") for run in runs))[:most]


async def paths(start: str, *, facts_of: FactsOf, hops: int) -> list[Path]:
    """All paths of 1..`hops` facts from a name, at most MOST_PATHS; none visits a name twice."""
    found: list[Path] = []
    ends = [Path(start, ())]
    for _ in range(hops):
        grown: list[Path] = []
        for path in ends:
            name = path.facts[-1].value if path.facts else start
            seen = {normalised(start), *(normalised(fact.value) for fact in path.facts)}
            further = [fact for fact in await facts_of(name) if normalised(fact.value) not in seen and not fact.negated]
            grown += [Path(start, (*path.facts, fact)) for fact in further]
        found += grown
        ends = grown
        if len(found) > MOST_PATHS:
            break
    return found[:MOST_PATHS]


async def answer(question: str, candidates: Sequence[Fact], *, embedder: Embeds, facts_of: FactsOf, hops: int) -> Path | None:
    """The path that reads most like the question; None if the question names nothing that is known."""
    starts = named(question, candidates)[:STARTS]
    walked = [path for start in starts for path in await paths(start, facts_of=facts_of, hops=hops)]
    if not walked:
        return None
    readings = list(dict.fromkeys(path.reading for path in walked))
    vectors = embedder.embed([question, *readings])
    scores = dict(zip(readings, vectors[1:] @ vectors[0], strict=True))
    return max(walked, key=lambda path: (float(scores[path.reading]), path.since))
