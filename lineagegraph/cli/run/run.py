"""`run` and `cancel`."""

from typing import Annotated

import typer

from lineagegraph.cli.connect import connected
from lineagegraph.cli.console import errors, results
from lineagegraph.cli.options import Force, IgnoreUpstream, Only, Params, Wait, WithUpstream
from lineagegraph.cli.run.execute import execute_queued
from lineagegraph.errors import RunError
from lineagegraph.liveness.daemons import has_daemon
from lineagegraph.queries.find.find import find_job, find_run
from lineagegraph.queries.pins import describe_pin, find_pin
from lineagegraph.runs.cancel import cancel_run
from lineagegraph.runs.queue import QueueRequest, queue_run, read_values
from lineagegraph.runs.stored_version import VersionedJob, find_runnable
from lineagegraph.settings import load_settings
from lineagegraph.store.runs import launches
from lineagegraph.store.runs.launches import Options
from lineagegraph.store.triggers import triggers


def run(
    job: Annotated[str, typer.Argument(help="Full name or unique simple name of a pipeline.")],
    param: Params = None,
    only: Only = None,
    wait: Wait = False,
    namespace: Annotated[
        str | None, typer.Option(help="Namespace, if the name is not unique.")
    ] = None,
    consume: Annotated[
        bool,
        typer.Option(
            "--consume", help="Consume the pending occurrences of the pipeline's triggers."
        ),
    ] = False,
    version: Annotated[
        str | None,
        typer.Option(
            help="Run a stored version with today's data, by 4 or more digits of its hash."
        ),
    ] = None,
    force: Force = False,
    ignore_upstream: IgnoreUpstream = False,
    with_upstream: WithUpstream = False,
) -> None:
    """Run a pipeline, in a daemon if one is running, otherwise here."""
    settings = load_settings()
    with connected(settings) as graph:
        found = find_job(graph, job, namespace)
        ids = graph.read(triggers.list_starting, job_key=found.key) if consume else []
        tasks = tuple(only.split(",")) if only else ()
        named = VersionedJob(found.key, found.fqn)
        stored = (
            find_runnable(graph, settings, named, version, tasks) if version is not None else None
        )
        options = Options(force=force, ignore_upstream=ignore_upstream, with_upstream=with_upstream)
        request = QueueRequest(
            job_key=found.key,
            fqn=found.fqn,
            params=read_values(param or []),
            only=tasks,
            triggers=ids,
            consume=consume,
            options=options,
            version=stored,
        )
        queued = queue_run(graph, request)
        pin = None if stored else find_pin(graph, found.key)
        if pin:
            errors.print(describe_pin(pin))
        if consume:
            errors.print(f"it consumes {queued.consumed} pending occurrences of its triggers")
        execute_queued(graph, settings, queued.run_id, has_daemon=queued.has_daemon, wait=wait)


def cancel(
    run_id: Annotated[
        str, typer.Argument(metavar="RUN", help="Run id, or a unique start or end of it.")
    ],
) -> None:
    """Cancel a run: its Spark jobs are cancelled and its state becomes KILLED."""
    settings = load_settings()
    with connected(settings) as graph:
        found = find_run(graph, run_id).id
        max_event_age = settings.max_event_age
        if not graph.write(cancel_run, found, max_event_age=max_event_age, routes=settings.notify):
            raise RunError(
                f"run {found} is not in progress here: only runs in progress can be cancelled"
            )
        results.print(f"run {found} is being cancelled")
        if graph.read(launches.get_lapsed, id=found, now=None) and not has_daemon(graph):
            errors.print("its worker does not answer: `lineagegraph up` starts a daemon to end it")
