"""How the parts of a score are computed and weighed: named, measured sets of constants (data). All on fixed scales."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Recipe:
    """One way to score. The four parts are 0..1 each; `meaning` to `confidence` are their weights, the signals after them add to the sum.

    Weights and signals are in one unit, points; a score is points divided by the most there can be.
    """

    name: str
    meaning: float
    words: float
    recency: float
    confidence: float
    cosine_floor: float = 0.0  # a cosine at or under it means nothing
    words_scale: float = 12.0  # idf-mass BM25 that counts as a full match
    age_rate: float = 0.01  # alpha of exp(-alpha * days), a day
    identifiers: float = 2.0  # weight of an identifier in the question, an ordinary word's being 1
    # Inside the words part, as shares of their own BM25.
    neighbours: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)  # turns -2, -1, +1, +2: words the turn itself lacks
    answer: float = 0.0  # the turn before asks the question's words
    # Signals, in points.
    speaker: float = 0.0
    date: float = 0.0
    time: float = 0.0
    place: float = 0.0
    first_person: float = 0.0
    asking: float = 0.0  # taken off for a turn that only asks

    @property
    def most(self) -> float:
        """The most points there can be."""
        signals = self.speaker + self.date + max(self.time, self.place) + self.first_person
        return self.meaning + self.words + self.recency + self.confidence + signals


# S60 to the letter.
BALANCED: Final = Recipe("balanced", meaning=50, words=20, recency=20, confidence=10)
# People among themselves: neighbours answer each other and the session's date says when. Tuned on LoCoMo conversations 1-5.
DIALOGUE: Final = Recipe(
    "dialogue",
    meaning=8.3,
    words=12,
    recency=0.1,
    confidence=0.1,
    cosine_floor=0.03,
    neighbours=(0.5, 0.75, 0.75, 0.5),
    answer=0.75,
    speaker=4.0,
    date=4.5,
    time=2.5,
    place=1.5,
    first_person=1.0,
    asking=1.5,
)
# Long replies of assistants: context only blurs there (measured on BEAM).
ASSISTANT: Final = Recipe("assistant", meaning=13.9, words=12, recency=0.1, confidence=0.1, cosine_floor=0.03, speaker=5.0)
AUTO: Final = "auto"
RECIPES: Final = {recipe.name: recipe for recipe in (BALANCED, DIALOGUE, ASSISTANT)}
