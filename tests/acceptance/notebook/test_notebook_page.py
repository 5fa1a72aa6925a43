"""The cells of the page on notebooks, in order, in a real kernel."""

import re
from pathlib import Path

import pytest

from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.record import record
from lineagegraph.neo4j_server import ServerAddress
from tests.acceptance.notebook.kernels import Kernel
from tests.acceptance.processes import shared
from tests.events import run_event

PAGE = Path(__file__).parents[3] / "docs" / "notebook.md"
CELL = re.compile(r"^```(?:python|ipython)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
STATED = """
import lineagegraph as lg
for name, upstream in (("nyc.delays", "nyc.load"), ("nyc.report", "nyc.delays")):
    tasks = [lg.command("write", ["true"])]
    lg.sync(lg.pipeline(name, tasks=tasks, trigger=lg.on.success(upstream)))
"""


@pytest.fixture
def nyc(graph: Graph) -> None:
    """A run of what the page asks about."""
    event = run_event(
        "nyc.report", inputs=(("lake", "flights"),), outputs=(("lake", "monthly_delay"),)
    )
    source = {"namespace": "lake", "name": "flights", "field": "delay"}
    made = {"delay": {"inputFields": [source]}}
    event["outputs"][0]["facets"] = {
        "schema": {"fields": [{"name": "delay", "type": "int"}]},
        "columnLineage": {"fields": made},
    }
    graph.write(record, extract([event]))


@pytest.mark.usefixtures("nyc")
def test_every_cell_of_the_page_works(server: ServerAddress, tmp_path: Path) -> None:
    kernel = Kernel(shared(server, tmp_path / "home"))
    try:
        for cell in (STATED, *CELL.findall(PAGE.read_text(encoding="utf-8"))):
            shown = kernel.run(cell)
            assert kernel.succeeded, shown
    finally:
        kernel.close()
