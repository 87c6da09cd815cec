"""Every command as a process: help, exit statuses, what goes to which stream."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from consilience.cli.running import this_process, write_running
from tests.cli.process import environment, run
from tests.client.stub import EPISODE, FOUND, HIT, STATUS, Answer, Stub, Variables, data, error, problem

GUIDE = Path(__file__).parents[2] / "docs" / "guides" / "command-line.md"


def commands_of(help_text: str) -> set[str]:
    return set(re.findall(r"^│ ([a-z][a-z-]*) {2,}\S", help_text, re.MULTILINE))


def test_help_names_every_command_and_the_guide_names_the_same(home: Path) -> None:
    shown = run("--help", home=home)
    assert (shown.returncode, shown.stderr) == (0, "")
    in_guide = set(re.findall(r"^\| `consilience ([a-z][a-z-]*)", GUIDE.read_text(encoding="utf-8"), re.MULTILINE))
    assert commands_of(shown.stdout) == in_guide
    assert len(in_guide) >= 13


def test_every_command_has_help_and_the_options_the_guide_gives_it(home: Path) -> None:
    rows = dict(re.findall(r"^\| `consilience ([a-z][a-z-]*)[^|]*\|(.*)\|$", GUIDE.read_text(encoding="utf-8"), re.MULTILINE))
    probe = """if True:
        import sys
        from consilience.cli import main
        for name in sys.argv[1:]:
            sys.argv = ["consilience", name, "--help"]
            print("status", name, main())
    """  # one process for all: a dozen starts would cost more than they show
    done = subprocess.run([sys.executable, "-c", probe, *rows], env=environment(home), capture_output=True, text=True, check=True)
    shown = re.split(r"^status ([a-z][a-z-]*) 0$", done.stdout, flags=re.MULTILINE)
    helps = dict(zip(shown[1::2], shown[0::2], strict=False))
    assert set(helps) == set(rows)
    for name, row in rows.items():
        for option in re.findall(r"`(--?[a-z-]+)`", row):
            assert option in helps[name], f"{name} {option}"


def test_the_guide_and_the_help_give_the_same_exit_statuses(home: Path) -> None:
    in_guide = re.findall(r"^\| (\d+) \|", GUIDE.read_text(encoding="utf-8"), re.MULTILINE)
    told = re.search(r"Exit status:(.*?)\n\s*\n", run("--help", home=home).stdout + "\n\n", re.DOTALL)
    assert told is not None
    assert re.findall(r"\d+", told[1]) == in_guide


def test_help_imports_nothing_heavy(home: Path) -> None:
    """What makes it come in a third of a second; a clock would measure the machine's other work."""
    heavy = {
        "httpx",
        "pydantic",
        "neo4j",
        "numpy",
        "strawberry",
        "fastapi",
        "uvicorn",
        "structlog",
        "consilience.app",
        "consilience.config",
    }
    probe = "import sys; from consilience.cli import main; main(); print('\\n'.join(sys.modules), file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", probe, "--help"], env=environment(home), capture_output=True, text=True, check=True)
    assert "consilience.cli.app" in done.stderr.split()
    assert heavy & set(done.stderr.split()) == set()


def test_the_schema_and_the_contract_are_printed_without_a_service(home: Path) -> None:
    whole, contract = run("schema", home=home), run("schema", "--contract", home=home)
    assert (whole.returncode, contract.returncode) == (0, 0)
    assert "type Query {" in whole.stdout
    assert "The public contract" in contract.stdout
    assert json.loads(run("schema", "--json", home=home).stdout)["sdl"] == whole.stdout.removesuffix("\n")


@pytest.mark.parametrize(
    "arguments",
    [
        ("nonsense",),
        ("recall",),
        ("recall", "x", "--first", "0"),
        ("recall", "x", "--risk", "wild"),
        ("recall", "x", "--since", "2026-03-01T09:12"),
        ("remember",),
        ("remember", "x", "--format", "xml"),
        ("sources", "register", "k", "web", "--trust", "2"),
        ("jobs", "--state", "LOST"),
    ],
)
def test_a_wrong_argument_is_a_usage_error(home: Path, arguments: tuple[str, ...]) -> None:
    done = run(*arguments, home=home)
    assert (done.returncode, done.stdout) == (2, "")
    assert "Traceback" not in done.stderr


def test_without_a_service_status_says_how_to_start_one(home: Path) -> None:
    done = run("status", home=home)
    assert (done.returncode, done.stdout) == (4, "")
    assert "consilience up" in done.stderr
    assert not home.exists()


def test_an_error_with_json_is_one_object_on_stdout(home: Path) -> None:
    done = run("status", "--json", home=home)
    assert done.returncode == 4
    told = json.loads(done.stdout)["error"]
    assert (told["code"], told["field"]) == ("SERVICE_UNAVAILABLE", None)
    assert told["message"] in done.stderr


def test_a_traceback_is_shown_only_when_asked_for(home: Path) -> None:
    assert "Traceback" not in run("status", home=home).stderr
    assert "Traceback" in run("status", "--debug", home=home).stderr


def test_a_wrong_setting_cannot_start(home: Path) -> None:
    done = run("status", home=home, env={"CONSILIENCE_PORT": "many"})
    assert done.returncode == 5
    assert "setting port" in done.stderr


def test_nobody_at_the_url_is_status_4(home: Path) -> None:
    assert run("recall", "x", "--url", "http://127.0.0.1:9", home=home).returncode == 4
    assert run("recall", "x", "--url", "nonsense", home=home).returncode == 4


def test_down_without_a_service_is_no_error(home: Path) -> None:
    assert run("down", home=home).returncode == 0
    assert json.loads(run("down", "--json", home=home).stdout) == {"stopped": False, "pid": None}


def test_logs_without_a_log_are_refused(home: Path) -> None:
    assert run("logs", home=home).returncode == 3
    assert run("logs", "--neo4j", home=home).returncode == 3


def test_logs_prints_the_last_lines(home: Path) -> None:
    (home / "logs").mkdir(parents=True)
    (home / "logs" / "service.log").write_text("one\ntwo\nthree\n", encoding="utf-8")
    assert run("logs", "-n", "2", home=home).stdout == "two\nthree\n"
    assert run("logs", "-n", "0", home=home).stdout == ""


def test_serve_refuses_a_data_folder_in_use(home: Path) -> None:
    write_running(home, this_process("http://127.0.0.1:1", browser_url=None, started_at=""))
    done = run("serve", home=home)
    assert done.returncode == 5
    assert "already runs" in done.stderr


def test_status_shows_the_queue_and_is_6_when_unhealthy(home: Path, stub: Stub) -> None:
    stub.in_turn(data(STATUS))
    healthy = run("status", home=home, env={"CONSILIENCE_URL": stub.url})
    assert healthy.returncode == 0
    assert "3 waiting" in healthy.stdout
    stub.in_turn(data({"status": STATUS["status"] | {"healthy": False, "deadJobs": 2}}))
    red = run("status", "--json", "--url", stub.url, home=home)
    assert red.returncode == 6
    assert json.loads(red.stdout)["status"]["deadJobs"] == 2


def test_the_service_of_the_data_folder_is_found(home: Path, stub: Stub) -> None:
    write_running(home, this_process(stub.url, browser_url=None, started_at=""))
    stub.in_turn(data(STATUS))
    assert run("status", home=home).returncode == 0


def test_recall_shows_who_when_why_and_the_words(home: Path, stub: Stub) -> None:
    stub.in_turn(data(FOUND))
    done = run("recall", "bay 4", "--asker", "ben", "--since", "2026-01-01T00:00:00Z", "--kind", "episode", "--url", stub.url, home=home)
    assert done.returncode == 0
    for shown in ("Ana Duarte", "2026-03-01", "meaning    0.80", "The shelf in bay 4 holds 120 kg."):
        assert shown in done.stdout
    assert "2 below the trust" in done.stderr
    asked = stub.requests[0]["input"]
    assert (asked["asker"], asked["since"], asked["kinds"]) == ("ben", "2026-01-01T00:00:00+00:00", ["EPISODE"])


def test_recall_with_json_has_the_names_of_the_contract(home: Path, stub: Stub) -> None:
    stub.in_turn(data(FOUND))
    [hit] = json.loads(run("recall", "bay 4", "--json", "--url", stub.url, home=home).stdout)["hits"]
    assert hit["memory"]["contributor"] == {"externalId": "ana", "name": "Ana Duarte"}
    assert hit["memory"]["occurredAt"] == "2026-03-01T09:12:00+01:00"
    assert hit["parts"] == HIT["parts"]


def test_nothing_found_is_no_error(home: Path, stub: Stub) -> None:
    stub.in_turn(data({"recall": FOUND["recall"] | {"hits": []}}))
    done = run("recall", "x", "--url", stub.url, home=home)
    assert (done.returncode, done.stdout) == (0, "")
    assert "Nothing found." in done.stderr


def test_remembered_text_cannot_steer_the_terminal(home: Path, stub: Stub) -> None:
    hostile = EPISODE | {"text": "before \x1b[31m \x1b]0;title\x07 \u202ereversed [bold]markup[/bold]"}
    stub.in_turn(data({"recall": FOUND["recall"] | {"hits": [HIT | {"memory": hostile}]}}))
    shown = run("recall", "x", "--url", stub.url, home=home).stdout
    assert not set("\x1b\x07\u202e") & set(shown)
    assert "[bold]markup[/bold]" in shown


@pytest.mark.parametrize(("code", "exit_status"), [("INVALID_INPUT", 3), ("FORBIDDEN", 3), ("STORE_UNAVAILABLE", 4), ("INTERNAL", 1)])
def test_what_the_service_says_decides_the_exit_status(home: Path, stub: Stub, code: str, exit_status: int) -> None:
    stub.in_turn(error("in words", code=code, hint="do this"))
    done = run("recall", "x", "--url", stub.url, home=home)
    assert done.returncode == exit_status
    assert "in words" in done.stderr
    assert "do this" in done.stderr


def test_sources_are_listed_and_registered(home: Path, stub: Stub) -> None:
    wiki = {"id": "src_1", "key": "wiki", "channel": "web", "trust": 0.3}
    stub.in_turn(data({"sources": [wiki]}))
    assert "wiki" in run("sources", home=home, env={"CONSILIENCE_URL": stub.url}).stdout
    for arguments in (("sources", "list"), ("sources",)):
        assert json.loads(run(*arguments, "--json", "--url", stub.url, home=home).stdout)["sources"] == [wiki]
    stub.in_turn(data({"registerSource": wiki | {"__typename": "Source"}}))
    assert "0.30" in run("sources", "register", "wiki", "web", "--trust", "0.3", "--url", stub.url, home=home).stdout
    assert stub.requests[-1] == {"space": "default", "key": "wiki", "channel": "web", "trust": 0.3}
    stub.in_turn(problem("registerSource", code="SOURCE_CONFLICT", message="another channel"))
    assert run("sources", "register", "wiki", "web", "--url", stub.url, home=home).returncode == 3


def test_jobs_are_listed_and_dead_ones_queued_again(home: Path, stub: Stub) -> None:
    job = {"id": "job_1", "space": "default", "kind": "digest", "state": "DEAD", "done": 1, "total": 2, "attempts": 5, "error": "Timeout"}
    stub.in_turn(data({"retryJobs": 1}), data({"jobs": [job]}))
    done = run("jobs", "--state", "dead", "--retry-dead", "--url", stub.url, home=home)
    assert done.returncode == 0
    assert "Queued again: 1." in done.stderr
    assert "Timeout" in done.stdout
    assert stub.requests[1]["state"] == "DEAD"


def test_the_demonstration_asks_every_question_of_the_sample(home: Path, stub: Stub) -> None:
    tool = {"__typename": "Source", "id": "src_1", "key": "internal_tool", "channel": "internal_tool", "trust": 0.8}

    def respond(document: str, variables: Variables) -> Answer:
        if "registerSource" in document:
            return data({"registerSource": tool})
        return stub.keep(variables) if "remember" in document else data(FOUND)

    stub.respond = respond
    done = run("demo", "--json", "--url", stub.url, home=home)
    assert done.returncode == 0
    assert len(json.loads(done.stdout)["answers"]) == 8
    assert len(stub.kept) == 71
    shown = run("demo", "--url", stub.url, home=home)
    assert "ben asks: Where does Ana's sister live?" in shown.stdout
    assert "it was there already" in shown.stderr
