"""The floor: the same writes by plain Cypher over Bolt, without a service. What the product is measured against."""

import hashlib
import secrets
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, LiteralString

import neo4j

from consilience.embedding import load_embedder

BATCH: Final = 500
PREPARE: Final[LiteralString] = """
CREATE (:Contributor {space: $space, id: $space, externalId: $space, state: 'ACTIVE', epoch: 0, recordedAt: datetime()})
CREATE (:Source {space: $space, id: $space, key: $space, channel: 'user_input', trust: 0.5, recordedAt: datetime()})
CREATE (:Session {space: $space, id: $space, externalId: $space, length: 0, startedAt: datetime(), recordedAt: datetime()})
"""
WRITE_EPISODES: Final[LiteralString] = """
MATCH (p:Contributor {space: $space, id: $space})
MATCH (s:Source {space: $space, id: $space})
MATCH (z:Session {space: $space, id: $space})
UNWIND $rows AS r
CREATE (e:Episode {space: $space, id: r.id, externalId: r.id, kind: 'EPISODE', text: r.text, role: 'USER', status: 'ACTIVE',
  confidence: 0.5, trust: 0.5, occurredAt: datetime(), recordedAt: datetime(),
  contributor: $space, session: $space, position: r.seq, bodyKey: r.key})
CREATE (e)-[:BY]->(p), (e)-[:FROM]->(s), (e)-[:IN]->(z)
CREATE (:AuditEvent {space: $space, id: r.id, seq: r.seq, recordedAt: datetime(), actor: 'floor', action: 'EPISODE_STORED', target: r.id,
  reason: 'remember', confidenceAfter: 0.5, hash: r.key})
"""
WRITE_NEXT: Final[LiteralString] = """
UNWIND $pairs AS r
MATCH (a:Episode {space: $space, id: r[0]})
MATCH (b:Episode {space: $space, id: r[1]})
CREATE (a)-[:NEXT]->(b)
"""
WRITE_VECTORS: Final[LiteralString] = """
UNWIND $rows AS r
MATCH (e:Episode {space: $space, id: r.id})
SET e.words = r.words, e.digestedAt = datetime(), e:Recallable512
WITH e, r
CALL db.create.setNodeVectorProperty(e, 'embedding', r.embedding)
"""


@dataclass(frozen=True, slots=True)
class Bolt:
    """A Neo4j to write to directly."""

    uri: str
    user: str
    password: str


Rows = list[dict[str, object]]


@contextmanager
def _session(bolt: Bolt) -> Generator[neo4j.Session]:
    with (
        neo4j.GraphDatabase.driver(bolt.uri, auth=(bolt.user, bolt.password)) as driver,  # pyright: ignore[reportUnknownMemberType]
        driver.session() as session,  # pyright: ignore[reportUnknownMemberType]
    ):
        yield session


def store(bolt: Bolt, texts: Sequence[str]) -> tuple[float, str, list[str]]:
    """(episodes a second, space, ids) of storing these texts in transactions of 500."""
    space = f"floor-{secrets.token_hex(4)}"
    ids = [f"{space}-{number:07}" for number in range(len(texts))]
    rows: Rows = [
        {"id": id_, "seq": number, "text": text, "key": hashlib.sha256(text.encode()).hexdigest()}
        for number, (id_, text) in enumerate(zip(ids, texts, strict=True))
    ]
    with _session(bolt) as session:
        session.run(PREPARE, space=space).consume()
        begun = time.perf_counter()
        for at in range(0, len(rows), BATCH):
            part = rows[at : at + BATCH]
            pairs = [[ids[number - 1], ids[number]] for number in range(max(at, 1), at + len(part))]
            session.execute_write(_write_episodes, space=space, rows=part, pairs=pairs)
        return len(texts) / (time.perf_counter() - begun), space, ids


def digest(bolt: Bolt, *, space: str, ids: Sequence[str], texts: Sequence[str]) -> float:
    """Episodes a second of embedding these texts and writing vectors and lower-cased words, in batches of 256."""
    embedder = load_embedder("use")
    with _session(bolt) as session:
        begun = time.perf_counter()
        for at in range(0, len(texts), 256):
            vectors = embedder.embed(texts[at : at + 256])
            part = zip(ids[at : at + 256], texts[at : at + 256], vectors, strict=True)
            rows: Rows = [{"id": id_, "words": text.lower(), "embedding": vector.tolist()} for id_, text, vector in part]
            session.execute_write(_write_vectors, space=space, rows=rows)
        return len(texts) / (time.perf_counter() - begun)


def _write_episodes(tx: neo4j.ManagedTransaction, *, space: str, rows: Rows, pairs: list[list[str]]) -> None:
    tx.run(WRITE_EPISODES, space=space, rows=rows).consume()
    tx.run(WRITE_NEXT, space=space, pairs=pairs).consume()


def _write_vectors(tx: neo4j.ManagedTransaction, *, space: str, rows: Rows) -> None:
    tx.run(WRITE_VECTORS, space=space, rows=rows).consume()
