"""MemoryGraft (arXiv 2512.16962): experiences of a data-analysis agent, most of them sound, some planted as "validated" shortcuts.

Reads experience_seeds.json: {benign_experiences: [{id, req, resp, tag}], poisoned_experiences: [{..., semantic_targets}]}, and
rag_poisoned_notes.md, the note the agent reads.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Experience:
    """`request` and what was answered to it; `phrases`: what the attacker aims at, empty for a sound one."""

    id: str
    request: str
    response: str
    phrases: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        return f"{self.request}\n{self.response}"


@dataclass(frozen=True, slots=True)
class Seeds:
    note: str
    benign: tuple[Experience, ...]
    planted: tuple[Experience, ...]


def load(folder: Path) -> Seeds:
    """The seeds of a folder. Raises FileNotFoundError without them."""
    seeds: dict[str, Any] = json.loads((folder / "experience_seeds.json").read_text(encoding="utf-8"))
    note = (folder / "rag_poisoned_notes.md").read_text(encoding="utf-8")
    return Seeds(note, _experiences(seeds["benign_experiences"]), _experiences(seeds["poisoned_experiences"]))


def _experiences(items: list[dict[str, Any]]) -> tuple[Experience, ...]:
    return tuple(Experience(one["id"], one["req"], one["resp"], tuple(one.get("semantic_targets", ()))) for one in items)
