"""A file sensor is true once what it names is there, here or in any file system."""

import asyncio
import os
import time
from pathlib import Path
from typing import Any

import fsspec
import msgspec
import pytest
from fsspec.implementations.dirfs import DirFileSystem

from lineagegraph.errors import InvalidSensor, PokeFailed
from lineagegraph.sensors import (
    Sensor,
    SensorPolicy,
    make_sensor,
    open_context,
    poke_sensor,
    seen_files,
)
from lineagegraph.sensors.entry import Entry
from lineagegraph.sensors.filesystems import open_files
from lineagegraph.sensors.kinds.file import FileSensor
from lineagegraph.sensors.remote_files import RemoteFiles
from lineagegraph.sensors.seen_files import new_files
from lineagegraph.settings import Settings
from tests.integration.sensors.looks import empty, look


def test_a_file_is_seen_once_it_is_there(tmp_path: Path) -> None:
    file = tmp_path / "landing" / "orders.csv"
    assert not look("file", path=str(file))
    empty(file)
    assert look("file", path=str(file))
    assert look("file", path=file.as_uri())
    for written in (f"file://{tmp_path}/landing/order?.csv", f"file://localhost{file}"):
        assert look("file", path=written)


def test_a_folder_that_is_no_folder_is_not_there_yet(tmp_path: Path) -> None:
    assert not look("file", path=str(empty(tmp_path / "x") / "y"))


def test_a_pattern_matches_in_all_folders_below(tmp_path: Path) -> None:
    pattern = f"{tmp_path}/in/**/*.csv"
    assert not look("file", path=pattern)
    empty(tmp_path / "in" / "2026" / "01" / "a.csv")
    assert look("file", path=pattern)
    assert not look("file", path=pattern, at_least=2)
    empty(tmp_path / "in" / ".hidden" / "b.csv")
    assert look("file", path=pattern, at_least=2)
    twice = f"{tmp_path}/in/**/**/*.csv"
    assert look("file", path=twice, at_least=2)
    assert not look("file", path=twice, at_least=3)


def test_a_folder_counts_once_it_is_marked(tmp_path: Path) -> None:
    folder = empty(tmp_path / "day=1" / "part-0.parquet").parent
    assert not look("file", path=str(folder), marker="_SUCCESS")
    empty(folder / "_SUCCESS")
    assert look("file", path=str(folder), marker="_SUCCESS")
    assert look("file", path=f"{tmp_path}/day=*", marker="_SUCCESS")


def test_a_file_that_is_too_small_does_not_count(tmp_path: Path) -> None:
    file = tmp_path / "x"
    file.write_text("1234")
    assert look("file", path=str(file), min_bytes=4)
    assert not look("file", path=str(file), min_bytes=5)


def test_a_file_that_is_still_written_does_not_count(tmp_path: Path) -> None:
    file = empty(tmp_path / "x")
    assert not look("file", path=str(file), unchanged_for=60)
    os.utime(file, (time.time() - 61, time.time() - 61))
    assert look("file", path=str(file), unchanged_for=60)


def test_a_pipe_that_nobody_writes_does_not_hang_a_look(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert look("file", path=str(tmp_path / "pipe"))


def test_what_may_not_be_looked_into_is_an_error(tmp_path: Path) -> None:
    folder = tmp_path / ("x" * 300)
    with pytest.raises(PokeFailed, match="File name too long"):
        look("file", path=str(folder))


def test_other_file_systems_are_looked_at_afresh_each_time() -> None:
    memory = fsspec.filesystem("memory")
    path = "memory://lg-sensors/x"
    assert not look("file", path=path)
    assert not look("file", path="memory://lg-sensors/*")
    memory.pipe("/lg-sensors/x", b"123")
    try:
        assert look("file", path=path, min_bytes=3)
        assert look("file", path="memory://lg-sensors/*")
        assert not look("file", path=path, min_bytes=4)
        assert not look("file", path=path, unchanged_for=60)
    finally:
        memory.rm("/lg-sensors", recursive=True)


def test_a_connection_has_what_opens_a_file_system(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    empty(tmp_path / "inside" / "x")
    said = f'{{"options": {{"path": "{tmp_path}"}}}}'
    monkeypatch.setenv("LINEAGEGRAPH_CONNECTION_LAKE", said)
    fsspec.register_implementation("lake", _Lake, clobber=True)
    assert look("file", path="lake://inside/x", connection="lake")
    assert not look("file", path="lake://inside/y", connection="lake")


class _Lake(DirFileSystem):  # type: ignore[misc]
    protocol = "lake"

    def __init__(self, path: str, **options: Any) -> None:
        super().__init__(path=path, fs=fsspec.filesystem("file"))


@pytest.mark.parametrize("inside", ["ok/x", "ok/../ok/x", "ok/*", "./ok//x"])
def test_what_is_inside_of_the_roots_is_looked_at(tmp_path: Path, inside: str) -> None:
    empty(tmp_path / "ok" / "x")
    assert look("file", path=f"{tmp_path}/{inside}", settings={"sensor_roots": (f"{tmp_path}/ok",)})


@pytest.mark.parametrize("outside", ["secret", "ok/../secret", "ok/link", "okay", "ok/fol*/x"])
def test_what_is_outside_of_the_roots_is_refused(tmp_path: Path, outside: str) -> None:
    for name in ("ok/x", "secret", "okay", "away/x"):
        empty(tmp_path / name)
    (tmp_path / "ok" / "folder").symlink_to(tmp_path / "away")
    (tmp_path / "ok" / "link").symlink_to(tmp_path / "secret")
    roots = {"sensor_roots": (f"{tmp_path}/ok",)}
    with pytest.raises(PokeFailed, match="outside the folders that sensors may read"):
        look("file", path=f"{tmp_path}/{outside}", settings=roots)


def test_what_is_outside_is_refused_where_it_is_stated() -> None:
    policy = SensorPolicy.of(Settings(sensor_roots=("/data", "s3://lake/raw")))
    for path in ("/etc/passwd", "s3://lake/other/x", "s3://lake/raw/../x", "gs://lake/raw/x"):
        with pytest.raises(InvalidSensor, match=r"setting sensor_roots"):
            make_sensor("file", {"path": path}).permit(policy)
    for path in ("/data/x", "s3://lake/raw/x", "/data/*/x"):
        make_sensor("file", {"path": path}).permit(policy)


def test_a_pattern_does_not_lead_up_again() -> None:
    for path in ("/data/*/../../etc/pass*", "s3://lake/raw/*/../x", "/data/[a]*/.."):
        with pytest.raises(InvalidSensor, match="not allowed after a wildcard"):
            make_sensor("file", {"path": path})
    assert make_sensor("file", {"path": "/data/../data/x*"})


@pytest.mark.parametrize("scheme", ["ftp", "sftp", "smb", "webhdfs"])
def test_a_server_is_judged_by_its_address_before_a_look(scheme: str) -> None:
    denied = {"sensor_http_deny": ("127.0.0.0/8", "::1")}
    with pytest.raises(PokeFailed, match=r"sensors must not send requests to localhost \("):
        look("file", path=f"{scheme}://localhost:9/x", settings=denied)
    with pytest.raises(PokeFailed, match=r"sensors must not send requests to localhost \("):
        look("partition", path=f"{scheme}://localhost:9/x", partition="a=1", settings=denied)
    with pytest.raises(PokeFailed, match=r"host nobody\.invalid is not known"):
        look("file", path=f"{scheme}://nobody.invalid/x")


def _new(sensor: Sensor, cursor: str | None = None) -> tuple[list[dict[str, Any]], str]:
    async def once() -> Any:
        async with open_context(Settings()) as context:
            return await poke_sensor(sensor, context, cursor)

    found = asyncio.run(once())
    return [msgspec.json.decode(one) for one in found.items], found.cursor


def test_each_file_is_new_once_the_oldest_first(tmp_path: Path) -> None:
    sensor = make_sensor("file", {"path": f"{tmp_path}/*.csv", "each": True})
    for age, name in enumerate("cab"):
        os.utime(empty(tmp_path / f"{name}.csv"), (1000 - age, 1000 - age))
    items, cursor = _new(sensor)
    assert [item["name"] for item in items] == ["b.csv", "a.csv", "c.csv"]
    assert items[0]["path"] == str(tmp_path / "b.csv")
    assert (items[0]["size"], items[0]["changed_at"]) == (0, "1970-01-01T00:16:38+00:00")
    assert _new(sensor, cursor) == ([], cursor)
    os.utime(empty(tmp_path / "older.csv"), (1, 1))
    items, later = _new(sensor, cursor)
    assert [item["name"] for item in items] == ["older.csv"]
    assert msgspec.json.decode(later)["files"] == 4


def test_a_file_that_is_away_for_a_while_or_written_again_is_not_new(tmp_path: Path) -> None:
    sensor = make_sensor("file", {"path": f"{tmp_path}/in/*", "each": True})
    file = empty(tmp_path / "in" / "a")
    _, cursor = _new(sensor)
    (tmp_path / "in").rename(tmp_path / "away")
    assert _new(sensor, cursor) == ([], cursor)
    (tmp_path / "away").rename(tmp_path / "in")
    file.write_text("more")
    assert _new(sensor, cursor) == ([], cursor)


def test_a_marked_folder_is_the_item(tmp_path: Path) -> None:
    sensor = make_sensor("file", {"path": f"{tmp_path}/*", "marker": "_SUCCESS", "each": True})
    (tmp_path / "unfinished").mkdir()
    empty(tmp_path / "day=1" / "_SUCCESS")
    items, _ = _new(sensor)
    assert [item["path"] for item in items] == [str(tmp_path / "day=1")]


def test_items_of_a_url_are_urls() -> None:
    fsspec.filesystem("memory").pipe("/each/a.csv", b"1")
    items, _ = _new(make_sensor("file", {"path": "memory://each/*.csv", "each": True}))
    assert [item["path"] for item in items] == ["memory:///each/a.csv"]


def test_items_keep_the_host_that_their_file_system_leaves_out() -> None:
    sensor = make_sensor("file", {"path": "ftp://files.example.com/in/*.csv", "each": True})
    assert isinstance(sensor, FileSensor)
    item = sensor._item(Entry("/in/a.csv", False, 0, 0.0), "/in/*.csv")
    assert item.path == "ftp://files.example.com/in/a.csv"


def test_a_file_system_is_opened_anew_for_each_poke() -> None:
    first, second = (open_files("memory://x", {}, SensorPolicy.of(Settings()))[0] for _ in "12")
    assert isinstance(first, RemoteFiles)
    assert isinstance(second, RemoteFiles)
    assert first.system is not second.system


def test_more_files_than_one_answer_takes_come_with_the_next(tmp_path: Path) -> None:
    sensor = make_sensor("file", {"path": f"{tmp_path}/*", "each": True})
    for number in range(501):
        empty(tmp_path / str(number))
    items, cursor = _new(sensor)
    rest, _ = _new(sensor, cursor)
    assert (len(items), len(rest)) == (500, 1)
    assert len({item["path"] for item in items + rest}) == 501


def test_a_full_cursor_forgets_files_that_are_gone_and_refuses_more_that_are_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(seen_files, "MOST_FILES", 3)

    def files(names: str) -> list[Entry]:
        return [Entry(f"/in/{name}", False, 0, 0.0) for name in names]

    cursor = msgspec.json.decode(new_files(files("abc"), None).cursor)
    later = msgspec.json.decode(new_files(files("bcd"), cursor).cursor)
    assert not new_files(files("bcd"), later)
    with pytest.raises(PokeFailed, match="more than 3 files match"):
        new_files(files("bcde"), later)
    # One that is written again, and does not count meanwhile, is not forgotten for a new one.
    with pytest.raises(PokeFailed, match="more than 3 files match"):
        new_files(files("bcde"), later, counts=lambda entry: not entry.path.endswith("b"))


def test_a_cursor_of_as_many_files_as_are_remembered_is_not_too_large() -> None:
    cursor: Any = None
    for first in range(0, seen_files.MOST_FILES, 500):
        entries = [Entry(f"/{n}", False, 0, 0.0) for n in range(first, first + 500)]
        found = new_files(entries, cursor)
        assert len(found.items) == 500
        cursor = msgspec.json.decode(found.cursor)
    assert cursor["files"] == 10_000


def test_a_name_that_is_not_utf_8_is_a_clear_error() -> None:
    with pytest.raises(PokeFailed, match="is not UTF-8: rename it"):
        new_files([Entry("/in/\udcff", False, 0, 0.0)], None)


@pytest.mark.parametrize("fields", [{"path": "/in/a"}, {"path": "/in/*", "at_least": 2}])
def test_each_needs_a_pattern(fields: dict[str, Any]) -> None:
    with pytest.raises(InvalidSensor, match="each needs a glob pattern"):
        make_sensor("file", {"each": True} | fields)
