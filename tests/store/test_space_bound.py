"""No text sent to Neo4j looks outside its space (T01)."""

import importlib
import pkgutil
import re
from typing import Final

import pytest

import consilience.store
from consilience.store.candidates import all_queries

# Each with the reason why it may look at all spaces, or at what belongs to none.
EXEMPT: Final[dict[str, str]] = {
    "jobs.LEASE_JOBS": "the queue spans spaces: a worker takes what is due",
    "jobs.EXTEND_LEASES": "a worker's own jobs, by id and worker",
    "jobs.DELETE_DONE": "a worker's own jobs, by id and worker",
    "jobs.FAIL_JOBS": "a worker's own jobs, by id and worker",
    "jobs.RETRY_DEAD": "an administrator's command, for a space or all",
    "jobs.COUNT_JOBS": "the service's status counts the whole queue",
    "jobs.LIST_JOBS": "an administrator's list, for a space or all",
    "spaces.LIST_SPACES": "the list of spaces",
    "migrate.LOCK_SCHEMA": "the schema belongs to no space",
    "migrate.RECORD_MIGRATION": "the schema belongs to no space",
    "migrate.GET_SCHEMA_VERSION": "the schema belongs to no space",
}
_NODE: Final = re.compile(r"\(\s*(?P<name>\w+)?\s*(?P<label>:[^\s(){}]+(?:\([^()]*\))?[^\s(){}]*)?\s*(?P<props>\{[^{}]*\})?\s*\)")
_PATTERN: Final = re.compile(r"\b(?:OPTIONAL\s+MATCH|MATCH|MERGE|CREATE)\b|\b(?:COUNT|EXISTS|COLLECT)\s*\{", re.IGNORECASE)
_END: Final = re.compile(
    r"\b(?:WHERE|WITH|RETURN|SET|ON\s+CREATE|ON\s+MATCH|DELETE|DETACH|UNWIND|CALL|REMOVE|FOREACH|SEARCH|ORDER|UNION|MATCH|OPTIONAL|MERGE|CREATE)\b|\}\s*(?:AS|$|,)"
)
_BOUND_LATER: Final = re.compile(r"(?<!IS NULL OR )\b(?P<name>\w+)\.space\s*=\s*\$space\b")
_RENAMED: Final = re.compile(r"\b(?P<old>\w+)\s+AS\s+(?P<new>\w+)\b")
_YIELDED: Final = re.compile(r"\bYIELD\s+node\s+AS\s+(?P<name>\w+)", re.IGNORECASE)
_WRITES_CYPHER: Final = re.compile(r"\b(?:MATCH|MERGE|CREATE)\s*\(|\b(?:COUNT|EXISTS|COLLECT)\s*\{|\bqueryNodes\b")


def constants() -> dict[str, str]:
    """Every text of the store's modules, module constants and put-together ones, by name."""
    found: dict[str, str] = {}
    for module in pkgutil.walk_packages(consilience.store.__path__, "consilience.store."):
        loaded = importlib.import_module(module.name)
        place = module.name.removeprefix("consilience.store.")
        for name, value in vars(loaded).items():
            # Fragments with holes are checked as what is made of them.
            if isinstance(value, str) and not name.startswith("_") and _WRITES_CYPHER.search(value) and "{{" not in value:
                found[f"{place}.{name}"] = value
    return found | {f"candidates {name}": text for name, text in all_queries(512).items()}


def unbound(text: str) -> list[str]:
    """The patterns of a text that begin nowhere in the space: no node in them is bound before, has `space: $space`, or is named in
    a condition `n.space = $space` right after. What a full-text index yields must be held to the space as well."""
    plain = re.sub(r"'[^']*'|//[^\n]*", "''", text)
    known: set[str] = set()
    wrong: list[str] = []
    steps = sorted([*_PATTERN.finditer(plain), *_YIELDED.finditer(plain), *_RENAMED.finditer(plain)], key=lambda step: step.start())
    for step in steps:
        if step.re is _PATTERN:
            wrong += _unbound_paths(plain, start=step.end(), known=known)
        elif step.re is _YIELDED:
            following = plain[step.end() : step.end() + 200]
            if f"{step['name']}.space = $space" not in following.split("RETURN")[0]:
                wrong.append(step.group())
            known.add(step["name"])
        elif step["old"] in known:
            known.add(step["new"])
    return wrong


def _unbound_paths(plain: str, *, start: int, known: set[str]) -> list[str]:
    """The paths of the clause that begins here which no node holds to the space; their names are `known` from here on."""
    end = _END.search(plain, start)
    after = plain[end.start() : end.start() + 400] if end else ""
    held = {match["name"] for match in _BOUND_LATER.finditer(after.split("RETURN")[0])}
    wrong: list[str] = []
    for path in _paths(plain[start : end.start() if end else len(plain)]):
        nodes = list(_NODE.finditer(path))
        bound = [
            node["name"] in known
            or node["name"] in held
            or "space: $space" in (node["props"] or "")
            or (node["label"] == ":Space" and "name: $space" in (node["props"] or ""))
            for node in nodes
        ]
        if nodes and not any(bound):
            wrong.append(path.strip())
        known |= {node["name"] for node in nodes if node["name"]}
    return wrong


def _paths(clause: str) -> list[str]:
    """A clause's patterns: parted at the commas outside of brackets."""
    parts, depth, current = list[str](), 0, ""
    for char in clause:
        depth += (char in "([{") - (char in ")]}")
        if char == "," and depth == 0:
            parts.append(current)
            current = ""
        else:
            current += char
    return [*parts, current]


def test_every_cypher_constant_binds_the_space() -> None:
    """T01: each pattern begins at a node of `$space`; what may look further is listed by name, with its reason."""
    wrong = {name: found for name, text in constants().items() if name not in EXEMPT and (found := unbound(text))}
    assert wrong == {}


def test_no_exemption_outlives_its_need() -> None:
    """T01: an exempt text that binds the space by now, or is gone, leaves the list."""
    texts = constants()
    assert [name for name in EXEMPT if name not in texts or not unbound(texts[name])] == []


def test_the_check_sees_the_texts_there_are() -> None:
    """T01, control of the collection: the modules' best-known texts are among those checked."""
    names = constants().keys()
    assert {"remember.CREATE_EPISODES", "episodes.LIST_EPISODES", "digest.WRITE_DIGESTS", "audit.APPEND_EVENTS"} <= names
    assert sum(name.startswith("candidates ") for name in names) > 15
    assert len(names) > 45


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (e:Episode {id: $id}) RETURN e",
        "MATCH (e:Episode {id: $id, space: $other}) RETURN e",
        "MATCH (e:Episode) WHERE e.id = $id RETURN e.space = $space",
        "MATCH (a:Episode {space: $space, id: $id}) MATCH (b:Episode {id: $after}) CREATE (a)-[:NEXT]->(b)",
        "MATCH (a:Episode {space: $space}), (b:Episode) RETURN a, b",
        "MERGE (p:Contributor {externalId: $key}) RETURN p",
        "UNWIND $rows AS r CREATE (e:Episode {id: r.id, space: r.space})",
        "MATCH (s:Source {space: $space}) RETURN COUNT { (e:Episode {source: s.key}) } AS n",
        "MATCH (s:Source {space: $space}) RETURN COUNT { MATCH (e:Episode) WHERE e.id = s.id } AS n",
        "MATCH (s:Source {space: $space}) OPTIONAL MATCH (x:Session {id: s.id}) RETURN x",
        "MATCH (n:Recallable512) SEARCH n IN (VECTOR INDEX meaning_512 FOR $v WHERE n.kind = 'EPISODE' LIMIT 5) SCORE AS s RETURN n",
        "CALL db.index.fulltext.queryNodes($index, $query) YIELD node AS n RETURN n",
        "CALL db.index.fulltext.queryNodes($index, $query) YIELD node AS n WHERE n.status = 'ACTIVE' RETURN n",
    ],
)
def test_a_text_that_leaves_its_space_is_caught(text: str) -> None:
    """T01, positive control."""
    assert unbound(text)


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (e:Episode {space: $space, id: $id})-[:BY]->(p:Contributor) RETURN p",
        "MATCH (e:Episode {space: $space}) MATCH (e)-[:BY]->(p), (e)-[:FROM]->(s:Source) RETURN p, s",
        "MATCH (e:Episode) WHERE e.space = $space AND e.id = $id RETURN e",
        "MATCH (m:Recallable512) SEARCH m IN (VECTOR INDEX meaning_512 FOR $v WHERE m.space = $space LIMIT 5) SCORE AS s RETURN m",
        "CALL db.index.fulltext.queryNodes($index, $query, {limit: 5}) YIELD node AS n WHERE n.space = $space RETURN n",
    ],
)
def test_a_text_that_stays_in_its_space_passes(text: str) -> None:
    """T01: the check is not content with refusing everything."""
    assert unbound(text) == []
