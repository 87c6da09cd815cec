"""One query per level: the loaders of one request. Their caches live as long as the request, so nothing goes stale."""

from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from strawberry.dataloader import DataLoader

from consilience.resolvers.ports import Ports
from consilience.schema.beliefs import Decision, StoredFact
from consilience.schema.domain import Episode, Page, Status
from consilience.schema.profiles import StoredSummary
from consilience.store.facts import StoredConflict, StoredSupersession

V = TypeVar("V")
D = TypeVar("D")


class Key(NamedTuple):
    """One thing of a space."""

    space: str
    id: str


class PageKey(NamedTuple):
    """A page of one contributor's episodes."""

    space: str
    first: int
    after: str | None
    contributor_id: str


class SeenKey(NamedTuple):
    """A page of what belongs to one thing, for a reader: `statuses` are those left out, or those shown, as the loader says."""

    space: str
    first: int
    after: str | None
    statuses: tuple[Status, ...]
    id: str


@dataclass(frozen=True, slots=True)
class Loaders:
    """evidence: of a fact, and beliefs: of an episode, both without the key's statuses. about: facts of an entity in those statuses.

    summary_of: of the session with this id.
    """

    episode: DataLoader[Key, Episode | None]
    episodes_by: DataLoader[PageKey, Page[Episode]]
    fact: DataLoader[Key, StoredFact | None]
    conflict: DataLoader[Key, StoredConflict | None]
    supersessions: DataLoader[Key, Sequence[StoredSupersession]]
    conflicts_of: DataLoader[Key, Sequence[str]]
    aliases: DataLoader[Key, Sequence[str]]
    decisions: DataLoader[Key, Sequence[Decision]]
    evidence: DataLoader[SeenKey, Page[str]]
    beliefs: DataLoader[SeenKey, Page[str]]
    about: DataLoader[SeenKey, Page[str]]
    summary: DataLoader[Key, StoredSummary | None]
    summary_of: DataLoader[Key, StoredSummary | None]


def loaders_of(ports: Ports) -> Loaders:
    """Fresh loaders over these ports: make them once per request."""
    beliefs = ports.beliefs

    async def load_pages(keys: list[PageKey]) -> Sequence[Page[Episode]]:
        alike: defaultdict[tuple[str, int, str | None], list[str]] = defaultdict(list)
        for key in keys:
            alike[key.space, key.first, key.after].append(key.contributor_id)
        found = {page: await ports.list_episodes_by(ids, space=page[0], first=page[1], after=page[2]) for page, ids in alike.items()}
        empty: Page[Episode] = Page(nodes=(), total=0, end_cursor=None)
        return [found[key.space, key.first, key.after].get(key.contributor_id, empty) for key in keys]

    async def evidence(ids: Sequence[str], like: SeenKey) -> Mapping[str, Page[str]]:
        return await beliefs.page_evidence(ids, space=like.space, hidden=like.statuses, first=like.first, after=like.after)

    async def resting(ids: Sequence[str], like: SeenKey) -> Mapping[str, Page[str]]:
        return await beliefs.page_beliefs(ids, space=like.space, hidden=like.statuses, first=like.first, after=like.after)

    async def about(ids: Sequence[str], like: SeenKey) -> Mapping[str, Page[str]]:
        return await beliefs.page_about(ids, space=like.space, statuses=like.statuses, first=like.first, after=like.after)

    return Loaders(
        episode=_by_id(lambda ids, space: ports.list_episodes(ids, space=space), absent=None),
        episodes_by=DataLoader(load_fn=load_pages),
        fact=_by_id(lambda ids, space: beliefs.list_facts(ids, space=space), absent=None),
        conflict=_by_id(lambda ids, space: beliefs.list_conflicts(ids, space=space), absent=None),
        supersessions=_by_id(lambda ids, space: beliefs.list_supersessions(ids, space=space), absent=()),
        conflicts_of=_by_id(lambda ids, space: beliefs.list_conflicts_of(ids, space=space), absent=()),
        aliases=_by_id(lambda ids, space: beliefs.list_aliases(ids, space=space), absent=()),
        decisions=_by_id(lambda ids, space: beliefs.list_decisions(ids, space=space), absent=()),
        evidence=_paged(evidence),
        beliefs=_paged(resting),
        about=_paged(about),
        summary=_by_id(lambda ids, space: ports.companion.list_summaries(ids, space=space), absent=None),
        summary_of=_by_id(lambda ids, space: ports.companion.list_summaries_of(ids, space=space), absent=None),
    )


def _by_id(ask: Callable[[Sequence[str], str], Awaitable[Mapping[str, V]]], *, absent: D) -> DataLoader[Key, V | D]:
    """A loader of single things: one call of the port for each space, `absent` for what is not there."""

    async def load(keys: list[Key]) -> Sequence[V | D]:
        by_space: defaultdict[str, list[str]] = defaultdict(list)
        for key in keys:
            by_space[key.space].append(key.id)
        found = {space: await ask(ids, space) for space, ids in by_space.items()}
        return [found[key.space].get(key.id, absent) for key in keys]

    return DataLoader(load_fn=load)


def _paged(ask: Callable[[Sequence[str], SeenKey], Awaitable[Mapping[str, Page[str]]]]) -> DataLoader[SeenKey, Page[str]]:
    """A loader of pages of ids: one call of the port for all that ask for the same page of different things."""

    async def load(keys: list[SeenKey]) -> Sequence[Page[str]]:
        alike: defaultdict[SeenKey, list[str]] = defaultdict(list)
        for key in keys:
            alike[key._replace(id="")].append(key.id)
        found = {like: await ask(ids, like) for like, ids in alike.items()}
        empty: Page[str] = Page(nodes=(), total=0, end_cursor=None)
        return [found[key._replace(id="")].get(key.id, empty) for key in keys]

    return DataLoader(load_fn=load)
