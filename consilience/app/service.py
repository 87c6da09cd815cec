"""All use cases behind one object: what the API, the command line, MCP and the console call. There is no second path."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Final

from consilience.app.metrics import Metrics
from consilience.app.views import Beliefs
from consilience.clock import utc_now
from consilience.config import Settings
from consilience.consolidation.companion import Companion
from consilience.consolidation.curation import Curation
from consilience.consolidation.digest import Digester
from consilience.consolidation.settling import Settler
from consilience.consolidation.worker import Worker
from consilience.embedding import Embedder
from consilience.errors import ConsilienceError
from consilience.ingest.service import Ingest
from consilience.ingest.validate import Limits
from consilience.retrieval.service import Retrieval
from consilience.retrieval.statistics import Statistics
from consilience.schema.beliefs import StoredFact
from consilience.schema.checks import check_key, check_space
from consilience.schema.domain import (
    Contributor,
    Episode,
    Job,
    JobState,
    NewEpisode,
    Page,
    Recall,
    Recollection,
    Remembered,
    ServiceStatus,
    Source,
    Wait,
)
from consilience.store import contributors, episodes, jobs, sources, spaces
from consilience.store.digest import Digest
from consilience.store.driver import Store
from consilience.trust.channels import channel_trust

# Whoever watches over the service asks often and waits briefly: a Neo4j that stands still must not make the probes stand still.
PROBE_TIMEOUT_S: Final = 5.0


@dataclass(slots=True)
class Services:
    """One process's use cases over one store. Implements resolvers.ports.Ports."""

    settings: Settings
    store: Store
    embedder: Embedder
    neo4j_version: str
    gds_version: str
    metrics: Metrics = field(default_factory=Metrics)
    workers: list[Worker] = field(default_factory=list[Worker])
    ingest: Ingest = field(init=False)
    retrieval: Retrieval = field(init=False)
    settler: Settler = field(init=False)
    digester: Digester = field(init=False)
    beliefs: Beliefs = field(init=False)
    curation: Curation = field(init=False)
    companion: Companion = field(init=False)
    _digested: asyncio.Condition = field(default_factory=asyncio.Condition)

    def __post_init__(self) -> None:
        s = self.settings
        self.ingest = Ingest(
            self.store,
            Limits(s.max_text_bytes, s.max_batch, s.max_metadata),
            self.embedder.id,
            self.embedder.dimensions,
            utc_now,
            s.gather_ms / 1000,
            s.settle_timeout_s,
            self._digested,
            self._wake,
        )
        self.retrieval = Retrieval(self.store, self.embedder, Statistics(self.store, utc_now), utc_now)
        self.settler = Settler(self.store, self.embedder, utc_now)
        self.digester = Digester(self.store, self.embedder, self.settler, utc_now, s.digest_batch, self._after_digest)
        self.beliefs = Beliefs(self.store)
        self.curation = Curation(self.store, self.settler, utc_now)
        self.companion = Companion(self.store, utc_now, self.ingest.ensure_space, self.ingest.settled)

    def add_worker(self) -> Worker:
        """A worker of this process; the caller runs it."""
        worker = Worker(self.store, {"digest": self._digest, "settle": self._settle}, self.settings.job_lease_s, self.settings.job_attempts)
        self.workers.append(worker)
        return worker

    async def _digest(self, space: str, ids: Sequence[str]) -> None:
        await self.digester.digest(space=space, ids=ids)

    async def _settle(self, space: str, slots: Sequence[str]) -> None:
        await self.settler.settle(space=space, slots=slots, actor="settle")

    def _wake(self) -> None:
        for worker in self.workers:
            worker.wake()

    async def _after_digest(self, digests: Sequence[Digest]) -> None:
        self.metrics.digested.inc(len(digests))
        async with self._digested:
            self._digested.notify_all()

    async def remember(self, episodes: Sequence[NewEpisode], *, space: str, wait: Wait, actor: str) -> Remembered:
        with self.metrics.remember_s.time():
            answer = await self.ingest.remember(episodes, space=space, wait=wait, actor=actor)
        self.metrics.stored.inc(len(answer.episodes) - answer.duplicates)
        self.metrics.duplicates.inc(answer.duplicates)
        return answer

    async def recall(self, asked: Recollection) -> Recall:
        with self.metrics.recall_s.time():
            return await self.retrieval.recall(asked)

    async def list_episodes(self, ids: Sequence[str], *, space: str) -> Mapping[str, Episode]:
        return await episodes.list_by_ids(self.store, space=space, ids=ids)

    async def list_episodes_by(
        self, contributor_ids: Sequence[str], *, space: str, first: int, after: str | None
    ) -> Mapping[str, Page[Episode]]:
        return await episodes.list_by_contributors(self.store, space=space, contributor_ids=contributor_ids, first=first, after=after)

    async def find_contributor(self, external_id: str, *, space: str) -> Contributor | None:
        return await contributors.find_contributor(self.store, space=space, external_id=external_id)

    async def register_source(self, key: str, *, space: str, channel: str, trust: float | None, actor: str) -> Source:
        check_space(space)
        check_key(key, field="key")
        check_key(channel, field="channel")
        worth = channel_trust(channel, trust)
        await self.ingest.ensure_space(space)
        made = await sources.register_source(self.store, space=space, key=key, channel=channel, trust=worth, actor=actor, now=utc_now())
        self._wake()
        return made

    async def list_sources(self, *, space: str) -> Sequence[Source]:
        return await sources.list_sources(self.store, space=space)

    async def review(self, item: str, *, space: str, confirm: bool, note: str | None, actor: str) -> Sequence[StoredFact]:
        return await self.curation.review(space=space, item=item, confirm=confirm, note=note, actor=actor)

    async def resolve_conflict(self, conflict: str, *, space: str, winner: str, note: str | None, actor: str) -> Sequence[StoredFact]:
        return await self.curation.resolve(space=space, conflict=conflict, winner=winner, note=note, actor=actor)

    async def restore_fact(self, fact: str, *, space: str, note: str | None, actor: str) -> Sequence[StoredFact]:
        return await self.curation.restore(space=space, fact=fact, note=note, actor=actor)

    async def list_jobs(self, *, space: str | None, state: JobState | None, first: int) -> Sequence[Job]:
        return await jobs.list_jobs(self.store, space=space, state=state, first=first)

    async def get_job(self, job_id: str, *, space: str) -> Job | None:
        return await jobs.get_job(self.store, space=space, job_id=job_id)

    async def retry_jobs(self, *, space: str | None) -> int:
        retried = await jobs.retry_dead(self.store, space=space)
        self._wake()
        return retried

    async def list_spaces(self) -> Sequence[spaces.SpaceInfo]:
        return await spaces.list_spaces(self.store)

    async def ready(self) -> bool:
        """Whether Neo4j answers, now or within 5 s."""
        try:
            async with asyncio.timeout(PROBE_TIMEOUT_S):
                return await self.store.ping()
        except TimeoutError:
            return False

    async def status(self) -> ServiceStatus:
        """What the service is and how it does; a store that does not answer within 5 s makes it unhealthy, not an error."""
        try:
            async with asyncio.timeout(PROBE_TIMEOUT_S):
                queue, reachable = await jobs.counts(self.store), True
        except (ConsilienceError, TimeoutError):
            queue, reachable = jobs.JobCounts(0, 0, 0), False
        healthy = reachable and not queue.dead and not any(worker.failing for worker in self.workers)
        for state, count in (("pending", queue.pending), ("parked", queue.parked), ("dead", queue.dead)):
            self.metrics.jobs.labels(state).set(count)
        self.metrics.healthy.set(healthy)
        return ServiceStatus(
            version("consilience"),
            self.neo4j_version,
            self.gds_version,
            self.embedder.id,
            None,
            queue.pending,
            queue.parked,
            queue.dead,
            healthy,
        )
