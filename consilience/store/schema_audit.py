"""What Community cannot constrain, checked: each node holds what its label declares, with the right type (neo4j.md B.3.3)."""

from dataclasses import dataclass
from typing import LiteralString, cast

from consilience.schema.migrations import MIGRATIONS, vector_index, words_index
from consilience.schema.nodes import declared
from consilience.store.driver import Store
from consilience.store.migrate import index_states, schema_version
from consilience.store.spaces import list_spaces


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing checked: whether it is as it should be, and what was found."""

    name: str
    ok: bool
    found: str


async def audit_schema(store: Store) -> list[Finding]:
    """Schema version, indexes, and the nodes of each label that lack a required property or hold another type. Reads only."""
    version = await schema_version(store)
    newest = MIGRATIONS[-1].version
    findings = [Finding("schema version", version == newest, f"{version} of {newest}")]
    findings.append(await _indexes(store))
    bad = {label: await _count_bad(store, label=label, required=required) for label, required in declared().items()}
    wrong = ", ".join(f"{count} {label}" for label, count in bad.items() if count)
    findings.append(Finding("nodes as declared", not wrong, wrong or f"all of {len(bad)} labels"))
    return findings


async def _indexes(store: Store) -> Finding:
    """The vector and word indexes of every space are there, and no index is failed or still filling."""
    states = await index_states(store)
    spaces = await list_spaces(store)
    wanted = {"prints"} | {vector_index(space.dimensions) for space in spaces} | {words_index(space.name) for space in spaces}
    wrong = sorted(f"{name} missing" for name in wanted - states.keys())
    wrong += sorted(f"{name} {state.lower()}" for name, state in states.items() if state != "ONLINE")
    return Finding("indexes", not wrong, ", ".join(wrong) or f"{len(states)} online")


async def _count_bad(store: Store, *, label: str, required: dict[str, str]) -> int:
    """Nodes of the label (a class of schema/nodes.py, so a checked name) that are not as declared; of all spaces."""
    wrong = " OR ".join(f"n.{name} IS NULL OR NOT valueType(n.{name}) STARTS WITH '{kind}'" for name, kind in required.items())
    marker = " AND n.version > 0" if label == "SchemaVersion" else ""  # version 0 is the migrations' lock
    rows = await store.read(cast(LiteralString, f"MATCH (n:{label}) WHERE ({wrong}){marker} RETURN count(n) AS bad"))
    return int(rows[0]["bad"])
