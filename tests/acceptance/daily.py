"""What the twenty daily tasks are about: pipelines, tables, a failure, stale data and a tag."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from lineagegraph.admin.freshness import set_terms
from lineagegraph.admin.namespaces import attach_tags
from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.record import record
from lineagegraph.model.freshness.standing import Terms
from lineagegraph.model.freshness.terms import Freshness
from lineagegraph.model.names.keys import dataset_key, field_key
from tests.events import run_event
from tests.project import Project

FLOWS = """
from datetime import date
from lineagegraph import on

lg.pipeline("load", tasks=[lg.command("copy", ["true"])], trigger=on.cron("0 6 * * *"))
lg.pipeline("report", tasks=[lg.command("write", ["test", "{code}", "=", "0"])],
    params={"code": 0}, trigger=on.success("load") & on.dataset("lake", "raw"))
lg.pipeline("sales", tasks=[lg.command("sum", ["true"])],
    params={"day": date, "region": str}, partition_by=["day", "region"])
"""


def seed(graph: Graph, folder: Path, more: str = "") -> None:
    """Give a graph something for each task; its home and definitions are in a folder."""
    Project(folder / "project", graph, folder / "home").state(FLOWS + more)
    now = datetime.now(UTC)
    raw, gold = ("lake", "raw"), ("lake", "gold")
    events = []
    for ago in (2, 1):
        # At noon, so that what began before is of the same day.
        at = now.replace(hour=12) - timedelta(days=ago)
        sum_up = run_event("sum_up", at=at, inputs=(raw,), outputs=(gold,))
        sum_up["inputs"][0]["facets"] = schema("price")
        sum_up["outputs"][0]["facets"] = schema("total") | derived("total", "raw", "price")
        begun = run_event("sum_up", "START", run_id=sum_up["run"]["runId"])
        begun["eventTime"] = (at - timedelta(minutes=9)).isoformat()
        events += [begun, sum_up, run_event("dashboard", at=at, inputs=(gold,))]
    failed = run_event("load_raw", "FAIL", outputs=(raw,))
    message = {"message": "the disk is full", "programmingLanguage": "PYTHON"}
    failed["run"]["facets"] = {"errorMessage": message}
    events += [run_event("load_raw", at=now - timedelta(days=3), outputs=(raw,)), failed]
    graph.write(record, extract(events))
    set_terms(graph, dataset_key(*gold), Terms(freshness=Freshness(max_age=3600.0)))
    attach_tags(graph, field_key(dataset_key(*raw), "price"), ["PII"])


def schema(name: str) -> dict[str, Any]:
    return {"schema": {"fields": [{"name": name, "type": "double"}]}}


def derived(name: str, dataset: str, column: str) -> dict[str, Any]:
    source = {"namespace": "lake", "name": dataset, "field": column}
    return {"columnLineage": {"fields": {name: {"inputFields": [source]}}}}
