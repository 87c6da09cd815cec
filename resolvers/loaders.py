"""One query per level: the loaders of one request. Their caches live as long as the request, so nothing goes stale."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from strawberry.dataloader import DataLoader

from consilience.resolvers.ports import Ports
from consilience.schema.domain import Episode, Page


class EpisodeKey(NamedTuple):
    """One episode of a space."""

    space: str
    id: str


class PageKey(NamedTuple):
    """A page of one contributor's episodes."""

    space: str
    first: int
    after: str | None
    contributor_id: str


@dataclass(frozen=True, slots=True)
class Loaders:
    episode: DataLoader[EpisodeKey, Episode | None]
    episodes_by: DataLoader[PageKey, Page[Episode]]


def loaders_of(ports: Ports) -> Loaders:
    """Fresh loaders over these ports: make them once per request."""

    async def load_episodes(keys: list[EpisodeKey]) -> Sequence[Episode | None]:
        by_space: defaultdict[str, list[str]] = defaultdict(list)
        for key in keys:
            by_space[key.space].append(key.id)
        found = {space: await ports.list_episodes(ids, space=space) for space, ids in by_space.items()}
        return [found[key.space].get(key.id) for key in keys]

    async def load_pages(keys: list[PageKey]) -> Sequence[Page[Episode]]:
        alike: defaultdict[tuple[str, int, str | None], list[str]] = defaultdict(list)
        for key in keys:
            alike[key.space, key.first, key.after].append(key.contributor_id)
        found = {page: await ports.list_episodes_by(ids, space=page[0], first=page[1], after=page[2]) for page, ids in alike.items()}
        empty: Page[Episode] = Page(nodes=(), total=0, end_cursor=None)
        return [found[key.space, key.first, key.after].get(key.contributor_id, empty) for key in keys]

    return Loaders(episode=DataLoader(load_fn=load_episodes), episodes_by=DataLoader(load_fn=load_pages))
