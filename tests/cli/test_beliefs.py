"""The commands about beliefs: readable tables, JSON, and what they send."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.process import run
from tests.client.stub import EPISODE, Stub, data, problem

COUNTS: dict[str, Any] = {"events": 3, "origins": 2, "contributors": 2, "needed": 1, "firstAt": "2026-03-01T08:00:00Z", "lastAt": None}
FACT: dict[str, Any] = {
    "id": "fact_1",
    "text": "I live in Lyon.",
    "status": "ACTIVE",
    "confidence": 0.7,
    "trust": 0.7,
    "recordedAt": "2026-03-01T08:00:00Z",
    "validFrom": "2026-03-01T00:00:00Z",
    "validTo": None,
    "subject": {"id": "ent_1", "name": "Ana"},
    "predicate": "lives_in",
    "value": "Lyon",
    "negated": False,
    "suspect": [],
    "support": COUNTS,
}
END: dict[str, Any] = {"pageInfo": {"hasNextPage": True, "endCursor": "ZmFjdF8x"}, "totalCount": 7}
RIVAL = FACT | {"id": "fact_2", "value": "Nice", "status": "TO_VERIFY", "suspect": ["DISPUTED"]}
MEMORY = {key: value for key, value in FACT.items() if key not in {"subject", "predicate", "value", "negated", "suspect", "support"}} | {
    "kind": "FACT",
    "space": "default",
}


def side(fact: dict[str, Any], reliability: float) -> dict[str, Any]:
    return {"fact": fact, "reliability": reliability, "freshness": 0.9, "consistency": 0.5, "support": COUNTS}


CONFLICT: dict[str, Any] = {
    "id": "conf_1",
    "predicate": "lives_in",
    "state": "SETTLED",
    "openedAt": "2026-03-01T08:00:00Z",
    "decidedBy": "standing",
    "subject": {"id": "ent_1", "name": "Ana"},
    "sides": [side(FACT, 0.71), side(RIVAL, 0.23)],
    "grounds": {
        "summary": "The more reliable stands.",
        "reliability": [0.71, 0.23],
        "freshness": [0.9, 0.9],
        "consistency": [1, 0.5],
        "decidedBy": "standing",
    },
}


def test_facts_are_listed_and_every_filter_is_sent(home: Path, stub: Stub) -> None:
    stub.in_turn(data({"facts": {"nodes": [FACT, RIVAL | {"negated": True}], **END}}))
    arguments = ("--subject", "Ana", "--predicate", "lives_in", "--status", "active", "--contributor", "ana", "-n", "2", "--after", "QQ")
    done = run("facts", *arguments, "--url", stub.url, home=home)
    assert done.returncode == 0, done.stderr
    for shown in ("fact_1", "Ana", "lives_in", "Lyon", "ACTIVE", "0.70", "2 origins, 3 events", "not: Nice", "DISPUTED"):
        assert shown in done.stdout
    assert "2 of 7; go on with --after ZmFjdF8x" in done.stderr
    assert stub.requests == [
        {
            "space": "default", "subject": "Ana", "predicate": "lives_in", "status": "ACTIVE", "contributor": "ana", "first": 2,
            "after": "QQ",
        }
    ]  # fmt: skip


def test_both_sides_of_a_conflict_stand_beside_each_other(home: Path, stub: Stub) -> None:
    stub.in_turn(data({"conflicts": {"nodes": [CONFLICT], **END}}))
    done = run("conflicts", "--state", "settled", "--about", "Ana", "--url", stub.url, home=home)
    assert done.returncode == 0, done.stderr
    lines = {line.split()[0]: line for line in done.stdout.splitlines() if line.strip()}
    for name, values in (("value", ("Lyon", "Nice")), ("reliability", ("0.71", "0.23")), ("status", ("ACTIVE", "TO_VERIFY"))):
        assert all(value in lines[name] for value in values), lines[name]
    assert {"freshness", "consistency", "support"} <= set(lines)
    assert "Grounds (standing): The more reliable stands." in done.stdout
    assert (stub.requests[0]["state"], stub.requests[0]["about"]) == ("SETTLED", "Ana")


def test_with_json_a_conflict_is_one_object_with_the_contracts_names(home: Path, stub: Stub) -> None:
    stub.in_turn(data({"conflicts": {"nodes": [CONFLICT], **END}}))
    told = json.loads(run("conflicts", "--json", "--url", stub.url, home=home).stdout)
    assert told["totalCount"] == 7
    assert [one["fact"]["value"] for one in told["nodes"][0]["sides"]] == ["Lyon", "Nice"]


def test_why_prints_the_sentence_and_the_words_and_they_cannot_steer_the_terminal(home: Path, stub: Stub) -> None:
    step = {
        "at": "2026-03-01T08:00:00Z",
        "what": "Ana said so",
        "episode": {"id": "ep_1", "text": "I live in \x1b[31mLyon."},
        "contributor": {"externalId": "ana", "name": "Ana"},
        "source": EPISODE["source"],
    }
    stub.in_turn(data({"why": {"sentence": "That Ana lives in “Lyon” is believed.", "memory": MEMORY, "steps": [step]}}))
    done = run("why", "fact_1", "--url", stub.url, home=home)
    assert done.returncode == 0, done.stderr
    for shown in ("That Ana lives in “Lyon” is believed.", "Ana said so", "ep_1"):
        assert shown in done.stdout
    assert "\x1b" not in done.stdout
    stub.in_turn(data({"why": None}))
    gone = run("why", "fact_9", "--url", stub.url, home=home)
    assert (gone.returncode, gone.stdout) == (3, "")


def test_the_queue_is_listed_and_an_item_decided(home: Path, stub: Stub) -> None:
    waiting = {"id": "fact_1", "reason": "COSTLY", "openedAt": "2026-03-01T08:00:00Z", "memory": MEMORY, "support": COUNTS}
    stub.in_turn(data({"reviewQueue": {"nodes": [waiting], **END}}))
    for arguments in (("review",), ("review", "list")):
        assert "COSTLY" in run(*arguments, "--url", stub.url, home=home).stdout
    stub.in_turn(data({"review": {"__typename": "Updated", "memories": [MEMORY]}}))
    done = run("review", "fact_1", "--reject", "--note", "asked her", "--url", stub.url, home=home)
    assert (done.returncode, done.stderr) == (0, "Rejected.\n")
    assert stub.requests[-1] == {"space": "default", "item": "fact_1", "decision": "REJECT", "note": "asked her"}


@pytest.mark.parametrize(
    "arguments",
    [("review", "fact_1"), ("review", "fact_1", "--confirm", "--reject"), ("review", "--confirm"), ("resolve", "conf_1"), ("why",),
     ("conflicts", "--state", "LOST"), ("facts", "--status", "LOST"), ("facts", "-n", "0")],
)  # fmt: skip
def test_a_wrong_argument_is_a_usage_error(home: Path, stub: Stub, arguments: tuple[str, ...]) -> None:
    done = run(*arguments, "--url", stub.url, home=home)
    assert (done.returncode, done.stdout) == (2, "")
    assert stub.requests == []


def test_a_conflict_is_decided_a_fact_restored_and_a_refusal_told(home: Path, stub: Stub) -> None:
    stub.in_turn(data({"resolveConflict": {"__typename": "Updated", "memories": [MEMORY]}}))
    assert "ACTIVE" in run("resolve", "conf_1", "fact_1", "--url", stub.url, home=home).stdout
    assert stub.requests[-1] == {"space": "default", "conflict": "conf_1", "winner": "fact_1", "note": None}
    stub.in_turn(data({"restoreFact": {"__typename": "Updated", "memories": [MEMORY]}}))
    assert json.loads(run("restore", "fact_1", "--json", "--url", stub.url, home=home).stdout)["memories"][0]["id"] == "fact_1"
    stub.in_turn(problem("restoreFact", code="NOT_HERE", message="no fact has this id here"))
    done = run("restore", "fact_9", "--url", stub.url, home=home)
    assert done.returncode == 3
    assert "no fact has this id here" in done.stderr
