"""Slots settled again: evidence read, the pure decision, what changed written (design §4). Nothing else changes a fact's status."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import combinations
from typing import Final

from consilience.consolidation.aliases import represented
from consilience.consolidation.writing import plan_write
from consilience.embedding import Embedder
from consilience.errors import StoreUnavailable
from consilience.ingest.extraction import predicate_info
from consilience.schema.beliefs import Settlement, SlotEvidence, SlotShape
from consilience.schema.statements import ALIAS_OF
from consilience.store.aliases import write_aliases
from consilience.store.driver import Store
from consilience.store.slots import SlotRead, read_slots, write_slots
from consilience.text.values import ValueKey, exclusive, name_key
from consilience.trust.settle import settle

ROUNDS: Final = 8
# Beyond so many values of one slot, pairs that exclude each other are not looked for.
MOST_VALUES: Final = 64


@dataclass(frozen=True, slots=True)
class Settler:
    """Settles slots of the store."""

    store: Store
    embedder: Embedder
    clock: Callable[[], datetime]

    async def settle(self, *, space: str, slots: Sequence[str], actor: str = "digest") -> None:
        """Settles these slots until none has changed under our hands, and those that change by aliases that are believed then.

        Raises StoreUnavailable.
        """
        aliases = await self._settle(space=space, slots=slots, actor=actor)
        if aliases:
            moved = await write_aliases(
                self.store, space=space, slots=aliases, name_key=name_key, represent=represented, alias_of=ALIAS_OF, now=self.clock()
            )
            await self._settle(space=space, slots=moved, actor=actor)

    async def _settle(self, *, space: str, slots: Sequence[str], actor: str) -> list[str]:
        """The ids of those of the slots that say what else something is called."""
        todo = sorted(set(slots))
        aliases: set[str] = set()
        for _ in range(ROUNDS):
            if not todo:
                return sorted(aliases)
            now = self.clock()
            changed = [(read, self.settlement(read, now=now)) for read in await read_slots(self.store, space=space, ids=todo)]
            aliases |= {read.id for read, _ in changed if read.predicate == ALIAS_OF}
            plans = [plan for read, settlement in changed if (plan := plan_write(read, settlement, actor=actor)) is not None]
            vectors = await self._embed([text for plan in plans for text in plan.texts])
            writes = [plan.write(vectors) for plan in plans]
            todo = await write_slots(self.store, space=space, writes=writes, dimensions=self.embedder.dimensions, now=now)
        if todo:
            raise StoreUnavailable(f"{len(todo)} slots kept changing while they were settled", hint="the work is tried again")
        return sorted(aliases)

    def settlement(self, read: SlotRead, *, now: datetime) -> Settlement:
        """What the slot's evidence comes to. Pure."""
        return settle(SlotEvidence(shape(read), read.votes, read.decisions, exclusive_pairs(read)), now=now)

    async def _embed(self, texts: Sequence[str]) -> dict[str, list[float]]:
        wanted = sorted(set(texts))
        if not wanted:
            return {}
        vectors = await asyncio.to_thread(self.embedder.embed, wanted)
        return {text: vector.tolist() for text, vector in zip(wanted, vectors, strict=True)}


def shape(read: SlotRead) -> SlotShape:
    """The slot as settling sees it; what the predicate is comes from the extraction's table."""
    info = predicate_info(read.predicate)
    return SlotShape(read.id, read.subject, read.predicate, read.arity, info.personal, info.costly, info.half_life, read.owner)


def exclusive_pairs(read: SlotRead) -> frozenset[tuple[str, str]]:
    """Pairs of values in the slot that cannot both hold: antonyms, members of one exclusive group."""
    keys = sorted({vote.value_key for vote in read.votes})
    if len(keys) > MOST_VALUES:
        return frozenset()
    return frozenset((a, b) for a, b in combinations(keys, 2) if exclusive(ValueKey(a, False), ValueKey(b, False)))
