"""BEAM (Tavakoli et al. 2025): long conversations of a user with an assistant, with questions and the messages that hold their evidence.

Reads a folder of numbered folders (or one with 100K in it), each with chat.json: [{turns: [[{role, id, content, time_anchor}]]}] and
probing_questions/probing_questions.json: {ability: [{question, source_chat_ids}]}.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

UPDATE: Final = "knowledge_update"
CONTRADICTION: Final = "contradiction_resolution"
_OLDER_NEWER: Final = {UPDATE: ("original_info", "updated_info"), CONTRADICTION: ("first_statement", "second_statement")}
_MARK: Final = re.compile(r"\s*->-> \d+,\d+\s*$")  # the corpus's own bookkeeping at the end of a message


@dataclass(frozen=True, slots=True)
class Message:
    """`id` counts within the conversation; `at`: the batch's day, a minute a message."""

    id: int
    user: bool
    text: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with the messages on both sides of a change, by time. They overlap where one message holds both."""

    ability: str
    question: str
    older: frozenset[int]
    newer: frozenset[int]

    @property
    def ordered(self) -> bool:
        """Both sides are known, and they are different messages."""
        return bool(self.older and self.newer) and not self.older & self.newer


@dataclass(frozen=True, slots=True)
class Conversation:
    index: int
    messages: tuple[Message, ...]
    asked: tuple[Asked, ...]


def load(folder: Path) -> list[Conversation]:
    """The conversations with their questions about updates and contradictions. Raises FileNotFoundError if there are none."""
    inner = folder / "100K" if (folder / "100K").is_dir() else folder
    places = sorted((place for place in inner.iterdir() if place.name.isdecimal()), key=lambda place: int(place.name))
    if not places:
        raise FileNotFoundError(f"no BEAM conversations in {folder}")
    return [Conversation(int(place.name), tuple(_messages(place)), tuple(_asked(place))) for place in places]


def _messages(place: Path) -> Iterator[Message]:
    batches: list[dict[str, Any]] = json.loads((place / "chat.json").read_text(encoding="utf-8"))
    day, number = datetime(2024, 1, 1, tzinfo=UTC), 0
    for batch in batches:
        for turn in (turn for group in batch["turns"] for turn in group):
            if turn.get("time_anchor"):
                day = max(day, datetime.strptime(turn["time_anchor"], "%B-%d-%Y").replace(tzinfo=UTC))
            number += 1
            yield Message(int(turn["id"]), turn["role"] == "user", _MARK.sub("", turn["content"]), day + timedelta(minutes=number))


def _asked(place: Path) -> Iterator[Asked]:
    questions: dict[str, list[dict[str, Any]]] = json.loads(
        (place / "probing_questions" / "probing_questions.json").read_text(encoding="utf-8")
    )
    for ability, (older, newer) in _OLDER_NEWER.items():
        for item in questions.get(ability, []):
            sides = item["source_chat_ids"]
            first, second = frozenset(map(int, sides[older])), frozenset(map(int, sides[newer]))
            if first and second and min(second) < min(first):  # named first is not always said first
                first, second = second, first
            yield Asked(ability, str(item["question"]), first, second)
