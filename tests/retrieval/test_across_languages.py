"""A question finds its answer in its own language and in the other one."""

from datetime import UTC, datetime, timedelta

import pytest

from consilience.embedding import load_embedder
from consilience.retrieval.bm25 import WordStats
from consilience.retrieval.cues import cues
from consilience.retrieval.question import analyse
from consilience.retrieval.ranking import Candidate, rank
from consilience.text.words import words

from .bilingual import PAIRS

ENGLISH, CHINESE = 0, 1
START = datetime(2026, 3, 1, tzinfo=UTC)


def ranks(*, asked: int, told: int) -> list[int]:
    """Rank of each question's own answer, from 1. Half of the store is in the other language than the answers."""
    embedder, found = load_embedder("use"), list[int]()
    for parity in (0, 1):
        texts = [pair[told if at % 2 == parity else 1 - told] for at, pair in enumerate(PAIRS)]
        vectors, stats = embedder.embed([f"Anna: {text}" for text in texts]), WordStats()
        for text in texts:
            stats.add(words(text))
        for at in range(parity, len(PAIRS), 2):
            question = analyse(PAIRS[at][2 + asked])
            near = vectors @ embedder.embed([question.embed_text])[0]
            candidates = [
                Candidate(
                    id=f"ep_{number:02d}",
                    words=words(text),
                    cosine=float(near[number]),
                    occurred_at=START + timedelta(days=number),
                    confidence=0.5,
                    contributor_id="con_anna",
                    cues=cues(text),
                )
                for number, text in enumerate(texts)
            ]
            hits = rank(question, candidates, stats, now=START + timedelta(days=60), first=len(texts))
            found.append(1 + [hit.candidate.id for hit in hits].index(f"ep_{at:02d}"))
    return found


@pytest.mark.parametrize(
    ("asked", "told", "least"),
    [(ENGLISH, ENGLISH, 19), (CHINESE, CHINESE, 19), (ENGLISH, CHINESE, 18), (CHINESE, ENGLISH, 18)],
    ids=["EN-EN", "ZH-ZH", "EN-ZH", "ZH-EN"],
)
def test_the_answer_is_among_the_first_five(asked: int, told: int, least: int) -> None:
    found = ranks(asked=asked, told=told)
    assert len(found) == len(PAIRS)
    assert sum(rank <= 5 for rank in found) >= least, sorted(found)
