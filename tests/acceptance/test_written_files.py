"""Files that commands write are whole, or as they were."""

import os
import stat
from pathlib import Path

import pytest

from lineagegraph.cli.written_file import write_file
from tests.acceptance.disks import mounted


def test_a_file_on_a_full_disk_stays_as_it_was_and_the_error_names_it(tmp_path: Path) -> None:
    with mounted(tmp_path / "disk", "64k") as disk:
        (file := disk / "dag.py").write_text("whole\n")
        with pytest.raises(OSError, match=r"No space left on device: '.*/dag\.py'"):
            write_file(file, "x" * 100_000)
        with pytest.raises(OSError, match=r"No space left on device: '.*/new\.svg'"):
            write_file(disk / "new.svg", "x" * 100_000)
        assert file.read_text() == "whole\n"
        assert list(disk.iterdir()) == [file]


def test_links_modes_and_pipes_are_written_as_they_are(tmp_path: Path) -> None:
    (file := tmp_path / "file").write_text("old")
    file.chmod(0o640)
    (link := tmp_path / "link").symlink_to("file")
    write_file(link, "new")
    assert (file.read_text(), link.is_symlink()) == ("new", True)
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    os.mkfifo(pipe := tmp_path / "pipe")
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_file(pipe, "new")
    assert os.read(reader, 9) == b"new"
    os.close(reader)


def test_nothing_stays_of_a_text_that_no_file_takes(tmp_path: Path) -> None:
    with pytest.raises(UnicodeEncodeError):
        write_file(tmp_path / "file", "\udcff")
    assert list(tmp_path.iterdir()) == []
