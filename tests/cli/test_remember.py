"""`remember` as a process against a stub: all or nothing for bad lines, repeatable, resumable."""

import json
import signal
import subprocess
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from tests.cli.process import command, environment, run
from tests.client.stub import Answer, Stub, data, problem

Row = dict[str, Any]


@pytest.fixture
def keeping(stub: Stub) -> Stub:
    stub.respond = lambda document, variables: stub.keep(variables)
    return stub


def write(path: Path, *rows: Row | str) -> str:
    path.write_text("".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows), encoding="utf-8")
    return str(path)


def lines(count: int) -> list[Row]:
    return [{"text": f"Line {n}", "contributor": "ana"} for n in range(count)]


def test_a_file_is_remembered_and_the_same_command_doubles_nothing(home: Path, tmp_path: Path, keeping: Stub) -> None:
    file = write(tmp_path / "talk.jsonl", *lines(600))
    first = run("remember", file, "--json", "--url", keeping.url, home=home)
    again = run("remember", file, "--json", "--url", keeping.url, home=home)
    assert (first.returncode, again.returncode) == (0, 0)
    assert json.loads(first.stdout) == {
        "file": file, "format": "jsonl", "space": "default", "stored": 600, "duplicates": 0, "quarantined": 0, "empty": 0, "skipped": [],
    }  # fmt: skip
    assert (json.loads(again.stdout)["stored"], json.loads(again.stdout)["duplicates"]) == (0, 600)
    assert len(keeping.kept) == 600
    sent = [episode["text"] for request in keeping.requests[: len(keeping.requests) // 2] for episode in request["input"]["episodes"]]
    assert sent == [f"Line {n}" for n in range(600)]


def test_options_reach_the_service(home: Path, keeping: Stub) -> None:
    done = run(
        "remember", "-", "--space", "s1", "--source", "wiki", "--contributor", "ben", "--session", "x", "--settled", "--url", keeping.url,
        home=home, stdin=b'{"text": "a"}',
    )  # fmt: skip
    assert done.returncode == 0
    [request] = keeping.requests
    [episode] = request["input"]["episodes"]
    assert (request["input"]["space"], request["input"]["wait"]) == ("s1", "SETTLED")
    assert (episode["source"], episode["contributor"]["externalId"], episode["session"]) == ("wiki", "ben", "x")


def test_a_chat_export_is_found_out(home: Path, tmp_path: Path, keeping: Stub) -> None:
    file = write(tmp_path / "chat.txt", "[2026-03-01 09:12 +01:00] Ana: hello", "there", "[2026-03-01 09:13 +01:00] 陈薇：你好")
    done = run("remember", file, "--json", "--url", keeping.url, home=home)
    assert (json.loads(done.stdout)["format"], json.loads(done.stdout)["stored"]) == ("chat", 2)


def test_nothing_is_sent_if_one_line_is_bad(home: Path, tmp_path: Path, keeping: Stub) -> None:
    file = write(tmp_path / "talk.jsonl", *lines(3), '{"text": ', {"text": "x"})
    done = run("remember", file, "--json", "--url", keeping.url, home=home)
    assert done.returncode == 3
    assert keeping.requests == []
    told = json.loads(done.stdout)["error"]
    assert [line["number"] for line in told["lines"]] == [4, 5]
    assert "line 4: not JSON (column 10" in done.stderr
    assert "nothing was sent" in done.stderr


def test_bad_lines_can_be_left_out_and_are_reported(home: Path, tmp_path: Path, keeping: Stub) -> None:
    file = write(tmp_path / "talk.jsonl", *lines(3), '{"text": ', {"text": "x"})
    done = run("remember", file, "--skip-bad", "--url", keeping.url, home=home)
    assert done.returncode == 0
    assert len(keeping.kept) == 3
    assert "line 5: contributor: missing" in done.stderr


def refusing(stub: Stub, *, text: str) -> None:
    """The stub refuses the episode with this text."""

    def respond(document: str, variables: Row) -> Answer:
        for at, episode in enumerate(variables["input"]["episodes"]):
            if episode["text"] == text:
                return problem("remember", code="EXTERNAL_ID_CONFLICT", message="another text", field=f"episodes[{at}].externalId")
        return stub.keep(variables)

    stub.respond = respond


def test_a_line_the_service_refuses_is_named(home: Path, tmp_path: Path, stub: Stub) -> None:
    refusing(stub, text="Line 300")
    done = run("remember", write(tmp_path / "talk.jsonl", *lines(400)), "--url", stub.url, home=home)
    assert done.returncode == 3
    assert "line 301: another text" in done.stderr
    assert "Stopped after 250 of 400" in done.stderr


def test_a_line_the_service_refuses_can_be_left_out(home: Path, tmp_path: Path, stub: Stub) -> None:
    refusing(stub, text="Line 300")
    done = run("remember", write(tmp_path / "talk.jsonl", *lines(400)), "--skip-bad", "--json", "--url", stub.url, home=home)
    assert done.returncode == 0
    told = json.loads(done.stdout)
    assert (told["stored"], told["skipped"]) == (399, [{"number": 301, "reason": "EXTERNAL_ID_CONFLICT: another text"}])


def test_an_interrupted_import_says_how_far_it_came_and_goes_on(home: Path, tmp_path: Path, stub: Stub) -> None:
    interrupted = threading.Event()

    def not_at_once(document: str, variables: Row) -> Answer:
        if len(stub.requests) > 1:  # the second answer comes after the interruption, however slow the machine is
            interrupted.wait(timeout=30)
        return stub.keep(variables)

    stub.respond = not_at_once
    file = write(tmp_path / "talk.jsonl", *lines(3000))
    process = subprocess.Popen(
        command("remember", file, "--url", stub.url), env=environment(home), stderr=subprocess.PIPE, stdout=subprocess.PIPE
    )
    while len(stub.requests) < 2:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=30)
    interrupted.set()
    assert process.returncode == 130
    assert b"The same command goes on from there." in told
    assert 0 < len(stub.kept) < 3000
    stub.respond = lambda document, variables: stub.keep(variables)
    assert run("remember", file, "--url", stub.url, home=home).returncode == 0
    assert len(stub.kept) == 3000


@pytest.mark.parametrize(
    ("content", "words"), [(b'[{"text": "x"}]', "JSON array"), (b"Dear diary", "neither JSON Lines nor"), (b"\xff\xfea\x00", "UTF-16")]
)
def test_another_format_is_refused(home: Path, stub: Stub, content: bytes, words: str) -> None:
    done = run("remember", "-", "--url", stub.url, home=home, stdin=content)
    assert done.returncode == 3
    assert words in done.stderr
    assert stub.requests == []


def test_a_file_that_is_not_there_is_refused(home: Path, tmp_path: Path) -> None:
    done = run("remember", str(tmp_path / "none"), home=home)
    assert done.returncode == 3
    assert "No such file" in done.stderr


def test_an_empty_file_is_no_error_and_needs_no_service(home: Path) -> None:
    done = run("remember", "-", "--json", home=home)
    assert (done.returncode, json.loads(done.stdout)["stored"]) == (0, 0)


def test_quarantined_episodes_are_counted(home: Path, stub: Stub) -> None:
    stub.in_turn(
        data({"remember": {"__typename": "Remembered", "episodes": [{"id": "ep_1", "externalId": "a"}], "duplicates": 0, "quarantined": 1}})
    )
    done = run("remember", "-", "--url", stub.url, home=home, stdin=b'{"text": "a", "contributor": "b"}')
    assert "1 of them quarantined" in done.stderr
