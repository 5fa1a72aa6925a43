"""The demo's results, printed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from rich.text import Text

from lineagegraph.cli.console import print_table, results
from lineagegraph.cli.demo.experiments.story import ZONES
from lineagegraph.cli.demo.show import print_locations, title
from lineagegraph.cli.demo.steps import shorten
from lineagegraph.cli.formatting import first_line, moment, state_text
from lineagegraph.cli.run.trigger_view import print_why
from lineagegraph.cli.show.firings import print_firings
from lineagegraph.cli.show.freshness import print_standings
from lineagegraph.cli.show.jobs import job_tree
from lineagegraph.cli.show.lineage import print_lineage
from lineagegraph.drawing.svg import to_svg
from lineagegraph.graph import Graph
from lineagegraph.model.typed import decode_json
from lineagegraph.queries.find.find import find_job
from lineagegraph.queries.freshness.freshness import read_standings, with_causes
from lineagegraph.queries.jobs.pages import Cut, page_partitions
from lineagegraph.queries.lineage.lineage import LineageScope, walk_lineage
from lineagegraph.queries.runs.hierarchy import read_job_tree
from lineagegraph.queries.runs.runs import read_run
from lineagegraph.queries.triggers.triggers import read_firings
from lineagegraph.queries.triggers.why import read_why
from lineagegraph.settings import Settings
from lineagegraph.store.jobs.details import RunDetailRow

if TYPE_CHECKING:
    import pandas as pd

SHARED = "experiments"
HOURLY, DAILY = "hourly_experiment_metrics", "daily_experiment_metrics"


class LatestPartitionRun(NamedTuple):
    """The latest run for an hour or a day of a region."""

    region: str
    hour: str
    run: RunDetailRow


def read_latest(graph: Graph, job: str, inherit: bool) -> list[LatestPartitionRun]:
    """Return the latest runs of a workflow, by region and hour."""
    found = page_partitions(graph, find_job(graph, job).key, inherit, Cut(limit=1000)).items
    partitions = [(decode_json(one.text, into=dict[str, str]), one.run.row) for one in found]
    return [
        LatestPartitionRun(where["region"], where.get("hour", ""), run) for where, run in partitions
    ]


REPORT = "aggregate_experiment_metrics"


def show_regions(graph: Graph, settings: Settings, when: str) -> None:
    """Print the progress of each region and what delays it."""
    hourly = read_latest(graph, HOURLY, settings.inherit_namespace)
    daily = {one.region: one for one in read_latest(graph, DAILY, settings.inherit_namespace)}
    title(f"the last state of each region {when}")
    rows = [_row(graph, region, daily.get(region), hourly) for region in ZONES]
    print_table(("REGION", "DAY", "SINCE", "HOURS", "WHY"), rows, "no region has run yet")


def show_end(graph: Graph, settings: Settings, project: Path, sums: pd.DataFrame) -> None:
    """Print the hierarchy, lineage, regions and firings, and draw the lineage."""
    target = f"dataset:file:{project / 'lake' / REPORT}"
    results.print()
    results.print(f"paths are below {project}")
    title("hierarchy: one application, hourly and daily, as two jobs for all regions")
    for name in (HOURLY, DAILY):
        results.print(job_tree(read_job_tree(graph, name)))
    title(f"lineage of {REPORT}: each table once, whatever the number of regions")
    found = shorten(walk_lineage(graph, target, LineageScope(down=0, level="task")), project)
    print_lineage(found, down=False)
    show_regions(graph, settings, "in the end")
    title("how fresh the batches are, by their own terms")
    print_standings(with_causes(graph, settings.zone, read_standings(graph, settings.zone)), "")
    title("what the days waited for")
    print_why(read_why(graph, DAILY))
    title("firings, and why")
    print_firings(shorten(read_firings(graph, limit=6), project))
    title("the same metrics, computed by pandas")
    results.print(sums.to_string())
    drawing = project / "lineage.svg"
    drawing.write_text(to_svg(found), encoding="utf-8")
    print_locations(settings, drawing, project)


def _row(
    graph: Graph, region: str, day: LatestPartitionRun | None, hourly: list[LatestPartitionRun]
) -> tuple[str | Text, ...]:
    mine = [one for one in hourly if one.region == region]
    hours = "  ".join(f"{one.hour} {one.run.state}" for one in mine)
    ended = moment(day.run.ended_at, False) if day else ""
    return region, state_text(day.run.state if day else "–"), ended, hours, _why(graph, mine)


def _why(graph: Graph, mine: list[LatestPartitionRun]) -> str:
    failed = [read_run(graph, one.run.id) for one in mine if one.run.state == "FAILED"]
    return "; ".join(first_line(one.run.error) for one in failed)
