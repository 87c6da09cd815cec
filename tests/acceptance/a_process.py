"""One starting service, as a process: says `ready`, waits for a line, starts on the given Neo4j, stores one episode, says what it found.

Usage: python -m tests.acceptance.a_process URI USER PASSWORD NUMBER
"""

import asyncio
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

from consilience.app.lifecycle import Address, open_services
from consilience.config import load_settings
from consilience.embedding.use import DIMENSIONS, ID
from consilience.schema.domain import NewEpisode, Wait
from consilience.store.migrate import index_states, schema_version


class Unloaded:
    """What a start must know of the embedder in the box; its weights play no part in it and are not read eight times."""

    id = ID
    dimensions = DIMENSIONS

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        raise NotImplementedError


async def start(address: Address, *, number: str, home: Path) -> dict[str, object]:
    settings = load_settings(home=home, neo4j_uri=address.uri, neo4j_user=address.user, neo4j_password=address.password)
    print("ready", flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    services = await open_services(settings, address=address, embedder=Unloaded())
    said = NewEpisode("We are all up.", f"process-{number}", session="first-day", external_id=f"up-{number}")
    stored = await services.remember([said], space="first", wait=Wait.STORED, actor="tester")
    found: dict[str, object] = {
        "schema": await schema_version(services.store),
        "indexes": sorted(await index_states(services.store)),
        "stored": len(stored.episodes),
    }
    await services.store.close()
    return found


if __name__ == "__main__":
    with TemporaryDirectory() as folder:
        uri, user, password, number = sys.argv[1:]
        print(json.dumps(asyncio.run(start(Address(uri, user, password), number=number, home=Path(folder)))), flush=True)
