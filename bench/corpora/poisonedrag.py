"""PoisonedRAG (Zou et al. 2024): questions with their right answer, the wrong one an attacker wants, and five planted texts each.

Reads JSON files of {id: {question, "correct answer", "incorrect answer", adv_texts}}.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Target:
    """`id` is unique over the files: the file's name and the target's own id."""

    id: str
    question: str
    correct: str
    incorrect: str
    planted: tuple[str, ...]


def load(folder: Path) -> dict[str, list[Target]]:
    """The targets by set, such as nq. Raises FileNotFoundError if there are none."""
    sets: dict[str, list[Target]] = {}
    for path in sorted(folder.glob("adv_targeted_*.json")):
        name = path.stem.removeprefix("adv_targeted_")
        content: Mapping[str, Mapping[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
        sets[name] = [
            Target(f"{name}-{key}", str(one["question"]), str(one["correct answer"]), str(one["incorrect answer"]), tuple(one["adv_texts"]))
            for key, one in content.items()
        ]
    if not sets:
        raise FileNotFoundError(f"no PoisonedRAG targets in {folder}")
    return sets
