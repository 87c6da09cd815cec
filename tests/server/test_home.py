"""The data folder: who may write, how much room, one service at a time."""

import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from consilience.config import load_settings
from consilience.errors import CannotStart
from consilience.server.home import HomeLock, layout, prepare_home, refuse_full_disk, store_password

Nobody = Callable[[], AbstractContextManager[None]]
HOLD = (
    "import sys; from pathlib import Path; from consilience.config import load_settings; from consilience.server.home import HomeLock\n"
    "with HomeLock(load_settings(home=Path(sys.argv[1]))):\n    print('held', flush=True); sys.stdin.read()\n"
)


def test_a_read_only_data_folder_is_refused_with_what_to_do(read_only_folder: Path, as_nobody: Nobody, tmp_path: Path) -> None:
    """O11. Positive control: a writable folder is taken."""
    assert prepare_home(load_settings(home=tmp_path)).data.is_dir()
    settings = load_settings(home=read_only_folder / "home")
    with as_nobody(), pytest.raises(CannotStart, match=f"cannot write the data folder {settings.home}: Permission denied") as refusal:
        prepare_home(settings)
    assert "CONSILIENCE_HOME" in (refusal.value.hint or "")
    assert refusal.value.exit_status == 5


def test_a_data_folder_that_cannot_be_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    settings = load_settings(home=tmp_path / "file" / "home")
    with pytest.raises(CannotStart, match="cannot write the data folder"):
        prepare_home(settings)
    with pytest.raises(CannotStart, match="cannot write the data folder"), HomeLock(settings):
        pass


def test_a_disk_nearly_full_is_refused_before_the_first_start(tmp_path: Path) -> None:
    """O11. Positive control: at 500 MB it starts."""
    refuse_full_disk(tmp_path, free_mb=500)
    with pytest.raises(CannotStart, match=r"only 499 MB free .* a new store needs 500 MB") as refusal:
        refuse_full_disk(tmp_path, free_mb=499)
    assert refusal.value.hint


def test_the_password_is_made_once_random_and_private(tmp_path: Path) -> None:
    places = [prepare_home(load_settings(home=tmp_path / name)) for name in ("a", "b")]
    first, second = (store_password(place) for place in places)
    assert first != second
    assert len(first) == 48
    assert store_password(places[0]) == first
    assert places[0].password.stat().st_mode & 0o777 == 0o600


def test_a_store_without_its_password_is_refused_not_given_another(tmp_path: Path) -> None:
    place = prepare_home(load_settings(home=tmp_path))
    (place.data / "databases").mkdir()
    with pytest.raises(CannotStart, match="the password of the store is gone"):
        store_password(place)


def test_a_second_service_on_a_data_folder_is_refused_until_the_first_is_gone(tmp_path: Path) -> None:
    settings = load_settings(home=tmp_path)
    with subprocess.Popen([sys.executable, "-c", HOLD, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == "held\n"
        with pytest.raises(CannotStart, match=rf"another service \(pid {first.pid}\) uses this data folder") as refusal, HomeLock(settings):
            pass
        assert refusal.value.hint == "stop it with `consilience down` or choose another CONSILIENCE_HOME"
        first.kill()
        first.wait()
    with HomeLock(settings):
        assert (tmp_path / "lock.pid").read_text(encoding="utf-8").strip() == str(os.getpid())


def test_one_process_may_enter_twice_and_leaves_when_the_outer_ends(tmp_path: Path) -> None:
    settings = load_settings(home=tmp_path)
    with HomeLock(settings):
        with HomeLock(settings):
            pass
        held = subprocess.run([sys.executable, "-c", HOLD, str(tmp_path)], input="", capture_output=True, text=True, check=False)
        assert "another service" in held.stderr
    freed = subprocess.run([sys.executable, "-c", HOLD, str(tmp_path)], input="", capture_output=True, text=True, check=False)
    assert (freed.returncode, freed.stdout) == (0, "held\n")


def test_everything_managed_lies_in_one_folder_of_its_owner(tmp_path: Path) -> None:
    settings = load_settings(home=tmp_path / "home")
    prepare_home(settings)
    assert layout(settings).root.stat().st_mode & 0o777 == 0o700
    assert settings.home.stat().st_mode & 0o777 == 0o700
