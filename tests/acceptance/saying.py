"""What tests say to the service: one line an episode, and the few ways to store and to count."""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from consilience.app.service import Services
from consilience.schema.domain import MemoryKind, NewEpisode, Recall, Recollection, Remembered, Wait
from consilience.store.digest import list_undigested
from consilience.store.driver import Store

START = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)
ACTOR = "tester"


def said(text: str, *, by: str = "ana", **more: object) -> NewEpisode:
    """One utterance; `more` are fields of NewEpisode."""
    return replace(NewEpisode(text, by), **more)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def minutes(count: float) -> datetime:
    """This many minutes after START."""
    return START + timedelta(minutes=count)


async def store(services: Services, space: str, *episodes: NewEpisode, wait: Wait = Wait.STORED) -> Remembered:
    return await services.remember(episodes, space=space, wait=wait, actor=ACTOR)


async def settle(services: Services, space: str, *episodes: NewEpisode) -> Remembered:
    """Stores in batches as large as they may be and waits until all is digested; the answers as one."""
    size = services.settings.max_batch
    answers = [await store(services, space, *episodes[at : at + size], wait=Wait.SETTLED) for at in range(0, len(episodes), size)]
    return Remembered(tuple(one for answer in answers for one in answer.episodes), sum(answer.duplicates for answer in answers))


async def ask(services: Services, space: str, query: str, **more: object) -> Recall:
    """One question to the episodes; `more` are fields of Recollection."""
    return await services.recall(replace(Recollection(query, space, kinds=(MemoryKind.EPISODE,)), **more))  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


async def ask_all(services: Services, space: str, query: str, **more: object) -> Recall:
    """One question to all that is remembered and believed; `more` are fields of Recollection."""
    return await ask(services, space, query, **({"kinds": ()} | more))


def ids(recall: Recall) -> list[str]:
    return [hit.memory.id for hit in recall.hits]


def texts(recall: Recall) -> list[str]:
    return [hit.memory.text for hit in recall.hits]


async def count(store: Store, label: str, *, space: str) -> int:
    """Nodes of this label in the space."""
    rows = await store.read("MATCH (n:$($label) {space: $space}) RETURN count(n) AS n", label=label, space=space)
    return int(rows[0]["n"])


async def undigested(store: Store, *, space: str, ids: Iterable[str]) -> int:
    return len(await list_undigested(store, space=space, ids=list(ids)))


async def until(holds: Callable[[], bool], *, timeout_s: float = 10) -> None:
    """Returns once it holds. Raises TimeoutError."""
    async with asyncio.timeout(timeout_s):
        while not holds():  # noqa: ASYNC110  # what is waited for has no event
            await asyncio.sleep(0.01)


async def digest_queue(services: Services) -> None:
    """Works off what is due now, with a worker that stops when nothing is."""
    worker = services.add_worker()
    while await worker.run_once():
        pass
    services.workers.remove(worker)


async def marks(store: Store, *, space: str) -> Mapping[str, Mapping[str, object]]:
    """Each episode's id with what digesting leaves: whether it is digested, its words, the size of its vector, its labels."""
    rows = await store.read(
        """
        MATCH (e:Episode {space: $space})
        RETURN e.id AS id, e.digestedAt IS NOT NULL AS digested, e.words AS words, size(e.embedding) AS dimensions,
               size(e.fingerprint) AS fingerprint, [l IN labels(e) WHERE l <> 'Episode' | l] AS labels, e.digestedAt AS digested_at
        """,
        space=space,
    )
    return {row["id"]: {**row, "labels": sorted(row["labels"])} for row in rows}
