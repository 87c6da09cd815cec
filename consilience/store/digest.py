"""What the digest reads and writes: texts in, words, fingerprints, cues and vectors out, index labels on."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, LiteralString

from neo4j import AsyncManagedTransaction

from consilience.schema.domain import Role
from consilience.schema.migrations import vector_label, words_label
from consilience.store.driver import Store
from consilience.store.rows import instant, pairs_of

LIST_UNDIGESTED: Final[LiteralString] = """
UNWIND $ids AS id
MATCH (e:Episode {space: $space, id: id})
WHERE e.digestedAt IS NULL
MATCH (e)-[:BY]->(p:Contributor)
RETURN e.id AS id, e.text AS text, coalesce(p.name, p.externalId) AS speaker, p.id AS contributor, p.externalId AS contributor_key,
  e.role AS role, e.occurredAt AS occurred_at, e.metadata AS metadata,
  COLLECT {
    MATCH (b:Episode)-[:NEXT*1..6]->(e) WHERE b.contributor = e.contributor
    RETURN b.text ORDER BY b.position DESC LIMIT 3
  } AS before,
  COLLECT {
    MATCH (b:Episode)-[:NEXT*1..3]->(e) WHERE b.contributor <> e.contributor
    MATCH (b)-[:BY]->(o:Contributor)
    RETURN [o.id, coalesce(o.name, o.externalId), o.externalId] ORDER BY b.position DESC LIMIT 1
  }[0] AS addressee
"""
# The space's lock keeps a digest and a change of the space's embedder apart: what is written here is of the embedder named here.
# Labels by expression keep the text constant for every space and dimension; a vector set by the procedure is stored as float32.
WRITE_DIGESTS: Final[LiteralString] = """
MATCH (s:Space {name: $space})
SET s._lock = randomUUID()
WITH s
WHERE s.embedder = $embedder
UNWIND $digests AS d
MATCH (e:Episode {space: $space, id: d.id})
WHERE e.digestedAt IS NULL
SET e.digestedAt = $now, e.words = d.words, e.fingerprint = d.fingerprint, e.cues = d.cues
FOREACH (_ IN CASE WHEN e.status = 'ACTIVE' THEN [1] ELSE [] END | SET e:$([$words_label, $vector_label]))
WITH e, d
CALL db.create.setNodeVectorProperty(e, 'embedding', d.embedding)
RETURN count(e) AS written
"""
LIST_FOR_EMBEDDING: Final[LiteralString] = """
MATCH (e:Episode {space: $space})
WHERE e.id > $after AND e.digestedAt IS NOT NULL
WITH e ORDER BY e.id LIMIT $limit
MATCH (e)-[:BY]->(p:Contributor)
RETURN e.id AS id, e.text AS text, coalesce(p.name, p.externalId) AS speaker ORDER BY id
"""
REPLACE_EMBEDDINGS: Final[LiteralString] = """
UNWIND $rows AS r
MATCH (e:Episode {space: $space, id: r.id})
REMOVE e:$($old_labels)
SET e:$([$vector_label])
WITH e, r
CALL db.create.setNodeVectorProperty(e, 'embedding', r.embedding)
RETURN count(e) AS written
"""


@dataclass(frozen=True, slots=True)
class Spoken:
    """An episode to be embedded again."""

    id: str
    text: str
    speaker: str


@dataclass(frozen=True, slots=True)
class Undigested:
    """An episode to be read, with what helps to read it.

    `before`: the speaker's own last turns in the session, the oldest first. `addressee`: (contributor id, name, external id) of whoever
    spoke last before.
    """

    id: str
    text: str
    speaker: str
    contributor: str
    contributor_key: str
    role: Role
    occurred_at: datetime
    before: tuple[str, ...] = ()
    metadata: tuple[tuple[str, str], ...] = ()
    addressee: tuple[str, str, str] | None = None


@dataclass(frozen=True, slots=True)
class Digest:
    """What is known of an episode once it has been read: index terms, MinHash, ranking cues, unit vector."""

    id: str
    words: str
    fingerprint: tuple[int, ...]
    cues: tuple[float, ...]
    embedding: tuple[float, ...]


async def list_undigested(store: Store, *, space: str, ids: Sequence[str]) -> list[Undigested]:
    """Those of the episodes that still need digesting."""
    return [
        Undigested(
            id=r["id"],
            text=r["text"],
            speaker=r["speaker"],
            contributor=r["contributor"],
            contributor_key=r["contributor_key"],
            role=Role(r["role"]),
            occurred_at=instant(r["occurred_at"]),
            before=tuple(reversed(r["before"])),
            metadata=pairs_of(r["metadata"]),
            addressee=tuple(r["addressee"]) if r["addressee"] else None,
        )
        for r in await store.read(LIST_UNDIGESTED, space=space, ids=list(ids))
    ]


async def write_digests(store: Store, *, space: str, digests: Sequence[Digest], embedder: str, dimensions: int, now: datetime) -> int:
    """Writes digests and puts the index labels on. Returns how many were written: none if the space has another embedder by now.

    Idempotent: an episode that was digested meanwhile is left as it is.
    """
    found = await store.write(
        WRITE_DIGESTS,
        space=space,
        now=now,
        embedder=embedder,
        words_label=words_label(space),
        vector_label=vector_label(dimensions),
        digests=[
            {"id": d.id, "words": d.words, "fingerprint": list(d.fingerprint), "cues": list(d.cues), "embedding": list(d.embedding)}
            for d in digests
        ],
    )
    return int(found[0]["written"])


async def list_for_embedding(store: Store, *, space: str, after: str, limit: int) -> list[Spoken]:
    """Digested episodes in order of id, those after `after`: a page of the work of re-embedding a space."""
    return [Spoken(r["id"], r["text"], r["speaker"]) for r in await store.read(LIST_FOR_EMBEDDING, space=space, after=after, limit=limit)]


async def replace_embeddings(
    store: Store, *, space: str, vectors: Sequence[tuple[str, Sequence[float]]], dimensions: int, old_dimensions: int
) -> None:
    """New vectors for episodes, under the label of their dimension's index."""

    async def work(tx: AsyncManagedTransaction) -> None:
        old = [vector_label(old_dimensions)] if old_dimensions != dimensions else []
        rows = [{"id": id_, "embedding": list(vector)} for id_, vector in vectors]
        await (await tx.run(REPLACE_EMBEDDINGS, space=space, rows=rows, old_labels=old, vector_label=vector_label(dimensions))).consume()

    await store.write_with(work)
