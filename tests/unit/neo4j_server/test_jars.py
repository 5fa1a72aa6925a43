"""The cache of jars, shared by processes."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from lineagegraph.errors import DownloadFailed
from lineagegraph.neo4j_server.jars import JarCache
from lineagegraph.neo4j_server.lock import Lock, format_lock

FILLS = """
import sys
from pathlib import Path
from lineagegraph.neo4j_server.jars import JarCache
from lineagegraph.neo4j_server.lock import parse_lock
cache = JarCache(Path(sys.argv[1]), sys.argv[2])
cache.fill(parse_lock(Path(sys.argv[3]).read_text()), lambda *_: print(flush=True))
"""


@pytest.fixture
def lock(repository: Any) -> Lock:
    artifacts = [
        repository.publish(f"org.example:jar{number}:1", os.urandom(50_000 + number))
        for number in range(20)
    ]
    return Lock("1", "1", tuple(artifacts))


@pytest.fixture
def cache(repository: Any, tmp_path: Path) -> JarCache:
    return JarCache(tmp_path / "maven", repository.url)


def start_filling(cache: JarCache, url: str, lock: Lock) -> subprocess.Popen[str]:
    file = cache.folder.with_name("lock.json")
    file.write_text(format_lock(lock))
    command = [sys.executable, "-c", FILLS, str(cache.folder), url, str(file)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def test_an_empty_cache_is_filled_and_the_progress_ends_at_the_total(
    cache: JarCache, lock: Lock
) -> None:
    told: list[tuple[int, int]] = []
    cache.fill(lock, lambda done, total: told.append((done, total)))
    total = sum(each.size for each in lock.artifacts)
    assert cache.missing(lock.artifacts) == []
    assert told[-1] == (total, total)


def test_a_full_cache_asks_the_repository_for_nothing(
    cache: JarCache, lock: Lock, repository: Any
) -> None:
    cache.fill(lock)
    repository.asked.clear()
    cache.fill(lock)
    assert repository.asked == []


@pytest.mark.parametrize("damage", ["truncated", "altered", "gone"])
def test_only_a_damaged_jar_is_fetched_again(
    cache: JarCache, lock: Lock, repository: Any, damage: str
) -> None:
    cache.fill(lock)
    repository.asked.clear()
    jar = cache.file(lock.artifacts[3])
    content = jar.read_bytes()
    jar.unlink()
    if damage != "gone":
        jar.write_bytes(content[:-9] if damage == "truncated" else b"x" + content[1:])
        # A file that is made anew may have the inode and the time of the one before.
        os.utime(jar, (1, 1))
    cache.fill(lock)
    assert [path for path, _ in repository.asked] == [f"/{lock.artifacts[3].path}"]
    assert jar.read_bytes() == content


def test_processes_that_fill_at_once_fetch_each_jar_once(
    cache: JarCache, lock: Lock, repository: Any
) -> None:
    processes = [start_filling(cache, repository.url, lock) for _ in range(3)]
    for process in processes:
        process.communicate()
    assert [process.returncode for process in processes] == [0, 0, 0]
    assert len(repository.asked) == len(lock.artifacts)


def test_a_process_killed_while_it_fills_leaves_a_cache_that_fills(
    cache: JarCache, lock: Lock, repository: Any
) -> None:
    process = start_filling(cache, repository.url, lock)
    assert process.stdout is not None
    process.stdout.readline()
    process.send_signal(signal.SIGKILL)
    process.communicate()
    cache.fill(lock)
    assert cache.missing(lock.artifacts) == []


def test_a_repository_that_does_not_answer_is_named(lock: Lock, tmp_path: Path) -> None:
    started = time.monotonic()
    with pytest.raises(DownloadFailed, match=r"127\.0\.0\.1:9/.*LINEAGEGRAPH_MAVEN_REPOSITORY"):
        JarCache(tmp_path, "http://127.0.0.1:9").fill(lock)
    assert time.monotonic() - started < 30
