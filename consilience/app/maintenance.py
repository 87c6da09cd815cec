"""Work on the database of a data folder without serving: the store opened, one use case run, everything closed."""

import asyncio
from contextlib import AsyncExitStack

from consilience.app.lifecycle import Reporter, any_address, neo4j_address, open_ready_store
from consilience.clock import utc_now
from consilience.config import Settings
from consilience.consolidation.rebuild import Rebuilt, check, rebuild
from consilience.consolidation.reembed import reembed
from consilience.consolidation.settling import Settler
from consilience.embedding import load_embedder
from consilience.server.home import HomeLock


def reembed_space(settings: Settings, *, space: str, report: Reporter) -> int:
    """Vectors of the space from the settings' embedder; returns how many episodes. Raises CannotStart, NotHere, StoreUnavailable."""
    return asyncio.run(_reembed(settings, space=space, report=report))


async def _reembed(settings: Settings, *, space: str, report: Reporter) -> int:
    async with AsyncExitStack() as stack:
        stack.enter_context(HomeLock(settings))
        embedder = await asyncio.to_thread(load_embedder, settings.embedder)
        address = await neo4j_address(settings, report=report, stack=stack)
        store = await open_ready_store(settings, address=address)
        stack.push_async_callback(store.close)
        return await reembed(store, space=space, embedder=embedder, progress=lambda done: report.moving(f"{done} episodes embedded"))


def rebuild_space(settings: Settings, *, space: str, check_only: bool, report: Reporter) -> Rebuilt:
    """Belief of the space from its evidence, or only the comparison. Raises CannotStart, StoreUnavailable."""
    return asyncio.run(_rebuild(settings, space=space, check_only=check_only, report=report))


async def _rebuild(settings: Settings, *, space: str, check_only: bool, report: Reporter) -> Rebuilt:
    async with AsyncExitStack() as stack:
        embedder = await asyncio.to_thread(load_embedder, settings.embedder)
        address = await any_address(settings, report=report, stack=stack)
        store = await open_ready_store(settings, address=address)
        stack.push_async_callback(store.close)
        settler = Settler(store, embedder, utc_now)
        work = check if check_only else rebuild
        return await work(settler, space=space, progress=lambda done: report.moving(f"{done} slots"))
