"""`demo`: three real Spark pipelines on real data that trigger each other."""

import shutil
import time
from pathlib import Path
from typing import Annotated

import typer

from lineagegraph.cli.connect import connected
from lineagegraph.cli.console import errors, results
from lineagegraph.cli.demo.data import fetch_data
from lineagegraph.cli.demo.experiments import experiments
from lineagegraph.cli.demo.show import show
from lineagegraph.cli.demo.steps import daemon_running, newest, queue, states, sync
from lineagegraph.client.follow import follow
from lineagegraph.errors import RunError
from lineagegraph.graph import Graph
from lineagegraph.model.runs.states import FINAL, RunState
from lineagegraph.settings import load_settings

PIPELINES = ("nyc.load", "nyc.delays", "nyc.report")
_MOST_SECONDS = 900.0
app = typer.Typer()
app.command()(experiments)


@app.callback(invoke_without_command=True)
def demo(
    context: typer.Context,
    folder: Annotated[
        Path | None, typer.Option(help="Project folder (default: in your home folder).")
    ] = None,
) -> None:
    """Run real Spark pipelines on real data and show their lineage."""
    if context.invoked_subcommand:
        return
    settings = load_settings()
    project = (folder or settings.home / "demo").resolve()
    with connected(settings) as graph:
        with errors.status("fetching the flights that left New York in 2013 (9 MB)"):
            fetch_data(project / "data")
        shutil.copyfile(Path(__file__).with_name("nyc.py"), project / "nyc.py")
        (project / "lineagegraph.toml").write_text('application = "nyc"\n')
        sync(graph, settings, project / "nyc.py")
        with daemon_running(graph, settings):
            runs = _run_all(graph)
        show(graph, settings, runs, project)


def _run_all(graph: Graph) -> dict[str, str]:
    """Queue the first pipeline and follow the runs until the last triggered one has ended."""
    began = time.monotonic()
    runs = {PIPELINES[0]: queue(graph, PIPELINES[0])}
    seen = {name: newest(graph, name) for name in PIPELINES[1:]}

    def list_runs() -> list[str]:
        for name in PIPELINES[1:]:
            latest = newest(graph, name)
            if name not in runs and latest and latest != seen[name]:
                runs[name] = latest
        return [runs[name] for name in PIPELINES if name in runs]

    def is_over() -> bool:
        if time.monotonic() - began > _MOST_SECONDS:
            raise RunError(
                f"the demo is not done after {_MOST_SECONDS:.0f} s: see `lineagegraph jobs`"
            )
        states = [_state(graph, run_id) for run_id in list_runs()]
        failed = any(state in FINAL - {RunState.COMPLETED} for state in states)
        return failed or (len(states) == len(PIPELINES) and all(s in FINAL for s in states))

    follow(graph, list_runs, is_over, results)
    for name, run_id in runs.items():
        if _state(graph, run_id) != RunState.COMPLETED:
            raise RunError(f"{name} did not complete: see `lineagegraph show {run_id}`")
    return runs


def _state(graph: Graph, run_id: str) -> str:
    return states(graph, [run_id])[run_id]
