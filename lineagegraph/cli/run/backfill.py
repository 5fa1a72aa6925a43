"""`backfill preview|start|list|show|pause|resume|cancel`."""

from typing import Annotated

import typer

from lineagegraph.backfills.change import cancel_backfill, pause_backfill, resume_backfill
from lineagegraph.backfills.start import preview_backfill, start_backfill
from lineagegraph.cli.connect import connected
from lineagegraph.cli.console import errors, print_json, print_rest, results
from lineagegraph.cli.options import Json, Limit, Namespace
from lineagegraph.cli.run.backfill_span import (
    All,
    First,
    Last,
    NewestFirst,
    OnlyFailed,
    OnlyMissing,
    Param,
    ParamsFile,
    Step,
    Values,
    Zone,
    read_range,
    read_span,
    read_which,
)
from lineagegraph.cli.run.backfill_view import (
    follow_backfill,
    print_backfill,
    print_backfills,
    print_plan,
    summary,
)
from lineagegraph.graph import Graph
from lineagegraph.liveness.daemons import has_daemon, nudge_daemons
from lineagegraph.model.triggers.backfill import BackfillState
from lineagegraph.queries.find.find import find_job
from lineagegraph.queries.jobs.pages import Cut
from lineagegraph.queries.triggers.backfills import page_backfills, page_partitions, read_backfill
from lineagegraph.settings import load_settings

app = typer.Typer(no_args_is_help=True, help="Run a pipeline for many days or partitions.")

Job = Annotated[str, typer.Argument(help="Full name or unique simple name of a pipeline.")]
Id = Annotated[str, typer.Argument(metavar="BACKFILL", help="Backfill id.")]


@app.command()
def preview(
    job: Job,
    first: First = None,
    last: Last = None,
    step: Step = "1d",
    zone: Zone = None,
    param: Param = None,
    values: Values = None,
    params_file: ParamsFile = None,
    only_missing: OnlyMissing = False,
    failed: OnlyFailed = False,
    all_: All = False,
    newest_first: NewestFirst = False,
    namespace: Namespace = None,
    json: Json = False,
) -> None:
    """Show the partitions that would run and their parameters; store nothing."""
    settings = load_settings()
    times = read_range(first, last, step, zone or settings.zone, param)
    which = read_which(only_missing, failed, all_)
    span = read_span(times, values or [], params_file, which, newest_first)
    with connected(settings) as graph:
        plan = preview_backfill(graph, find_job(graph, job, namespace).key, span)
    print_json(plan) if json else print_plan(plan)


@app.command()
def start(
    job: Job,
    first: First = None,
    last: Last = None,
    step: Step = "1d",
    zone: Zone = None,
    param: Param = None,
    values: Values = None,
    params_file: ParamsFile = None,
    only_missing: OnlyMissing = False,
    failed: OnlyFailed = False,
    all_: All = False,
    newest_first: NewestFirst = False,
    concurrency: Annotated[
        int, typer.Option("--concurrency", "-c", help="Maximum number of runs at a time.")
    ] = 1,
    stop_after: Annotated[
        int | None, typer.Option(metavar="N", help="Pause after this many failures.")
    ] = None,
    backfill_id: Annotated[
        str | None, typer.Option("--id", help="Backfill id; the same id starts only once.")
    ] = None,
    wait: Annotated[
        bool, typer.Option("--wait", help="Follow the backfill until it ends.")
    ] = False,
    namespace: Namespace = None,
    json: Json = False,
) -> None:
    """Start a backfill; daemons run its partitions."""
    settings = load_settings()
    times = read_range(first, last, step, zone or settings.zone, param)
    which = read_which(only_missing, failed, all_)
    span = read_span(times, values or [], params_file, which, newest_first)
    with connected(settings) as graph:
        started = start_backfill(
            graph,
            find_job(graph, job, namespace).key,
            span,
            backfill_id=backfill_id,
            concurrency=concurrency,
            stop_after=stop_after,
        )
        nudge_daemons(graph)
        print_json(started) if json else results.print(started.id)
        errors.print(summary(started))
        _report_no_daemon(graph)
        if wait:
            state = follow_backfill(graph, started.id)
            raise typer.Exit(0 if state is BackfillState.COMPLETED else 1)


@app.command("list")
def list_all(
    job: Annotated[str | None, typer.Argument(help="Only backfills of this pipeline.")] = None,
    namespace: Namespace = None,
    limit: Limit = 20,
    json: Json = False,
) -> None:
    """List backfills, newest first."""
    with connected(load_settings()) as graph:
        key = find_job(graph, job, namespace).key if job else None
        found = page_backfills(graph, key, Cut(limit))
    print_json(found.items) if json else print_backfills(found.items)
    print_rest(found.total - len(found.items))


@app.command()
def show(
    backfill_id: Id,
    state: Annotated[
        list[str] | None, typer.Option(help="Only partitions in this state, such as FAILED.")
    ] = None,
    limit: Limit = 20,
    json: Json = False,
) -> None:
    """Show a backfill's progress and its partitions in run order."""
    with connected(load_settings()) as graph:
        found = read_backfill(graph, backfill_id)
        states = [one.upper() for one in state] if state else None
        page = page_partitions(graph, backfill_id, Cut(limit), states)
    if json:
        print_json({"backfill": found, "partitions": page.items, "total": page.total})
    else:
        print_backfill(found, page)


@app.command()
def pause(backfill_id: Id) -> None:
    """Pause a backfill: start no more runs; those in progress continue."""
    with connected(load_settings()) as graph:
        pause_backfill(graph, backfill_id)
    results.print(f"backfill {backfill_id} is paused: continue it with `backfill resume`")


@app.command()
def resume(backfill_id: Id) -> None:
    """Resume a paused backfill."""
    with connected(load_settings()) as graph:
        resume_backfill(graph, backfill_id)
        nudge_daemons(graph)
        _report_no_daemon(graph)
    results.print(f"backfill {backfill_id} is resumed")


@app.command()
def cancel(
    backfill_id: Id,
    running: Annotated[
        bool, typer.Option("--running", help="Also cancel its runs in progress.")
    ] = False,
) -> None:
    """Cancel a backfill: partitions that have not started will not run."""
    with connected(load_settings()) as graph:
        cancel_backfill(graph, backfill_id, running=running)
        nudge_daemons(graph)
    results.print(f"backfill {backfill_id} is cancelled")


def _report_no_daemon(graph: Graph) -> None:
    if not has_daemon(graph):
        errors.print("no daemon is running: start one with `lineagegraph up`")
