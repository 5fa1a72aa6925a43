"""The note by which commands know a running `up`."""

import json
import shutil
from pathlib import Path

import psutil
import pytest

from lineagegraph.cli.operate.note import claimed_home, find_note, write_note
from lineagegraph.errors import SettingsError
from lineagegraph.settings import Settings


def set_clock_forward(seconds: int, processes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let this process see the others as after a step of the system's clock."""
    for each in Path("/proc").iterdir():
        (processes / each.name).symlink_to(each)
    (processes / "stat").unlink()
    lines = Path("/proc/stat").read_text().splitlines()
    boot = next(line for line in lines if line.startswith("btime"))
    moved = f"btime {int(boot.split()[1]) + seconds}"
    (processes / "stat").write_text("\n".join([*(x for x in lines if x != boot), moved, ""]))
    monkeypatch.setattr(psutil, "PROCFS_PATH", str(processes))


@pytest.mark.skipif(not Path("/proc/stat").exists(), reason="only Linux counts from the boot")
def test_an_up_is_known_after_the_clock_was_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings(home=tmp_path / "home")
    before = psutil.Process().create_time()
    (tmp_path / "proc").mkdir()
    with claimed_home(settings):
        set_clock_forward(86_400, tmp_path / "proc", monkeypatch)
        assert psutil.Process().create_time() > before + 80_000
        assert find_note(settings) is not None


def test_a_process_that_got_the_pid_of_an_up_is_not_taken_for_it(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path / "home")
    file = settings.home / "up.json"
    with claimed_home(settings):
        note = json.loads(file.read_text())
        file.write_text(json.dumps(note | {"started": note["started"] - 1}))
        assert find_note(settings) is None


def test_a_copy_of_a_home_does_not_have_the_up_of_the_original(tmp_path: Path) -> None:
    original, copy = Settings(home=tmp_path / "home"), Settings(home=tmp_path / "copy")
    with claimed_home(original):
        shutil.copytree(original.home, copy.home)
        assert find_note(original) is not None
        assert find_note(copy) is None
        with claimed_home(copy):
            assert find_note(copy) is not None


def test_a_home_that_an_up_of_another_host_has_is_refused(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path / "home")
    with claimed_home(settings):
        # As the process of another container looks from here.
        (settings.home / "up.json").write_text('{"pid": 1, "started": 0.0, "http": null}')
        with pytest.raises(SettingsError, match="another host"), claimed_home(settings):
            pass


def test_a_note_that_a_full_disk_does_not_take_leaves_the_one_before(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path / "home")
    with claimed_home(settings):
        before = find_note(settings)
        part = settings.home / f"up.json.{psutil.Process().pid}.part"
        part.symlink_to("/dev/full")
        with pytest.raises(OSError, match=r"No space left on device: .*/up\.json'"):
            write_note(settings, None, ("job",))
        assert find_note(settings) == before
        assert not part.is_symlink()
