"""`runs`: the newest runs of a job, or of all jobs."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any

import msgspec
import typer
from rich.text import Text

from lineagegraph.cli.connect import connected
from lineagegraph.cli.console import errors, is_wide, print_json, print_table
from lineagegraph.cli.formatting import first_line, moment, reason, run_id, state_text, took
from lineagegraph.cli.options import Json, Limit, Namespace, read_since
from lineagegraph.model.names.named_values import values_of
from lineagegraph.model.pipelines.parameters import as_text
from lineagegraph.model.runs.hand_mark import MARKED
from lineagegraph.model.runs.states import FAILURES
from lineagegraph.queries.runs.runs import read_runs
from lineagegraph.settings import load_settings
from lineagegraph.store.runs.history import ChangedRunRow, RunRow, list_changed

_MOST = 1000


def runs(
    job: Annotated[
        str | None,
        typer.Argument(help="Full name or unique simple name of a job (default: all jobs)."),
    ] = None,
    namespace: Namespace = None,
    limit: Limit = 20,
    failed: Annotated[bool, typer.Option("--failed", help="Only failures.")] = False,
    since: Annotated[
        datetime | None,
        typer.Option(
            parser=read_since,
            metavar="TIME|AGE",
            help="Only runs whose state changed since then, such as 12h.",
        ),
    ] = None,
    unacknowledged: Annotated[
        bool,
        typer.Option("--unacknowledged", help="Of these, only failures not yet acknowledged."),
    ] = False,
    json: Json = False,
) -> None:
    """List the newest runs of a job, or the runs of all jobs by their last change of state."""
    states = sorted(map(str, FAILURES)) if failed or unacknowledged else None
    with connected(load_settings()) as graph:
        if job is None:
            changed = graph.read(
                list_changed,
                since=since,
                states=states,
                namespace=namespace,
                unacknowledged=unacknowledged,
                limit=limit,
            )
            print_json(list(map(_plain, changed))) if json else print_changed(changed)
            return
        most = max(limit, _MOST) if states or since else limit
        found = read_runs(graph, job, namespace, limit=most)
    is_cut = bool(states or since) and len(found) == most and _is_wanted(found[-1], None, since)
    found = [run for run in found if _is_wanted(run, states, since)]
    if unacknowledged:
        found = [run for run in found if not run.acknowledgement]
    if is_cut and len(found) < limit:
        errors.print(f"only the newest {most:,} runs of {job} were searched: --limit searches more")
    found = found[:limit]
    print_json(list(map(_plain, found))) if json else print_runs(
        found, job, is_chosen=bool(states or since)
    )


def _is_wanted(run: RunRow, states: list[str] | None, since: datetime | None) -> bool:
    at = run.ended_at or run.started_at or run.created_at
    is_new = since is None or (at is not None and at >= since)
    return is_new and (states is None or run.state in states)


def print_changed(found: list[ChangedRunRow]) -> None:
    """Print a table of runs of all jobs."""
    columns = ("RUN", "JOB", "STATE", "STARTED", "TOOK", "PARTITION", "PARAMS", "WHY")
    print_table(columns, map(_changed_row, found), "no such runs")


def _changed_row(run: ChangedRunRow) -> tuple[str | Text, ...]:
    wide = is_wide()
    return (
        run_id(run.id, wide),
        run.job or "",
        state_text(run.state, run.reason),
        moment(run.started_at or run.state_at, wide),
        took(run.started_at, run.ended_at),
        *_values(run),
        _why(run, wide),
    )


def _values(run: RunRow | ChangedRunRow) -> tuple[str, str]:
    """Return the partition of a run, and its other parameters."""
    partition = values_of(run.partition)
    more = {name: value for name, value in values_of(run.params).items() if name not in partition}
    return _listed(partition), _listed(more)


def _listed(values: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={as_text(value)}" for name, value in values.items())


def _plain(run: RunRow | ChangedRunRow) -> dict[str, Any]:
    """Return a run for `--json`, with its partition and parameters as objects."""
    whole: dict[str, Any] = msgspec.to_builtins(run)
    parts = {"partition": values_of(run.partition), "params": values_of(run.params)}
    return {**whole, **parts}


def print_runs(found: list[RunRow], job: str, *, is_chosen: bool = False) -> None:
    """Print a table of runs of a job, without partitions and parameters if no run has any."""
    columns = ("RUN", "STATE", "STARTED", "TOOK", "PARTITION", "PARAMS", "VERSION", "WHY")
    rows = list(map(_row, found))
    kept = [
        at
        for at, name in enumerate(columns)
        if name not in ("PARTITION", "PARAMS") or any(row[at] for row in rows)
    ]
    listed = [[row[at] for at in kept] for row in rows]
    empty = "no such runs" if is_chosen else f"{job} has not run yet"
    print_table([columns[at] for at in kept], listed, empty)


def _row(run: RunRow) -> tuple[str | Text, ...]:
    wide = is_wide()
    return (
        run_id(run.id, wide),
        state_text(run.state, run.reason),
        moment(run.started_at or run.created_at, wide),
        took(run.started_at, run.ended_at),
        *_values(run),
        (run.version or "")[:10],
        _why(run, wide),
    )


def _why(run: RunRow | ChangedRunRow, wide: bool) -> str:
    why = reason(run.fired_by, wide)
    if run.reason == MARKED:
        why = run.message or ""
    elif run.error or run.reason:
        why = f"{run.reason or run.state}: {first_line(run.error or run.message)}".rstrip(": ")
    if run.acknowledgement:
        why = f"{why} ({run.acknowledgement.text})"
    return why
