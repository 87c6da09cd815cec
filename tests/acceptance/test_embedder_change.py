"""Vectors of two embedders are never mixed (O6)."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pytest
from numpy.typing import NDArray

from consilience.app.lifecycle import open_services
from consilience.app.service import Services
from consilience.consolidation.reembed import reembed
from consilience.errors import CannotStart, NotHere
from consilience.schema.domain import JobState
from consilience.store.spaces import find_space, set_embedder
from tests.acceptance.own import Own
from tests.acceptance.saying import ask, digest_queue, marks, said, store, texts

pytest_plugins = ("tests.acceptance.private",)
SPACE = "vectors"
LINES = [said(f"Sample {number} is stored in rack {number % 7}.", external_id=f"s-{number}") for number in range(20)]


@dataclass(frozen=True, slots=True)
class Letters:
    """Another embedder, a real one if a poor one: how often each letter stands in a text, random projections of that."""

    id: str = "letters-1"
    dimensions: int = 64

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        directions = np.random.default_rng(self.dimensions).normal(size=(128, self.dimensions))
        counts = np.zeros((len(texts), 128))
        for row, text in enumerate(texts):
            for letter in text.casefold():
                counts[row, ord(letter) % 128] += 1
        vectors = counts @ directions
        return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9), dtype=np.float32)


async def starts(own: Own, embedder: Letters) -> Services:
    services = await open_services(own.settings, address=own.address, embedder=embedder)
    await services.store.close()
    return services


@pytest.mark.parametrize(
    "embedder", [Letters(), Letters("use-multilingual-v3", 64), Letters("letters-512", 512)], ids=["both", "size", "model"]
)
async def test_a_service_with_another_embedder_does_not_start(own: Own, quiet: Services, embedder: Letters) -> None:
    """O6: refused with both embedders and the command that makes the vectors anew. Control: the space's own embedder starts."""
    await store(quiet, SPACE, *LINES)
    await digest_queue(quiet)
    with pytest.raises(CannotStart) as refused:
        await starts(own, embedder)
    assert refused.value.code == "CANNOT_START"
    assert f"{quiet.embedder.id} (512 dimensions)" in refused.value.message
    assert f"{embedder.id} ({embedder.dimensions})" in refused.value.message
    assert refused.value.hint is not None
    assert refused.value.hint.endswith(f"consilience reembed --space {SPACE}")
    reopened = await open_services(own.settings, address=own.address, embedder=quiet.embedder)
    await reopened.store.close()


@pytest.mark.parametrize("embedder", [Letters(), Letters("letters-512", 512)], ids=["other size", "same size"])
async def test_reembedding_makes_all_vectors_anew_and_the_service_starts(own: Own, quiet: Services, embedder: Letters) -> None:
    """O6: afterwards every vector is the new embedder's, in its index and no other, and recall works with it, not with the old one."""
    await store(quiet, SPACE, *LINES)
    await digest_queue(quiet)
    progress: list[int] = []
    assert await reembed(quiet.store, space=SPACE, embedder=embedder, progress=progress.append) == 20
    assert progress[-1] == 20

    rows = await quiet.store.read(
        "MATCH (e:Episode {space: $space})-[:BY]->(p) RETURN p.externalId + ': ' + e.text AS spoken, e.embedding AS vector", space=SPACE
    )
    expected = embedder.embed([row["spoken"] for row in rows])
    assert np.allclose(np.array([list(row["vector"]) for row in rows]), expected, atol=1e-5)
    assert {tuple(mark["labels"]) for mark in (await marks(quiet.store, space=SPACE)).values()} == {  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType, reportUnknownVariableType]
        (f"Recallable{embedder.dimensions}", f"Words_{SPACE}")
    }
    services = await open_services(own.settings, address=own.address, embedder=embedder)
    assert len(texts(await ask(services, SPACE, "rack", first=20))) == 20
    await store(services, SPACE, said("Sample 21 is lost."))
    await digest_queue(services)
    assert "Sample 21 is lost." in texts(await ask(services, SPACE, "Which sample is lost?"))
    await services.store.close()
    with pytest.raises(CannotStart):
        await open_services(own.settings, address=own.address, embedder=quiet.embedder)


async def test_an_interrupted_reembedding_is_a_space_no_service_starts_on(own: Own, quiet: Services) -> None:
    """O6: neither the old nor the new embedder starts on the half-done space; run again, it ends. Control: before, the old one starts."""
    await store(quiet, SPACE, *LINES)
    await digest_queue(quiet)

    class Interrupted(BaseException):
        pass

    def interrupt(done: int) -> None:
        raise Interrupted

    with pytest.raises(Interrupted):
        await reembed(quiet.store, space=SPACE, embedder=Letters(), progress=interrupt)
    for embedder in (quiet.embedder, Letters()):
        with pytest.raises(CannotStart, match="unfinished"):
            await open_services(own.settings, address=own.address, embedder=embedder)
    with pytest.raises(CannotStart):
        await ask(quiet, SPACE, "rack")
    await reembed(quiet.store, space=SPACE, embedder=Letters(), progress=lambda _: None)
    await starts(own, Letters())
    assert {tuple(mark["labels"]) for mark in (await marks(quiet.store, space=SPACE)).values()} == {("Recallable64", f"Words_{SPACE}")}  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType, reportUnknownVariableType]


async def test_a_running_service_does_not_touch_a_space_that_has_another_embedder_by_now(own: Own, quiet: Services) -> None:
    """O6: two services that both started on an empty database: the space belongs to the first one's embedder. The other's worker
    writes no vector into it, its recall compares none, its remember says so. Nothing is lost: the first one digests it later.

    Control: the first service does all three.
    """
    second = await open_services(own.settings, address=own.address, embedder=Letters())
    await store(quiet, SPACE, *LINES)
    for attempt in (store(second, SPACE, said("Mine.")), ask(second, SPACE, "rack")):
        with pytest.raises(CannotStart, match="vectors of space"):
            await attempt
    await digest_queue(second)
    assert not any(mark["digested"] for mark in (await marks(quiet.store, space=SPACE)).values())
    (job,) = await quiet.list_jobs(space=SPACE, state=None, first=5)
    assert (job.state, job.error) == (JobState.QUEUED, "CANNOT_START")
    await second.store.close()

    await quiet.store.write("MATCH (j:Job) SET j.notBefore = datetime()")
    await digest_queue(quiet)
    assert {mark["dimensions"] for mark in (await marks(quiet.store, space=SPACE)).values()} == {512}
    assert (await ask(quiet, SPACE, "rack")).hits


async def test_a_change_of_embedder_between_reading_and_writing_is_seen(quiet: Services) -> None:
    """O6: vectors made before the change are not written after it. Control: with the embedder put back they are."""
    made = await store(quiet, SPACE, *LINES)
    ids = [one.id for one in made.episodes]
    known = await find_space(quiet.store, space=SPACE)
    assert known is not None
    embed = quiet.embedder.embed
    loop = asyncio.get_running_loop()

    @dataclass(frozen=True, slots=True)
    class Slow:
        id: str = quiet.embedder.id
        dimensions: int = quiet.embedder.dimensions

        def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
            change = set_embedder(quiet.store, space=SPACE, embedder="letters-512", dimensions=512)
            asyncio.run_coroutine_threadsafe(change, loop).result(10)
            return embed(texts)

    digester = quiet.digester
    slow = replace(digester, embedder=Slow())
    with pytest.raises(CannotStart):
        await slow.digest(space=SPACE, ids=ids)
    assert not any(mark["digested"] for mark in (await marks(quiet.store, space=SPACE)).values())
    await set_embedder(quiet.store, space=SPACE, embedder=quiet.embedder.id, dimensions=512)
    await digester.digest(space=SPACE, ids=ids)
    assert all(mark["digested"] for mark in (await marks(quiet.store, space=SPACE)).values())


async def test_reembedding_a_space_nobody_has_says_so(quiet: Services) -> None:
    with pytest.raises(NotHere) as refused:
        await reembed(quiet.store, space="nobody", embedder=Letters(), progress=lambda _: None)
    assert refused.value.field == "space"
