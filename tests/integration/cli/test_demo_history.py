"""The days before the demo, made from runs of today."""

from datetime import UTC, datetime, timedelta

import pytest

from lineagegraph.cli.demo.history import DAYS, FAILED, LATE, write_history
from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.record import record
from lineagegraph.queries.freshness.freshness import read_standings, with_causes
from lineagegraph.settings import Settings
from lineagegraph.views.now import NowView
from tests.events import run_event

PIPELINES = {"nyc.load": "flights", "nyc.delays": "enrich", "nyc.report": "monthly"}


@pytest.fixture
def runs(graph: Graph) -> list[str]:
    """Runs of today, each with a task."""
    events, ids, at = [], [], datetime.now(UTC) - timedelta(minutes=30)
    for job, task in PIPELINES.items():
        top = run_event(job, "START", at=at)
        id_ = top["run"]["runId"]
        ids.append(id_)
        below = {"parent": (id_, job), "outputs": (("lake", task),)}
        begun = run_event(f"{job}.{task}", "START", at=at, **below)
        ended = run_event(f"{job}.{task}", at=at + timedelta(minutes=5), **below)
        ended["run"]["runId"] = begun["run"]["runId"]
        at += timedelta(minutes=6)
        events += [top, begun, ended, run_event(job, run_id=id_, at=at)]
    graph.write(record, extract(events))
    return ids


def test_the_days_enter_once(graph: Graph, runs: list[str]) -> None:
    def count() -> list[dict[str, object]]:
        return graph.query(
            "MATCH (n) WHERE n:Run OR n:Job OR n:Dataset RETURN labels(n)[0] AS label, "
            "count(*) AS n ORDER BY label"
        )

    write_history(graph, runs, "UTC")
    before = count()
    write_history(graph, runs, "UTC")
    assert count() == before
    rows = graph.query("MATCH (r:Run {name: 'nyc.delays'}) RETURN r.state AS state")
    # One of today, one for each day before, and the one that failed.
    assert sorted(row["state"] for row in rows) == ["COMPLETED"] * (DAYS + 1) + ["FAILED"]


def test_one_day_is_late_and_one_fails_first(graph: Graph, runs: list[str]) -> None:
    write_history(graph, runs, "UTC")
    rows = graph.query(
        "MATCH (r:Run {name: 'nyc.delays'}) RETURN "
        "duration.inDays(date(r.started_at), date()).days AS ago, r.started_at.hour AS hour, "
        "r.state AS state ORDER BY r.started_at"
    )
    found = [(row["ago"], row["hour"], row["state"]) for row in rows]
    assert (FAILED, 6, "FAILED") in found
    assert (FAILED, 8, "COMPLETED") in found
    assert (LATE, 11, "COMPLETED") in found


def test_what_failed_days_ago_did_not_fail_now(graph: Graph, runs: list[str]) -> None:
    """*Now* listed failures by the time at which they were told."""
    write_history(graph, runs, "UTC")
    failed = NowView(graph, Settings()).answer_now().failed
    assert {run.job for run in failed} <= {"vendor.publish"}
    since = datetime.now(UTC) - timedelta(hours=24)
    assert all(run.at >= since for run in failed)
    assert read_standings(graph, "UTC") == []
    assert with_causes(graph, "UTC", []) == []
