"""Speed of remembering beside the floor: the same work by plain Cypher over Bolt, on the same server, in the same run. Only ratios travel.

ingest_ratio: episodes a second stored through the API in batches of 500 (wait STORED), by the floor's doing the same writes.
settled_ratio: stored and digested through the API, by the floor's storing, embedding and indexing the same texts one step after the other.
"""

import asyncio
import random
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from bench import floor
from bench.harness import Options, Result, options, own_service, publish, say
from consilience.client import Client
from consilience.config import load_settings
from consilience.schema.domain import NewEpisode, Wait
from consilience.server.home import layout, store_password
from consilience.server.managed import USER
from consilience.server.state import read_state

NAME: Final = "speed"
EPISODES: Final = 10_000
ROUNDS: Final = 3
_WORDS: Final = tuple(
    word
    for line in (
        "the a to in with and of meeting project server deploy release budget garden dinner train weather report design review",
        "customer order team weekend morning music paint river mountain coffee ticket invoice sensor greenhouse launch account",
    )
    for word in line.split()
)


def main() -> None:
    opts = options(NAME, data="")
    with tempfile.TemporaryDirectory(prefix="consilience-bench-") as folder:
        home = Path(folder)
        with own_service(home) as url:
            state = read_state(load_settings(home=home))
            assert state is not None
            bolt = floor.Bolt(state.bolt_uri, USER, store_password(layout(load_settings(home=home))))
            publish(asyncio.run(measure(url, bolt, opts)), opts)


async def measure(url: str, bolt: floor.Bolt, opts: Options) -> Result:
    """Both in turn, a third of the episodes a round, so that a machine whose speed drifts slows both."""
    number = (opts.limit or EPISODES) // ROUNDS
    chance = random.Random(opts.seed)
    ours: dict[str, list[float]] = {"stored": [], "settled": []}
    floors: dict[str, list[float]] = {"stored": [], "settled": []}
    for round_ in range(ROUNDS):
        texts = [" ".join(chance.choices(_WORDS, k=chance.randint(8, 24))) for _ in range(number)]
        stored, settled = await _ours(url, texts, space=f"speed-{round_}")
        plain, space, ids = await asyncio.to_thread(floor.store, bolt, texts)
        indexed = await asyncio.to_thread(floor.digest, bolt, space=space, ids=ids, texts=texts)
        for held, values in ((ours, (stored, settled)), (floors, (plain, 1 / (1 / plain + 1 / indexed)))):
            held["stored"].append(values[0])
            held["settled"].append(values[1])
        say(f"round {round_ + 1}: stored {stored:.0f}/s (floor {plain:.0f}), settled {settled:.0f}/s (floor {floors['settled'][-1]:.0f})")
    ratios = {
        name: statistics.median(a / b for a, b in zip(ours[key], floors[key], strict=True))
        for name, key in (("ingest_ratio", "stored"), ("settled_ratio", "settled"))
    }
    rates = {
        "stored_per_s": statistics.median(ours["stored"]),
        "floor_stored_per_s": statistics.median(floors["stored"]),
        "settled_per_s": statistics.median(ours["settled"]),
        "floor_settled_per_s": statistics.median(floors["settled"]),
    }
    return Result(NAME, opts.seed, number * ROUNDS, ratios | rates, {})


async def _ours(url: str, texts: Sequence[str], *, space: str) -> tuple[float, float]:
    """(stored, settled) a second through the public API."""
    episodes = [
        NewEpisode(text, f"person-{number % 9}", session=f"session-{number % 40}", external_id=str(number))
        for number, text in enumerate(texts)
    ]
    async with Client(url) as client:
        begun = time.perf_counter()
        await client.remember(episodes, space=space)
        stored = len(texts) / (time.perf_counter() - begun)
        await client.remember(episodes, space=space, wait=Wait.SETTLED)
        return stored, len(texts) / (time.perf_counter() - begun)


if __name__ == "__main__":
    main()
