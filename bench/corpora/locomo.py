"""LoCoMo (Maharana et al. 2024): long conversations of two people over months, with questions and the turns that answer them.

Reads any folder of JSON files in that format: a list of {sample_id, conversation: {session_N: [{speaker, dia_id, text, blip_caption?}],
session_N_date_time}, qa: [{question, evidence, category}]}.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final, cast

CATEGORIES: Final = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
_EVIDENCE: Final = re.compile(r"D:?(\d+):(\d+)")
_TIME: Final = "%I:%M %p on %d %B, %Y"


@dataclass(frozen=True, slots=True)
class Turn:
    """One message; `id` is the corpus's own, e.g. D3:7; `text` has the caption of a shared photo at its end."""

    id: str
    session: int
    speaker: str
    text: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with the ids of the turns that answer it (only such as exist)."""

    question: str
    category: int
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Conversation:
    """`index` counts from 1, in the order of the files and of the list in each."""

    index: int
    name: str
    turns: tuple[Turn, ...]
    asked: tuple[Asked, ...]


def load(folder: Path, *, categories: Sequence[int] = (1, 2, 3, 4)) -> list[Conversation]:
    """The conversations of a folder, with their questions of these categories. Raises FileNotFoundError if there are none."""
    samples = [sample for path in sorted(folder.glob("*.json")) for sample in _samples(path)]
    if not samples:
        raise FileNotFoundError(f"no LoCoMo conversations in {folder}")
    return [_conversation(sample, index, frozenset(categories)) for index, sample in enumerate(samples, 1)]


def _samples(path: Path) -> Iterator[Mapping[str, Any]]:
    content = json.loads(path.read_text(encoding="utf-8"))
    for sample in cast("list[object]", content if isinstance(content, list) else []):
        if isinstance(sample, dict) and "conversation" in sample and "qa" in sample:
            yield cast("Mapping[str, Any]", sample)


def _conversation(sample: Mapping[str, Any], index: int, categories: frozenset[int]) -> Conversation:
    turns = tuple(_turns(sample["conversation"]))
    known = {turn.id for turn in turns}
    asked: list[Asked] = []
    for item in sample["qa"]:
        evidence = tuple(dict.fromkeys(found for found in _evidence(item.get("evidence", [])) if found in known))
        if evidence and int(item["category"]) in categories:
            asked.append(Asked(str(item["question"]), int(item["category"]), evidence))
    return Conversation(index, str(sample.get("sample_id", index)), turns, tuple(asked))


def _turns(conversation: Mapping[str, Any]) -> Iterator[Turn]:
    numbers = sorted(int(key.removeprefix("session_")) for key in conversation if re.fullmatch(r"session_\d+", key))
    for number in numbers:
        start = datetime.strptime(str(conversation[f"session_{number}_date_time"]).strip(), _TIME).replace(tzinfo=UTC)
        for position, turn in enumerate(conversation[f"session_{number}"]):
            caption = turn.get("blip_caption")
            text = f"{turn['text']} [shares a photo: {caption}]".strip() if caption else str(turn["text"])
            # The corpus times sessions only; a minute a turn keeps their order.
            yield Turn(str(turn["dia_id"]), number, str(turn["speaker"]), text, start + timedelta(minutes=position))


def _evidence(values: Sequence[object]) -> Iterator[str]:
    """Turn ids, also from entries such as "D8:6; D9:17" or "D:11:26"."""
    for value in values:
        for session, turn in _EVIDENCE.findall(str(value)):
            yield f"D{int(session)}:{int(turn)}"
