"""Makes the vectors of a space anew with another embedder (O6). Interrupted, it is run again from the start."""

import asyncio
from collections.abc import Callable

from consilience.consolidation.spoken import spoken
from consilience.embedding import Embedder
from consilience.errors import NotHere
from consilience.store.digest import list_for_embedding, replace_embeddings
from consilience.store.driver import Store
from consilience.store.migrate import ensure_vector_index
from consilience.store.spaces import find_space, set_embedder

BATCH = 256


async def reembed(store: Store, *, space: str, embedder: Embedder, progress: Callable[[int], None]) -> int:
    """Embeds every digested episode of the space with `embedder`, then records it as the space's; returns how many.

    Until the last vector is written the space names neither embedder, so no service starts on a mixture, and none that runs
    reads or writes vectors there. `progress` gets the count so far. Raises NotHere, StoreUnavailable.
    """
    known = await find_space(store, space=space)
    if known is None:
        raise NotHere(f"there is no space {space}", hint="`consilience status` lists the spaces", field="space")
    await ensure_vector_index(store, dimensions=embedder.dimensions)
    await set_embedder(store, space=space, embedder=f"{embedder.id} (unfinished)", dimensions=known.dimensions)
    done, after = 0, ""
    while page := await list_for_embedding(store, space=space, after=after, limit=BATCH):
        vectors = await asyncio.to_thread(embedder.embed, [spoken(episode.speaker, episode.text) for episode in page])
        pairs = [(episode.id, vector.tolist()) for episode, vector in zip(page, vectors, strict=True)]
        await replace_embeddings(store, space=space, vectors=pairs, dimensions=embedder.dimensions, old_dimensions=known.dimensions)
        done, after = done + len(page), page[-1].id
        progress(done)
    await set_embedder(store, space=space, embedder=embedder.id, dimensions=embedder.dimensions)
    return done
