"""PrecisionMemBench: is exactly what bears on a question found, and nothing else?

Each belief is one episode of its user, in a space for each scope it has (the peers are asked without scopes; `one_space` is that). A
question goes to the spaces of its scopes. What is handed over is every hit, of the first ten, that has a word in common with the
question (a caller who wants few would do so; `all_hits` is without it), up to the case's budget. As in the corpus's own harness, pinned
beliefs of the scope are handed over apart and count as neither right nor wrong, and what else a case asks (prelude, open questions)
comes from its data.
`active_passes`: of the cases where something is to be found, those where exactly that was (of 43). `precision`: averaged over the cases
that have one: the share of right ones among those handed over, 0 where nothing was but should have been, none where rightly nothing
was.
"""

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from bench.corpora.precisionmembench import Belief, Case, Corpus, Turn, load
from bench.harness import Result, options, publish, say, service
from bench.measures import bootstrap, mean
from bench.served import Served, ask, store
from consilience.client import Client
from consilience.schema.domain import NewEpisode

NAME: Final = "precisionmembench"
DEPTH: Final = 10
ALL: Final = "everything"


@dataclass(frozen=True, slots=True)
class Way:
    """How the memory is used. `scoped`: a space a scope; `worded`: only hits with a word in common."""

    name: str
    scoped: bool = True
    worded: bool = True


WAYS: Final = (Way("as_used"), Way("all_hits", worded=False), Way("one_space", scoped=False))


@dataclass(frozen=True, slots=True)
class Found:
    case: Case
    ids: frozenset[str]

    @property
    def passed(self) -> bool:
        return not self.ids & self.case.never and (self.case.only is None or self.ids == self.case.only)

    @property
    def precision(self) -> float | None:
        """0..1; None where the case states nothing, or nothing was to be found and nothing was."""
        if self.case.only is None or not (self.ids or self.case.only):
            return None
        return len(self.ids & self.case.only) / len(self.ids) if self.ids else 0.0

    @property
    def recall(self) -> float | None:
        return len(self.ids & self.case.only) / len(self.case.only) if self.case.only else None


def main() -> None:
    opts = options(NAME)
    corpus = load(opts.data)
    ways: dict[str, dict[str, float]] = {}
    first: list[Found] = []
    sessions: list[Found] = []
    for way in WAYS:
        with service(opts) as url:
            found, turns = asyncio.run(measure(url, corpus, way, limit=opts.limit))
        first, sessions = first or found, sessions or turns
        ways[way.name] = summary(found, seed=opts.seed)
        say(f"{way.name}: {ways[way.name]}")
    categories = sorted({one.case.category for one in first})
    by = {
        "ablation": ways,
        "session": {"turns": summary(sessions, seed=opts.seed)},
        "category": {name: _passes([one for one in first if one.case.category == name]) for name in categories},
        "peers": corpus.peers,
    }
    publish(Result(NAME, opts.seed, len(first), ways[WAYS[0].name], by), opts)


async def measure(url: str, corpus: Corpus, way: Way, *, limit: int | None) -> tuple[list[Found], list[Found]]:
    """(the single cases, the turns of the sessions)."""
    async with Client(url) as client:
        user = Memory(client, way, f"pmb-{way.name.replace('_', '-')}", {})
        await user.learn(corpus.beliefs)
        single = [await user.find(case) for case in corpus.cases[:limit]]
        turns = [found for session in corpus.sessions[:limit] for found in await user.talk(session)]
        return single, turns


@dataclass(slots=True)
class Memory:
    """The spaces of one way."""

    client: Client
    way: Way
    prefix: str
    known: dict[str, Belief]

    async def learn(self, beliefs: Sequence[Belief]) -> None:
        self.known |= {one.id: one for one in beliefs}
        spaces = dict.fromkeys(space for one in beliefs for space in self._spaces(one.scopes))
        for space in spaces:
            await store(self.client, [_episode(one) for one in beliefs if space in self._spaces(one.scopes)], space=space)

    async def rename(self, id_: str, aliases: Sequence[str]) -> None:
        """The belief goes by further names: said as one more episode."""
        belief = self.known[id_]
        name = belief.name.replace("_", " ")
        text = f"{belief.content} ({name} goes by {', '.join(aliases)} as well)"
        for space in self._spaces(belief.scopes):
            await store(self.client, [NewEpisode(text, belief.user, external_id=f"{id_}/{len(aliases)}")], space=space)

    async def find(self, case: Case) -> Found:
        hits: list[Served] = []
        if case.query.strip():
            for space in self._spaces(case.scopes):
                hits += await ask(self.client, case.query, space=space, first=DEPTH, contributor=case.user)
        pinned = self._pinned(case)
        handed = [id_ for id_ in self._handed(hits) if id_ not in pinned]
        room = len(handed) if case.budget is None else max(0, case.budget - len(pinned))
        return Found(case, frozenset(handed[:room]))

    async def talk(self, session: Sequence[Turn]) -> list[Found]:
        found: list[Found] = []
        for turn in session:
            found.append(await self.find(turn.case))
            if turn.created:
                await self.learn([turn.created])
            if turn.renamed:
                await self.rename(*turn.renamed)
        return found

    def _spaces(self, scopes: Iterable[str]) -> list[str]:
        return [f"{self.prefix}-{scope.replace(':', '-')}" for scope in (scopes if self.way.scoped else [ALL])]

    def _pinned(self, case: Case) -> frozenset[str]:
        own = [one for one in self.known.values() if one.user == case.user and set(one.scopes) & set(case.scopes)]
        return frozenset(one.id for one in own if one.pinned and not one.question)

    def _handed(self, hits: Sequence[Served]) -> Iterator[str]:
        """Belief ids, the best first, each once."""
        best = sorted(hits, key=lambda hit: -hit.score)
        chosen = [hit for hit in best if hit.parts.words > 0 or not self.way.worded]
        yield from dict.fromkeys(id_.partition("/")[0] for hit in chosen for id_ in hit.episodes)


def _episode(belief: Belief) -> NewEpisode:
    at = datetime.fromisoformat(belief.created).astimezone(UTC)
    return NewEpisode(belief.text, belief.user, session=f"about-{belief.id}", occurred_at=at, external_id=belief.id)


def summary(found: Sequence[Found], *, seed: int) -> dict[str, float]:
    """Passes as counts, precision and recall in percent."""
    precisions = [one.precision for one in found if one.precision is not None]
    low, high = bootstrap(precisions, seed=seed)
    measured = {"precision": mean(precisions), "precision_low": low, "precision_high": high}
    measured["recall"] = mean([one.recall for one in found if one.recall is not None])
    return _passes(found) | {name: 100 * value for name, value in measured.items()}


def _passes(found: Sequence[Found]) -> dict[str, float]:
    active = [one for one in found if one.case.active]
    return {
        "active_passes": float(sum(one.passed for one in active)),
        "active_cases": float(len(active)),
        "passes": float(sum(one.passed for one in found)),
        "cases": float(len(found)),
    }


if __name__ == "__main__":
    main()
