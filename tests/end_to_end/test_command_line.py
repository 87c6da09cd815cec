"""The newcomer's path, command by command, against a service that is really there."""

import json
import subprocess
from pathlib import Path
from typing import Any, Final

import pytest

from tests.cli.process import run
from tests.end_to_end.canaries import canary
from tests.end_to_end.service import Service

PAIR: Final = 2


def consilience(service: Service, *arguments: str, stdin: bytes = b"") -> "subprocess.CompletedProcess[str]":
    return run(*arguments, home=service.home, env=service.variables, stdin=stdin, timeout_s=240)


def told(service: Service, *arguments: str, stdin: bytes = b"") -> Any:
    """The JSON object of a command that did its work."""
    done = consilience(service, *arguments, "--json", stdin=stdin)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture
def conversation(tmp_path: Path) -> Path:
    file = tmp_path / "talk.jsonl"
    lines = [
        {"externalId": "t1", "contributor": {"externalId": "ana", "name": "Ana"}, "text": f"The blue kettle leaks, {canary('clitext')}."},
        {"externalId": "t2", "contributor": {"externalId": "li", "name": "李明"}, "text": "蓝色的水壶漏水，我明天去买一个新的。"},
        {"externalId": "t3", "contributor": {"externalId": "ben"}, "text": "Trains to Porto leave at nine.", "session": "trip"},
    ]
    file.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")
    return file


def test_a_file_is_remembered_once_and_recalled_with_who_said_it(service: Service, space: str, conversation: Path) -> None:
    first = told(service, "remember", str(conversation), "--space", space, "--settled")
    again = told(service, "remember", str(conversation), "--space", space)
    assert (first["stored"], first["duplicates"]) == (3, 0)
    assert (again["stored"], again["duplicates"]) == (0, 3)
    found = told(service, "recall", "What is wrong with the kettle?", "--space", space)
    assert found["hits"][0]["memory"]["externalId"] in {"t1", "t2"}
    assert found["hits"][0]["memory"]["contributor"]["externalId"] in {"ana", "li"}
    chinese = told(service, "recall", "水壶怎么了？", "--space", space, "--contributor", "li")
    assert [hit["memory"]["externalId"] for hit in chinese["hits"]] == ["t2"]
    assert chinese["hits"][0]["memory"]["text"] == "蓝色的水壶漏水，我明天去买一个新的。", "O8: Chinese stays Chinese"
    table = consilience(service, "recall", "trains to Porto", "--space", space)
    assert table.returncode == 0
    assert "Trains to Porto leave at nine." in table.stdout
    assert "ben" in table.stdout


def test_a_plain_chat_from_standard_input_is_remembered(service: Service, space: str) -> None:
    chat = "[2026-03-01 09:12 +01:00] Ana: The gate is green now.\nAnd the fence as well.\n[2026-03-01 09:13 +01:00] Ben: Good.\n"
    assert told(service, "remember", "-", "--space", space, "--settled", stdin=chat.encode())["stored"] == PAIR
    hits = told(service, "recall", "What colour is the gate?", "--space", space)["hits"]
    assert hits[0]["memory"]["text"].startswith("The gate is green now."), "the fact that follows, or the words themselves"
    (said, *_) = [hit["memory"]["text"] for hit in hits if hit["memory"]["kind"] == "EPISODE"]
    assert said == "The gate is green now.\nAnd the fence as well."


def test_what_the_service_refuses_names_the_line_and_exits_3(service: Service, space: str) -> None:
    line = {"externalId": "t1", "contributor": {"externalId": "ana"}, "text": canary("clirefused")}
    assert told(service, "remember", "-", "--space", space, stdin=json.dumps(line).encode())["stored"] == 1
    other = json.dumps(line | {"text": "something else"}).encode()
    refused = consilience(service, "remember", "-", "--space", space, "--json", stdin=other)
    assert refused.returncode == 3
    assert json.loads(refused.stdout)["error"]["code"] == "EXTERNAL_ID_CONFLICT"
    assert "line 1" in refused.stderr
    assert "canary" not in refused.stderr


def test_a_registered_source_counts_with_its_trust_and_an_unknown_one_with_a_fifth(service: Service, space: str) -> None:
    source = told(service, "sources", "register", "wiki", "internal_tool", "--space", space, "--trust", "0.7")["source"]
    assert (source["key"], source["trust"]) == ("wiki", 0.7)
    lines = [
        {"contributor": {"externalId": "ana"}, "text": f"The cellar key is in the hall ({key}).", "source": key}
        for key in ("wiki", "rumour")
    ]
    told(service, "remember", "-", "--space", space, "--settled", stdin="\n".join(map(json.dumps, lines)).encode())
    listed = {one["key"]: one["trust"] for one in told(service, "sources", "list", "--space", space)["sources"]}
    assert (listed["wiki"], listed["rumour"]) == (0.7, 0.2)
    found = told(service, "recall", "Where is the cellar key?", "--space", space)
    assert [hit["memory"]["source"]["key"] for hit in found["hits"]] == ["wiki"]
    assert found["cut"]["belowFloor"] == 1


def test_status_doctor_and_schema_tell_of_a_healthy_service(service: Service) -> None:
    status = told(service, "status")
    assert status["url"] == service.url
    assert (status["status"]["healthy"], status["status"]["deadJobs"], status["status"]["neo4j"]) == (True, 0, "2026.01.4")
    doctor = consilience(service, "doctor", "--json")
    checks = {check["name"]: check["ok"] for check in json.loads(doctor.stdout)["checks"]}
    assert doctor.returncode == 0, doctor.stdout
    assert False not in checks.values()
    assert {"database", "graph data science", "embedder", "queue"} <= checks.keys()
    assert "type Query" in consilience(service, "schema").stdout
    assert told(service, "jobs") == {"retried": None, "jobs": []}


def test_the_demonstration_finds_each_questions_answer_among_the_first_three(service: Service) -> None:
    answers = told(service, "demo")["answers"]
    firsts = {answer["question"]["query"]: [hit["memory"]["externalId"] for hit in answer["found"]["hits"]] for answer in answers}
    print(firsts)
    missed = [found for answer in answers if answer["question"]["first"] not in (found := firsts[answer["question"]["query"]])[:3]]
    assert len(answers) >= 8
    assert missed == []
    shown = consilience(service, "demo")
    assert "it was there already" in shown.stderr
    assert all(answer["question"]["query"] in shown.stdout for answer in answers)
