"""Only files and folders become private: a device, such as /dev/null as a home, keeps its mode."""

import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from stat import S_IMODE

import pytest

from lineagegraph.private_files import append_private, open_private, private_folder


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


@contextmanager
def room_for(size: int) -> Iterator[None]:
    """Let no file become larger in the block, as a disk that gets full."""
    before, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, most))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (before, most))


@pytest.mark.parametrize("size", [4_200, 6_000, 8_000, 100_000])
def test_what_is_appended_to_a_full_disk_is_there_whole_or_not_at_all(
    tmp_path: Path, size: int
) -> None:
    file = tmp_path / "lines"
    append_private(file, b"1\n")
    with room_for(4096):
        with pytest.raises(OSError, match="large"):
            append_private(file, b"x" * size + b"\n")
        assert append_private(file, b"2\n") == 4
    assert file.read_bytes() == b"1\n2\n"
