"""Packed files: small ones in the graph, large ones at a URL, none of them trusted unseen."""

import hashlib
from pathlib import Path

import pytest

from lineagegraph.errors import ArchiveMissing
from lineagegraph.settings import Settings
from lineagegraph.store.pipelines import versions
from lineagegraph.store.pipelines.archive_files import base_url, list_files
from lineagegraph.store.pipelines.archives import keep_source, read_source

CONTENT = b"packed files " * 100
SHA256 = hashlib.sha256(CONTENT).hexdigest()


@pytest.fixture
def home(tmp_path):
    return Settings(home=tmp_path / "home", archive_graph_bytes=1_000)


def keep(graph, settings, content=CONTENT):
    sha256 = hashlib.sha256(content).hexdigest()
    kept = keep_source(settings, sha256, content)
    said = {"archive": kept.archive, "url": kept.url, "files": ["a.py"]}
    graph.write(versions.merge_sources, rows=[{"sha256": sha256} | said])
    return sha256, kept


def test_a_small_archive_is_in_the_graph_and_no_file(graph, home):
    sha256, kept = keep(graph, home, b"small")
    assert (kept.archive, kept.url) == (b"small", None)
    assert read_source(graph, home, sha256) == b"small"
    assert not home.home.exists()


def test_a_large_archive_is_a_file_of_its_own_and_nothing_half_written_stays(graph, home):
    _, kept = keep(graph, home)
    assert kept.archive is None
    assert read_source(graph, home, SHA256) == CONTENT
    files = [path for path in (home.home / "archives").rglob("*") if path.is_file()]
    assert [path.name for path in files] == [f"{SHA256}.zip"]
    assert kept.url == files[0].as_uri()


def test_archives_stay_below_a_home_with_an_odd_name(graph, tmp_path):
    odd = Settings(home=tmp_path / "my home #1 ö%20", archive_graph_bytes=0)
    _, kept = keep(graph, odd)
    assert read_source(graph, odd, SHA256) == CONTENT
    assert [path.name for path in tmp_path.iterdir()] == [odd.home.name]
    assert [url for url, _ in list_files(base_url(odd))] == [kept.url]


def test_an_archive_may_be_wherever_fsspec_reaches(graph):
    elsewhere = Settings(archive_url="memory://code/archives", archive_graph_bytes=0)
    keep(graph, elsewhere)
    assert read_source(graph, elsewhere, SHA256) == CONTENT


def test_archives_are_found_after_their_folder_was_moved(graph, home, tmp_path):
    keep(graph, home)
    home.home.rename(tmp_path / "moved")
    assert read_source(graph, Settings(home=tmp_path / "moved"), SHA256) == CONTENT


def test_a_changed_archive_is_refused(graph, home):
    _, kept = keep(graph, home)
    Path(kept.url.removeprefix("file://")).write_bytes(CONTENT + b"!")
    with pytest.raises(ArchiveMissing, match=rf"{SHA256[:12]} \(file://.*\) is damaged"):
        read_source(graph, home, SHA256)


def test_a_deleted_archive_is_refused_and_kept_anew_by_the_next_sync(graph, home):
    _, kept = keep(graph, home)
    Path(kept.url.removeprefix("file://")).unlink()
    with pytest.raises(ArchiveMissing, match=r"cannot be read: .*No such file"):
        read_source(graph, home, SHA256)
    keep(graph, home)
    assert read_source(graph, home, SHA256) == CONTENT


def test_an_unknown_archive_is_refused(graph, home):
    with pytest.raises(ArchiveMissing, match="no longer kept"):
        read_source(graph, home, SHA256)


def test_a_place_that_cannot_be_written_is_named(graph, tmp_path):
    (tmp_path / "taken").write_text("a file")
    settings = Settings(archive_url=str(tmp_path / "taken/below"), archive_graph_bytes=0)
    with pytest.raises(ArchiveMissing, match=r"archive file://.*/taken/below/.* cannot be written"):
        keep(graph, settings)
