"""What else happens in the demo: a failure and its rerun, a backfill, a wait, terms and a tag."""

from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from lineagegraph.admin.freshness import set_terms
from lineagegraph.admin.namespaces import attach_tags
from lineagegraph.backfills.start import start_backfill
from lineagegraph.cli.demo.history import PRICES
from lineagegraph.cli.demo.steps import await_end, newest, queue, sync
from lineagegraph.graph import Graph
from lineagegraph.liveness.daemons import nudge_daemons
from lineagegraph.model.freshness.standing import Terms
from lineagegraph.model.freshness.terms import Freshness
from lineagegraph.model.names.keys import dataset_key, field_key
from lineagegraph.model.runs.rerun import RerunRequest
from lineagegraph.model.runs.states import RunState
from lineagegraph.model.triggers.backfill import BackfillSpan, NominalRange
from lineagegraph.queries.find.find import find_job
from lineagegraph.reruns.start import start_rerun
from lineagegraph.settings import Settings
from lineagegraph.triggers.external_event import record_event

BULLETIN, NEXT_YEAR, DAY = "nyc.bulletin", "nyc.next_year", "nyc.day"
_ASKED = "bulletin.asked"
_RIGHT, _WRONG = 'row["name"]', 'row["airline"]'
_WEEK = timedelta(days=7)


def fail_and_mend(graph: Graph, settings: Settings, file: Path) -> None:
    """Have an event start a pipeline with a fault, mend the file, and rerun with the new version.

    Another event has no edition, so its firing is a dead letter.
    """
    if newest(graph, BULLETIN):
        sync(graph, settings, file)
        return
    right = file.read_text(encoding="utf-8")
    file.write_text(right.replace(_RIGHT, _WRONG), encoding="utf-8")
    try:
        sync(graph, settings, file)
        graph.write(record_event, _ASKED, payload={"edition": "morning"})
        nudge_daemons(graph)
        failed = await_end(graph, BULLETIN)
    finally:
        file.write_text(right, encoding="utf-8")
    sync(graph, settings, file)
    if failed.state == RunState.FAILED:
        start_rerun(graph, settings, RerunRequest(run=failed.id, policy="latest"))
    graph.write(record_event, _ASKED, payload={})
    nudge_daemons(graph)


def fill_the_week(graph: Graph, zone: str) -> str:
    """Start a backfill of the last seven days, and return its id; the same is started once."""
    today = datetime.now(ZoneInfo(zone)).date()
    first, last = today - _WEEK, today - timedelta(days=1)
    span = BackfillSpan(times=NominalRange(str(first), str(last), zone=zone))
    key = find_job(graph, DAY).key
    started = start_backfill(graph, key, span, backfill_id=f"week-to-{last}")
    nudge_daemons(graph)
    return started.id


def wait_for_next_year(graph: Graph) -> None:
    """Start a run that waits for a file, unless there is one."""
    if newest(graph, NEXT_YEAR) is None:
        queue(graph, NEXT_YEAR)
        nudge_daemons(graph)


def state_terms(graph: Graph, project: Path) -> None:
    """State how fresh three tables must be, and tag a column that tells about persons."""
    lake = project / "lake" / "gold"
    for namespace, name, days in (
        ("file", str(lake / "monthly_delay"), 2),
        ("file", str(lake / "worst_routes"), 1),
        ("warehouse", PRICES, 1),
    ):
        terms = Terms(freshness=Freshness(max_age=days * 86400.0))
        set_terms(graph, dataset_key(namespace, name), terms)
    flights = dataset_key("file", str(project / "data" / "flights.csv"))
    attach_tags(graph, field_key(flights, "tailnum"), ["PII"])
