"""Which episodes are copies of one another (design §4): near-duplicates by others within a day, and what is declared to be one document.

Copies are found by tokens in one full-text query for a batch and joined by union-find over the neighbourhood of what is new.
"""

import asyncio
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from consilience.store.digest import Undigested
from consilience.store.driver import Store
from consilience.store.origins import Alike, Marked, fresh_origin_id, list_alike, mark, write_groups
from consilience.text.fingerprint import bands, fingerprint, similarity

NEAR: Final = 0.8
WINDOW: Final = timedelta(days=1)
# Metadata by which a writer says what a text was taken from; they may only join groups, so they need no trust.
DECLARING: Final = frozenset({"document", "upstream"})


@dataclass(frozen=True, slots=True)
class Origins:
    """Puts episodes into groups of copies, before what they say is settled."""

    store: Store

    async def join(self, *, space: str, episodes: Sequence[Undigested], now: datetime) -> list[str]:
        """Groups these episodes with their copies; returns the ids of slots whose evidence this changed. Idempotent."""
        marked = await asyncio.to_thread(lambda: [marks(episode, space=space) for episode in episodes])
        await mark(self.store, space=space, marked=marked)
        pairs = copies(marked, await list_alike(self.store, space=space, marked=marked))
        ids = sorted({id_ for pair in pairs for id_ in pair})
        return await write_groups(self.store, space=space, ids=ids, regroup=lambda held: regrouped(pairs, held), now=now)


def marks(episode: Undigested, *, space: str) -> Marked:
    """The tokens an episode is found by: bands of its fingerprint with its day, and its declared origins. They hold no text.

    Days are part of the token, so that a phrase used every day does not crowd out today's copies.
    """
    print_ = fingerprint(episode.text)
    day = int(episode.occurred_at.astimezone(UTC).timestamp() // 86_400)
    near = [f"n{_short(f'{space}|{band}')}." for band in bands(print_)]
    declared = [f"d{_short(f'{space}|{value}')}" for key, value in episode.metadata if key in DECLARING and value.strip()]
    tokens = (*declared, *(f"{token}{day}" for token in near))
    asked = (*declared, *(f"{token}{day + step}" for step in (-1, 0, 1) for token in near))
    return Marked(episode.id, episode.contributor, episode.occurred_at, print_, tokens, asked)


def copies(marked: Sequence[Marked], alike: Sequence[Alike]) -> list[tuple[str, str]]:
    """The pairs that are copies of one another. Pure.

    One contributor's own repetitions are no copies: they are joined where their votes are counted, unless one document is declared.
    """
    known = {one.id: one for one in marked}
    return [(one.id, one.other) for one in alike if _is_copy(known[one.id], of=one)]


def _is_copy(new: Marked, *, of: Alike) -> bool:
    if any(token in of.tokens for token in new.tokens if token.startswith("d")):
        return True
    if new.contributor == of.contributor or abs(new.occurred_at - of.occurred_at) >= WINDOW:
        return False
    return similarity(new.fingerprint, of.fingerprint) >= NEAR


def regrouped(pairs: Sequence[tuple[str, str]], held: Mapping[str, str | None]) -> dict[str, str]:
    """Episode -> its origin, for those whose origin changes when the copies are joined to the groups they are in. Pure but for new ids.

    A group of several is called by the smallest of the names its parts had.
    """
    parent: dict[str, str] = {}

    def root(name: str) -> str:
        top = name
        while (above := parent.setdefault(top, top)) != top:
            top = above
        while name != top:
            parent[name], name = top, parent[name]
        return top

    for id_, origin in held.items():
        if origin is not None:
            parent[root(id_)] = root(f"@{origin}")
    for one, other in pairs:
        if one in held and other in held:
            parent[root(one)] = root(other)
    names: dict[str, str] = {}
    for origin in sorted({origin for origin in held.values() if origin}, reverse=True):
        names[root(f"@{origin}")] = origin
    paired = {id_ for pair in pairs for id_ in pair}
    changed: dict[str, str] = {}
    for id_ in sorted(held):
        if held[id_] is None and id_ not in paired:
            continue
        if root(id_) not in names:
            names[root(id_)] = fresh_origin_id()
        if held[id_] != names[root(id_)]:
            changed[id_] = names[root(id_)]
    return changed


def _short(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]
