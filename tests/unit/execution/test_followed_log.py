"""A log that is followed, as a worker writes it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from lineagegraph.cli.show.followed_log import FollowedLog
from lineagegraph.execution.log_file import LogFile
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
