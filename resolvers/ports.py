"""What the edge calls: the service's use cases as one protocol. The app supplies it; nothing here knows how it is done."""

from collections.abc import Mapping, Sequence
from typing import Protocol

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


class SpaceInfo(Protocol):
    """A space as listed."""

    @property
    def name(self) -> str: ...
    @property
    def embedder(self) -> str: ...
    @property
    def dimensions(self) -> int: ...
    @property
    def episodes(self) -> int: ...


class Ports(Protocol):
    """The use cases behind the API. Expected refusals are raised as Refusal, an absent Neo4j as StoreUnavailable.

    `actor` is the principal's name, for the audit. Space names and `first` (1..100) are checked before a port is called,
    and strings hold no NUL and no lone surrogate; every other check is the service's.
    """

    async def remember(self, episodes: Sequence[NewEpisode], *, space: str, wait: Wait, actor: str) -> Remembered: ...

    async def recall(self, asked: Recollection) -> Recall: ...

    async def list_episodes(self, ids: Sequence[str], *, space: str) -> Mapping[str, Episode]:
        """Those of these episodes that are in the space, by id: one query."""
        ...

    async def list_episodes_by(
        self, contributor_ids: Sequence[str], *, space: str, first: int, after: str | None
    ) -> Mapping[str, Page[Episode]]:
        """A page of each contributor's episodes, by contributor id: one query."""
        ...

    async def find_contributor(self, external_id: str, *, space: str) -> Contributor | None: ...

    async def register_source(self, key: str, *, space: str, channel: str, trust: float | None, actor: str) -> Source: ...

    async def list_sources(self, *, space: str) -> Sequence[Source]: ...

    async def list_jobs(self, *, space: str | None, state: JobState | None, first: int) -> Sequence[Job]: ...

    async def get_job(self, job_id: str, *, space: str) -> Job | None: ...

    async def retry_jobs(self, *, space: str | None) -> int: ...

    async def list_spaces(self) -> Sequence[SpaceInfo]: ...

    async def status(self) -> ServiceStatus: ...
