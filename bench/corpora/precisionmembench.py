"""PrecisionMemBench (Flynt 2026): 35 beliefs of one user in scopes, and what must and must not be found for 77 questions.

Reads beliefs.seed.json, retrieval.cases.json, session-retrieval.cases.json, and baseline/*.json, the peers' reports.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

UNIVERSAL: Final = "user:universal"
QUESTION: Final = "open_question"


@dataclass(frozen=True, slots=True)
class Belief:
    """`pinned` ones are handed over apart from the search, as are open questions."""

    id: str
    user: str
    name: str
    aliases: tuple[str, ...]
    content: str
    scopes: tuple[str, ...]
    pinned: bool
    question: bool
    created: str
    resolved: bool

    @property
    def text(self) -> str:
        """What the belief says, and the names it goes by."""
        return f"{self.content} ({', '.join((self.name.replace('_', ' '), *self.aliases))})"


@dataclass(frozen=True, slots=True)
class Case:
    """`only`: exactly these are to be found, None where the case does not say; `never`: must not be; `budget`: at most so many in all."""

    id: str
    category: str
    user: str
    scopes: tuple[str, ...]
    query: str
    only: frozenset[str] | None
    never: frozenset[str]
    budget: int | None

    @property
    def active(self) -> bool:
        """Something is to be found: finding nothing does not pass."""
        return bool(self.only)


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn of a session. `created`: a belief that is new from the next turn on; `renamed`: (id, further aliases) from then on."""

    case: Case
    created: Belief | None
    renamed: tuple[str, tuple[str, ...]] | None


@dataclass(frozen=True, slots=True)
class Corpus:
    beliefs: tuple[Belief, ...]
    cases: tuple[Case, ...]
    sessions: tuple[tuple[Turn, ...], ...]
    peers: Mapping[str, Mapping[str, float]]


def load(folder: Path) -> Corpus:
    """The corpus of a folder. Raises FileNotFoundError without one."""
    return Corpus(
        tuple(_belief(one) for one in _read(folder / "beliefs.seed.json")),
        tuple(_case(one, one["query"], one["caseId"]) for one in _read(folder / "retrieval.cases.json")),
        tuple(tuple(_turns(one)) for one in _read(folder / "session-retrieval.cases.json")),
        {path.stem.removeprefix("retrieval-report-"): _peer(path) for path in sorted(folder.glob("baseline/retrieval-report-*.json"))},
    )


def _read(path: Path) -> list[dict[str, Any]]:
    content: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return content


def _belief(one: Mapping[str, Any]) -> Belief:
    return Belief(
        one["_id"],
        one["user_id"],
        one["canonical_name"],
        tuple(one["aliases"]),
        one["content"],
        tuple(one["scope"]),
        bool(one["pinned"]),
        one["type"] == QUESTION,
        str(one["created_at"]),
        one.get("resolved_at") is not None,
    )


def _case(one: Mapping[str, Any], query: str, id_: str) -> Case:
    expected: Mapping[str, Any] = one["expect"].get("relevantBeliefs", {})
    only = expected.get("shouldOnlyInclude")
    never = {*expected.get("mustExclude", ()), *one["expect"].get("noiseCheck", {}).get("mustNotSurface", ())}
    budget = one.get("budget", {}).get("maxBeliefs")
    category, user = str(one.get("category", "session")), str(one.get("userId", "test-user"))
    return Case(id_, category, user, tuple(one["scope"]), query, None if only is None else frozenset(only), frozenset(never), budget)


def _turns(session: Mapping[str, Any]) -> Iterator[Turn]:
    for turn in session["turns"]:
        made, renamed = turn.get("createBeliefAtTurn"), turn.get("updateBeliefAtTurn")
        aliases = (str(renamed["beliefId"]), tuple(map(str, renamed["addAliases"]))) if renamed else None
        case = _case(turn, turn["userMessage"], f"{session['caseId']}/{turn['turnIndex']}")
        yield Turn(case, _belief(made) if made else None, aliases)


def _peer(path: Path) -> dict[str, float]:
    """As the bench counts: active passes, and mean precision over all cases that state one."""
    report: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))["retrieval"]
    passes = report.get("passTypes", {}).get("activeRetrieval", report.get("activeRetrievalPasses", 0))
    return {"active_passes": float(passes), "precision": 100 * float(report["meanPrecision"]), "recall": 100 * float(report["meanRecall"])}
