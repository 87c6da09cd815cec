"""Belief from evidence alone: every slot settled again, and what stands compared with it (design §1)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from consilience.consolidation.settling import Settler
from consilience.consolidation.writing import plan_write
from consilience.store.slots import delete_orphans, list_slots, read_slots

PAGE: Final = 200


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """How many slots were looked at, and the ids of those that did not stand as their evidence says."""

    slots: int
    different: tuple[str, ...]
    orphans: int


async def check(settler: Settler, *, space: str, progress: Callable[[int], None]) -> Rebuilt:
    """Compares every slot with what its evidence comes to; writes nothing. Meaningful at rest: queue empty."""
    return await _walk(settler, space=space, progress=progress, write=False)


async def rebuild(settler: Settler, *, space: str, progress: Callable[[int], None]) -> Rebuilt:
    """Settles every slot from its evidence and removes what rests on nothing. Ids are kept by key; interrupted, it is run again."""
    return await _walk(settler, space=space, progress=progress, write=True)


async def _walk(settler: Settler, *, space: str, progress: Callable[[int], None], write: bool) -> Rebuilt:
    done, after = 0, ""
    different: list[str] = []
    while ids := await list_slots(settler.store, space=space, after=after, limit=PAGE):
        reads = await read_slots(settler.store, space=space, ids=ids)
        now = settler.clock()
        wrong = [read.id for read in reads if plan_write(read, settler.settlement(read, now=now), actor="rebuild") is not None]
        if write and wrong:
            await settler.settle(space=space, slots=wrong, actor="rebuild")
        different += wrong
        done, after = done + len(ids), ids[-1]
        progress(done)
    orphans = await delete_orphans(settler.store, space=space, write=write)
    return Rebuilt(done, tuple(different), orphans)
