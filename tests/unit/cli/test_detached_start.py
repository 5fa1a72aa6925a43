"""`up --detach` waits for its process as long as that lives."""

import subprocess
import sys
from pathlib import Path

import pytest

from lineagegraph.cli.operate import up
from lineagegraph.errors import SettingsError
from lineagegraph.settings import Settings


def start(log: Path, code: str) -> "subprocess.Popen[bytes]":
    with log.open("wb") as output:
        return subprocess.Popen([sys.executable, "-c", code], stdout=output, stderr=output)


def test_a_slow_start_is_reported_and_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(up, "_STILL_SECONDS", 0.5)
    slow = start(log := tmp_path / "up.log", "import time; time.sleep(2.5); print('no room')")
    with pytest.raises(SettingsError, match="`up` ended: no room"):
        up.await_ready(slow, Settings(home=tmp_path), log)
    said = capsys.readouterr().err.replace("\n", "")
    assert said.count("still starting after ") >= 2
    assert "its log is" in said


def test_a_start_that_says_nothing_is_not_told_in_the_words_of_an_earlier_one(
    tmp_path: Path,
) -> None:
    log = tmp_path / "up.log"
    log.write_text("ready; Ctrl-C stops everything\n")
    ended = subprocess.Popen([sys.executable, "-c", "raise SystemExit(1)"])
    with pytest.raises(SettingsError, match="its log took nothing, so look whether the disk is"):
        up.await_ready(ended, Settings(home=tmp_path), log, log.stat().st_size)
