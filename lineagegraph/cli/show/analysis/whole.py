"""`analysis weak-points`, `orphans`, `cycles` and the like: questions about all lineage."""

from typing import Annotated

import typer

from lineagegraph.cli.connect import connected
from lineagegraph.cli.console import print_json, print_table
from lineagegraph.cli.formatting import clock
from lineagegraph.cli.options import Json, Limit
from lineagegraph.queries.analysis import (
    find_cycles,
    find_orphans,
    find_parent_cycles,
    find_unused_columns,
    find_weak_points,
)
from lineagegraph.queries.lineage.collapse import Level
from lineagegraph.settings import load_settings

Fine = Annotated[Level, typer.Option("--level", help="Whether tasks or pipelines count as jobs.")]


def weak_points(level: Fine = "task", limit: Limit = 20, json: Json = False) -> None:
    """List jobs and datasets that are the only path to most of their downstream."""
    with connected(load_settings()) as graph:
        found = find_weak_points(graph, level, limit)
    rows = (
        (one.kind, one.name, str(one.only_through), str(one.downstream), _yes(one.is_bridge))
        for one in found
    )
    columns = ("KIND", "NAME", "ONLY THROUGH IT", "DOWNSTREAM", "BRIDGE")
    print_json(found) if json else print_table(columns, rows, "no weak points")


def orphans(
    days: Annotated[
        float, typer.Option("--days", help="Days without use after which a dataset is idle.")
    ] = 30,
    json: Json = False,
) -> None:
    """List datasets without a reader, without a writer, or unused for long."""
    with connected(load_settings()) as graph:
        found = find_orphans(graph, days)
    rows = (
        (
            f"{one.namespace}:{one.name}",
            ", ".join(one.why),
            clock(one.read_at),
            clock(one.written_at),
        )
        for one in found
    )
    columns = ("DATASET", "WHY", "LAST READ", "LAST WRITTEN")
    print_json(found) if json else print_table(columns, rows, "no orphaned datasets")


def unused_columns(
    days: Annotated[
        float,
        typer.Option("--days", min=0, max=36_500, help="Days without a report of the lineage."),
    ] = 30,
    json: Json = False,
) -> None:
    """List columns and their sources that no event has reported for long."""
    with connected(load_settings()) as graph:
        found = find_unused_columns(graph, days)
    rows = (
        (
            f"{one.dataset}#{one.field}",
            f"{one.source_dataset}#{one.source_field}",
            one.subtype or one.type,
            one.job,
            clock(one.last_seen),
        )
        for one in found
    )
    columns = ("COLUMN", "SOURCE", "HOW", "JOB", "LAST SEEN")
    print_json(found) if json else print_table(columns, rows, "no unused column lineage")


def cycles(level: Fine = "task", json: Json = False) -> None:
    """List cycles: jobs that read, through other jobs, data that they write."""
    with connected(load_settings()) as graph:
        found = find_cycles(graph, level)
    rows = (
        (" → ".join((*one.path, one.path[0])), str(one.jobs), str(one.datasets)) for one in found
    )
    print_json(found) if json else print_table(("WAY", "JOBS", "DATASETS"), rows, "no cycles")


def parent_cycles(json: Json = False) -> None:
    """List cycles of parents: runs that are each the parent of the next."""
    with connected(load_settings()) as graph:
        found = find_parent_cycles(graph)
    rows = (
        (" ← ".join(f"{run.namespace}:{run.job}" for run in one.runs), str(len(one.runs)), run.id)
        for one in found
        for run in one.runs[:1]
    )
    columns = ("CYCLE", "RUNS", "FIRST RUN")
    print_json(found) if json else print_table(columns, rows, "no cycles of parents")


def _yes(is_so: bool) -> str:
    return "yes" if is_so else ""
