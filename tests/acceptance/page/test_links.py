"""Links of the page to Neo4j Browser and to notebooks, and links of notifications to the page."""

import json
import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from playwright.sync_api import Page, expect

from lineagegraph.graph import Graph
from lineagegraph.model.names.keys import dataset_key, job_key
from lineagegraph.model.outbox.routes import Occasion, Route
from lineagegraph.neo4j_server import browser_link
from lineagegraph.notebook.session import Session
from lineagegraph.outbox.notifications import Transition, notify
from lineagegraph.outbox.notifications.channels import open_channels
from lineagegraph.outbox.notifications.sender import Sender
from lineagegraph.queries.triggers.triggers import read_triggers
from lineagegraph.settings import Settings
from tests.acceptance.page.site import LONG, Site
from tests.receiver import Receiver, receiver

__all__ = ["receiver"]
NEAR = Settings(neo4j_uri="bolt://graph", neo4j_browser_url="http://graph/browser/")
NODE = f"dataset:lake:{LONG}"
# What a message is about and its id, and what the page then shows.
TOLD = {
    "run": (Occasion.FAILED, "{run}", "load", "the disk is full"),
    "dataset": (Occasion.STALE, NODE, LONG, "writer"),
    "firing": (Occasion.DEAD_LETTER, "f1", "report", "Triggers that start it"),
}


def test_a_notification_leads_to_what_it_tells_of(
    serve: Callable[..., Site], graph: Graph, receiver: Receiver, page: Page
) -> None:
    site = serve()
    route = Route(on=tuple(Occasion), to=receiver.url, name="a")
    for about, (occasion, subject, job, _) in TOLD.items():
        told = Transition(
            occasion=occasion,
            about=about,
            id=subject.format(run=site.run),
            namespace="lake" if about == "dataset" else "default",
            job=job,
            at=datetime.now(UTC),
        )
        graph.write(notify, [told], (route,))
    Sender(graph, open_channels((route,)), page=site.url).send_due()
    said = {one["type"].split(".")[0]: one["data"] for one in map(json.loads, receiver.bodies)}
    assert said.keys() == TOLD.keys()
    for about, (_, _, _, text) in TOLD.items():
        page.goto("about:blank")
        page.goto(said[about]["page"])
        expect(page.locator("#view"), about).to_contain_text(text)


def test_views_link_to_neo4j_browser(serve: Callable[..., Site], graph: Graph, page: Page) -> None:
    site = serve(neo4j_uri=NEAR.neo4j_uri, neo4j_browser_url=NEAR.neo4j_browser_url)
    (trigger,) = read_triggers(graph)
    links = {
        "run": ("run", site.run),
        "job": ("run", site.run),
        "lineage": ("dataset", dataset_key("lake", "gold/prices")),
        "triggers": ("trigger", trigger.id),
    }
    for view, (noun, key) in links.items():
        site.show(page, view)
        link = page.get_by_role("link", name="open in Neo4j Browser")
        expect(link, view).to_have_attribute("href", browser_link(NEAR, noun, key) or "")
    page.goto(f"{site.url}/#/lineage/job:default:load")
    job = browser_link(NEAR, "job", job_key(None, "default", "load")) or ""
    expect(page.get_by_role("link", name="open in Neo4j Browser")).to_have_attribute("href", job)


def test_a_view_gives_the_cell_that_shows_the_same_in_a_notebook(
    serve: Callable[..., Site], graph: Graph, page: Page, tmp_path: Path
) -> None:
    site = serve()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    session = Session(graph, Settings(home=tmp_path / "home"))
    for view, state in (
        ("job", {"job": "load", "namespace": "default"}),
        ("run", {"run_id": site.run}),
        ("lineage", {"node": "dataset:lake:gold/prices"}),
    ):
        site.show(page, view)
        page.get_by_text("Notebook", exact=True).click()
        page.get_by_role("button", name="Copy").click()
        expect(page.get_by_text("Copied.")).to_be_visible()
        cell = page.evaluate("navigator.clipboard.readText()")
        opened, call = cell.split("graph = lg.connect()\n")
        assert opened == "import lineagegraph as lg\n\n"
        widget = eval(call, {"graph": session})
        assert {name: getattr(widget, name) for name in state} == state
    site.show(page, "triggers")
    expect(page.get_by_text("Notebook", exact=True)).to_be_hidden()


def test_a_running_jupyterlab_of_the_command_is_linked_without_its_token(
    serve: Callable[..., Site], page: Page, tmp_path: Path
) -> None:
    site = serve()
    file = tmp_path / "jpserver.json"
    (tmp_path / "home" / "jupyter").write_text(str(file))
    site.show(page, "run")
    summary = page.get_by_text("Notebook", exact=True)
    summary.click()
    expect(page.get_by_text("`lineagegraph notebook` opens JupyterLab.")).to_be_visible()
    summary.click()
    lab = {"pid": os.getpid(), "url": "http://localhost:8888/", "token": "secret"}
    file.write_text(json.dumps(lab))
    summary.click()
    link = page.get_by_role("link", name="Open JupyterLab")
    expect(link).to_have_attribute("href", "http://localhost:8888/lab")
