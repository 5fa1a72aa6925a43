"""Archives as files are written whole or not at all."""

from pathlib import Path

import pytest

from lineagegraph.errors import ArchiveMissing
from lineagegraph.store.pipelines.archive_files import archive_url, read_file, write_file
from tests.full_disks import files_of_at_most


def test_an_archive_that_a_full_disk_does_not_take_leaves_no_part_of_it(tmp_path: Path) -> None:
    url, content = archive_url(str(tmp_path), "ab" * 32), bytes(10_000)
    with (
        files_of_at_most(1_000),
        pytest.raises(ArchiveMissing, match=r"cannot be written: .*large"),
    ):
        write_file(url, content)
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]
    write_file(url, content)
    assert read_file(url) == content
