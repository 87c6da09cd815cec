"""`remember`: small writes that arrive together share one transaction, each caller getting its own answer (design §3)."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime

from consilience.errors import ServiceUnavailable, StillSettling
from consilience.ingest.plan import Answer, Call, Plan, plan
from consilience.ingest.validate import Limits, check_episodes
from consilience.schema.checks import check_space
from consilience.schema.domain import Episode, NewEpisode, Remembered, Status, Wait
from consilience.store.driver import Store
from consilience.store.episodes import count_undigested, list_by_ids
from consilience.store.remember import NewRow, Stored, store_episodes
from consilience.store.spaces import SpaceInfo, check_embedder, ensure_space
from consilience.trust.channels import CHANNEL_TRUST, DEFAULT_CHANNEL, UNREGISTERED, UNREGISTERED_TRUST


@dataclass(frozen=True, slots=True)
class Waiting:
    """A call in the gatherer, with where its answer goes."""

    call: Call
    answer: asyncio.Future[tuple[Answer, Mapping[str, Episode]]]


@dataclass(slots=True)
class Ingest:
    """The write use case. One per process; `digested` is set by a worker of this process whenever it has finished a batch."""

    store: Store
    limits: Limits
    embedder: str
    dimensions: int
    clock: Callable[[], datetime]
    gather_s: float
    settle_timeout_s: float
    digested: asyncio.Condition
    wake_worker: Callable[[], None]
    _queues: dict[str, list[Waiting]] = field(default_factory=dict[str, list[Waiting]])
    _flushers: dict[str, asyncio.Task[None]] = field(default_factory=dict[str, "asyncio.Task[None]"])
    _spaces: dict[str, SpaceInfo] = field(default_factory=dict[str, SpaceInfo])

    async def remember(self, episodes: Sequence[NewEpisode], *, space: str, wait: Wait, actor: str) -> Remembered:
        """Stores the episodes, all or none. With SETTLED it returns when they are digested and indexed.

        Raises InvalidInput, TooLarge, ExternalIdConflict, StoreUnavailable; StillSettling if SETTLED takes too long (all is stored then).
        """
        check_space(space)
        check_episodes(episodes, limits=self.limits)
        await self.ensure_space(space)
        answer, made = await self._enqueue(space, Call(tuple(episodes), actor, self.clock()))
        if answer.refusal is not None:
            raise answer.refusal
        if wait is Wait.SETTLED:
            await self.settled(space, answer.ids)
        elsewhere = [id_ for id_ in answer.ids if id_ not in made] if wait is Wait.STORED else list(answer.ids)
        found = dict(made) | await list_by_ids(self.store, space=space, ids=elsewhere)
        ordered = tuple(found[id_] for id_ in answer.ids)
        return Remembered(ordered, answer.duplicates, sum(episode.status is Status.QUARANTINED for episode in ordered))

    async def ensure_space(self, space: str) -> None:
        """Makes the space if nobody has used it yet. `space` is a checked name. Raises CannotStart if it has another embedder's vectors."""
        if space not in self._spaces:
            made = await ensure_space(
                self.store,
                space=space,
                embedder=self.embedder,
                dimensions=self.dimensions,
                channel=DEFAULT_CHANNEL,
                trust=CHANNEL_TRUST[DEFAULT_CHANNEL],
                now=self.clock(),
            )
            check_embedder(made, embedder=self.embedder, dimensions=self.dimensions)
            self._spaces[space] = made

    async def _enqueue(self, space: str, call: Call) -> tuple[Answer, Mapping[str, Episode]]:
        waiting = Waiting(call, asyncio.get_running_loop().create_future())
        self._queues.setdefault(space, []).append(waiting)
        if space not in self._flushers:
            self._flushers[space] = asyncio.create_task(self._flush(space))
        return await waiting.answer

    async def _flush(self, space: str) -> None:
        """Writes what has gathered until nothing is left. A call that fills a batch alone is not kept waiting."""
        try:
            while queue := self._queues.get(space):
                if sum(len(one.call.episodes) for one in queue) < self.limits.max_batch // 5:
                    await asyncio.sleep(self.gather_s)
                await self._write(space, self._take(space))
        finally:
            del self._flushers[space]

    def _take(self, space: str) -> list[Waiting]:
        """The calls at the front of the queue, up to a full batch together; always at least one."""
        queue = self._queues[space]
        taken, total = 0, 0
        while taken < len(queue) and (not taken or total + len(queue[taken].call.episodes) <= self.limits.max_batch):
            total += len(queue[taken].call.episodes)
            taken += 1
        self._queues[space] = queue[taken:]
        return queue[:taken]

    async def _write(self, space: str, batch: list[Waiting]) -> None:
        calls = [one.call for one in batch]
        decided = Plan((), ())

        def decide(existing: Mapping[str, tuple[str, str]]) -> Sequence[NewRow]:
            nonlocal decided
            decided = plan(calls, existing=existing)
            return decided.rows

        keys = sorted({episode.external_id for call in calls for episode in call.episodes if episode.external_id})
        now = self.clock()
        try:
            stored = await store_episodes(
                self.store, space=space, external_ids=keys, decide=decide, channel=UNREGISTERED, trust=UNREGISTERED_TRUST, now=now
            )
        except asyncio.CancelledError:
            # The callers must not hang on a service that is stopping; whether this batch was committed they learn by repeating it.
            _answer_all(
                batch, ServiceUnavailable("the service is stopping", hint="repeat the call; give externalIds so that nothing doubles")
            )
            raise
        except Exception as error:  # noqa: BLE001  (each caller gets it, whatever it is)
            _answer_all(batch, error)
            return
        made = {row.id: _episode(row, space=space, stored=stored, now=now) for row in decided.rows}
        for one, answer in zip(batch, decided.answers, strict=True):
            if not one.answer.done():
                one.answer.set_result((answer, made))
        if made:
            self.wake_worker()

    async def settled(self, space: str, ids: Sequence[str]) -> None:
        """Waits until a worker, of this process or another, has digested all of these. Raises StillSettling."""
        deadline = asyncio.get_running_loop().time() + self.settle_timeout_s
        while await count_undigested(self.store, space=space, ids=ids):
            if asyncio.get_running_loop().time() > deadline:
                raise StillSettling(
                    f"stored, but not settled within {self.settle_timeout_s:.0f} s", hint="the work goes on; `status` shows the queue"
                )
            async with self.digested:
                with suppress(TimeoutError):
                    await asyncio.wait_for(self.digested.wait(), timeout=0.25)


def _answer_all(batch: Sequence[Waiting], error: Exception) -> None:
    for one in batch:
        if not one.answer.done():
            one.answer.set_exception(error)


def _episode(row: NewRow, *, space: str, stored: Stored, now: datetime) -> Episode:
    source = stored.sources[row.source]
    return Episode(
        id=row.id,
        space=space,
        text=row.text,
        role=row.role,
        status=Status.ACTIVE,
        confidence=0.5,
        trust=source.trust,
        occurred_at=row.occurred_at,
        recorded_at=now,
        external_id=row.external_id,
        contributor=stored.contributors[row.contributor],
        source=source,
        session=None if row.session is None else stored.sessions[row.session],
        metadata=row.metadata,
    )
