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
from consilience.store.origins import Alike, Kept, Marked, fresh_origin_id, list_alike, list_marked, mark, write_groups
from consilience.text.fingerprint import bands, fingerprint

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

    async def regroup(self, *, space: str, ids: Sequence[str], now: datetime) -> list[str]:
        """The groups of these episodes made anew from the copies that are left: after one of them is gone, and in a rebuild.

        `ids`: all members of the groups in question. Returns the ids of slots whose evidence this changed.
        """
        marked = [_asking(kept) for kept in await list_marked(self.store, space=space, ids=ids)]
        pairs = copies(marked, await list_alike(self.store, space=space, marked=marked))
        return await write_groups(self.store, space=space, ids=ids, regroup=lambda held: regrouped(pairs, held, keep=False), now=now)


def _asking(kept: Kept) -> Marked:
    """Marks as they were written, with what they ask for: the days around come out of the tokens."""
    asked = [token for token in kept.tokens if token.startswith("d")]
    for token in kept.tokens:
        if token.startswith("n"):
            band, _, day = token.partition(".")
            asked += [f"{band}.{int(day) + step}" for step in (-1, 0, 1)]
    return Marked(kept.id, kept.contributor, kept.occurred_at, kept.fingerprint, kept.tokens, tuple(asked))


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
    if any(token in of.declared for token in new.tokens):
        return True
    if new.contributor == of.contributor or abs(new.occurred_at - of.occurred_at) >= WINDOW:
        return False
    return of.similarity >= NEAR


def regrouped(pairs: Sequence[tuple[str, str]], held: Mapping[str, str | None], *, keep: bool = True) -> dict[str, str | None]:
    """Episode -> its origin, for those whose origin changes. Pure but for new ids.

    `keep`: groups stay together and only grow; else they are what the copies alone make of them. A group is called by the smallest of
    the names its members had; an episode without copies belongs to none.
    """
    sets = _Sets()
    for id_, origin in held.items():
        sets.join(id_, f"@{origin}" if keep and origin is not None else id_)
    for one, other in pairs:
        if one in held and other in held:
            sets.join(one, other)
    members: dict[str, list[str]] = {}
    for id_ in sorted(held):
        members.setdefault(sets.root(id_), []).append(id_)
    taken: set[str] = set()
    changed: dict[str, str | None] = {}
    for those in members.values():
        free = sorted({origin for id_ in those if (origin := held[id_])} - taken)
        lonely = len(those) == 1 and not (keep and held[those[0]])
        name = None if lonely else free[0] if free else fresh_origin_id()
        taken |= {name} if name else set()
        changed |= {id_: name for id_ in those if held[id_] != name}
    return changed


class _Sets:
    """Union-find with path halving (Tarjan, van Leeuwen 1984)."""

    def __init__(self) -> None:
        self._parent: dict[str, str] = {}

    def root(self, name: str) -> str:
        while (above := self._parent.setdefault(name, name)) != name:
            self._parent[name] = self._parent[above]
            name = above
        return name

    def join(self, one: str, other: str) -> None:
        self._parent[self.root(one)] = self.root(other)


def _short(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]
