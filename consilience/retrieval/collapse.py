"""One hit for one thing said: a fact in the words of an episode that was found as well does not stand beside it. Pure."""

from collections.abc import Sequence
from dataclasses import replace

from consilience.schema.domain import MemoryKind
from consilience.store.candidates import Found


def collapse(found: Sequence[Found]) -> list[Found]:
    """The candidates without the facts whose words an episode among them has; that episode takes over why they are suspect.

    The episode stays, because it says who said it and when; the fact is one step away (`beliefs`).
    """
    said = {one.words: one.id for one in found if one.kind is MemoryKind.EPISODE}
    doubts: dict[str, tuple[str, ...]] = {}
    kept: list[Found] = []
    for one in found:
        episode = said.get(one.words) if one.kind is MemoryKind.FACT and one.words else None
        if episode is None:
            kept.append(one)
        else:
            doubts[episode] = tuple(dict.fromkeys((*doubts.get(episode, ()), *one.suspect)))
    return [replace(one, suspect=doubts[one.id]) if one.id in doubts else one for one in kept]
