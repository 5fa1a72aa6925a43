"""Locks between processes."""

import subprocess
from pathlib import Path

from lineagegraph.neo4j_server.filelock import claimed, held


def test_a_claimed_file_is_held_until_it_is_let_go(tmp_path: Path) -> None:
    file = tmp_path / "lock"
    assert not held(file)
    with claimed(file) as lock:
        assert lock is not None
        assert held(file)
    assert not held(file)


def test_a_second_claim_gets_nothing(tmp_path: Path) -> None:
    file = tmp_path / "lock"
    with claimed(file), claimed(file) as second:
        assert second is None


def test_a_child_that_inherits_a_claim_holds_it_until_it_is_killed(tmp_path: Path) -> None:
    file = tmp_path / "lock"
    with claimed(file) as lock:
        assert lock is not None
        child = subprocess.Popen(["sleep", "60"], pass_fds=[lock])
    assert held(file)
    child.kill()
    child.wait()
    assert not held(file)
