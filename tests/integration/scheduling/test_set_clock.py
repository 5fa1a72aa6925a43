"""A daemon whose host's clock is set."""

import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from lineagegraph.daemon.daemon import Daemon
from lineagegraph.graph import Graph
from lineagegraph.settings import Settings
from tests.acceptance.processes import until


def test_a_daemon_goes_on_after_the_clock_was_put_back(graph: Graph, tmp_path: Path) -> None:
    daemon = Daemon(graph, Settings(home=tmp_path))
    daemon.start()
    try:
        # So the steps are planned for who reads a clock that is an hour behind.
        for job in daemon._scheduler.get_jobs():
            later = datetime.now(UTC) + timedelta(hours=1)
            daemon._scheduler.modify_job(job.id, next_run_time=later)
        before = {beat.step: beat.done for beat in daemon.beats.read()}
        daemon._clock._clock = lambda: time.time() - 3600
        until(lambda: _again(daemon, before) >= {"launch", "say_alive", "keep_sensing"}, 15)
    finally:
        daemon.stop()


def _again(daemon: Daemon, before: dict[str, int]) -> set[str]:
    return {beat.step for beat in daemon.beats.read() if beat.done > before.get(beat.step, 0) + 1}
