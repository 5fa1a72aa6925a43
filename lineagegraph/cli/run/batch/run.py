"""`batch run` and `batch restart`: sync a file and submit its batch."""

import json
from typing import Annotated

import typer

from lineagegraph.cli.connect import connected
from lineagegraph.cli.console import errors
from lineagegraph.cli.options import Force, IgnoreUpstream, Only, Params, WithUpstream
from lineagegraph.cli.run.batch.files import BatchName, File, find_batch
from lineagegraph.cli.run.execute import execute_queued
from lineagegraph.errors import RunError
from lineagegraph.graph import Graph
from lineagegraph.runs.queue import QueueRequest, queue_run, read_values
from lineagegraph.settings import Settings, load_settings
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
        request = QueueRequest(
            job_key=found.key,
            fqn=found.fqn,
            params=read_values(param or []),
            only=only.split(",") if only else [],
            options=options,
        )
        _submit(graph, settings, request, wait=wait)


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
        request = QueueRequest(job_key=found.key, fqn=found.fqn, params=given, only=last.only)
        _submit(graph, settings, request, wait=wait)


def _submit(graph: Graph, settings: Settings, request: QueueRequest, *, wait: bool) -> None:
    queued = queue_run(graph, request)
    execute_queued(graph, settings, queued.run_id, has_daemon=queued.has_daemon, wait=wait)
