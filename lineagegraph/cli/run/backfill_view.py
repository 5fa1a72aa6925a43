"""Backfills as text for a terminal."""

import time
from collections.abc import Sequence

from rich.progress import BarColumn, MofNCompleteColumn, SpinnerColumn, TextColumn
from rich.progress import Progress as ProgressBar
from rich.text import Text

from lineagegraph.backfills.start import Planned, StartedBackfill
from lineagegraph.cli.console import errors, is_wide, print_rest, print_table, results
from lineagegraph.cli.formatting import clock, moment, reason, run_id, state_text, took
from lineagegraph.graph import Graph
from lineagegraph.model.names.keys import canonical_json
from lineagegraph.model.triggers.backfill import BackfillState
from lineagegraph.queries.jobs.pages import Page
from lineagegraph.queries.triggers.backfills import Backfill, read_backfill
from lineagegraph.store.triggers.backfills import PartitionRow
from lineagegraph.text import format_age, format_count

_POLL_SECONDS = 0.5
_NOTHING = "no backfills yet: `lineagegraph backfill start PIPELINE --from DAY --to DAY`"


def summary(started: StartedBackfill) -> str:
    """Return a sentence about a backfill that was started."""
    what = "started" if started.is_new else "already exists"
    left_out = started.total - started.to_run
    return f"{what}: {_partitions(started.to_run)} to run, {left_out} left out"


def print_plan(plan: Sequence[Planned]) -> None:
    """Print a table of the partitions that would run or be left out."""
    columns = ("RUNS", "PARAMETERS", "LATEST", "RUN")
    print_table(columns, map(_planned, plan), "no partitions")
    to_run = sum(one.will_run for one in plan)
    errors.print(f"{_partitions(to_run)} would run, {len(plan) - to_run} would be left out")


def print_backfills(found: Sequence[Backfill]) -> None:
    """Print a table of backfills."""
    columns = ("BACKFILL", "PIPELINE", "STATE", "DONE", "FAILED", "ACTIVE", "REST", "STARTED")
    print_table(columns, map(_row, found), _NOTHING)


def print_backfill(found: Backfill, page: Page[PartitionRow]) -> None:
    """Print a backfill and a table of some of its partitions."""
    about = found.about
    why = f"  {about.reason}" if about.reason else ""
    results.print(Text.assemble(about.id, "  ", (about.job, "bold"), "  ", about.state, why))
    results.print(f"{_counts(found)}; at most {about.concurrency} at a time{_rate(found)}")
    columns = ("PARTITION", "STATE", "STARTED", "TOOK", "RUN", "WHY")
    print_table(columns, map(_partition, page.items), "no such partitions")
    print_rest(page.total - len(page.items))


def follow_backfill(graph: Graph, backfill_id: str) -> BackfillState:
    """Show a progress bar until a backfill is over, or paused with nothing in progress.

    It waits while the graph is away, as the backfill does.
    """
    graph = graph.outlasting()
    columns = (SpinnerColumn(), BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"))
    with ProgressBar(*columns, console=errors, disable=not errors.is_terminal) as bar:
        task = bar.add_task("")
        while True:
            found = read_backfill(graph, backfill_id)
            about, progress = found.about, found.progress
            said = f"{_counts(found)}{_rate(found)}"
            bar.update(task, completed=progress.done, total=about.total, description=said)
            if about.state is not BackfillState.RUNNING and not progress.active:
                break
            time.sleep(_POLL_SECONDS)
    errors.print(f"backfill {about.state}: {_counts(found)}" + _because(about.reason))
    return about.state


def _partitions(number: int) -> str:
    return format_count(number, "partition")


def _because(why: str | None) -> str:
    return f" ({why})" if why else ""


def _counts(found: Backfill) -> str:
    counts = sorted(found.about.counts, key=lambda one: one.state)
    return ", ".join(f"{one.partitions:,} {one.state}" for one in counts)


def _rate(found: Backfill) -> str:
    progress = found.progress
    if progress.rate_per_minute is None:
        return ""
    rest = _rest(progress.rest_seconds)
    return f"; {progress.rate_per_minute:.1f} a minute" + (f", {rest} left" if rest else "")


def _rest(rest: float | None) -> str:
    return format_age(rest) if rest else ""


def _planned(one: Planned) -> tuple[str | Text, ...]:
    return (
        Text("yes", "green") if one.will_run else Text("no", "dim"),
        canonical_json(one.params),
        state_text(one.latest_state) if one.latest_state else "",
        run_id(one.latest_run or "", is_wide()),
    )


def _row(found: Backfill) -> tuple[str | Text, ...]:
    about, progress = found.about, found.progress
    return (
        about.id,
        Text(about.job, "bold"),
        about.state,
        f"{progress.done}/{about.total}",
        str(progress.failed),
        str(progress.active),
        _rest(progress.rest_seconds),
        clock(about.created_at),
    )


def _partition(one: PartitionRow) -> tuple[str | Text, ...]:
    wide = is_wide()
    return (
        one.partition or one.params,
        state_text(one.state),
        moment(one.started_at, wide),
        took(one.started_at, one.ended_at),
        run_id(one.run_id or "", wide),
        reason(one.reason, wide),
    )
