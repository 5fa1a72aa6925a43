"""How soon Interrupt and Stop end a run: `python -m bench.interrupt`.

A run whose Spark job goes on for a minute, in the session of a real kernel and in a process of its
own. From the interrupt of the kernel, or the question of the Stop button, until Spark's work has
ended by its own event, and until the graph says that the run is KILLED.
"""

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from lineagegraph import neo4j_server
from lineagegraph.execution.stages_file import read_stages_files
from lineagegraph.graph import Graph, answers
from lineagegraph.notebook.widgets import LiveRun
from lineagegraph.settings import Settings
from lineagegraph.store.connect import open_graph
from tests.acceptance.driving.kernel import CellFailed, Kernel, kernel
from tests.acceptance.driving.test_in_a_kernel import SESSION, SLOW
from tests.acceptance.processes import Commands, until

SESSIONS = {"the notebook's session": "spark=spark", "a process of its own": ""}
ENDED = """
MATCH (r:Run {id: $id})-[:PARENT_OF*]->(a:Run {kind: 'application'})
WHERE r.state = 'KILLED' RETURN max(a.ended_at).epochMillis / 1000.0 AS at
"""
End = Callable[[Kernel, LiveRun], None]
STATE = "MATCH (r:Run {id: $id}) RETURN r.state AS state"


def main() -> None:
    """Measure, and print lines for RESULTS.md."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=10, help="how often each is done")
    times = parser.parse_args().times
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(home=Path(folder) / "home", neo4j_uri=None, port=0)
        neo4j_server.start(settings, answers)
        try:
            _rows(settings, Path(folder), times)
        finally:
            neo4j_server.stop(settings)


def _rows(settings: Settings, folder: Path, times: int) -> None:
    own = {"LINEAGEGRAPH_HOME": str(settings.home), "IPYTHONDIR": str(folder / "ipython")}
    (folder / "lineagegraph.toml").touch()
    print("| by | a run in | Spark's work has ended: p50, p95, max ms | KILLED: p50, p95, max ms |")
    print("|---|---|---:|---:|")
    with (
        kernel(folder, Commands(folder, own).environment) as cells,
        open_graph(settings) as graph,
    ):
        cells.run(SESSION + SLOW, seconds=300)
        for where, session in SESSIONS.items():
            for by, end in {"Interrupt": _interrupt, "Stop": _stop}.items():
                found = [_once(cells, graph, settings, session, end) for _ in range(times)]
                jobs, runs = zip(*found, strict=True)
                print(f"| {by} | {where} | {_said(jobs)} | {_said(runs)} |", flush=True)


def _once(
    cells: Kernel, graph: Graph, settings: Settings, session: str, end: End
) -> tuple[float, float]:
    cells.run(f"run = s.run({session})")
    about = {"id": cells.value("run.run_id")}
    live = LiveRun(graph, settings, run_id=about["id"])
    awaited = cells.start("await run")
    until(lambda: _is_busy(settings.home / "logs" / about["id"]), 120)
    began = time.time()
    end(cells, live)
    while graph.query(STATE, about)[0]["state"] != "KILLED":
        assert time.time() < began + 60, "it goes on"
        time.sleep(0.02)
    killed = time.time()
    with suppress(CellFailed):
        cells.finish(awaited)
    (row,) = graph.query(ENDED, about)
    return row["at"] - began, killed - began


def _is_busy(logs: Path) -> bool:
    """Say whether Spark has begun with tasks of a run."""
    found = read_stages_files(logs).values()
    return any(stage.active for stages in found for stage in stages)


def _interrupt(cells: Kernel, live: LiveRun) -> None:
    cells.interrupt()


def _stop(cells: Kernel, live: LiveRun) -> None:
    live.answer_stop()


def _said(seconds: tuple[float, ...]) -> str:
    percents = statistics.quantiles(seconds, n=100, method="inclusive")
    return ", ".join(f"{one * 1000:,.0f}" for one in (percents[49], percents[94], max(seconds)))


if __name__ == "__main__":
    main()
