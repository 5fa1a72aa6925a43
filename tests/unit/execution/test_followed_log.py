"""A log that is followed, as a worker writes it."""

import fcntl
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import sleep

import pytest

from lineagegraph.cli.show.followed_log import FollowedLog
from lineagegraph.execution.log_file import LogFile, undisturbed
from lineagegraph.settings import load_settings

LIMIT = 200_000


@pytest.fixture(autouse=True)
def small_logs(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("LINEAGEGRAPH_TASK_LOG_BYTES", f"{LIMIT}")
    load_settings.cache_clear()
    yield
    load_settings.cache_clear()


def test_a_followed_log_above_its_limit_has_no_line_twice(tmp_path: Path) -> None:
    path = tmp_path / "task.log"
    log, followed = LogFile(path), FollowedLog(path)
    printed = []
    for number in range(60_000):
        log.append("2030-01-01T00:00:00.000+00:00", f"line {number}")
        if number % 500 == 0:
            log._sync()
            printed += followed.read_new().splitlines()
            printed += followed.read_new().splitlines()
    log.close()
    printed += followed.read_new().splitlines()
    lines = [line for line in printed if " line " in line]
    assert len(set(lines)) == len(lines)
    assert len(lines) == 60_000


HALFWAY = """
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import sleep
from lineagegraph.execution import log_file

log_file._SYNC_SECONDS = 1_000

class HalfwayLog(log_file.LogFile):
    def _write(self, data):
        if self._head is None:
            return super()._write(data)
        super()._write(data[: len(data) // 20])
        print("halfway", flush=True)
        sys.stdin.readline()
        return super()._write(data[len(data) // 20 :])

log = HalfwayLog(Path(sys.argv[1]))
for number in range(10_000):
    log.append("2030-01-01T00:00:00.000+00:00", f"line {number}")
    if number % 1_000 == 999:
        log._sync()
print("whole", flush=True)
sys.stdin.readline()
"""


def test_a_log_whose_end_is_half_written_is_read_once_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "task.log"
    followed, printed = FollowedLog(path), []
    command = [sys.executable, "-c", HALFWAY, str(path)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, **pipes) as writer:
        assert writer.stdin
        assert writer.stdout
        for _ in writer.stdout:
            asker = ThreadPoolExecutor().submit(followed.read_new)
            sleep(0.05)
            print(file=writer.stdin, flush=True)
            printed += asker.result().splitlines()
    lines = [line for line in printed if " line " in line]
    assert len(set(lines)) == len(lines)
    assert len(lines) == 10_000


def test_a_followed_log_waits_for_a_writer_that_takes_long(tmp_path: Path) -> None:
    path = tmp_path / "task.log"
    path.write_text("a\nb\nhal")
    followed = FollowedLog(path)
    with path.open("ab") as writer, undisturbed(writer, fcntl.LOCK_EX):
        assert followed.read_new() == ""
        writer.write(b"f\n")
    assert followed.read_new() == "a\nb\nhalf\n"


def test_a_followed_log_whose_end_is_just_written_anew_waits_for_it(tmp_path: Path) -> None:
    path = tmp_path / "task.log"
    path.write_text("a\nb\nc\n")
    followed = FollowedLog(path)
    assert followed.read_new() == "a\nb\nc\n"
    path.write_text("a\n")
    assert followed.read_new() == ""
    path.write_text("a\n… 1 left out …\nc\nd\n")
    assert followed.read_new() == "… 1 left out …\nc\nd\n"


def test_a_followed_log_is_read_only_from_where_it_can_have_changed(tmp_path: Path) -> None:
    path = tmp_path / "task.log"
    path.write_text("x\n" * 3_000_000)
    followed = FollowedLog(path)
    assert len(followed.read_new()) == 6_000_000
    with path.open("a") as file:
        file.write("new\n")
    assert followed.read_new() == "new\n"
    assert len(followed._end) == 2_000_000


def test_a_log_of_short_lines_has_its_size_limit_in_bytes(tmp_path: Path) -> None:
    path = tmp_path / "task.log"
    log = LogFile(path)
    for _ in range(2_000):
        log.append("2030-01-01T00:00:00.000+00:00", "ä\n" * 50)
    log.close()
    assert path.stat().st_size < 1.1 * LIMIT
