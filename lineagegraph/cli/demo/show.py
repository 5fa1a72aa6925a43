"""The demo's results, printed."""

from pathlib import Path

from rich.text import Text

from lineagegraph import neo4j_server
from lineagegraph.cli.console import program, results
from lineagegraph.cli.demo.steps import shorten
from lineagegraph.cli.show.firings import print_firings
from lineagegraph.cli.show.jobs import job_tree
from lineagegraph.cli.show.lineage import print_lineage
from lineagegraph.cli.show.runs import print_runs
from lineagegraph.drawing.svg import to_svg
from lineagegraph.graph import Graph, answers
from lineagegraph.neo4j_server.folder import server_folder
from lineagegraph.queries.lineage.lineage import LineageScope, walk_lineage
from lineagegraph.queries.runs.hierarchy import read_job_tree
from lineagegraph.queries.runs.runs import read_run, read_runs
from lineagegraph.queries.triggers.triggers import read_firings
from lineagegraph.settings import Settings

REPORT = "gold/monthly_delay"


def show(graph: Graph, settings: Settings, runs: dict[str, str], project: Path) -> None:
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
    print_locations(settings, drawing, project, "nyc.py")


def title(text: str) -> None:
    """Print a heading."""
    results.print()
    results.print(Text(text, "bold underline"))


def _flat(values: dict[str, float]) -> str:
    return ", ".join(f"{name} {value:,.0f}" for name, value in values.items())


def print_locations(settings: Settings, drawing: Path, project: Path, file: str = "") -> None:
    """Print the locations of the drawing, the project and the graph."""
    results.print()
    results.print(f"drawn       {drawing}")
    results.print(f"pipelines   {project / file}")
    if settings.neo4j_uri:
        results.print(f"graph       {settings.neo4j_uri}")
        return
    address = neo4j_server.status(settings, answers).address
    if address:
        results.print(f"browser     {address.browser}")
        password = server_folder(settings).password_file
        results.print(f"login       {address.user}; the password is in {password}")
        results.print(f"stop        {program()} down")
