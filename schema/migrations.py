"""Numbered schema migrations: frozen text, each run once, each statement safe to repeat.

Community has uniqueness constraints only (neo4j.md B.3.3); what must exist is checked by the schema audit instead.
Every label's identity is (space, id); external keys are unique within their space.
"""

from dataclasses import dataclass
from typing import Final, LiteralString

INDEX_LABEL: Final = "Recallable"  # on what recall may find: taken off to archive, quarantine or withhold


@dataclass(frozen=True, slots=True)
class Migration:
    version: int
    name: str
    statements: tuple[LiteralString, ...]


# Runs before the first migration: the lock and the record of versions hang on it.
BOOTSTRAP: Final[LiteralString] = "CREATE CONSTRAINT schema_version IF NOT EXISTS FOR (n:SchemaVersion) REQUIRE n.version IS UNIQUE"

MIGRATIONS: Final[tuple[Migration, ...]] = (
    Migration(
        1,
        "episodes, jobs, audit",
        (
            "CREATE CONSTRAINT space_name IF NOT EXISTS FOR (n:Space) REQUIRE n.name IS UNIQUE",
            "CREATE CONSTRAINT contributor_id IF NOT EXISTS FOR (n:Contributor) REQUIRE (n.space, n.id) IS UNIQUE",
            "CREATE CONSTRAINT contributor_external IF NOT EXISTS FOR (n:Contributor) REQUIRE (n.space, n.externalId) IS UNIQUE",
            "CREATE CONSTRAINT source_id IF NOT EXISTS FOR (n:Source) REQUIRE (n.space, n.id) IS UNIQUE",
            "CREATE CONSTRAINT source_key IF NOT EXISTS FOR (n:Source) REQUIRE (n.space, n.key) IS UNIQUE",
            "CREATE CONSTRAINT session_id IF NOT EXISTS FOR (n:Session) REQUIRE (n.space, n.id) IS UNIQUE",
            "CREATE CONSTRAINT session_external IF NOT EXISTS FOR (n:Session) REQUIRE (n.space, n.externalId) IS UNIQUE",
            "CREATE CONSTRAINT episode_id IF NOT EXISTS FOR (n:Episode) REQUIRE (n.space, n.id) IS UNIQUE",
            "CREATE CONSTRAINT episode_external IF NOT EXISTS FOR (n:Episode) REQUIRE (n.space, n.externalId) IS UNIQUE",
            "CREATE CONSTRAINT job_id IF NOT EXISTS FOR (n:Job) REQUIRE (n.space, n.id) IS UNIQUE",
            "CREATE CONSTRAINT audit_seq IF NOT EXISTS FOR (n:AuditEvent) REQUIRE (n.space, n.seq) IS UNIQUE",
            "CREATE CONSTRAINT audit_head IF NOT EXISTS FOR (n:AuditHead) REQUIRE n.space IS UNIQUE",
            "CREATE INDEX episode_contributor IF NOT EXISTS FOR (n:Episode) ON (n.space, n.contributor)",
            "CREATE INDEX episode_session IF NOT EXISTS FOR (n:Episode) ON (n.space, n.session)",
            "CREATE INDEX episode_occurred IF NOT EXISTS FOR (n:Episode) ON (n.space, n.occurredAt)",
            "CREATE INDEX episode_recorded IF NOT EXISTS FOR (n:Episode) ON (n.space, n.recordedAt)",
            "CREATE INDEX episode_digested IF NOT EXISTS FOR (n:Episode) ON (n.space, n.digestedAt)",
            "CREATE INDEX job_due IF NOT EXISTS FOR (n:Job) ON (n.state, n.notBefore)",
        ),
    ),
    Migration(
        2,
        "statements, entities, slots, facts, conflicts, reviews",
        (
            "CREATE CONSTRAINT statement_id IF NOT EXISTS FOR (n:Statement) REQUIRE (n.space, n.id) IS UNIQUE",
            "CREATE CONSTRAINT entity_id IF NOT EXISTS FOR (n:Entity) REQUIRE (n.space, n.id) IS UNIQUE",
            "CREATE CONSTRAINT name_key IF NOT EXISTS FOR (n:Name) REQUIRE (n.space, n.key) IS UNIQUE",
            "CREATE CONSTRAINT slot_id IF NOT EXISTS FOR (n:Slot) REQUIRE (n.space, n.id) IS UNIQUE",
            "CREATE CONSTRAINT slot_key IF NOT EXISTS FOR (n:Slot) REQUIRE (n.space, n.subject, n.predicate) IS UNIQUE",
            "CREATE CONSTRAINT fact_id IF NOT EXISTS FOR (n:Fact) REQUIRE (n.space, n.id) IS UNIQUE",
            "CREATE CONSTRAINT fact_key IF NOT EXISTS FOR (n:Fact) REQUIRE (n.space, n.slot, n.key) IS UNIQUE",
            "CREATE CONSTRAINT conflict_id IF NOT EXISTS FOR (n:Conflict) REQUIRE (n.space, n.id) IS UNIQUE",
            "CREATE CONSTRAINT review_id IF NOT EXISTS FOR (n:ReviewItem) REQUIRE (n.space, n.id) IS UNIQUE",
            "CREATE CONSTRAINT decision_id IF NOT EXISTS FOR (n:Decision) REQUIRE (n.space, n.id) IS UNIQUE",
            "CREATE INDEX fact_predicate IF NOT EXISTS FOR (n:Fact) ON (n.space, n.predicate)",
            "CREATE INDEX fact_status IF NOT EXISTS FOR (n:Fact) ON (n.space, n.status)",
            "CREATE INDEX conflict_state IF NOT EXISTS FOR (n:Conflict) ON (n.space, n.state)",
            "CREATE INDEX slot_predicate IF NOT EXISTS FOR (n:Slot) ON (n.space, n.predicate)",
        ),
    ),
    Migration(
        3,
        "origins",
        (
            "CREATE CONSTRAINT origin_id IF NOT EXISTS FOR (n:Origin) REQUIRE (n.space, n.id) IS UNIQUE",
            # Tokens of fingerprints, days and declared documents: what finds copies. Over all episodes, also those out of other indexes.
            "CREATE FULLTEXT INDEX prints IF NOT EXISTS FOR (n:Episode) ON EACH [n.prints] "
            "OPTIONS {indexConfig: {`fulltext.analyzer`: 'whitespace'}}",
        ),
    ),
    Migration(
        4,
        "identities, uses, summaries",
        (
            "CREATE CONSTRAINT identity_id IF NOT EXISTS FOR (n:Identity) REQUIRE (n.space, n.id) IS UNIQUE",
            "CREATE CONSTRAINT identity_agent IF NOT EXISTS FOR (n:Identity) REQUIRE (n.space, n.agent) IS UNIQUE",
            "CREATE CONSTRAINT use_id IF NOT EXISTS FOR (n:Use) REQUIRE (n.space, n.id) IS UNIQUE",
            "CREATE CONSTRAINT summary_id IF NOT EXISTS FOR (n:Summary) REQUIRE (n.space, n.id) IS UNIQUE",
            "CREATE CONSTRAINT summary_session IF NOT EXISTS FOR (n:Summary) REQUIRE (n.space, n.session) IS UNIQUE",
        ),
    ),
)


def words_index(space: str) -> str:
    """Name of the full-text index of a space: one each, so that no other space changes its scores."""
    return f"words_{space}"


def words_label(space: str) -> str:
    """Label that puts a node into its space's full-text index."""
    return f"Words_{space}"


def vector_index(dimensions: int) -> str:
    """Name of the vector index over all kinds of memory with this many dimensions."""
    return f"meaning_{dimensions}"


def vector_label(dimensions: int) -> str:
    """Label that puts a node into the vector index: another dimension is an index of its own (design §6)."""
    return f"{INDEX_LABEL}{dimensions}"


def create_words_index(space: str) -> str:
    """The statement for a space's full-text index. `space` must be a checked space name (it is quoted, not escaped)."""
    return (
        f"CREATE FULLTEXT INDEX `{words_index(space)}` IF NOT EXISTS FOR (n:`{words_label(space)}`) "
        "ON EACH [n.words, n.contributor, n.session] OPTIONS {indexConfig: {`fulltext.analyzer`: 'whitespace'}}"
    )


def create_vector_index(dimensions: int) -> str:
    """The statement for the vector index. Quantisation off and m/ef as measured: recall .987 instead of .95 (neo4j.md A)."""
    return (
        f"CREATE VECTOR INDEX `{vector_index(dimensions)}` IF NOT EXISTS FOR (n:{vector_label(dimensions)}) ON n.embedding "
        "WITH [n.space, n.kind, n.status, n.contributor, n.session, n.occurredAt, n.recordedAt, n.trust] OPTIONS {indexConfig: {"
        f"`vector.dimensions`: {int(dimensions)}, `vector.similarity_function`: 'cosine', `vector.quantization.enabled`: false, "
        "`vector.hnsw.m`: 32, `vector.hnsw.ef_construction`: 200}}"
    )
