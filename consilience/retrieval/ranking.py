"""From candidates to a ranked list. Pure: candidates, word statistics and the time come in. No candidate changes another's score."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from consilience.retrieval.bm25 import WordStats, matches
from consilience.retrieval.cues import NO_CUES, Cues
from consilience.retrieval.dates import date_fit
from consilience.retrieval.question import Question
from consilience.retrieval.recipes import ASSISTANT, AUTO, DIALOGUE, RECIPES, Recipe
from consilience.schema.domain import Role, ScoreParts

# Long texts are scored by their best stretch of this many tokens, so that length alone neither helps nor hurts.
# Least cosine of a hit in another script that may be moved up, and half of the best one.
LEAST_ACROSS: Final = 0.2
# Factor of a score whose memory was replaced by another (S40).
LOSER: Final = 0.5
STRETCH: Final = 60
# More turns of agents among the candidates than this share, and it is not people's dialogue.
AGENTS: Final = 0.2
_OFFSETS: Final = (-2, -1, 1, 2)
_HAN: Final = re.compile("[\u3400-\u9fff]")


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A turn beside a candidate in the same session. `offset`: -2, -1, 1 or 2."""

    offset: int
    words: str
    question_share: float = 0.0


@dataclass(frozen=True, slots=True)
class Candidate:
    """What ranking must know of one memory. `cosine` -1..1, None when unknown; `words` as `text.words.words` made them."""

    id: str
    words: str
    cosine: float | None
    occurred_at: datetime
    confidence: float
    contributor_id: str | None = None
    session_id: str | None = None
    role: Role = Role.USER
    cues: Cues = NO_CUES
    neighbours: tuple[Neighbour, ...] = ()
    devalued: bool = False  # all that rests on it was replaced


@dataclass(frozen=True, slots=True)
class Ranked:
    """A candidate with its score, 0..1, and the four parts it was made from."""

    candidate: Candidate
    score: float
    parts: ScoreParts


def rank(
    question: Question,
    candidates: Sequence[Candidate],
    stats: WordStats,
    *,
    recipe: str = AUTO,
    now: datetime,
    first: int,
    recency: bool = True,
) -> list[Ranked]:
    """The best `first` candidates, best first; equal scores by id.

    `recency` False (asOf), or a question about the past or about a named date (S37), leaves age out and weighs the other parts up.
    Raises KeyError for a recipe that RECIPES does not have.
    """
    chosen = choose(candidates) if recipe == AUTO else RECIPES[recipe]
    lookup = _Lookup(question, stats, chosen)
    aged = recency and not question.asks_past and not question.dates
    scored = [_score(question, candidate, chosen, lookup, now=now, aged=aged) for candidate in candidates]
    scored.sort(key=lambda hit: (-hit.score, hit.candidate.id))
    return _across_scripts(question, scored)[:first]


def choose(candidates: Sequence[Candidate]) -> Recipe:
    """The recipe for `auto`: `dialogue` where people speak with one another, else `assistant` (an agent answers, people write alone)."""
    people: dict[str, set[str | None]] = {}
    for candidate in candidates:
        if candidate.session_id is not None:
            people.setdefault(candidate.session_id, set()).add(candidate.contributor_id)
    agents = sum(candidate.role != Role.USER for candidate in candidates)
    together = any(len(speakers) > 1 for speakers in people.values())
    return DIALOGUE if together and agents <= len(candidates) * AGENTS else ASSISTANT


class _Lookup:
    """One question's BM25 against texts, each text looked at once: the neighbours of candidates are often candidates too."""

    def __init__(self, question: Question, stats: WordStats, recipe: Recipe) -> None:
        self._mean_length = stats.mean_length
        self._seen: dict[str, dict[str, float]] = {}
        self._weights = {
            token: stats.idf(token) * (recipe.identifiers if token in question.identifiers else 1.0)
            for token in question.words or question.name_words
        }
        self.mass = math.sqrt(sum(self._weights.values()))

    def of(self, words: str) -> dict[str, float]:
        """What each word of the question adds in the text's best stretch."""
        found = self._seen.get(words)
        if found is None:
            found = self._seen[words] = self._best_stretch(words.split())
        return found

    def _best_stretch(self, tokens: Sequence[str]) -> dict[str, float]:
        if len(tokens) <= STRETCH * 3 // 2:
            return matches(self._weights, tokens, self._mean_length)
        stretches = (tokens[at : at + STRETCH] for at in range(0, len(tokens) - STRETCH // 2, STRETCH // 2))
        return max((matches(self._weights, stretch, self._mean_length) for stretch in stretches), key=lambda found: sum(found.values()))


def _score(question: Question, candidate: Candidate, recipe: Recipe, lookup: _Lookup, *, now: datetime, aged: bool) -> Ranked:
    age = max(timedelta(0), now - candidate.occurred_at) / timedelta(days=1)
    parts = ScoreParts(
        meaning=_unit(((candidate.cosine or 0.0) - recipe.cosine_floor) / (1.0 - recipe.cosine_floor)),
        words=_words(candidate, recipe, lookup),
        recency=math.exp(-recipe.age_rate * age),
        confidence=_unit(candidate.confidence),
    )
    points = recipe.meaning * parts.meaning + recipe.words * parts.words + recipe.confidence * parts.confidence
    most = recipe.most
    if aged:
        points += recipe.recency * parts.recency
    else:
        most -= recipe.recency
    score = _unit((points + _signals(question, candidate, recipe)) / most)
    # What was replaced counts half (S40), unless the question is about then.
    return Ranked(candidate, score * LOSER if candidate.devalued and aged else score, parts)


def _words(candidate: Candidate, recipe: Recipe, lookup: _Lookup) -> float:
    """The words part, 0..1: 2 * BM25 / sqrt(sum of idf), own words and, where the recipe says so, those of the turns around it."""
    if not lookup.mass:
        return 0.0
    own = lookup.of(candidate.words)
    points = sum(own.values())
    around: dict[str, float] = {}
    for neighbour in candidate.neighbours if recipe.answer or any(recipe.neighbours) else ():
        theirs = lookup.of(neighbour.words)
        share = recipe.neighbours[_OFFSETS.index(neighbour.offset)]
        for token, points_there in theirs.items():
            if token not in own:
                around[token] = max(around.get(token, 0.0), share * points_there)
        if neighbour.offset == -1:
            points += recipe.answer * neighbour.question_share * sum(theirs.values())
    return _unit(2.0 * (points + sum(around.values())) / lookup.mass / recipe.words_scale)


def _signals(question: Question, candidate: Candidate, recipe: Recipe) -> float:
    """Points for what words and vectors do not see."""
    points = -recipe.asking * candidate.cues.question_share
    if question.speaker is not None and candidate.contributor_id == question.speaker:
        points += recipe.speaker
    if question.dates:
        points += recipe.date * max(date_fit(date, candidate.occurred_at) for date in question.dates)
    if question.asks_when and candidate.cues.time:
        points += recipe.time
    elif question.asks_where and candidate.cues.place:
        points += recipe.place
    return points + recipe.first_person * candidate.cues.first_person


def _across_scripts(question: Question, scored: list[Ranked]) -> list[Ranked]:
    """Words cannot match across scripts, so the first two other-script hits among the five nearest vectors get the ranks 2 and 4.

    Only hits that are near: in a small space something far away is among the five nearest too.
    """
    chinese = _HAN.search(question.text) is not None
    nearest = sorted(
        (hit for hit in scored if hit.candidate.cosine is not None), key=lambda hit: (-(hit.candidate.cosine or 0.0), hit.candidate.id)
    )
    close = max(LEAST_ACROSS, 0.5 * (nearest[0].candidate.cosine or 0.0)) if nearest else 0.0
    other = [
        hit for hit in nearest[:5] if (hit.candidate.cosine or 0.0) >= close and (_HAN.search(hit.candidate.words) is not None) != chinese
    ][:2]
    moved = list(scored)
    for place, hit in zip((1, 3), other, strict=False):
        if moved.index(hit) > place:
            moved.remove(hit)
            moved.insert(place, hit)
    return moved


def _unit(value: float) -> float:
    return min(1.0, max(0.0, value))
