"""A copy of a home has runs of the same ids, and leaves the processes of the original alone."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from lineagegraph.graph import Graph
from lineagegraph.process_environment.graph_place import graph_place
from lineagegraph.process_environment.task_processes import MARK, claim_mark
from lineagegraph.runs.reap import reap_run
from lineagegraph.settings import Settings
from lineagegraph.store.runs.launches import LostRun
from tests.launches import claimed, queued

AGE = timedelta(hours=1)
SLEEP = [sys.executable, "-c", "import time; time.sleep(60)"]


@pytest.fixture
def lost(graph: Graph) -> LostRun:
    claim = claimed(graph, queued(graph, "job"), timedelta(seconds=-1))
    return LostRun(claim.id, claim.fence, claim.launches, has_started=False)


@pytest.fixture
def program(lost: LostRun, tmp_path: Path) -> Iterator["subprocess.Popen[bytes]"]:
    """A program of the run of the home `original`."""
    place = graph_place(Settings(home=tmp_path / "original"))
    mark = claim_mark(lost.id, lost.fence, place)
    with subprocess.Popen(SLEEP, env={MARK: mark}, start_new_session=True) as process:
        yield process
        process.kill()


def test_programs_of_the_original_outlive_the_loss_of_their_run_in_a_copy(
    graph: Graph, lost: LostRun, program: "subprocess.Popen[bytes]", tmp_path: Path
) -> None:
    place = graph_place(Settings(home=tmp_path / "copy"))
    reap_run(graph, lost, AGE, place=place, by_lease=True)
    with pytest.raises(subprocess.TimeoutExpired):
        program.wait(0.5)


def test_programs_end_with_the_loss_of_their_run_in_their_home(
    graph: Graph, lost: LostRun, program: "subprocess.Popen[bytes]", tmp_path: Path
) -> None:
    (tmp_path / "original").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "original")
    place = graph_place(Settings(home=tmp_path / "link"))
    reap_run(graph, lost, AGE, place=place, by_lease=True)
    assert program.wait(5) == -signal.SIGKILL


def test_homes_beside_a_neo4j_of_the_user_share_its_runs(tmp_path: Path) -> None:
    places = [graph_place(Settings(home=tmp_path / one, neo4j_uri="bolt://x")) for one in "ab"]
    assert places == ["", ""]
