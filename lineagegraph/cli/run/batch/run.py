"""`batch run` and `batch restart`: sync a file and submit its batch."""

from typing import Annotated

import typer

from lineagegraph.cli.connect import connected
from lineagegraph.cli.console import errors
from lineagegraph.cli.options import Force, IgnoreUpstream, Only, Params, WithUpstream
from lineagegraph.cli.run.batch.files import BatchName, File, find_batch
from lineagegraph.cli.run.execute import execute_queued
from lineagegraph.graph import Graph
from lineagegraph.runs.queue import QueueRequest, last_request, queue_run, read_values
from lineagegraph.settings import Settings, load_settings
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
        request, last = last_request(graph, found.key, found.fqn)
        if last.is_open:
            errors.print(f"run {last.id} is still in progress: waiting for its tasks")
        _submit(graph, settings, request, wait=wait)


def _submit(graph: Graph, settings: Settings, request: QueueRequest, *, wait: bool) -> None:
    queued = queue_run(graph, request)
    execute_queued(graph, settings, queued.run_id, has_daemon=queued.has_daemon, wait=wait)
