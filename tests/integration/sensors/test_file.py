"""A file sensor is true once what it names is there, here or in any file system."""

import os
import time
from pathlib import Path
from typing import Any

import fsspec
import pytest
from fsspec.implementations.dirfs import DirFileSystem

from lineagegraph.errors import InvalidSensor, PokeFailed
from lineagegraph.sensors import SensorPolicy, make_sensor
from lineagegraph.settings import Settings
from tests.integration.sensors.looks import empty, look


def test_a_file_is_seen_once_it_is_there(tmp_path: Path) -> None:
    file = tmp_path / "landing" / "orders.csv"
    assert not look("file", path=str(file))
    empty(file)
    assert look("file", path=str(file))
    assert look("file", path=file.as_uri())


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
