"""`batch run` and `batch restart`: sync a file and submit its batch."""

import json
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import typer

from lineagegraph.cli.connect import connected
from lineagegraph.cli.console import errors
from lineagegraph.cli.options import Force, IgnoreUpstream, Only, Params, WithUpstream
from lineagegraph.cli.run.batch.files import BatchName, File, find_batch
from lineagegraph.cli.run.execute import execute_queued
from lineagegraph.errors import RunError
from lineagegraph.graph import Graph
from lineagegraph.runs.queue import NO_OPTIONS, queue_run, read_values
from lineagegraph.settings import Settings, load_settings
from lineagegraph.store.jobs.names import NamedJob
from lineagegraph.store.runs import launches
from lineagegraph.store.runs.launches import Options

Follow = Annotated[
    bool,
    typer.Option(
        "--wait/--no-wait", help="Follow the run until it ends (without a daemon: always)."
    ),
]


def run(
    file: File,
    batch: BatchName = None,
    param: Params = None,
    only: Only = None,
    wait: Follow = True,
    force: Force = False,
    ignore_upstream: IgnoreUpstream = False,
    with_upstream: WithUpstream = False,
) -> None:
    """Sync a file and run its batch; fresh tasks are skipped."""
    options = Options(force=force, ignore_upstream=ignore_upstream, with_upstream=with_upstream)
    settings = load_settings()
    with connected(settings) as graph:
        found = find_batch(graph, settings, file, batch)
        tasks = only.split(",") if only else []
        _submit(graph, settings, found, read_values(param or []), tasks, options, wait=wait)


def restart(file: File, batch: BatchName = None, wait: Follow = True) -> None:
    """Submit a batch again with the options of its last run; fresh tasks are skipped."""
    settings = load_settings()
    with connected(settings) as graph:
        found = find_batch(graph, settings, file, batch)
        last = graph.read(launches.get_last, job_key=found.key)
        if last is None:
            raise RunError(
                f"batch {found.fqn} has never run: start it with `lineagegraph batch run {file}`"
            )
        if last.is_open:
            errors.print(f"run {last.id} is still in progress: waiting for its tasks")
        given = json.loads(last.params) if last.params else {}
        _submit(graph, settings, found, given, last.only, NO_OPTIONS, wait=wait)


def _submit(
    graph: Graph,
    settings: Settings,
    found: NamedJob,
    params: Mapping[str, Any],
    only: Sequence[str],
    options: Options,
    *,
    wait: bool,
) -> None:
    queued = queue_run(graph, found.key, found.fqn, params, only, options=options)
    execute_queued(graph, settings, queued.run_id, has_daemon=queued.has_daemon, wait=wait)
