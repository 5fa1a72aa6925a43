"""One file: resumed, verified, and put in place whole."""

import os
from pathlib import Path
from typing import Any

import pytest

from lineagegraph.errors import DownloadFailed
from lineagegraph.neo4j_server.download import download, intact

COORDINATE = "org.example:some:1"
CONTENT = os.urandom(700_000)


def fetch(repository: Any, target: Path, artifact: Any) -> list[int]:
    received: list[int] = []
    download(f"{repository.url}/{artifact.path}", target, artifact, received.append)
    return received


def part_of(target: Path) -> Path:
    target.parent.mkdir(parents=True)
    return target.with_name(target.name + ".part")


def test_a_file_arrives_whole_and_its_bytes_are_told(repository: Any, target: Path) -> None:
    artifact = repository.publish(COORDINATE, CONTENT)
    received = fetch(repository, target, artifact)
    assert target.read_bytes() == CONTENT
    assert received[-1] == len(CONTENT)
    assert received == sorted(received)
    assert list(target.parent.iterdir()) == [target]


def test_an_interrupted_download_goes_on_where_it_ended(repository: Any, target: Path) -> None:
    artifact = repository.publish(COORDINATE, CONTENT)
    part_of(target).write_bytes(CONTENT[:300_000])
    fetch(repository, target, artifact)
    assert target.read_bytes() == CONTENT
    assert [asked for _, asked in repository.asked] == ["bytes=300000-"]


def test_a_connection_that_is_cut_is_taken_up_again(repository: Any, target: Path) -> None:
    artifact = repository.publish(COORDINATE, CONTENT)
    repository.cut_after = [400_000]
    fetch(repository, target, artifact)
    assert target.read_bytes() == CONTENT
    assert [asked for _, asked in repository.asked] == ["bytes=0-", "bytes=400000-"]


def test_a_server_without_ranges_sends_the_whole_file_again(repository: Any, target: Path) -> None:
    artifact = repository.publish(COORDINATE, CONTENT)
    repository.ranges = False
    part_of(target).write_bytes(CONTENT[:300_000])
    fetch(repository, target, artifact)
    assert target.read_bytes() == CONTENT


@pytest.mark.parametrize("size", [300_000, len(CONTENT), len(CONTENT) + 5])
def test_a_part_with_other_bytes_is_thrown_away(repository: Any, target: Path, size: int) -> None:
    artifact = repository.publish(COORDINATE, CONTENT)
    part_of(target).write_bytes(b"x" * size)
    fetch(repository, target, artifact)
    assert target.read_bytes() == CONTENT


@pytest.mark.parametrize("status", [500, 503, 429, 416])
def test_a_passing_failure_is_tried_again(repository: Any, target: Path, status: int) -> None:
    artifact = repository.publish(COORDINATE, CONTENT)
    repository.failures = [status]
    fetch(repository, target, artifact)
    assert target.read_bytes() == CONTENT


def test_a_file_that_is_not_there_fails_at_once(repository: Any, target: Path) -> None:
    artifact = repository.publish(COORDINATE, CONTENT)
    repository.files.clear()
    with pytest.raises(DownloadFailed, match=r"404.*LINEAGEGRAPH_MAVEN_REPOSITORY"):
        fetch(repository, target, artifact)
    assert len(repository.asked) == 1


def test_other_bytes_than_the_lock_says_never_get_in_place(repository: Any, target: Path) -> None:
    artifact = repository.publish(COORDINATE, CONTENT)
    repository.files[f"/{artifact.path}"] = b"x" * len(CONTENT)
    with pytest.raises(DownloadFailed, match="the sha256 of the download"):
        fetch(repository, target, artifact)
    assert not list(target.parent.iterdir())


def test_a_full_disk_is_said_at_once(repository: Any, target: Path) -> None:
    artifact = repository.publish(COORDINATE, CONTENT)
    part_of(target).symlink_to("/dev/full")
    with pytest.raises(DownloadFailed, match=r"No space left.*LINEAGEGRAPH_CACHE"):
        fetch(repository, target, artifact)
    assert len(repository.asked) == 1


def test_a_damaged_file_of_the_right_size_is_not_intact(repository: Any, target: Path) -> None:
    artifact = repository.publish(COORDINATE, CONTENT)
    fetch(repository, target, artifact)
    assert intact(target, artifact)
    target.write_bytes(bytes([CONTENT[0] ^ 1]) + CONTENT[1:])
    assert not intact(target, artifact)
    target.write_bytes(CONTENT[:-1])
    assert not intact(target, artifact)
