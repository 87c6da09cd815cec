"""FactConsolidation (MemoryAgentBench, Hu et al. 2025): numbered facts, a higher number is newer and wins; questions over one or several.

Reads JSON files that hold lists of {context, questions, answers, metadata: {source: factconsolidation_{sh,mh}_SIZE}}.
"""

import json
import re
import string
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

_SOURCE: Final = re.compile(r"factconsolidation_(sh|mh)_(\w+)")
_FACT: Final = re.compile(r"^(\d+)\. (.+)$", re.MULTILINE)
_ARTICLES: Final = re.compile(r"\b(a|an|the)\b")
_PUNCTUATION: Final = str.maketrans("", "", string.punctuation)


@dataclass(frozen=True, slots=True)
class Question:
    """`answers`: each counts as right."""

    text: str
    answers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Facts:
    """One context, `size` such as 6k. `facts` in the order of their numbers; `single` and `multi` are its questions by hops."""

    size: str
    facts: tuple[str, ...]
    single: tuple[Question, ...]
    multi: tuple[Question, ...]


def load(folder: Path) -> list[Facts]:
    """The contexts of a folder, the smallest first. Raises FileNotFoundError if there are none."""
    contexts: dict[tuple[str, tuple[str, ...]], dict[str, tuple[Question, ...]]] = {}
    for path in sorted(folder.glob("*.json")):
        records: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
        for record in records:
            if found := _SOURCE.fullmatch(str(record["metadata"]["source"])):
                facts = tuple(text for _, text in sorted(_FACT.findall(record["context"]), key=lambda one: int(one[0])))
                asked = zip(record["questions"], record["answers"], strict=True)
                questions = tuple(Question(str(text), tuple(str(one) for one in answers)) for text, answers in asked)
                contexts.setdefault((found[2], facts), {})[found[1]] = questions
    if not contexts:
        raise FileNotFoundError(f"no FactConsolidation records in {folder}")
    made = [Facts(size, facts, asked.get("sh", ()), asked.get("mh", ())) for (size, facts), asked in contexts.items()]
    return sorted(made, key=lambda one: len(one.facts))


def normalised(text: str) -> str:
    """Lower case, no punctuation, no articles, single blanks: as the paper compares (after SQuAD)."""
    return " ".join(_ARTICLES.sub(" ", text.lower().translate(_PUNCTUATION)).split())


def equals(given: str, answers: tuple[str, ...]) -> bool:
    """The answer given is one of the right ones, after normalisation."""
    return normalised(given) in {normalised(one) for one in answers}


def contains(text: str, answers: tuple[str, ...]) -> bool:
    """A right answer stands in the text, as whole words, after normalisation."""
    return any(f" {normalised(one)} " in f" {normalised(text)} " for one in answers)
