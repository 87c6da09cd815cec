"""FactConsolidation: numbered facts that contradict older ones, remembered one after the other, and questions over one or several of them.

Each fact is one episode of one contributor, in order, a minute apart. Single hop: the answer is the value of the fact that fits the
question best among the active ones about the thing it names, and, for a predicate of which nothing is active, those that wait for more
support (costly kinds, S11); without any, the text of the top hit. Multi-hop: the same, following values as subjects.
An answer is right if one of the corpus's answers stands in it as whole words, after lower-casing and dropping punctuation and articles
(the paper's substring exact match). Only the 6k context was looked at while building; `single_hop` and `multi_hop` are of the others.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from bench.corpora.factconsolidation import Facts, Question, contains, load
from bench.harness import Options, Result, options, publish, say, service
from bench.hops import answer, named, spans
from bench.measures import share
from bench.served import Fact, about, ask, first_facts, store
from consilience.client import Client
from consilience.embedding import Embedder, load_embedder
from consilience.schema.domain import NewEpisode

NAME: Final = "factconsolidation"
TUNED_ON: Final = "6k"
START: Final = datetime(2024, 1, 1, tzinfo=UTC)
LOOKED_AT: Final = 10  # hits whose facts say what the question may be about
HOPS: Final = 4


@dataclass(frozen=True, slots=True)
class Answered:
    """`by_fact`: the answer came from an active fact, else from the top hit."""

    size: str
    multi: bool
    right: bool
    by_fact: bool


def main() -> None:
    opts = options(NAME)
    contexts = load(opts.data)[: opts.limit]
    with service(opts) as url:
        publish(asyncio.run(measure(url, contexts, opts)), opts)


async def measure(url: str, contexts: Sequence[Facts], opts: Options) -> Result:
    """Remembers each context in a space of its own, then asks its questions."""
    answered: list[Answered] = []
    embedder = load_embedder("use")
    async with Client(url) as client:
        for context in contexts:
            space = f"facts-{context.size}"
            await store(client, as_episodes(context), space=space)
            say(f"{context.size}: {len(context.facts)} facts remembered")
            reader = Reader(client, space, embedder, {})
            for multi, questions in ((False, context.single), (True, context.multi)):
                for question in questions:
                    right, by_fact = await reader.answers(question, multi=multi)
                    answered.append(Answered(context.size, multi, right, by_fact))
            say(f"{context.size}: {summary([one for one in answered if one.size == context.size])}")
    sizes = list(dict.fromkeys(one.size for one in answered))
    by = {"file": {size: summary([one for one in answered if one.size == size]) for size in sizes}}
    rest = [one for one in answered if one.size != TUNED_ON]
    if rest:
        by["split"] = {"tuned": by["file"][TUNED_ON], "rest": summary(rest)} if TUNED_ON in by["file"] else {"rest": summary(rest)}
    return Result(NAME, opts.seed, len(answered), summary(rest or answered), by)


def as_episodes(context: Facts) -> list[NewEpisode]:
    """The facts as one reader would give them, the number only as order."""
    return [
        NewEpisode(text, "reader", session="list", occurred_at=START + timedelta(minutes=number), external_id=str(number))
        for number, text in enumerate(context.facts)
    ]


def summary(answered: Sequence[Answered]) -> dict[str, float]:
    """Shares in percent with their intervals; a kind without questions is left out."""
    found: dict[str, float] = {}
    for name, multi in (("single_hop", False), ("multi_hop", True)):
        some = [one for one in answered if one.multi is multi]
        if some:
            found |= share([one.right for one in some], name=name)
            found[f"{name}_by_fact"] = 100 * sum(one.by_fact for one in some) / len(some)
    return found


@dataclass(slots=True)
class Reader:
    """Asks one space; what is believed of a name is asked once."""

    client: Client
    space: str
    embedder: Embedder
    known: dict[str, Sequence[Fact]]

    async def answers(self, question: Question, *, multi: bool) -> tuple[bool, bool]:
        """(right, answered by a fact)."""
        hits = await ask(self.client, question.text, space=self.space, first=LOOKED_AT)
        candidates = [fact for hit in hits for fact in hit.facts]
        if not named(question.text, candidates):
            candidates = list(await first_facts(self.client, spans(question.text), space=self.space))
        path = await answer(question.text, candidates, embedder=self.embedder, facts_of=self.facts_of, hops=HOPS if multi else 1)
        if path is not None:
            return contains(path.facts[-1].value, question.answers), True
        return bool(hits) and contains(hits[0].memory.text, question.answers), False

    async def facts_of(self, name: str) -> Sequence[Fact]:
        if name not in self.known:
            self.known[name] = await about(self.client, name, space=self.space)
        return self.known[name]


if __name__ == "__main__":
    main()
