"""Time to first picture and to expand, of 2,000 nodes and 5,000 edges: `python -m bench.explorer`.

In a real JupyterLab in Chromium, from the key that runs the cell, or that expands a node, until
the page is drawn. neo4j-viz and ipycytoscape show the same graph where the environment has them:
`pip install neo4j-viz ipycytoscape` in a copy of it. Theirs is the time until there is a canvas,
whatever is drawn in it by then.
"""

import argparse
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from playwright.sync_api import Page, sync_playwright
from playwright.sync_api import TimeoutError as TookTooLong

from lineagegraph import neo4j_server
from lineagegraph.graph import Graph, answers, migrate
from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.record import record
from lineagegraph.settings import Settings
from tests.acceptance.notebook.lab import Lab, Notebook
from tests.acceptance.processes import shared
from tests.chromium import chromium

PATIENCE_MS = 120_000
LAYERS, WIDTH = 20, 50
MIDDLE = "dataset:lake:t10_00"
BESIDE = (
    "pipeline_49.task_11",
    "pipeline_43.task_11",
    "pipeline_27.task_11",
    "t09_01",
    "t09_07",
)
"""What is shown around the middle, and has neighbours that are not."""
DRAWN = """(n) => {
  const cell = document.querySelectorAll('.jp-Notebook .jp-CodeCell')[n];
  const busy = cell?.querySelector('.lg-explorer')?.getAttribute('aria-busy');
  return busy === 'false' && cell.querySelectorAll('path.lg-box').length > 0;
}"""
CANVAS = """(n) => {
  const cell = document.querySelectorAll('.jp-Notebook .jp-CodeCell')[n];
  const pages = [cell, ...[...cell.querySelectorAll('iframe')].map((one) => one.contentDocument)];
  const found = pages.flatMap((one) => [...(one?.querySelectorAll('canvas') ?? [])]);
  return found.some((one) => one.width > 50 && one.height > 50);
}"""
OPEN = "import lineagegraph as lg\nsession = lg.connect()"
ALL = "w = session.explore()\nw"
AROUND = f'w = session.explore("{MIDDLE}", up=99, down=99)\nw'
READ = """
from lineagegraph.queries.lineage.neighbourhood import read_surroundings
found = read_surroundings(session._graph, "", up=0, down=0, limit=3000).graph
names = {node.key: node.name for node in found.nodes}
"""
OTHERS = {
    "neo4j_viz": READ
    + """
from neo4j_viz import Node, Relationship, VisualizationGraph
VisualizationGraph(
    nodes=[Node(id=key, caption=name) for key, name in names.items()],
    relationships=[Relationship(source=e.source, target=e.target) for e in found.edges],
).render(max_allowed_nodes=3000)
""",
    "ipycytoscape": READ
    + """
import ipycytoscape, networkx
drawn = networkx.DiGraph((edge.source, edge.target) for edge in found.edges)
shown = ipycytoscape.CytoscapeWidget()
shown.graph.add_graph_from_networkx(drawn, directed=True)
shown
""",
}


def main() -> None:
    """Measure, and print a table for RESULTS.md."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", type=Path, help="a folder whose Neo4j stays, and is emptied")
    parser.add_argument("--times", type=int, default=5)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, opened(given.home, Path(folder)) as notebook:
        print("| | p50 ms | all |\n|---|---:|---|")
        notebook.run(0)
        row("explorer, first picture", [first(notebook, 1, DRAWN) for _ in range(given.times)])
        first(notebook, 2, DRAWN)
        row("explorer, expand", [expand(notebook.page, 2, name) for name in BESIDE])
        for number, name in enumerate(OTHERS, start=3):
            if find_spec(name):
                other(notebook, number, name, given.times)
            else:
                print(f"| {name} | not installed | |")


def other(notebook: Notebook, number: int, name: str, times: int) -> None:
    """Print the row of another widget; one that takes too long is not waited for again."""
    try:
        row(f"{name}, first picture", [first(notebook, number, CANVAS) for _ in range(times)])
    except TookTooLong:
        print(f"| {name}, first picture | more than {PATIENCE_MS:,} | |")


def row(name: str, seconds: list[float]) -> None:
    """Print one row."""
    each = " ".join(f"{one * 1000:.0f}" for one in seconds)
    print(f"| {name} | {statistics.median(seconds) * 1000:.0f} | {each} |", flush=True)


def first(notebook: Notebook, number: int, drawn: str) -> float:
    """Run a cell, and return how long it takes until its output is drawn."""
    notebook.page.evaluate("window.jupyterapp.commands.execute('notebook:clear-all-cell-outputs')")
    notebook.cells.nth(number).locator(".cm-content").click()
    return timed(notebook.page, "Control+Enter", drawn, number)


def expand(page: Page, number: int, name: str) -> float:
    """Expand something that has neighbours not shown, and return how long it takes."""
    explorer = page.locator(".jp-Notebook .jp-CodeCell").nth(number).locator(".lg-explorer")
    explorer.get_by_label("search jobs and datasets").fill(name)
    explorer.get_by_role("option", name=name).click()
    page.wait_for_timeout(2000)
    page.wait_for_function(DRAWN, arg=number)
    return timed(page, "Enter", DRAWN, number)


def timed(page: Page, key: str, drawn: str, number: int) -> float:
    """Press a key, and return how long it takes until something is drawn and the page is idle."""
    began = time.perf_counter()
    page.keyboard.press(key)
    page.wait_for_function(drawn, arg=number, timeout=PATIENCE_MS)
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
    return time.perf_counter() - began


@contextmanager
def opened(home: Path | None, folder: Path) -> Iterator[Notebook]:
    """Open a notebook with all cells in a JupyterLab on the graph."""
    settings = Settings(home=home or folder / "home", neo4j_uri=None)
    server = neo4j_server.start(settings, answers)
    try:
        with Graph(server.bolt, server.user, server.password) as graph, sync_playwright() as driver:
            migrate(graph)
            make_graph(graph)
            with closing(Lab(folder / "lab", shared(server, folder / "client"))) as lab:
                browser = driver.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
                page = browser.new_page(viewport={"width": 1400, "height": 1000})
                yield lab.open(page, OPEN, ALL, AROUND, *OTHERS.values())
    finally:
        if home is None:
            neo4j_server.stop(settings)


def make_graph(graph: Graph) -> None:
    """Write 1,000 tasks of 50 pipelines, which write a table each and read four or five."""
    graph.query("MATCH (n) WHERE NOT n:Migration DETACH DELETE n", write=True)
    events = [event for line in range(WIDTH) for event in pipeline(line)]
    for start in range(0, len(events), 300):
        graph.write(record, extract(events[start : start + 300]))


def pipeline(line: int) -> Iterator[dict[str, Any]]:
    """Return an event of a pipeline, and of each of its tasks."""
    name = f"pipeline_{line:02}"
    yield event(name, None, [], [], 0)
    for layer in range(LAYERS):
        steps = (0, 1, 7, 23, 31)[: 5 if layer <= 4 else 4]
        reads = [f"t{layer - 1:02}_{(line + step) % WIDTH:02}" for step in steps if layer]
        yield event(f"{name}.task_{layer:02}", name, reads, [f"t{layer:02}_{line:02}"], layer)


def event(
    job: str, parent: str | None, reads: list[str], writes: list[str], minute: int
) -> dict[str, Any]:
    """Return the event of a run that is complete."""
    facets: dict[str, Any] = {}
    if parent:
        above = {"namespace": "bench", "name": parent}
        facets["parent"] = {"run": {"runId": run_id(parent)}, "job": above}
    return {
        "eventTime": (datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=minute)).isoformat(),
        "eventType": "COMPLETE",
        "producer": "https://example.org/bench",
        "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent",
        "run": {"runId": run_id(job), "facets": facets},
        "job": {"namespace": "bench", "name": job, "facets": {}},
        "inputs": [{"namespace": "lake", "name": name} for name in reads],
        "outputs": [{"namespace": "lake", "name": name} for name in writes],
    }


def run_id(job: str) -> str:
    """Return the id of the run of a job."""
    return str(uuid5(NAMESPACE_URL, job))


if __name__ == "__main__":
    main()
