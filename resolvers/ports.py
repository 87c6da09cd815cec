"""What the edge calls: the service's use cases as one protocol. The app supplies it; nothing here knows how it is done."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from consilience.schema.audit import AuditEvent
from consilience.schema.beliefs import ConflictState, Decision, StoredFact
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
    Status,
    Wait,
)
from consilience.schema.profiles import AnyMemory, IdentityCard, Outcome, Profile, SessionEnd, StoredSummary
from consilience.store.facts import StoredConflict, StoredSupersession


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


class BeliefPorts(Protocol):
    """Reading beliefs. What is not in the space is left out of a mapping; a page's cursor is for the next call's `after`.

    `hidden`: statuses that whoever asks may not see. Each method is a fixed number of queries, however many ids it is given.
    """

    async def list_facts(self, ids: Sequence[str], *, space: str) -> Mapping[str, StoredFact]: ...

    async def page_facts(
        self,
        *,
        space: str,
        subject: str | None,
        predicate: str | None,
        statuses: Sequence[Status],
        contributor: str | None,
        first: int,
        after: str | None,
    ) -> Page[StoredFact]:
        """`subject`: an entity's name, or a contributor's external id or name. `contributor`: an external id."""
        ...

    async def page_about(
        self, entity_ids: Sequence[str], *, space: str, statuses: Sequence[Status], first: int, after: str | None
    ) -> Mapping[str, Page[str]]:
        """Entity id -> ids of facts about it."""
        ...

    async def page_evidence(
        self, fact_ids: Sequence[str], *, space: str, hidden: Sequence[Status], first: int, after: str | None
    ) -> Mapping[str, Page[str]]:
        """Fact id -> ids of episodes it rests on."""
        ...

    async def page_beliefs(
        self, episode_ids: Sequence[str], *, space: str, hidden: Sequence[Status], first: int, after: str | None
    ) -> Mapping[str, Page[str]]:
        """Episode id -> ids of facts that rest on it."""
        ...

    async def list_supersessions(self, fact_ids: Sequence[str], *, space: str) -> Mapping[str, Sequence[StoredSupersession]]: ...

    async def list_conflicts_of(self, fact_ids: Sequence[str], *, space: str) -> Mapping[str, Sequence[str]]: ...

    async def list_conflicts(self, ids: Sequence[str], *, space: str) -> Mapping[str, StoredConflict]: ...

    async def page_conflicts(
        self, *, space: str, state: ConflictState | None, about: str | None, first: int, after: str | None
    ) -> Page[str]:
        """Ids of conflicts; `about` as `subject` of page_facts."""
        ...

    async def page_reviews(self, *, space: str, first: int, after: str | None) -> Page[str]:
        """Ids of facts that wait for a person."""
        ...

    async def list_aliases(self, entity_ids: Sequence[str], *, space: str) -> Mapping[str, Sequence[str]]: ...

    async def list_decisions(self, slot_ids: Sequence[str], *, space: str) -> Mapping[str, Sequence[Decision]]: ...

    async def list_events(self, *, space: str, first: int, after: int) -> Page[AuditEvent]:
        """Events of the audit in order, those after the sequence number `after`."""
        ...


class CompanionPorts(Protocol):
    """Agents, the people they talk to, and what came of use. `hidden`: statuses that whoever asks may not see: they are not here."""

    async def set_identity(self, card: IdentityCard, *, space: str, actor: str) -> IdentityCard: ...

    async def identity(self, agent: str, *, space: str) -> IdentityCard | None: ...

    async def profile(self, external_id: str, *, space: str) -> Profile | None: ...

    async def end_session(self, external_id: str, *, space: str, actor: str) -> SessionEnd: ...

    async def feedback(
        self, ids: Sequence[str], *, space: str, outcome: Outcome, note: str | None, hidden: Sequence[Status], actor: str
    ) -> Sequence[AnyMemory]:
        """All of them or, raising NotHere, none."""
        ...

    async def pin(self, id_: str, *, space: str, pinned: bool, hidden: Sequence[Status], actor: str) -> Sequence[AnyMemory]: ...

    async def list_summaries(self, ids: Sequence[str], *, space: str) -> Mapping[str, StoredSummary]: ...

    async def list_summaries_of(self, session_ids: Sequence[str], *, space: str) -> Mapping[str, StoredSummary]:
        """Session id -> its summary."""
        ...


class Ports(Protocol):
    """The use cases behind the API. Expected refusals are raised as Refusal, an absent Neo4j as StoreUnavailable.

    `actor` is the principal's name, for the audit. Space names and `first` (1..100) are checked before a port is called,
    and strings hold no NUL and no lone surrogate; every other check is the service's.
    """

    @property
    def beliefs(self) -> BeliefPorts: ...

    @property
    def companion(self) -> CompanionPorts: ...

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

    async def review(self, item: str, *, space: str, confirm: bool, note: str | None, actor: str) -> Sequence[StoredFact]:
        """The facts the decision is about, as they stand after it. Raises NotHere; so do the next two."""
        ...

    async def resolve_conflict(self, conflict: str, *, space: str, winner: str, note: str | None, actor: str) -> Sequence[StoredFact]: ...

    async def restore_fact(self, fact: str, *, space: str, note: str | None, actor: str) -> Sequence[StoredFact]: ...

    async def list_jobs(self, *, space: str | None, state: JobState | None, first: int) -> Sequence[Job]: ...

    async def get_job(self, job_id: str, *, space: str) -> Job | None: ...

    async def retry_jobs(self, *, space: str | None) -> int: ...

    async def list_spaces(self) -> Sequence[SpaceInfo]: ...

    async def status(self) -> ServiceStatus: ...
