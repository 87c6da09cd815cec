"""From candidates to a ranked list. Pure: candidates, word statistics and the time come in. No candidate changes another's score."""

import math
import re
from collections.abc import Mapping, Sequence
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
STRETCH: Final = 60
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
    weights = _weights(question, stats, chosen)
    aged = recency and not question.asks_past and not question.dates
    scored = [_score(question, candidate, stats, chosen, weights, now=now, aged=aged) for candidate in candidates]
    scored.sort(key=lambda hit: (-hit.score, hit.candidate.id))
    return _across_scripts(question, scored)[:first]


def choose(candidates: Sequence[Candidate]) -> Recipe:
    """The recipe for `auto`: `dialogue` where people speak with one another, else `assistant` (an agent answers, one person writes)."""
    people = {candidate.contributor_id for candidate in candidates}
    return DIALOGUE if len(people) > 1 and all(candidate.role == Role.USER for candidate in candidates) else ASSISTANT


def _weights(question: Question, stats: WordStats, recipe: Recipe) -> Mapping[str, float]:
    """What each word of the question weighs: its idf, identifiers more."""
    asked = question.words or question.name_words
    return {token: stats.idf(token) * (recipe.identifiers if token in question.identifiers else 1.0) for token in asked}


def _score(
    question: Question, candidate: Candidate, stats: WordStats, recipe: Recipe, weights: Mapping[str, float], *, now: datetime, aged: bool
) -> Ranked:
    age = max(timedelta(0), now - candidate.occurred_at) / timedelta(days=1)
    parts = ScoreParts(
        meaning=_unit(((candidate.cosine or 0.0) - recipe.cosine_floor) / (1.0 - recipe.cosine_floor)),
        words=_words(candidate, stats, recipe, weights),
        recency=math.exp(-recipe.age_rate * age),
        confidence=_unit(candidate.confidence),
    )
    points = recipe.meaning * parts.meaning + recipe.words * parts.words + recipe.confidence * parts.confidence
    most = recipe.most
    if aged:
        points += recipe.recency * parts.recency
    else:
        most -= recipe.recency
    return Ranked(candidate, _unit((points + _signals(question, candidate, recipe)) / most), parts)


def _words(candidate: Candidate, stats: WordStats, recipe: Recipe, weights: Mapping[str, float]) -> float:
    """The words part, 0..1: 2 * BM25 / sqrt(sum of idf), own words and, where the recipe says so, those of the turns around it."""
    mass = math.sqrt(sum(weights.values()))
    if not mass:
        return 0.0
    own = _best_stretch(candidate.words.split(), stats, weights)
    points = sum(own.values())
    missing = {token: weight for token, weight in weights.items() if token not in own}
    around: dict[str, float] = {}
    for neighbour in candidate.neighbours:
        share = _neighbour_share(recipe, neighbour.offset)
        if not share and not (neighbour.offset == -1 and recipe.answer):
            continue
        theirs = matches(weights, neighbour.words.split(), stats.mean_length)
        for token in missing.keys() & theirs.keys():
            around[token] = max(around.get(token, 0.0), share * theirs[token])
        if neighbour.offset == -1:
            points += recipe.answer * neighbour.question_share * sum(theirs.values())
    return _unit(2.0 * (points + sum(around.values())) / mass / recipe.words_scale)


def _best_stretch(tokens: Sequence[str], stats: WordStats, weights: Mapping[str, float]) -> dict[str, float]:
    if len(tokens) <= STRETCH * 3 // 2:
        return matches(weights, tokens, stats.mean_length)
    stretches = (tokens[at : at + STRETCH] for at in range(0, len(tokens) - STRETCH // 2, STRETCH // 2))
    return max((matches(weights, stretch, stats.mean_length) for stretch in stretches), key=lambda found: sum(found.values()))


def _neighbour_share(recipe: Recipe, offset: int) -> float:
    return recipe.neighbours[_OFFSETS.index(offset)] if offset in _OFFSETS else 0.0


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
    """Words cannot match across scripts, so the first two other-script hits among the five nearest vectors get the ranks 2 and 4."""
    chinese = _HAN.search(question.text) is not None
    nearest = sorted(
        (hit for hit in scored if hit.candidate.cosine is not None), key=lambda hit: (-(hit.candidate.cosine or 0.0), hit.candidate.id)
    )
    other = [hit for hit in nearest[:5] if (_HAN.search(hit.candidate.words) is not None) != chinese][:2]
    moved = list(scored)
    for place, hit in zip((1, 3), other, strict=False):
        if moved.index(hit) > place:
            moved.remove(hit)
            moved.insert(place, hit)
    return moved


def _unit(value: float) -> float:
    return min(1.0, max(0.0, value))
