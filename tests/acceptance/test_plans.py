"""Recall looks things up, it does not read the store (O4)."""

from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime
from typing import Any, Final, LiteralString, cast

import numpy as np
import pytest_asyncio

from consilience.schema.migrations import vector_index, vector_label, words_index, words_label
from consilience.store.candidates import all_queries
from consilience.store.driver import Store
from consilience.store.migrate import ensure_vector_index, ensure_words_index
from tests.acceptance.own import Own

pytest_plugins = ("tests.acceptance.private",)

# The size of a vector plays no part in a plan, and small ones are quick to index: the real texts, over an index of their own.
DIMENSIONS: Final = 16
SPACE: Final = "plans"
SMALL, LARGE, BATCH = 2_000, 20_000, 1_000
SCANS: Final = ("NodeByLabelScan", "AllNodesScan", "NodeIndexScan", "NodeIndexContainsScan")
# Only what the indexes hold, so that twenty thousand are made in seconds.
PLANT: Final[LiteralString] = """
UNWIND $rows AS r
CREATE (e:$($labels) {space: $space, id: r.id, kind: 'EPISODE', status: 'ACTIVE', words: r.words, contributor: r.contributor, session: '',
  occurredAt: $now, recordedAt: $now, trust: 0.5, confidence: 0.5, role: 'USER'})
WITH e, r
CALL db.create.setNodeVectorProperty(e, 'embedding', r.vector)
RETURN count(e) AS made
"""
FAR, LONG_AGO = datetime(2030, 1, 1, tzinfo=UTC), datetime(2020, 1, 1, tzinfo=UTC)


async def plant(store: Store, *, start: int, end: int) -> None:
    """Memories start..end: random vectors, eight of three thousand words each, fifty speakers."""
    random = np.random.default_rng(start)
    for at in range(start, end, BATCH):
        numbers = range(at, min(at + BATCH, end))
        vectors = random.normal(size=(len(numbers), DIMENSIONS))
        rows = [
            {
                "id": f"ep_{number:06d}",
                "words": " ".join(f"w{word}" for word in random.integers(0, 3000, 8)),
                "contributor": f"con_{number % 50}",
                "vector": vector.tolist(),
            }
            for number, vector in zip(numbers, vectors, strict=True)
        ]
        labels = [words_label(SPACE), vector_label(DIMENSIONS)]
        await store.write(PLANT, rows=rows, space=SPACE, labels=labels, now=datetime.now(UTC))


@pytest_asyncio.fixture(name="planted", loop_scope="session")
async def _planted(own: Own) -> AsyncIterator[Store]:
    store = own.open()
    await ensure_vector_index(store, dimensions=DIMENSIONS)
    await ensure_words_index(store, space=SPACE)
    yield store
    label = cast("LiteralString", vector_label(DIMENSIONS))
    while (await store.write(f"MATCH (n:{label}) WITH n LIMIT 5000 DETACH DELETE n RETURN count(n) AS n"))[0]["n"]:
        pass
    await store.run_schema(f"DROP INDEX {vector_index(DIMENSIONS)}")
    await store.run_schema(f"DROP INDEX {words_index(SPACE)}")
    await store.close()


def operators(plan: dict[str, Any]) -> Iterator[tuple[str, int]]:
    """Each operator of a profile with its accesses to the store."""
    yield plan["operatorType"].split("@")[0], plan["args"].get("DbHits", 0)
    for child in plan.get("children", ()):
        yield from operators(child)


async def profile(store: Store, query: str) -> tuple[list[str], int]:
    """The operators of a query as it ran, and all its accesses to the store."""
    params: dict[str, object] = {
        "space": SPACE,
        "vector": np.random.default_rng(1).normal(size=DIMENSIONS).tolist(),
        "by_meaning": 50,
        "words_index": words_index(SPACE),
        "words_query": "words:w1 words:w2",
        "speaker_query": "+contributor:con_1 +(words:w1 words:w2)",
        "speaker": "con_1",
        "words_limit": 20,
        "words_wide": 20,
        "statuses": ["ACTIVE"],
        "contributor": "con_1",
        "session": "",
        "since": LONG_AGO,
        "until": FAR,
        "as_of": FAR,
        "floor": 0.3,
    }
    async with store.driver.session(database=store.database) as session:  # pyright: ignore[reportUnknownMemberType]
        result = await session.run(cast("LiteralString", f"PROFILE {query}"), params)
        made = cast("dict[str, Any] | None", (await result.consume()).profile)  # pyright: ignore[reportUnknownMemberType]
    assert made is not None
    found = list(operators(made))
    return [name for name, _ in found], sum(hits for _, hits in found)


def faults(names: list[str], *, worded: bool) -> list[str]:
    """What is wrong with a plan of recall: no vector index, no word index, a scan."""
    wrong = [] if "NodeVectorIndexSearch" in names else ["no vector index"]
    wrong += ["no word index"] if worded and "ProcedureCall" not in names else []
    return wrong + [name for name in names if name in SCANS]


async def test_recall_uses_its_indexes_and_costs_the_same_in_a_store_ten_times_as_large(planted: Store) -> None:
    """O4: in the profile of each text that recall can send to the indexes both are used and nothing is scanned, and the accesses
    to the store do not grow with it: at most half as many again at ten times the size, where a scan needs ten times as many.

    Control: a text that scans fails both checks.
    """
    texts = {name: text for name, text in all_queries(DIMENSIONS).items() if name.startswith("index")}
    assert len(texts) >= 10
    scan = f"MATCH (n:{vector_label(DIMENSIONS)}) WHERE n.space = $space RETURN n.id AS id, n.words AS words ORDER BY id LIMIT 50"
    costs: list[dict[str, int]] = []
    for start, end in ((0, SMALL), (SMALL, LARGE)):
        await plant(planted, start=start, end=end)
        measured: dict[str, int] = {}
        for name, text in texts.items():
            names, measured[name] = await profile(planted, text)
            assert faults(names, worded="fulltext" in text) == [], name
        names, measured["scan"] = await profile(planted, scan)
        assert faults(names, worded=False) == ["no vector index", "NodeByLabelScan"]
        costs.append(measured)
    growth = {name: costs[1][name] / costs[0][name] for name in costs[0]}
    assert growth.pop("scan") > 8
    assert max(growth.values()) < 1.5, growth
