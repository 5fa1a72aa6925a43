"""The lineage explorer in JupyterLab."""

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from lineagegraph.graph import Graph
from tests.acceptance.notebook.lab import Lab
from tests.acceptance.notebook.shop import HOSTILE, fill_shop
from tests.acceptance.processes import until

REPORT, REVENUE = "job:default:board.report", "dataset:lake:revenue"
OPEN = "from lineagegraph.notebook import connect\nw = connect().explore({})\nw"


@pytest.fixture
def shop(graph: Graph) -> None:
    fill_shop(graph, HOSTILE)


def box(explorer: Locator, id_: str) -> Locator:
    return explorer.locator(f'.lg-name[aria-label^="{id_}"]')


def click(explorer: Locator, id_: str, **how: Any) -> None:
    """Click where a box is: the drawing takes the click, not what is in it."""
    box(explorer, id_).click(force=True, **how)


def drawn(explorer: Locator) -> None:
    expect(explorer).to_have_attribute("aria-busy", "false", timeout=30_000)


@pytest.mark.usefixtures("shop")
def test_lineage_is_walked_by_clicks_keys_and_python(lab: Lab, page: Page) -> None:
    notebook = lab.open(page, OPEN.format(f'"{REPORT}", up=1, down=1'), "w.selected = 'customers'")
    outputs = notebook.run(0)
    explorer = outputs.locator(".lg-explorer")
    drawn(explorer)
    names = explorer.locator(".lg-name")
    status = explorer.get_by_role("status").last

    expect(names).to_have_count(4)
    click(explorer, "dataset:lake:kpi")
    # The only run that writes it failed.
    expect(explorer.locator(".lg-pane")).to_contain_text("writtennever")
    assert notebook.value("w.selected") == "dataset:lake:kpi"

    click(explorer, REVENUE)
    expect(explorer.locator(".lg-pane")).to_contain_text("2026-03-01 06:00:00")
    expect(box(explorer, REVENUE)).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Enter")
    expect(names).to_have_count(5)
    page.keyboard.press("ArrowLeft")
    expect(box(explorer, "job:default:sales.daily")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Enter")
    expect(names).to_have_count(7)
    page.keyboard.press("Enter")
    expect(names).to_have_count(5)
    expect(explorer.locator(".lg-pane")).to_contain_text("team:sales")

    notebook.run(1)
    expect(box(explorer, "dataset:lake:customers")).to_have_attribute("aria-pressed", "true")
    assert notebook.value("[w.selected, w.node]") == ["dataset:lake:customers"] * 2

    page.keyboard.press("Escape")
    click(explorer, "dataset:lake:customers")
    page.keyboard.press("/")
    page.keyboard.type("KPI")
    explorer.get_by_role("option", name="dataset:lake:kpi").click()
    expect(status).to_contain_text("before and 0 after kpi")
    assert "owned" not in page.title()


@pytest.mark.usefixtures("shop")
def test_lineage_is_grouped_traced_and_seen_as_of_a_time(lab: Lab, page: Page) -> None:
    notebook = lab.open(page, OPEN.format(""), "w.at = '2026-03-01T12:00:00Z'")
    explorer = notebook.run(0).locator(".lg-explorer")
    drawn(explorer)
    names = explorer.locator(".lg-name")
    # A drawing begins where names can be read, which may not be all of it.
    explorer.get_by_role("button", name="fit", exact=True).click()
    expect(names).to_have_count(9)
    labels = names.evaluate_all("all => all.map((one) => one.getAttribute('aria-label'))")
    assert any(label.startswith(f"dataset:lake:{HOSTILE}") for label in labels)

    explorer.get_by_label("group by").select_option(label="topmost jobs")
    expect(names).to_have_count(8)
    assert notebook.value("w.level") == 1
    box(explorer, "job:default:sales").dblclick(force=True)
    expect(names).to_have_count(9)
    box(explorer, "dataset:lake:raw/orders").dblclick(force=True)  # all of it is there already
    expect(names).to_have_count(9)

    click(explorer, "dataset:lake:raw/orders")
    click(explorer, "dataset:lake:kpi", modifiers=["Shift"])
    expect(explorer.get_by_role("status").last).to_contain_text("on the path between")
    # A change waits in the page until the kernel has taken the one before.
    until(lambda: notebook.value("w.target") == "dataset:lake:kpi")

    click(explorer, "dataset:lake:kpi")
    explorer.get_by_role("button", name="columns", exact=True).click()
    explorer.get_by_label("column amount").click(force=True)
    explorer.get_by_role("button", name="trace the column").click()
    expect(explorer.get_by_label("column amount")).to_have_count(4)
    assert notebook.value("w.selected") == "dataset:lake:kpi#amount"

    page.keyboard.press("Escape")
    explorer.get_by_label("stale").check()
    expect(explorer.locator("path.lg-box.stale")).to_have_count(1, timeout=30_000)
    expect(explorer.locator("path.lg-line.blamed")).not_to_have_count(0)
    explorer.get_by_label("stale").uncheck()
    notebook.run(1)
    expect(box(explorer, REPORT)).to_have_count(0)
    expect(box(explorer, REVENUE)).to_have_count(1)
    expect(explorer.locator(".lg-when")).to_contain_text("as of")
    expect(explorer.get_by_label("stale")).to_be_disabled()
    explorer.get_by_label("show the lineage of a time").press("End")
    expect(box(explorer, "job:default:board")).to_have_count(1)
    assert notebook.value("w.at") == ""
    assert notebook.value("len(w.picture()['image/svg+xml']) > 1000") is True
    assert notebook.value("len(json.dumps(w.get_state(), default=str))") < 100_000
    assert "owned" not in page.title()
