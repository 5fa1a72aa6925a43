"""The note by which commands know a running `up`."""

import json
from pathlib import Path

import psutil
import pytest

from lineagegraph.cli.operate.note import find_note, write_note
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
    write_note(settings, None)
    (tmp_path / "proc").mkdir()
    set_clock_forward(86_400, tmp_path / "proc", monkeypatch)
    assert psutil.Process().create_time() > before + 80_000
    assert find_note(settings) is not None


def test_a_process_that_got_the_pid_of_an_up_is_not_taken_for_it(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path / "home")
    write_note(settings, None)
    file = settings.home / "up.json"
    note = json.loads(file.read_text())
    file.write_text(json.dumps(note | {"started": note["started"] - 1}))
    assert find_note(settings) is None
