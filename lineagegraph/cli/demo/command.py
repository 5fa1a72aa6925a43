"""`demo`: three real Spark pipelines on real data, started by each other, and what they left."""

import shutil
import time
from pathlib import Path
from typing import Annotated

import typer

from lineagegraph.cli.connect import connected
from lineagegraph.cli.console import errors, results
from lineagegraph.cli.demo.data import fetch_data
from lineagegraph.cli.demo.show import show
from lineagegraph.cli.follow import follow
from lineagegraph.daemon import Daemon
from lineagegraph.errors import RunError
from lineagegraph.explore import find_job, read_runs
from lineagegraph.graph import Graph
from lineagegraph.model.ids import new_id
from lineagegraph.model.states import FINAL, RunState
from lineagegraph.parsing.sync import sync_path
from lineagegraph.settings import Settings, load_settings
from lineagegraph.store import launches

PIPELINES = ("nyc.load", "nyc.delays", "nyc.report")
_MOST_SECONDS = 900.0


def demo(
    folder: Annotated[
        Path | None, typer.Option(help="Where the project goes; default: in the home folder.")
    ] = None,
) -> None:
    """Run real Spark pipelines on real data, and show the lineage that they leave."""
    settings = load_settings()
    project = (folder or settings.home / "demo").resolve()
    with connected(settings) as graph:
        with errors.status("fetching the flights that left New York in 2013 (9 MB)"):
            fetch_data(project / "data")
        shutil.copyfile(Path(__file__).with_name("nyc.py"), project / "nyc.py")
        (project / "lineagegraph.toml").write_text('application = "nyc"\n')
        _sync(graph, settings, project / "nyc.py")
        daemon = Daemon(graph, settings)
        daemon.start()
        try:
            runs = _run_all(graph)
        finally:
            daemon.stop()
        show(graph, settings, runs, project)


def _sync(graph: Graph, settings: Settings, path: Path) -> None:
    result = sync_path(graph, settings, path)
    if result.failures:
        raise RunError(result.failures[0])


def _run_all(graph: Graph) -> dict[str, str]:
    """Queue the first pipeline, and watch until the last one, which triggers start, has ended."""
    began = time.monotonic()
    runs = {PIPELINES[0]: _queue(graph, PIPELINES[0])}
    seen = {name: _newest(graph, name) for name in PIPELINES[1:]}

    def list_runs() -> list[str]:
        for name in PIPELINES[1:]:
            newest = _newest(graph, name)
            if name not in runs and newest and newest != seen[name]:
                runs[name] = newest
        return [runs[name] for name in PIPELINES if name in runs]

    def is_over() -> bool:
        if time.monotonic() - began > _MOST_SECONDS:
            raise RunError(f"the demo is not done after {_MOST_SECONDS:.0f} s: `lineagegraph jobs`")
        states = [_state(graph, run_id) for run_id in list_runs()]
        failed = any(state in FINAL - {RunState.COMPLETED} for state in states)
        return failed or (len(states) == len(PIPELINES) and all(s in FINAL for s in states))

    follow(graph, list_runs, is_over, results)
    for name, run_id in runs.items():
        if _state(graph, run_id) != RunState.COMPLETED:
            raise RunError(f"{name} did not complete: `lineagegraph show {run_id}` says why")
    return runs


def _queue(graph: Graph, job: str) -> str:
    run_id = new_id()
    key = find_job(graph, job).key
    graph.write(launches.merge_queued, run_id=run_id, job_key=key, params=None, only=[], now=None)
    return run_id


def _newest(graph: Graph, job: str) -> str | None:
    runs = read_runs(graph, job, limit=1)
    return runs[0].id if runs else None


def _state(graph: Graph, run_id: str) -> str | None:
    (row,) = graph.read(launches.list_states, ids=[run_id])
    return row.state
