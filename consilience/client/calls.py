"""The client: one method for each thing the service does, values in and out."""

from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Final, Self, cast

import httpx

from consilience.client import documents
from consilience.client.answers import NOTHING_STORED, Found, FoundMemory, Stored, Through, read_as
from consilience.client.batches import in_batches
from consilience.client.beliefs import Changed, ConflictPage, Explained, FactPage, ReviewPage
from consilience.client.profiles import Ended, FoundIdentity, FoundProfile
from consilience.client.transport import Transport, error_of
from consilience.schema.beliefs import ConflictState
from consilience.schema.domain import DEFAULT_SPACE, Job, JobState, NewEpisode, Recollection, ServiceStatus, Status, Wait
from consilience.schema.profiles import IdentityCard, Outcome

# A SETTLED write answers when its work is done, or when the service's own limit (120 s by default) has passed.
SETTLED_TIMEOUT_S: Final = 180.0


class Client:
    """Speaks to the service at `url`. `async with Client(url) as client: ...`

    timeout_s: for one answer. attempts: tries of calls that may be repeated (reads; `remember` when every episode has its own externalId).
    Every method raises Refused, ServiceUnavailable, StoreUnavailable, or ConsilienceError when the service failed.
    """

    def __init__(self, url: str, *, timeout_s: float = 60.0, attempts: int = 4, http: httpx.AsyncBaseTransport | None = None) -> None:
        self._transport = Transport(url, timeout_s=timeout_s, attempts=attempts, http=http)

    @property
    def url(self) -> str:
        return self._transport.url

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self._transport.close()

    async def execute(
        self, document: str, variables: Mapping[str, object] | None = None, *, repeatable: bool = False
    ) -> Mapping[str, object]:
        """Any document; its `data` as JSON values. `repeatable`: sending it twice does no harm."""
        return await self._transport.call(document, variables or {}, repeatable=repeatable)

    async def remember(self, episodes: Sequence[NewEpisode], *, space: str = DEFAULT_SPACE, wait: Wait = Wait.STORED) -> Stored:
        """Stores the episodes in order, in requests of at most 500. If one request is refused, the earlier ones stay stored."""
        stored = NOTHING_STORED
        for batch in in_batches(episodes):
            stored += await self._remember_batch(batch, space=space, wait=wait)
        return stored

    async def _remember_batch(self, batch: Sequence[NewEpisode], *, space: str, wait: Wait) -> Stored:
        given = {"space": space, "wait": wait.value, "episodes": [_episode_input(episode) for episode in batch]}
        data = await self._transport.call(
            documents.REMEMBER,
            {"input": given},
            repeatable=all(episode.external_id is not None for episode in batch),
            timeout_s=max(self._transport.timeout_s, SETTLED_TIMEOUT_S) if wait is Wait.SETTLED else None,
        )
        return read_as(Stored, _granted(data["remember"]))

    async def recall(self, asked: Recollection) -> Found:
        data = await self.execute(documents.RECALL, {"input": _recall_input(asked)}, repeatable=True)
        return read_as(Found, data["recall"])

    async def memory(self, memory_id: str, *, space: str = DEFAULT_SPACE) -> FoundMemory | None:
        """The memory with this id; None if it is not here, or not yours."""
        data = await self.execute(documents.MEMORY, {"space": space, "id": memory_id}, repeatable=True)
        return None if data["memory"] is None else read_as(FoundMemory, data["memory"])

    async def facts(
        self,
        *,
        space: str = DEFAULT_SPACE,
        subject: str | None = None,
        predicate: str | None = None,
        status: Status | None = None,
        contributor: str | None = None,
        first: int = 20,
        after: str | None = None,
    ) -> FactPage:
        """What is believed. `subject`: a name, or a contributor's external id; `contributor`: one whose word it rests on."""
        asked = {"subject": subject, "predicate": predicate, "status": status.value if status else None, "contributor": contributor}
        data = await self.execute(documents.FACTS, {"space": space, **asked, "first": first, "after": after}, repeatable=True)
        return read_as(FactPage, data["facts"])

    async def conflicts(
        self,
        *,
        space: str = DEFAULT_SPACE,
        state: ConflictState | None = None,
        about: str | None = None,
        first: int = 20,
        after: str | None = None,
    ) -> ConflictPage:
        """Facts that cannot all hold."""
        given = {"space": space, "state": state.value if state else None, "about": about, "first": first, "after": after}
        return read_as(ConflictPage, (await self.execute(documents.CONFLICTS, given, repeatable=True))["conflicts"])

    async def why(self, memory_id: str, *, space: str = DEFAULT_SPACE) -> Explained | None:
        """Why it is believed; None if it is not here, or not yours."""
        data = await self.execute(documents.WHY, {"space": space, "id": memory_id}, repeatable=True)
        return None if data["why"] is None else read_as(Explained, data["why"])

    async def review_queue(self, *, space: str = DEFAULT_SPACE, first: int = 20, after: str | None = None) -> ReviewPage:
        data = await self.execute(documents.REVIEW_QUEUE, {"space": space, "first": first, "after": after}, repeatable=True)
        return read_as(ReviewPage, data["reviewQueue"])

    async def review(self, item: str, *, confirm: bool, note: str | None = None, space: str = DEFAULT_SPACE) -> Changed:
        given = {"space": space, "item": item, "decision": "CONFIRM" if confirm else "REJECT", "note": note}
        return read_as(Changed, _granted((await self.execute(documents.REVIEW, given))["review"]))

    async def resolve_conflict(self, conflict: str, *, winner: str, note: str | None = None, space: str = DEFAULT_SPACE) -> Changed:
        given = {"space": space, "conflict": conflict, "winner": winner, "note": note}
        return read_as(Changed, _granted((await self.execute(documents.RESOLVE_CONFLICT, given))["resolveConflict"]))

    async def restore_fact(self, fact: str, *, note: str | None = None, space: str = DEFAULT_SPACE) -> Changed:
        given = {"space": space, "fact": fact, "note": note}
        return read_as(Changed, _granted((await self.execute(documents.RESTORE_FACT, given))["restoreFact"]))

    async def identity(self, agent: str, *, space: str = DEFAULT_SPACE) -> FoundIdentity | None:
        """Who the agent is; None if nobody has said so."""
        data = await self.execute(documents.IDENTITY, {"space": space, "agent": agent}, repeatable=True)
        return None if data["identity"] is None else read_as(FoundIdentity, data["identity"])

    async def set_identity(self, card: IdentityCard, *, space: str = DEFAULT_SPACE) -> FoundIdentity:
        """Says who an agent is. For administrators; repeatable."""
        given: dict[str, object] = {"space": space, "agent": card.agent, "name": card.name, "role": card.role}
        given |= {"introduction": card.introduction, "traits": list(card.traits), "hardRules": list(card.hard_rules)}
        data = await self.execute(documents.SET_IDENTITY, {"input": given}, repeatable=True)
        return read_as(FoundIdentity, _granted(data["setIdentity"]))

    async def profile(self, contributor: str, *, space: str = DEFAULT_SPACE) -> FoundProfile | None:
        """What is known of a person to talk to; None if nobody here has this external id."""
        data = await self.execute(documents.PROFILE, {"space": space, "contributor": contributor}, repeatable=True)
        return None if data["profile"] is None else read_as(FoundProfile, data["profile"])

    async def end_session(self, session: str, *, space: str = DEFAULT_SPACE) -> Ended:
        """Ends a session once all said in it is settled; repeatable."""
        data = await self._transport.call(
            documents.END_SESSION,
            {"space": space, "session": session},
            repeatable=True,
            timeout_s=max(self._transport.timeout_s, SETTLED_TIMEOUT_S),
        )
        return read_as(Ended, _granted(data["endSession"]))

    async def feedback(self, memories: Sequence[str], *, outcome: Outcome, note: str | None = None, space: str = DEFAULT_SPACE) -> Changed:
        """Says how memories that were used turned out; each call counts."""
        given = {"space": space, "memories": list(memories), "outcome": outcome.value, "note": note}
        return read_as(Changed, _granted((await self.execute(documents.FEEDBACK, {"input": given}))["feedback"]))

    async def pin(self, memory: str, *, pinned: bool = True, space: str = DEFAULT_SPACE) -> Changed:
        data = await self.execute(documents.PIN, {"space": space, "id": memory, "pinned": pinned}, repeatable=True)
        return read_as(Changed, _granted(data["pin"]))

    async def status(self) -> ServiceStatus:
        data = await self.execute(documents.STATUS, repeatable=True)
        return read_as(ServiceStatus, data["status"])

    async def sources(self, *, space: str = DEFAULT_SPACE) -> tuple[Through, ...]:
        data = await self.execute(documents.SOURCES, {"space": space}, repeatable=True)
        return tuple(read_as(Through, source) for source in cast("list[object]", data["sources"]))

    async def register_source(self, key: str, *, channel: str, trust: float | None = None, space: str = DEFAULT_SPACE) -> Through:
        """Registers the key, or confirms it as it is. Repeatable: the same key and channel give the same source."""
        given = {"space": space, "key": key, "channel": channel, "trust": trust}
        data = await self.execute(documents.REGISTER_SOURCE, given, repeatable=True)
        return read_as(Through, _granted(data["registerSource"]))

    async def jobs(self, *, space: str | None = None, state: JobState | None = None, first: int = 50) -> tuple[Job, ...]:
        """Jobs of one space, or of all that may be read; oldest first."""
        given = {"space": space, "state": state.value if state else None, "first": first}
        data = await self.execute(documents.JOBS, given, repeatable=True)
        return tuple(read_as(Job, job) for job in cast("list[object]", data["jobs"]))

    async def retry_jobs(self, *, space: str | None = None) -> int:
        """Queues the dead jobs again; how many there were."""
        data = await self.execute(documents.RETRY_JOBS, {"space": space}, repeatable=True)
        return read_as(int, data["retryJobs"])


def _granted(answer: object) -> object:
    """A union's member that is no `Problem`; a `Problem` is raised as what it stands for."""
    if isinstance(answer, dict) and cast("dict[str, object]", answer).get("__typename") == "Problem":
        raise error_of(cast("dict[str, object]", answer))
    return answer  # pyright: ignore[reportUnknownVariableType]  # JSON, read by read_as


def _episode_input(episode: NewEpisode) -> dict[str, object]:
    given: dict[str, object] = {
        "text": episode.text,
        "contributor": {"externalId": episode.contributor, "name": episode.contributor_name},
        "source": episode.source,
        "role": episode.role.value,
        "session": episode.session,
        "occurredAt": episode.occurred_at.isoformat() if episode.occurred_at else None,
        "externalId": episode.external_id,
    }
    if episode.metadata:
        given["metadata"] = [{"key": key, "value": value} for key, value in episode.metadata]
    return given


def _recall_input(asked: Recollection) -> dict[str, object]:
    """Only what was asked: an absent field takes the service's default."""
    given: dict[str, object] = {"space": asked.space, "query": asked.query, "first": asked.first, "risk": asked.risk.value}
    for name in ("asker", "contributor", "about", "session"):
        if (value := getattr(asked, name)) is not None:
            given[name] = value
    for name, at in (("since", asked.since), ("until", asked.until), ("asOf", asked.as_of)):
        if at is not None:
            given[name] = at.isoformat()
    if asked.kinds:
        given["kinds"] = [kind.value for kind in asked.kinds]
    if asked.statuses:
        given["includeStatuses"] = [status.value for status in asked.statuses]
    return given
