"""Small stand-ins for the ports, for the mechanics of the edge only: what the service really does is tested on Neo4j elsewhere."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from consilience.resolvers.ports import SpaceInfo
from consilience.schema import domain
from consilience.schema.beliefs import StoredFact
from consilience.schema.domain import Job, JobState, NewEpisode, Page, Recall, Recollection, Remembered, ServiceStatus, Source, Wait
from tests.resolvers.belief_fakes import FakeBeliefs
from tests.resolvers.companion_fakes import FakeCompanion

NOW = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)


def a_contributor(name: str = "ana", *, space: str = "default") -> domain.Contributor:
    return domain.Contributor(
        id=f"con_{name}", space=space, external_id=name, name=name.title(), state=domain.ContributorState.ACTIVE, epoch=0, recorded_at=NOW
    )


def an_episode(number: int = 1, *, text: str = "I take the early train.", by: str = "ana", space: str = "default") -> domain.Episode:
    return domain.Episode(
        id=f"ep_{number}",
        space=space,
        text=text,
        role=domain.Role.USER,
        status=domain.Status.ACTIVE,
        confidence=0.5,
        trust=0.7,
        occurred_at=NOW,
        recorded_at=NOW,
        external_id=None,
        contributor=a_contributor(by, space=space),
        source=Source(id="src_1", space=space, key="conversation", channel="user_input", trust=0.7, recorded_at=NOW),
        session=domain.Session(id="ses_1", space=space, external_id="monday", started_at=NOW, ended_at=None),
    )


@dataclass(frozen=True, slots=True)
class ASpace:
    name: str = "default"
    embedder: str = "use"
    dimensions: int = 512
    episodes: int = 3


@dataclass
class FakePorts:
    """Answers from values; notes every call; raises `error` instead, if given."""

    episodes: Sequence[domain.Episode] = ()
    error: Exception | None = None
    calls: list[tuple[str, object]] = field(default_factory=list[tuple[str, object]])
    beliefs: FakeBeliefs = field(default_factory=FakeBeliefs)
    companion: FakeCompanion = field(default_factory=FakeCompanion)

    def __post_init__(self) -> None:
        self.beliefs.note = self._note
        self.companion.note = self._note

    def _note(self, name: str, value: object = None) -> None:
        self.calls.append((name, value))
        if self.error is not None:
            raise self.error

    async def remember(self, episodes: Sequence[NewEpisode], *, space: str, wait: Wait, actor: str) -> Remembered:
        self._note("remember", (tuple(episodes), space, wait, actor))
        stored = [an_episode(number, text=new.text, by=new.contributor, space=space) for number, new in enumerate(episodes, start=1)]
        return Remembered(episodes=tuple(stored), duplicates=0)

    async def recall(self, asked: Recollection) -> Recall:
        self._note("recall", asked)
        parts = domain.ScoreParts(meaning=0.9, words=0.5, recency=0.1, confidence=0.5)
        hits = [domain.Hit(rank=rank, score=0.8, parts=parts, memory=found) for rank, found in enumerate(self.episodes, start=1)]
        return Recall(hits=tuple(hits), below_floor=0, quarantined=0, took_ms=1.5)

    async def list_episodes(self, ids: Sequence[str], *, space: str) -> Mapping[str, domain.Episode]:
        self._note("list_episodes", (tuple(ids), space))
        return {episode.id: episode for episode in self.episodes if episode.id in ids and episode.space == space}

    async def list_episodes_by(
        self, contributor_ids: Sequence[str], *, space: str, first: int, after: str | None
    ) -> Mapping[str, Page[domain.Episode]]:
        self._note("list_episodes_by", (tuple(contributor_ids), space, first, after))
        pages: dict[str, Page[domain.Episode]] = {}
        for contributor in contributor_ids:
            mine = [one for one in self.episodes if one.contributor.id == contributor and (after is None or one.id > after)]
            shown = tuple(mine[:first])
            pages[contributor] = Page(
                nodes=shown, total=len(mine), end_cursor=shown[-1].id if shown else None, has_next=len(mine) > len(shown)
            )
        return pages

    async def find_contributor(self, external_id: str, *, space: str) -> domain.Contributor | None:
        self._note("find_contributor", (external_id, space))
        return next((one.contributor for one in self.episodes if one.contributor.external_id == external_id), None)

    async def register_source(self, key: str, *, space: str, channel: str, trust: float | None, actor: str) -> Source:
        self._note("register_source", (key, space, channel, trust, actor))
        return Source(id="src_2", space=space, key=key, channel=channel, trust=0.5 if trust is None else trust, recorded_at=NOW)

    async def list_sources(self, *, space: str) -> Sequence[Source]:
        self._note("list_sources", space)
        return [an_episode(space=space).source]

    async def review(self, item: str, *, space: str, confirm: bool, note: str | None, actor: str) -> Sequence[StoredFact]:
        self._note("review", (item, space, confirm, note, actor))
        return list((await self.beliefs.list_facts([item], space=space)).values())

    async def resolve_conflict(self, conflict: str, *, space: str, winner: str, note: str | None, actor: str) -> Sequence[StoredFact]:
        self._note("resolve_conflict", (conflict, space, winner, note, actor))
        return list((await self.beliefs.list_facts([winner], space=space)).values())

    async def restore_fact(self, fact: str, *, space: str, note: str | None, actor: str) -> Sequence[StoredFact]:
        self._note("restore_fact", (fact, space, note, actor))
        return list((await self.beliefs.list_facts([fact], space=space)).values())

    async def list_jobs(self, *, space: str | None, state: JobState | None, first: int) -> Sequence[Job]:
        self._note("list_jobs", (space, state, first))
        return [Job(id="job_1", space="default", kind="digest", state=JobState.DEAD, done=1, total=2, attempts=5, error="TimeoutError")]

    async def get_job(self, job_id: str, *, space: str) -> Job | None:
        self._note("get_job", (job_id, space))
        return next((replace(one, space=space) for one in await self.list_jobs(space=space, state=None, first=1) if one.id == job_id), None)

    async def retry_jobs(self, *, space: str | None) -> int:
        self._note("retry_jobs", space)
        return 1

    async def list_spaces(self) -> Sequence[SpaceInfo]:
        self._note("list_spaces")
        return [ASpace()]

    async def status(self) -> ServiceStatus:
        self._note("status")
        return ServiceStatus(
            version="0.1.0",
            neo4j="2026.01.4",
            gds="2.26.0",
            embedder="use",
            llm=None,
            pending_jobs=0,
            parked_jobs=0,
            dead_jobs=1,
            healthy=True,
        )
