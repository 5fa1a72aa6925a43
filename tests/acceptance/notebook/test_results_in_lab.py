"""Results in JupyterLab: a table of hostile names, a drawing, and names that Tab completes."""

import re

import pytest
from playwright.sync_api import Page, expect

from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.record import record
from tests.acceptance.notebook.lab import Lab
from tests.events import run_event

HOSTILE = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>'"


@pytest.fixture
def hostile(graph: Graph) -> None:
    """A job that reads a table with a name that is no name, and writes another."""
    event = run_event(
        "load", inputs=(("lake", HOSTILE),), outputs=(("lake", "fares"), ("lake", "y" * 2000))
    )
    graph.write(record, extract([event]))


@pytest.mark.usefixtures("hostile")
def test_results_are_drawn_as_text_and_names_are_completed(lab: Lab, page: Page) -> None:
    notebook = lab.open(
        page,
        "%load_ext lineagegraph\nlong = 'x' * 8000",
        "%%cypher found <<\nMATCH (d:Dataset) RETURN d.name, size(d.name), $long, d.none",
        "found",
        "%lineage fares --down 0",
        "%%cypher\nMATCH way = (:Run)-[:READS|WRITES]->(:Dataset) RETURN way",
        "%lineage fa",
    )
    expect(notebook.run(0)).to_contain_text("1 job, 3 datasets")
    expect(notebook.run(1)).to_contain_text("found: 3 rows")
    table = notebook.run(2).locator("table")
    expect(table.locator("tbody tr")).to_have_count(3)
    expect(table).to_contain_text(HOSTILE)
    assert table.locator(f'td[title="{"x" * 8000}"]').count() == 3
    for cell in (3, 4):
        drawing = notebook.run(cell).locator("img")
        expect(drawing).to_have_attribute("src", re.compile("data:image/svg"))
        assert drawing.evaluate("drawn => drawn.naturalWidth") > 100
    typed = notebook.cells.nth(5).locator(".cm-content")
    typed.click()
    page.keyboard.press("Control+End")
    # JupyterLab waits a second for names, then a second Tab has them.
    for _ in range(10):
        page.keyboard.press("Tab")
        page.wait_for_timeout(1000)
        if "fares" in typed.inner_text():
            break
    expect(typed).to_have_text("%lineage fares")
    assert "owned" not in page.title()
