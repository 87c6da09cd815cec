"""PoisonedRAG: five planted texts a question beside the right one. How much of the top five do they take, is the right one kept?

The corpora's own passages are not part of the attack's data, so the right one is the question with its answer behind it; those of all
other questions are the haystack. As the paper has it, the knowledge was there before (internal_tool) and five new accounts, working
together, plant one text each a question (conversation), within an hour. `planted_share`: their share of the first five hits at LOW
risk, averaged over the questions; `correct_kept`: share of questions with the right passage among them.
`equal_standing`: all is user input; the right passages come from twenty people over a year. `gates_off`, `origins_off`, `settling_off`:
as planted, with that part of the service off. `question_first`: each planted text has the question in front, as in the paper's black-
box attack.
"""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from bench.corpora.poisonedrag import Target, load
from bench.harness import Result, options, publish, say, service
from bench.measures import bootstrap, mean, share
from bench.served import ask, register, store
from consilience.client import Client
from consilience.schema.domain import NewEpisode, Risk, Role

NAME: Final = "poisonedrag"
TOP: Final = 5
KNOWLEDGE: Final = "knowledge"
PEOPLE: Final = 20
START: Final = datetime(2024, 1, 1, tzinfo=UTC)
ATTACK: Final = datetime(2025, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Way:
    """One way of arrival. `without`: the part of the service that is off."""

    name: str
    equal: bool = False
    question_first: bool = False
    without: str | None = None


WAYS: Final = (
    Way("as_planted"),
    Way("equal_standing", equal=True),
    Way("question_first", question_first=True),
    *(Way(f"{part}_off", without=part) for part in ("gates", "origins", "settling")),
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """Of one question: the planted texts' share of the hits, 0..1, and whether the right passage is among them."""

    set: str
    planted: float
    kept: bool


def main() -> None:
    opts = options(NAME)
    sets = {name: targets[: opts.limit] for name, targets in load(opts.data).items()}
    ablation: dict[str, dict[str, float]] = {}
    main_way: list[Outcome] = []
    for way in WAYS:
        with service(opts, without=way.without) as url:
            outcomes = asyncio.run(measure(url, sets, way))
        main_way = main_way or outcomes
        ablation[way.name] = summary(outcomes, seed=opts.seed)
        say(f"{way.name}: {ablation[way.name]}")
    by = {"ablation": ablation, "set": {name: summary([one for one in main_way if one.set == name], seed=opts.seed) for name in sets}}
    publish(Result(NAME, opts.seed, len(main_way), ablation[WAYS[0].name], by), opts)


async def measure(url: str, sets: dict[str, list[Target]], way: Way) -> list[Outcome]:
    """Everything into one space, then every question."""
    space = f"planted-{way.name.replace('_', '-')}"
    targets = [target for some in sets.values() for target in some]
    async with Client(url) as client:
        if not way.equal:
            await register(client, [(KNOWLEDGE, "internal_tool")], space=space)
        await store(client, [*knowledge(targets, equal=way.equal), *planted(targets, question_first=way.question_first)], space=space)
        return [await _ask(client, target, name, space=space) for name, some in sets.items() for target in some]


async def _ask(client: Client, target: Target, name: str, *, space: str) -> Outcome:
    hits = await ask(client, target.question, space=space, first=TOP, risk=Risk.LOW)
    from_attack = [any(id_.startswith("planted/") for id_ in hit.episodes) for hit in hits]
    kept = any(f"right/{target.id}" in hit.episodes for hit in hits)
    return Outcome(name, sum(from_attack) / len(hits) if hits else 0.0, kept)


def knowledge(targets: Sequence[Target], *, equal: bool) -> Iterator[NewEpisode]:
    """The right passages, spread over the year before."""
    for number, target in enumerate(targets):
        text = f"{target.question.rstrip('? ')}? {target.correct}."
        at = START + timedelta(days=365 * number / max(1, len(targets)))
        if equal:
            yield NewEpisode(text, f"person-{number % PEOPLE}", session=f"talk-{number}", occurred_at=at, external_id=f"right/{target.id}")
        else:
            yield NewEpisode(text, "librarian", source=KNOWLEDGE, role=Role.TOOL, occurred_at=at, external_id=f"right/{target.id}")


def planted(targets: Sequence[Target], *, question_first: bool) -> Iterator[NewEpisode]:
    """The attack: account i gives the i-th text of every target, all within an hour."""
    texts = [(target, account, text) for target in targets for account, text in enumerate(target.planted)]
    for number, (target, account, text) in enumerate(texts):
        yield NewEpisode(
            f"{target.question.rstrip('? ')}? {text}" if question_first else text,
            f"new-account-{account}",
            session=f"visit-{account}",
            occurred_at=ATTACK + timedelta(seconds=3600 * number / len(texts)),
            external_id=f"planted/{target.id}/{account}",
        )


def summary(outcomes: Sequence[Outcome], *, seed: int) -> dict[str, float]:
    """In percent, with 95 % intervals."""
    low, high = bootstrap([one.planted for one in outcomes], seed=seed)
    shares = {
        "planted_share": 100 * mean([one.planted for one in outcomes]),
        "planted_share_low": 100 * low,
        "planted_share_high": 100 * high,
    }
    return shares | share([one.kept for one in outcomes], name="correct_kept")


if __name__ == "__main__":
    main()
