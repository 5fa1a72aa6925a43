"""The demo's results, printed."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from rich.text import Text

from lineagegraph import neo4j_server
from lineagegraph.cli.console import program, results
from lineagegraph.cli.demo.history import FAILED, LATE, PRICES
from lineagegraph.cli.demo.steps import shorten
from lineagegraph.cli.show.firings import print_firings
from lineagegraph.cli.show.jobs import job_tree
from lineagegraph.cli.show.lineage import print_lineage
from lineagegraph.cli.show.runs import print_runs
from lineagegraph.drawing.svg import to_svg
from lineagegraph.graph import Graph
from lineagegraph.queries.lineage.lineage import LineageScope, walk_lineage
from lineagegraph.queries.runs.hierarchy import read_job_tree
from lineagegraph.queries.runs.runs import read_run, read_runs
from lineagegraph.queries.triggers.triggers import read_firings
from lineagegraph.settings import Settings

REPORT = "gold/monthly_delay"


def show(graph: Graph, runs: dict[str, str], project: Path) -> None:
    """Print the hierarchy, lineage, runs and firings, and draw the lineage."""
    target = f"dataset:file:{project / 'lake' / REPORT}"
    results.print()
    results.print(f"paths are below {project}")
    title("hierarchy: pipelines, tasks, Spark applications and their actions")
    for name in runs:
        results.print(job_tree(read_job_tree(graph, name)))
    title(f"lineage of {REPORT}, through all three pipelines")
    print_lineage(shorten(walk_lineage(graph, target, LineageScope(down=0)), project), down=False)
    title(f"lineage of one column, {REPORT}#arr_delay, back to the CSV files")
    column = walk_lineage(graph, f"{target}#arr_delay", LineageScope(down=0))
    print_lineage(shorten(column, project), down=False)
    title("runs")
    for name in runs:
        results.print(name)
        print_runs(shorten(read_runs(graph, name, limit=3), project), name)
    title("firings, and why")
    print_firings(shorten(read_firings(graph, limit=6), project))
    emitted = read_run(graph, runs["nyc.report"]).emitted
    title("what the report emitted")
    for task, values in emitted.items():
        results.print(f"{task}: {_flat(values)}")
    drawing = project / "lineage.svg"
    drawn = shorten(walk_lineage(graph, target, LineageScope(down=0, level="task")), project)
    drawing.write_text(to_svg(drawn), encoding="utf-8")
    results.print()
    results.print(f"drawn       {drawing}")
    results.print(f"pipelines   {project / 'nyc.py'}")


def print_story(page: str | None) -> None:
    """Print what the last week has to show, and how to go on; the server stays up."""
    title("the last week, with what to type about it")
    late = datetime.now(UTC).date() - timedelta(days=LATE)
    for happening, command in (
        *_STORY[:1],
        (f"{LATE} days ago the delays came five hours late", f"analysis critical-path {late}"),
        *_STORY[1:],
    ):
        results.print(f"{happening:<58}  {program()} {command}")
    results.print()
    if page:
        results.print(f"page      {page}/")
    results.print(f"notebook  {program()} notebook")
    results.print(f"stop      {program()} down")


_STORY = (
    (f"{FAILED} days ago enrich failed, and ran again two hours later", "runs nyc.delays"),
    ("nyc.bulletin failed, and was rerun with another version", "versions nyc.bulletin"),
    (f"{PRICES} is stale: the vendor's job fails upstream", "freshness --stale"),
    ("nyc.next_year waits for the flights of 2014", "sensor list"),
    ("nyc.day was filled for a week, and comes next at six", "backfill list"),
    ("an event without an edition is a dead letter", "trigger why nyc.bulletin"),
    ("tail numbers of planes have the tag PII", "tags flow PII"),
)


def title(text: str) -> None:
    """Print a heading."""
    results.print()
    results.print(Text(text, "bold underline"))


def _flat(values: dict[str, float]) -> str:
    return ", ".join(f"{name} {value:,.0f}" for name, value in values.items())


def print_locations(settings: Settings, drawing: Path, project: Path) -> None:
    """Print the locations of the drawing, the project and the graph."""
    results.print()
    results.print(f"drawn       {drawing}")
    results.print(f"pipelines   {project}")
    if settings.neo4j_uri:
        results.print(f"graph       {settings.neo4j_uri}")
        return
    address = neo4j_server.live_address(settings)
    if address:
        results.print(f"browser     {address.browser} (`{program()} browser` shows the login)")
        results.print(f"stop        {program()} down")
