"""The commands about agents and people: what they send and what they show."""

import json
from pathlib import Path

from tests.cli.process import run
from tests.cli.test_beliefs import FACT, MEMORY
from tests.client.stub import Stub, data

CARD = {
    "agent": "helper",
    "name": "Hal",
    "role": "helps",
    "traits": ["brief"],
    "hardRules": ["be honest"],
    "introduction": "I am Hal, a program.",
    "isProgram": True,
}


def test_an_identity_is_shown_and_written_with_all_its_parts(home: Path, stub: Stub) -> None:
    stub.in_turn(data({"identity": CARD}), data({"setIdentity": {"__typename": "Identity", **CARD}}))
    shown = run("identity", "helper", "--url", stub.url, home=home)
    assert (shown.returncode, shown.stderr) == (0, "")
    assert all(part in shown.stdout for part in ("Hal: helps", "a program", "brief", "be honest"))
    options = ("--name", "Hal", "--role", "helps", "--introduction", "I am Hal.", "--trait", "brief", "--rule", "be honest")
    written = run("identity", "helper", *options, "--json", "--url", stub.url, home=home)
    assert json.loads(written.stdout) == CARD
    sent = {"space": "default", "agent": "helper", "name": "Hal", "role": "helps", "introduction": "I am Hal."}
    assert stub.requests[1] == {"input": sent | {"traits": ["brief"], "hardRules": ["be honest"]}}
    assert run("identity", "helper", "--role", "helps", "--url", stub.url, home=home).returncode == 2


def test_a_profile_tells_preferences_from_what_is_observed(home: Path, stub: Stub) -> None:
    likes = FACT | {"predicate": "likes", "value": "jazz", "negated": True}
    found = {
        "contributor": {"externalId": "ana", "name": "Ana"},
        "formOfAddress": "Annie",
        "stage": "REGULAR",
        "preferences": [likes],
        "observing": [FACT | {"predicate": "prefers", "value": "tea"}],
    }
    stub.in_turn(data({"profile": found}), data({"profile": None}))
    shown = run("profile", "ana", "--url", stub.url, home=home)
    assert "Annie (REGULAR)" in shown.stdout
    assert shown.stdout.index("likes: not jazz") < shown.stdout.index("Observed") < shown.stdout.index("prefers: tea")
    assert run("profile", "nobody", "--url", stub.url, home=home).returncode == 3


def test_the_end_of_a_session_is_shown_and_an_empty_one_is_no_error(home: Path, stub: Stub) -> None:
    session = {"externalId": "monday", "startedAt": "2026-03-01T08:00:00Z", "endedAt": "2026-03-01T09:00:00Z"}
    empty: dict[str, object] = {"__typename": "SessionEnded", "session": session, "summary": None, "facts": [], "todos": [], "events": []}
    full = empty | {"summary": MEMORY | {"kind": "SUMMARY", "text": "Ana: I live in Lyon."}, "facts": [FACT], "todos": ["buy milk"]}
    stub.in_turn(data({"endSession": full}), data({"endSession": empty}))
    shown = run("end-session", "monday", "--url", stub.url, home=home)
    assert all(part in shown.stdout for part in ("Ana: I live in Lyon.", "lives_in: Lyon", "buy milk"))
    nothing = run("end-session", "monday", "--url", stub.url, home=home)
    assert (nothing.returncode, nothing.stdout) == (0, "")
    assert "Nothing to keep." in nothing.stderr


def test_feedback_and_pins_are_sent_as_given(home: Path, stub: Stub) -> None:
    updated = {"__typename": "Updated", "memories": [MEMORY]}
    stub.in_turn(data({"feedback": updated}), data({"pin": updated}))
    assert run("feedback", "fact_1", "ep_1", "--misled", "--note", "wrong town", "--url", stub.url, home=home).returncode == 0
    assert run("pin", "fact_1", "--off", "--url", stub.url, home=home).returncode == 0
    assert stub.requests == [
        {"input": {"space": "default", "memories": ["fact_1", "ep_1"], "outcome": "MISLED", "note": "wrong town"}},
        {"space": "default", "id": "fact_1", "pinned": False},
    ]
    assert run("feedback", "fact_1", "--url", stub.url, home=home).returncode == 2
