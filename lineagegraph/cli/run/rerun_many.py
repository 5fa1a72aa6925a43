"""`rerun --job`: rerun many runs."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Annotated, NoReturn

import typer
from rich.progress import Progress

from lineagegraph.backfills.of_reruns import BulkRequest, Candidate, Note, plan_bulk, start_bulk
from lineagegraph.cli.console import errors, print_json, print_table, results
from lineagegraph.cli.options import read_time
from lineagegraph.cli.run.backfill_view import follow_backfill, summary
from lineagegraph.daemon.daemon import Daemon
from lineagegraph.errors import RerunAsks
from lineagegraph.graph import Graph
from lineagegraph.liveness.daemons import has_daemon, nudge_daemons
from lineagegraph.model.triggers.backfill import BackfillState
from lineagegraph.settings import Settings

_TO_CHOOSE = 2

Since = Annotated[
    datetime | None,
    typer.Option(
        parser=read_time, metavar="TIME", help="With --job: only runs queued at or after this time."
    ),
]
Until = Annotated[
    datetime | None,
    typer.Option(
        parser=read_time, metavar="TIME", help="With --job: only runs queued before this time."
    ),
]
States = Annotated[
    list[str] | None,
    typer.Option("--state", help="With --job: only runs in this state, such as FAILED."),
]


def rerun_many(
    graph: Graph, settings: Settings, request: BulkRequest, *, dry_run: bool, wait: bool, json: bool
) -> None:
    """Rerun many runs as one backfill; without a daemon this process executes them."""
    try:
        with _noting() as note:
            if dry_run:
                found = plan_bulk(graph, settings, request, note)
            else:
                started = start_bulk(graph, settings, request, note)
    except RerunAsks as asks:
        exit_for_choice(asks)
    if dry_run:
        print_json(found) if json else _print(found)
        return
    print_json(started) if json else results.print(started.id)
    errors.print(summary(started))
    nudge_daemons(graph)
    if has_daemon(graph):
        if wait:
            _end(follow_backfill(graph, started.id))
        return
    errors.print("no daemon is running: this command executes them")
    _end(_run_here(graph, settings, request, started.id))


def exit_for_choice(asks: RerunAsks) -> NoReturn:
    """Print that a policy has to be chosen, and exit."""
    errors.print(f"error: {asks}: give --policy")
    raise typer.Exit(_TO_CHOOSE) from None


def _run_here(
    graph: Graph, settings: Settings, request: BulkRequest, backfill_id: str
) -> BackfillState:
    slots = max(settings.worker_slots, request.concurrency)
    daemon = Daemon(graph, settings.model_copy(update={"worker_slots": slots}))
    daemon.start()
    try:
        return follow_backfill(graph, backfill_id)
    finally:
        daemon.stop()


def _end(state: BackfillState) -> None:
    raise typer.Exit(0 if state is BackfillState.COMPLETED else 1)


@contextmanager
def _noting() -> Iterator[Note]:
    with Progress(console=errors, transient=True, disable=not errors.is_terminal) as bar:
        task = bar.add_task("checking runs", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _print(found: list[Candidate]) -> None:
    rows = [
        (one.run, "no" if one.refused else "yes", one.refused or _differences(one)) for one in found
    ]
    print_table(("RUN", "RERUN", "WHY"), rows, "no run is in that range and state")


def _differences(one: Candidate) -> str:
    number = len(one.plan.differences) if one.plan else 0
    return f"{number} differences" if number else "no differences"
