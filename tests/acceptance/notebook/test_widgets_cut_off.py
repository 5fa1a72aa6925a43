"""All widgets in JupyterLab while their server, their kernel or their rule goes away."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from lineagegraph import on
from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.record import record
from lineagegraph.model.triggers.trigger import Trigger
from lineagegraph.neo4j_server import ServerAddress
from tests.acceptance.notebook.kernels import Kernel
from tests.acceptance.notebook.lab import Lab, Notebook
from tests.acceptance.notebook.line import Line
from tests.acceptance.notebook.shop import fill_shop
from tests.acceptance.processes import shared
from tests.events import run_event
from tests.integration.scheduling.rules import write_rules

RUN = "0190a1d2-0000-7000-8000-000000000001"
CONNECT = "import lineagegraph as lg\ngraph = lg.connect()"
SHOW = f"""
explorer = graph.explore(selected="job:default:sales.daily")
history = graph.history("sales")
panel = graph.trigger_panel("report")
board, live = graph.freshness(), graph.follow("{RUN}")
display(explorer, history, panel, board, live)
"""
SHOWN = {
    "explorer": "daily",
    "history": "Runs of sales",
    "triggers": "report",
    "board": "kpi",
    "live": "endless",
}
RESTART = "window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.restart()"
SECONDS = 40_000


@pytest.fixture(scope="module")
def lab(
    server: ServerAddress, line: Line, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Lab]:
    folder = tmp_path_factory.mktemp("lab")
    known = {
        "LINEAGEGRAPH_NEO4J_URI": line.address,
        "LINEAGEGRAPH_NEO4J_BROWSER_URL": "http://graph:7474/browser/",
    }
    lab = Lab(folder, shared(server, folder / "home") | known)
    yield lab
    lab.close()


@pytest.fixture
def other(server: ServerAddress, tmp_path: Path) -> Iterator[Kernel]:
    """A kernel of somebody else's, on the same graph."""
    kernel = Kernel(shared(server, tmp_path / "home"))
    yield kernel
    kernel.close()


@pytest.fixture
def shop(graph: Graph) -> Graph:
    """Lineage, a trigger, a stale table, and a run that goes on."""
    fill_shop(graph)
    graph.write(record, extract([run_event("endless", "START", run_id=RUN)]))
    graph.write(write_rules, {"report": Trigger(when=on.success("sales"))}, datetime.now(UTC))
    return graph


def test_widgets_outlast_their_server(lab: Lab, page: Page, shop: Graph, line: Line) -> None:
    notebook = lab.open(page, CONNECT, SHOW)
    notebook.run(0)
    widgets = opened(notebook.run(1))
    for name in ("explorer", "history", "triggers", "live"):
        link = widgets[name].get_by_role("link", name="open in Neo4j Browser")
        expect(link).to_have_attribute(
            "href", starts("http://graph:7474/browser/?"), timeout=SECONDS
        )
    line.cut()
    say_that_the_server_is_away(widgets)
    nothing_is_opened_without_a_server(notebook)
    line.mend()
    go_on_when_it_is_back(widgets, shop)


def test_widgets_heed_another_kernel_and_say_when_their_own_is_gone(
    lab: Lab, page: Page, other: Kernel, shop: Graph
) -> None:
    notebook = lab.open(page, CONNECT, SHOW)
    notebook.run(0)
    widgets = opened(notebook.run(1))
    heed_another_kernel(other, widgets["triggers"], shop)
    page.evaluate(RESTART)
    for name, widget in widgets.items():
        expect(widget.locator(".lg-notice"), name).to_contain_text("run the cell again")
    notebook.is_ready()
    for name in ("explorer", "history", "triggers", "board"):
        widgets[name].get_by_role("button", name="Refresh").click()
        expect(widgets[name].locator(".lg-notice"), name).to_contain_text("run the cell again")
    notebook.run(0)
    opened(notebook.run(1))


def opened(output: Locator) -> dict[str, Locator]:
    """Return the five widgets of an output, once they show what there is."""
    widgets = {name: output.locator(f".lg-{name}") for name in SHOWN}
    show_what_there_is(widgets)
    return widgets


def show_what_there_is(widgets: dict[str, Locator]) -> None:
    for name, widget in widgets.items():
        expect(widget, name).to_contain_text(SHOWN[name], timeout=SECONDS)


def say_that_the_server_is_away(widgets: dict[str, Locator]) -> None:
    for name in ("explorer", "history", "board"):
        widgets[name].get_by_role("button", name="Refresh").click()
    widgets["triggers"].get_by_role("button", name="Disable").click()
    for name, widget in widgets.items():
        notice = widget.locator(".lg-notice")
        expect(notice, name).to_contain_text("no Neo4j answers at bolt://", timeout=SECONDS)
        assert "\n" not in notice.inner_text()
    show_what_there_is(widgets)


def nothing_is_opened_without_a_server(notebook: Notebook) -> None:
    for cell in (
        "lg.connect()",
        "graph.history('sales')",
        "graph.freshness()",
    ):
        said = notebook.run(notebook.add(cell), seconds=90)
        expect(said).to_contain_text("no Neo4j answers", timeout=SECONDS)
        assert "Traceback" not in said.inner_text()
        assert len(said.inner_text()) < 500


def go_on_when_it_is_back(widgets: dict[str, Locator], shop: Graph) -> None:
    shop.write(record, extract([run_event("endless", run_id=RUN)]))
    expect(widgets["live"].locator(".lg-bar .lg-state")).to_have_text("COMPLETED", timeout=SECONDS)
    for name in ("explorer", "history", "board"):
        widgets[name].get_by_role("button", name="Refresh").click()
    widgets["triggers"].get_by_role("button", name="Disable").click()
    said = widgets["triggers"].locator(".lg-notice")
    expect(said).to_have_text("report is suspended", timeout=SECONDS)
    assert is_enabled(shop) is False
    for name in ("explorer", "history", "board", "live"):
        expect(widgets[name].locator(".lg-notice"), name).to_be_hidden(timeout=SECONDS)


def heed_another_kernel(other: Kernel, panel: Locator, shop: Graph) -> None:
    """A panel that still offers what was done elsewhere does no harm, and says how it is."""
    panel.get_by_label("parameters").focus()  # what a person types in is not drawn anew
    other.run(CONNECT)
    said = other.run("graph.trigger_panel().view.answer_enable('report', False)")
    assert "report is suspended" in said
    panel.get_by_role("button", name="Disable").click()
    said = "report is suspended: no change"
    expect(panel.locator(".lg-notice")).to_have_text(said, timeout=SECONDS)
    assert is_enabled(shop) is False


def is_enabled(graph: Graph) -> object:
    return graph.query("MATCH (t:Trigger {name: 'report'}) RETURN t.enabled AS is")[0]["is"]


def starts(text: str) -> re.Pattern[str]:
    return re.compile("^" + re.escape(text))
