"""Only files and folders become private: a device, such as /dev/null as a home, keeps its mode."""

import os
import subprocess
import sys
from pathlib import Path
from stat import S_IMODE

import pytest

from lineagegraph.private_files import _PREFIX, append_private, open_private, private_folder
from tests.full_disks import files_of_at_most

HOLDS = """
import sys, time
from lineagegraph.private_files import TemporaryFolder
with TemporaryFolder() as folder:
    print(folder, flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def pipe(tmp_path: Path) -> Path:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "pipe").chmod(0o666)
    return tmp_path / "pipe"


def test_what_is_no_folder_is_refused_and_keeps_its_mode(pipe: Path) -> None:
    with pytest.raises(NotADirectoryError, match="pipe"):
        private_folder(pipe)
    assert S_IMODE(pipe.stat().st_mode) == 0o666


def test_what_is_no_file_keeps_its_mode_when_it_is_written(pipe: Path) -> None:
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    with open_private(pipe, "wb") as file:
        file.write(b"x")
    os.close(reader)
    assert S_IMODE(pipe.stat().st_mode) == 0o666


def test_folders_and_files_of_others_modes_become_private(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir(mode=0o755)
    (tmp_path / "home" / "up.log").touch(mode=0o644)
    with open_private(private_folder(tmp_path / "home") / "up.log", "ab"):
        assert S_IMODE((tmp_path / "home").stat().st_mode) == 0o700
        assert S_IMODE((tmp_path / "home" / "up.log").stat().st_mode) == 0o600


@pytest.mark.parametrize("size", [4_200, 6_000, 8_000, 100_000])
def test_what_is_appended_to_a_full_disk_is_there_whole_or_not_at_all(
    tmp_path: Path, size: int
) -> None:
    file = tmp_path / "lines"
    append_private(file, b"1\n")
    with files_of_at_most(4096):
        with pytest.raises(OSError, match="large"):
            append_private(file, b"x" * size + b"\n")
        assert append_private(file, b"2\n") == 4
    assert file.read_bytes() == b"1\n2\n"


def hold_folder(folder: Path) -> tuple[subprocess.Popen[str], Path]:
    """Start a process that holds a temporary folder, and return both."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDS],
        env=os.environ | {"TMPDIR": str(folder)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout
    return process, Path(process.stdout.readline().strip())


def test_a_temporary_folder_of_a_killed_process_is_removed_and_no_other(tmp_path: Path) -> None:
    other = tmp_path / f"{_PREFIX}link"
    (tmp_path / "data").mkdir()
    other.symlink_to(tmp_path / "data")
    living, kept = hold_folder(tmp_path)
    killed, left = hold_folder(tmp_path)
    young, new = hold_folder(tmp_path)
    (left / "code").mkdir()
    for one in (killed, young):
        one.kill()
        one.communicate()
    for folder in (kept, left, tmp_path / "data"):
        os.utime(folder, (1, 1))
    last, _ = hold_folder(tmp_path)
    last.communicate("")
    assert sorted(tmp_path.iterdir()) == sorted((tmp_path / "data", other, kept, new))
    living.communicate("")
    assert not kept.exists()
