"""Events on disk: all or none, in order, bounded, and never a crash."""

import json
import os
import shutil
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from lineagegraph.http.ingest.spool import IngestSpool


def make(folder: Path, most_bytes: int = 1_000_000) -> IngestSpool:
    return IngestSpool(folder / "spool", most_bytes)


def content(folder: Path) -> list[bytes]:
    return [path.read_bytes() for path in sorted((folder / "spool").glob("0*.ndjson"))]


def test_nothing_kept_is_nothing_to_read(tmp_path: Path) -> None:
    assert make(tmp_path).oldest() is None


def test_events_are_read_in_their_order_of_arrival(tmp_path: Path) -> None:
    spool = make(tmp_path)
    assert spool.keep([b"1\n", b"2\n"])
    assert spool.keep([b"3\n"])
    oldest = spool.oldest()
    assert oldest is not None
    assert oldest.read_bytes() == b"1\n2\n3\n"


def test_what_comes_while_a_file_is_read_goes_to_the_next(tmp_path: Path) -> None:
    spool = make(tmp_path)
    spool.keep([b"1\n"])
    oldest = spool.oldest()
    spool.keep([b"2\n"])
    assert oldest is not None
    assert spool.finish(oldest, [])
    assert content(tmp_path) == [b"2\n"]


def test_a_new_process_leaves_the_file_of_the_old_one_alone(tmp_path: Path) -> None:
    make(tmp_path).keep([b"1\n"])
    make(tmp_path).keep([b"2\n"])
    assert content(tmp_path) == [b"1\n", b"2\n"]


def test_over_the_limit_nothing_is_kept(tmp_path: Path) -> None:
    spool = make(tmp_path, most_bytes=10)
    assert spool.keep([b"12345\n"])
    assert not spool.keep([b"6\n", b"7890\n"])
    assert content(tmp_path) == [b"12345\n"]


def test_what_cannot_be_recorded_is_put_aside_with_the_reason(tmp_path: Path) -> None:
    spool = make(tmp_path)
    spool.keep([b"{}\n"])
    oldest = spool.oldest()
    assert oldest is not None
    assert spool.finish(oldest, [(b"{}\n", "no event")])
    refused = (tmp_path / "spool" / "refused.ndjson").read_text()
    assert json.loads(refused) == {"reason": "no event", "event": "{}"}
    assert spool.oldest() is None


def test_a_full_disk_keeps_nothing_and_leaves_no_half_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spool = make(tmp_path)
    spool.keep([b"1\n"])

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        assert not spool.keep([b"2\n"])
    assert spool.keep([b"3\n"])
    assert content(tmp_path) == [b"1\n", b"3\n"]


def test_a_folder_that_cannot_be_made_keeps_nothing(tmp_path: Path) -> None:
    (tmp_path / "spool").write_text("in the way")
    assert not make(tmp_path).keep([b"1\n"])


def test_many_producers_share_the_syncs_of_a_slow_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    syncs = []
    sync = os.fsync

    def slow(file: int) -> None:
        syncs.append(file)
        time.sleep(0.05)
        sync(file)

    monkeypatch.setattr(os, "fsync", slow)
    spool = make(tmp_path)
    with ThreadPoolExecutor(32) as pool:
        assert all(pool.map(lambda n: spool.keep([b"%d\n" % n]), range(64)))
    assert len(syncs) < 20
    path = spool.oldest()
    assert path is not None
    assert sorted(map(int, path.read_bytes().split())) == list(range(64))


def test_of_producers_that_write_together_only_those_without_room_are_refused(
    tmp_path: Path,
) -> None:
    spool = make(tmp_path, 2_000)
    asked = [[b"%d%s\n" % (n, b"x" * (1_900 if n == 7 else 20))] for n in range(16)]
    with ThreadPoolExecutor(16) as pool:
        kept = list(pool.map(spool.keep, asked))
    path = spool.oldest()
    assert path is not None
    lines = path.read_bytes().splitlines(keepends=True)
    assert sorted(lines) == sorted(line for ok, (line,) in zip(kept, asked, strict=True) if ok)
    assert 0 < spool.size() <= 2_000
    assert not all(kept)


def test_a_file_that_goes_as_its_size_is_read_leaves_its_room(tmp_path: Path) -> None:
    spool = make(tmp_path)
    assert spool.keep([b"1\n"])
    # It is listed and has no size, as one that is deleted between the two.
    (tmp_path / "spool" / "000000000002.ndjson").symlink_to(tmp_path / "gone")
    assert spool.keep([b"2\n"])
    assert spool.size() == 4


def test_events_are_kept_only_while_the_disk_keeps_its_free_room(tmp_path: Path) -> None:
    free = shutil.disk_usage(tmp_path).free
    assert IngestSpool(tmp_path / "a", 10**9, free // 2).keep([b"{}\n"])
    assert not IngestSpool(tmp_path / "b", 10**9, 10**18).keep([b"{}\n"])
    assert not list((tmp_path / "b").iterdir())
