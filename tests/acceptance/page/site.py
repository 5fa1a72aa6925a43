"""A site for tests of the page: a server with a graph that has something for each view."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from playwright.sync_api import Page, expect

from lineagegraph import on
from lineagegraph.admin.freshness import set_terms
from lineagegraph.admin.namespaces import attach_tags
from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.record import record
from lineagegraph.model.freshness.standing import Terms
from lineagegraph.model.freshness.terms import Freshness
from lineagegraph.model.names.keys import dataset_key
from lineagegraph.model.triggers.trigger import Trigger
from lineagegraph.model.waits import WaitTerms
from lineagegraph.queries.find.find import find_job
from lineagegraph.reading.sync import sync_path
from lineagegraph.sensors import make_sensor, sensor_id
from lineagegraph.settings import Settings
from lineagegraph.triggers.edit import edit_trigger
from lineagegraph.waits.standalone import start_wait
from tests.events import run_event

PIPELINE = """
import lineagegraph as lg
from lineagegraph import on

lg.pipeline("report", tasks=[lg.command("write", ["true"])],
    trigger=on.cron("0 * * * *") & on.dataset("lake", "gold/prices"))
"""
LONG = "gold/a_table_with_a_name_that_is_longer_than_a_phone_is_wide/and_a_folder_of_it/prices"
ARRIVES = make_sensor("file", {"path": f"/data/{LONG}"})
# What a view shows when it has its answer.
SHOWN = {
    "now": ("#/now", "the disk is full"),
    "lineage": ("#/lineage/dataset:lake:gold%2Fprices", "1 before and 1 after"),
    "triggers": ("#/triggers/report", "Why, and why not"),
    "freshness": ("#/freshness", "1 of 1 stale"),
    "sensors": ("#/sensors/{sensor}", "partner.arrives"),
    "backfills": ("#/backfill/report/default", "No backfills yet."),
    "days": ("#/days", "Compare two days"),
    "tags": ("#/tags/PII", "Tables with PII"),
    "tokens": ("#/tokens", "No tokens yet."),
    "job": ("#/job/load/default", "Runs of load"),
    "trend": ("#/job/load/default//Trend", "1 completed run"),
    "as it was": ("#/job/load/default//As%20it%20was", "gold/prices"),
    "about a job": ("#/job/report/default//About%20the%20job", "Triggers that start it"),
    "run": ("#/run/{run}", "the disk is full"),
}


def make_by_hand(graph: Graph) -> str:
    """Make the trigger `by hand` of `report`, and return the key of this job."""
    rule, key = Trigger(when=on.success("load")), find_job(graph, "report").key
    graph.write(edit_trigger, rule, starts=key, name="by hand", namespace="default", is_new=True)
    return key


class Site:
    """A server with a graph that has something for each view."""

    def __init__(self, url: str, run: str) -> None:
        self.url = url
        self.run = run

    def address(self, view: str) -> str:
        """Return the address of a view."""
        path = SHOWN[view][0].format(run=self.run, sensor=sensor_id(ARRIVES))
        return f"{self.url}/{path}"

    def show(self, page: Page, view: str) -> None:
        """Show a view, and wait until it has its answer."""
        page.goto(self.address(view))
        expect(page.locator("#view")).to_contain_text(SHOWN[view][1])


def fill_graph(graph: Graph, settings: Settings, folder: Path) -> str:
    """Give each view something to show, and return the id of a run that failed."""
    (folder / "pipes.py").write_text(PIPELINE)
    sync_path(graph, settings, folder / "pipes.py")
    now = datetime.now(UTC)
    failed = run_event("load", "FAIL", outputs=(("lake", "gold/prices"),))
    failed["run"]["facets"] = {
        "errorMessage": {"message": "the disk is full", "programmingLanguage": "PYTHON"}
    }
    old = run_event(
        "load", at=now - timedelta(days=3), outputs=(("lake", "gold/prices"), ("lake", LONG))
    )
    schema = {"schema": {"fields": [{"name": "price", "type": "double"}]}}
    failed["outputs"][0]["facets"] = schema
    report = run_event("report", inputs=(("lake", "gold/prices"),))
    graph.write(record, extract([old, failed, report, run_event("slow", "START")]))
    terms = Terms(freshness=Freshness(max_age=86400.0))
    set_terms(graph, dataset_key("lake", LONG), terms)
    attach_tags(graph, dataset_key("lake", "gold/prices"), ["PII"])
    graph.write(start_wait, sensor=ARRIVES, terms=WaitTerms(), name="partner.arrives")
    return str(failed["run"]["runId"])
