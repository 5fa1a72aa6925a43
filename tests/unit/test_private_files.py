"""Only files and folders become private: a device, such as /dev/null as a home, keeps its mode."""

import os
from pathlib import Path
from stat import S_IMODE

import pytest

from lineagegraph.private_files import open_private, private_folder


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
