"""Which names are one person or thing, by what is stated and believed (design §2, I3). Never by likeness. Pure."""

from collections.abc import Sequence

from consilience.store.aliases import Known
from consilience.text.values import name_key


def represented(known: Sequence[Known]) -> dict[str, str]:
    """Entity -> the one that stands for it. Two contributors are never made one, whatever anybody says of them.

    A contributor's own entity stands for the others; else the one whose other names were stated; else the first name in order.
    The order of the entities does not matter.
    """
    by_id = {one.id: one for one in known}
    parent = {one.id: one.id for one in known}
    writers = {one.id: one.writes for one in known}

    def root(id_: str) -> str:
        while parent[id_] != id_:
            id_ = parent[id_]
        return id_

    def order(id_: str) -> tuple[str, str]:
        return (name_key(by_id[id_].name), id_)

    stated = [(one.id, other) for one in known for other in one.also if other in by_id]
    for one, other in sorted(stated, key=lambda edge: [order(id_) for id_ in edge]):
        a, b = root(one), root(other)
        if a != b and not (writers[a] and writers[b]):
            parent[b] = a
            writers[a] = writers[a] or writers[b]
    best: dict[str, str] = {}
    for entity in sorted(known, key=lambda entity: (not entity.writes, not entity.also, order(entity.id))):
        best.setdefault(root(entity.id), entity.id)
    return {one.id: best[root(one.id)] for one in known}
