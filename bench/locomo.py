"""LoCoMo turn recall through the public API: one space a conversation, speakers as contributors, dialogue ids as external ids.

Recall at k is the share of a question's evidence turns among the first k hits, averaged over the questions of categories 1-4.
The ranking was tuned on conversations 1-5 (`tuned`); 6-10 are reported apart (`rest`).
"""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bench.corpora.locomo import CATEGORIES, Asked, Conversation, load
from bench.harness import Options, Result, options, publish, say, service
from bench.measures import mean, ndcg_at, percentile, recall_at, reciprocal_rank
from consilience.client import Client
from consilience.schema.domain import MemoryKind, NewEpisode, Recollection, Wait

NAME: Final = "locomo"
TUNED_ON: Final = 5
DEPTH: Final = 10


@dataclass(frozen=True, slots=True)
class Answered:
    """One question's outcome. `took_ms` as its caller waited."""

    conversation: int
    category: int
    found: tuple[str, ...]
    evidence: tuple[str, ...]
    took_ms: float


def main() -> None:
    opts = options(NAME)
    conversations = load(opts.data)[: opts.limit]
    with service(opts) as url:
        publish(asyncio.run(measure(url, conversations, opts)), opts)


async def measure(url: str, conversations: Sequence[Conversation], opts: Options) -> Result:
    """Ingests all conversations, then asks all questions one after the other."""
    answered: list[Answered] = []
    turns, stored_s, settled_s = 0, 0.0, 0.0
    async with Client(url) as client:
        for conversation in conversations:
            episodes, space = as_episodes(conversation), f"locomo-{conversation.index}"
            begun = time.perf_counter()
            await client.remember(episodes, space=space)
            stored_s += time.perf_counter() - begun
            await client.remember(episodes[-1:], space=space, wait=Wait.SETTLED)
            await client.remember(episodes, space=space, wait=Wait.SETTLED)
            settled_s += time.perf_counter() - begun
            turns += len(episodes)
            answered += [await _ask(client, conversation, asked, space=space) for asked in conversation.asked]
            say(f"conversation {conversation.index}: {len(episodes)} turns, {len(conversation.asked)} questions")
    rates = {"episodes_per_s": turns / stored_s, "settled_per_s": turns / settled_s}
    by = {
        "category": {
            name: quality([one for one in answered if one.category == number]) for number, name in CATEGORIES.items() if number != 5
        },
        "split": {
            "tuned": quality([one for one in answered if one.conversation <= TUNED_ON]),
            "rest": quality([one for one in answered if one.conversation > TUNED_ON]),
        },
    }
    return Result(NAME, opts.seed, len(answered), quality(answered) | rates, by)


def as_episodes(conversation: Conversation) -> list[NewEpisode]:
    """The turns as an application would send them."""
    return [
        NewEpisode(turn.text, turn.speaker, session=f"session-{turn.session}", occurred_at=turn.at, external_id=turn.id)
        for turn in conversation.turns
    ]


async def _ask(client: Client, conversation: Conversation, asked: Asked, *, space: str) -> Answered:
    begun = time.perf_counter()
    found = await client.recall(Recollection(query=asked.question, space=space, first=DEPTH, kinds=(MemoryKind.EPISODE,)))
    took_ms = (time.perf_counter() - begun) * 1000
    ids = tuple(hit.memory.external_id for hit in found.hits if hit.memory.external_id)
    return Answered(conversation.index, asked.category, ids, asked.evidence, took_ms)


def quality(answered: Sequence[Answered]) -> dict[str, float]:
    """The metrics of some questions, shares in percent."""
    return {
        "r_at_5": 100 * mean([recall_at(one.found, one.evidence, 5) for one in answered]),
        "r_at_10": 100 * mean([recall_at(one.found, one.evidence, 10) for one in answered]),
        "ndcg_at_10": 100 * mean([ndcg_at(one.found, one.evidence, 10) for one in answered]),
        "mrr": 100 * mean([reciprocal_rank(one.found, one.evidence) for one in answered]),
        "p50_ms": percentile([one.took_ms for one in answered], 0.5),
        "p95_ms": percentile([one.took_ms for one in answered], 0.95),
    }


if __name__ == "__main__":
    main()
