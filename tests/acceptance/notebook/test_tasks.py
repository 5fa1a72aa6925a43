"""The cells of the page with ten tasks, in order, in a real kernel."""

import re
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.record import record
from lineagegraph.neo4j_server import ServerAddress
from tests.acceptance.notebook.kernels import Kernel
from tests.acceptance.processes import shared
from tests.events import run_event

PAGE = Path(__file__).parents[3] / "docs" / "tasks.md"
CELL = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
STATED = """
import lineagegraph as lg
after = {"nyc.load": "csv", "nyc.delays": "nyc.load", "nyc.report": "nyc.delays"}
for name, upstream in after.items():
    tasks = [lg.command("write", ["true"])]
    params = {"late_after": 15}
    lg.sync(lg.pipeline(name, tasks=tasks, params=params, trigger=lg.on.success(upstream)))
lg.start("nyc.delays").wait()
"""
TABLES = ("flights.csv", "silver/flights", "gold/monthly_delay")
COLUMNS = ("dep_delay", "arr_delay")


@pytest.fixture
def nyc(graph: Graph) -> None:
    """Tables of the demo's, with the columns that the page asks about."""
    events = []
    for source, table in pairwise(TABLES):
        event = run_event(f"write.{table}", inputs=(("lake", source),), outputs=(("lake", table),))
        event["outputs"][0]["facets"] = {
            "schema": {"fields": [{"name": name, "type": "double"} for name in COLUMNS]},
            "columnLineage": {
                "fields": {
                    name: {"inputFields": [{"namespace": "lake", "name": source, "field": name}]}
                    for name in COLUMNS
                }
            },
        }
        events.append(event)
    events.append(run_event("write.worst", outputs=(("lake", "gold/worst_routes"),)))
    graph.write(record, extract(events))


@pytest.mark.usefixtures("nyc")
def test_every_cell_of_the_page_works(server: ServerAddress, graph: Graph, tmp_path: Path) -> None:
    kernel = Kernel(shared(server, tmp_path / "home"))
    try:
        for cell in (STATED, *CELL.findall(PAGE.read_text(encoding="utf-8"))):
            if "tuesday" in cell:
                move_to_tuesday(graph)
            shown = kernel.run(cell)
            assert kernel.succeeded, shown
        assert "write.silver/flights" in kernel.run('graph.impact("flights.csv#dep_delay")')
        assert kernel.run("run.wait().state").endswith("'COMPLETED'>")
        kernel.run('lg.rerun(tuesday, policy="latest").wait()')
        assert kernel.succeeded
    finally:
        kernel.close()


def move_to_tuesday(graph: Graph) -> None:
    """Let the runs of a job have been on the last Tuesday."""
    now = datetime.now(UTC)
    tuesday = now - timedelta(days=(now.weekday() - 2) % 7 + 1)
    move = "MATCH (:Job {fqn: 'nyc.delays'})-[:HAS_RUN]->(r) SET r.created_at = $at"
    graph.query(move, {"at": tuesday}, write=True)
