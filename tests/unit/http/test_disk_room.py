"""Events leave room on the disk of the managed Neo4j."""

from pathlib import Path

from lineagegraph.errors import GraphBusy
from lineagegraph.http.ingest.disk_room import DiskRoom


def test_a_disk_with_too_little_room_is_named_with_what_to_do(tmp_path: Path) -> None:
    lack = DiskRoom(tmp_path, 10**18).lack()
    assert isinstance(lack, GraphBusy)
    assert str(tmp_path) in str(lack)
    assert "free some space" in str(lack)


def test_a_disk_with_room_is_no_hindrance(tmp_path: Path) -> None:
    assert DiskRoom(tmp_path, 1).lack() is None


def test_the_disk_of_a_server_elsewhere_is_not_looked_at(tmp_path: Path) -> None:
    assert DiskRoom(tmp_path / "missing", 0).lack() is None
