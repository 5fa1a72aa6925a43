"""The lock: which jars make the server."""

import hashlib
from pathlib import Path

import pytest

from lineagegraph.errors import DownloadFailed
from lineagegraph.neo4j_server.lock import Artifact, format_lock, parse_lock, read_lock
from lineagegraph.neo4j_server.relock import lock_of


def test_the_shipped_lock_names_the_server_and_its_browser() -> None:
    lock = read_lock()
    coordinates = {each.coordinate for each in lock.artifacts}
    assert f"org.neo4j:neo4j:{lock.neo4j}" in coordinates
    assert lock.browser_artifact.coordinate.endswith(lock.browser)
    assert len(coordinates) == len(lock.artifacts) > 200


def test_every_shipped_artifact_has_a_size_and_a_sha256() -> None:
    for artifact in read_lock().artifacts:
        assert artifact.size > 0
        assert len(bytes.fromhex(artifact.sha256)) == 32


def test_the_shipped_lock_names_no_host() -> None:
    assert "://" not in format_lock(read_lock())


def test_formatting_a_lock_and_parsing_it_gives_it_back() -> None:
    assert parse_lock(format_lock(read_lock())) == read_lock()


def test_a_coordinate_says_where_a_repository_keeps_the_jar() -> None:
    plain = Artifact("org.neo4j:neo4j:5.26.29", "", 0)
    native = Artifact("io.netty:netty-epoll:4.1:linux-x86_64", "", 0)
    assert plain.path == "org/neo4j/neo4j/5.26.29/neo4j-5.26.29.jar"
    assert native.path == "io/netty/netty-epoll/4.1/netty-epoll-4.1-linux-x86_64.jar"


@pytest.mark.parametrize("text", ["{", '{"neo4j": "5"}', '{"neo4j": 5, "browser": "5"}'])
def test_a_broken_lock_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(DownloadFailed, match=r"neo4j\.lock\.json") as refused:
        parse_lock(text)
    assert "\n" not in str(refused.value)


def test_a_lock_is_written_from_a_folder_laid_out_as_a_repository(tmp_path: Path) -> None:
    wanted = {
        "org.neo4j:neo4j:5.1": b"server",
        "org.neo4j.client:neo4j-browser:5.2": b"pages",
        "io.netty:netty-epoll:4.1:linux": b"native",
    }
    for coordinate, content in wanted.items():
        jar = tmp_path / Artifact(coordinate, "", 0).path
        jar.parent.mkdir(parents=True)
        jar.write_bytes(content)
    lock = lock_of(tmp_path)
    assert (lock.neo4j, lock.browser) == ("5.1", "5.2")
    assert {each.coordinate: each.sha256 for each in lock.artifacts} == {
        coordinate: hashlib.sha256(content).hexdigest() for coordinate, content in wanted.items()
    }
