"""Time until a view of the page shows its answer: `python -m bench.page [--home FOLDER]`.

Ten thousand jobs in pipelines of twenty tasks, each with a run; some failed within the day, a
thousand have triggers, half of them schedules, and two hundred have freshness terms. Chromium opens
each view by its address in a tab of its own, as one who follows a link; each round opens all of
them.
"""

import argparse
import os
import statistics
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

from playwright.sync_api import Browser, expect, sync_playwright
from rich.progress import track

from bench.layers import NAMESPACE, STORE, layer_events, run_id, table_name
from bench.load import serving
from lineagegraph import neo4j_server, on
from lineagegraph.admin.freshness import set_terms
from lineagegraph.graph import Graph, answers, migrate
from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.record import record
from lineagegraph.model.freshness.standing import Terms
from lineagegraph.model.freshness.terms import Freshness
from lineagegraph.model.names.keys import dataset_key
from lineagegraph.model.triggers.condition import AnyCondition
from lineagegraph.model.triggers.trigger import Trigger
from lineagegraph.settings import Settings
from tests.chromium import chromium
from tests.events import run_event
from tests.integration.scheduling.rules import write_rules

PIPELINES = 477
TRIGGERS, FRESH, FAILED = 1_000, 200, 50
TABLE = f"dataset:{STORE}:{table_name(3, 10)}".replace("/", "%2F")
VIEWS = {
    "Now": ("now", "the disk is full"),
    "Lineage of a table": (f"lineage/{TABLE}", "before and"),
    "Lineage, all": ("lineage", "which ran last"),
    "Triggers": ("triggers", "rule_0999"),
    "Freshness": ("freshness", f"of {FRESH} stale"),
    "Sensors": ("sensors", "no sensors"),
    "Backfills": ("backfills", "No backfills yet"),
    "Days": ("days", "Compare two days"),
    "Tags": ("tags", "tag"),
    "a job": (f"job/pipeline_03/{NAMESPACE}", "1 run,"),
    "About the job": (f"job/pipeline_03/{NAMESPACE}//About%20the%20job", "Triggers that start it"),
    "a run": (f"run/{run_id(3, None)}", "task_19_03"),
}
PATIENCE_MS = 60_000


def main() -> None:
    """Measure, and print a table for RESULTS.md."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", type=Path, help="keep the graph here, and use the one there")
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home = given.home or Path(folder)
        make_graph(home)
        with serving(home) as url, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
            rounds = [measure(browser, url) for _ in range(given.rounds)]
            browser.close()
    print(
        f"load at the end: {os.getloadavg()[0]:.1f}\n\n| view | first ms | median ms | worst ms |"
    )
    print("|---|---:|---:|---:|")
    for view in VIEWS:
        times = [one[view] for one in rounds]
        print(f"| {view} | {times[0]:.0f} | {statistics.median(times):.0f} | {max(times):.0f} |")


def make_graph(home: Path) -> None:
    """Fill the graph of a home, if it is empty."""
    settings = Settings(home=home, neo4j_uri=None)
    address = neo4j_server.start(settings, answers)
    try:
        with Graph(address.bolt, address.user, address.password) as graph:
            migrate(graph)
            if not graph.query("MATCH (r:Run) RETURN r.id LIMIT 1"):
                fill(graph)
    finally:
        neo4j_server.stop(settings)


def fill(graph: Graph) -> None:
    """Write the jobs, runs, triggers and freshness terms."""
    ends = [one for one in layer_events(PIPELINES) if one["eventType"] == "COMPLETE"]
    failed = [run_event(f"failed_{number:02}", "FAIL") for number in range(FAILED)]
    for one in failed:
        said = {"message": "the disk is full", "programmingLanguage": "PYTHON"}
        one["run"]["facets"] = {"errorMessage": said}
    events = [*ends, *failed]
    for first in track(range(0, len(events), 300), "reporting runs"):
        graph.write(record, extract(events[first : first + 300]))
    rules = {f"rule_{number:04}": Trigger(when=condition(number)) for number in range(TRIGGERS)}
    graph.write(write_rules, rules, datetime.now(UTC))
    terms = Terms(freshness=Freshness(max_age=86400.0))
    for number in range(FRESH):
        set_terms(graph, dataset_key(STORE, table_name(number, 19)), terms)


def condition(number: int) -> AnyCondition:
    """Return a time of day for every other rule, and the success of a job for the others."""
    if number % 2:
        return on.cron(f"{number % 60} {number % 24} * * *")
    return on.success(f"failed_{number % FAILED:02}")


def measure(browser: Browser, url: str) -> dict[str, float]:
    """Return the milliseconds until each view shows its answer."""
    found = {}
    for view, (path, text) in VIEWS.items():
        context = browser.new_context()
        page = context.new_page()
        began = time.perf_counter()
        page.goto(f"{url}/#/{path}")
        shown = page.locator("#view")
        expect(shown).to_contain_text(text, ignore_case=True, timeout=PATIENCE_MS)
        expect(page.locator('[aria-busy="true"]')).to_have_count(0, timeout=PATIENCE_MS)
        found[view] = (time.perf_counter() - began) * 1000
        context.close()
    return found


if __name__ == "__main__":
    main()
