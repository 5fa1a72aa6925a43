"""The views of a deleted job say that it was deleted."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from lineagegraph.admin.hide import hide_job
from lineagegraph.graph import Graph
from lineagegraph.queries.find.find import find_job
from tests.acceptance.page.site import Site


@pytest.mark.parametrize(
    ("job", "address"),
    [
        ("load", "#/job/load/default"),
        ("load", "#/job/load/default//About%20the%20job"),
        ("load", "#/lineage/job:default:load"),
        ("load", "#/run/{run}"),
        ("report", "#/triggers/report"),
    ],
)
def test_a_view_of_a_deleted_job_says_so(
    serve: Callable[..., Site], graph: Graph, page: Page, job: str, address: str
) -> None:
    site = serve()
    graph.write(hide_job, find_job(graph, job).key)
    faults: list[str] = []
    page.on("pageerror", lambda fault: faults.append(str(fault)))
    page.goto(f"{site.url}/{address.format(run=site.run)}")
    shown = page.locator("#view")
    expect(shown).to_contain_text(f"{job}' was deleted on")
    if "run" in address:
        expect(shown).to_contain_text("the disk is full")
        expect(page.get_by_role("link", name="Job", exact=True)).to_be_hidden()
    assert faults == []
