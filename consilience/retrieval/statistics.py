"""What a process knows of a space for ranking: word statistics and the people in it. Memory only; the graph is the truth (S84)."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from consilience.retrieval.bm25 import WordStats
from consilience.retrieval.question import Person
from consilience.schema.domain import OPEN_START
from consilience.store.contributors import list_people
from consilience.store.driver import Store
from consilience.store.lexicon import list_words

PAGE: Final = 5000
# A digest may become visible a little later than the time it carries, so this much before the last refresh is read again and known ids
# are passed over.
OVERLAP: Final = timedelta(seconds=120)


@dataclass(slots=True)
class SpaceStatistics:
    words: WordStats = field(default_factory=WordStats)
    people: list[Person] = field(default_factory=list[Person])
    ids: dict[str, str] = field(default_factory=dict[str, str])  # external id -> id
    recent: dict[str, datetime] = field(default_factory=dict[str, datetime])
    refreshed_at: datetime = OPEN_START
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


@dataclass(slots=True)
class Statistics:
    """Per space, refreshed from the store at most once in `every`; whoever digests, in this process or another, is seen."""

    store: Store
    clock: Callable[[], datetime]
    every: timedelta = timedelta(seconds=1)
    _spaces: dict[str, SpaceStatistics] = field(default_factory=dict[str, SpaceStatistics])

    async def of(self, space: str) -> SpaceStatistics:
        """The statistics of a space, at most `every` old. The first call of a space reads all its words."""
        held = self._spaces.setdefault(space, SpaceStatistics())
        if self.clock() - held.refreshed_at >= self.every:
            async with held.lock:
                if self.clock() - held.refreshed_at >= self.every:
                    await self._refresh(space, held)
        return held

    def forget(self, space: str) -> None:
        """Drops what is held of a space; the next question builds it anew."""
        self._spaces.pop(space, None)

    async def _refresh(self, space: str, held: SpaceStatistics) -> None:
        now = self.clock()
        after = held.refreshed_at - OVERLAP if held.refreshed_at > OPEN_START else OPEN_START
        full = True
        while full:
            page = await list_words(self.store, space=space, after=after, limit=PAGE)
            for worded in page:
                if worded.id not in held.recent:
                    held.words.add(worded.words)
                    held.recent[worded.id] = worded.digested_at
            # A page is longer than a batch digested at one instant, so the next one begins later.
            full = len(page) == PAGE and page[-1].digested_at > after
            after = page[-1].digested_at if page else after
        held.recent = {id_: at for id_, at in held.recent.items() if at >= now - OVERLAP}
        people = await list_people(self.store, space=space)
        held.ids = {external: id_ for id_, external, _ in people}
        held.people = [Person(id_, tuple(dict.fromkeys((name, external)))) for id_, external, name in people]
        held.refreshed_at = now
