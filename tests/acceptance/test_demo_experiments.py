"""The demo of experiments: what it leaves of one hour, or of a whole day of three."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from lineagegraph.graph import Graph
from lineagegraph.neo4j_server import ServerAddress
from tests.acceptance.processes import DEMO_SECONDS, Commands, shared

TABLES = {
    "experiments",
    "clickstream",
    "experiment_samples",
    "hourly_customer_metrics",
    "hourly_experiment_metrics",
    "daily_customer_metrics",
    "aggregate_experiment_metrics",
}
# The last hour before midnight, by UTC: the US is on summer time since the night before.
LAST = {"US": "2026-03-09T03", "UK": "2026-03-08T23", "JP": "2026-03-08T14"}
pytestmark = pytest.mark.timeout(DEMO_SECONDS + 60)


class Demo:
    """A run of the demo, and what it left."""

    def __init__(self, commands: Commands, graph: Graph, hours: int) -> None:
        self.graph = graph
        self.project = commands.folder / "experiments"
        self.done = commands(
            *("demo", "experiments", "--folder", str(self.project), "--hours", str(hours)),
            seconds=DEMO_SECONDS,
        )

    def query(self, text: str) -> list[dict[str, Any]]:
        return self.graph.query(text)

    def clicks(self, region: str) -> pd.DataFrame:
        """The clicks of a region on pages with an experiment, from the website's files."""
        files = sorted((self.project / "website" / region).glob("*.csv"))
        found = pd.concat(map(pd.read_csv, files))
        at = pd.to_datetime(found["clicked_at"], utc=True)
        end = pd.Timestamp(LAST[region] + ":00", tz="UTC") + pd.Timedelta(hours=1)
        return found[(at < end) & (found["page"] != "/help")]

    def metrics(self, region: str) -> pd.DataFrame:
        found = pd.read_parquet(self.project / "lake" / "aggregate_experiment_metrics")
        return found[found["region"].astype(str) == region]


@pytest.fixture(scope="module")
def demo(
    connection: Graph, server: ServerAddress, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Demo]:
    connection.query("MATCH (n) WHERE NOT n:Migration DETACH DELETE n", write=True)
    folder = tmp_path_factory.mktemp("demo")
    commands = Commands(folder, shared(server, folder / "home"))
    found = Demo(commands, connection, 1)
    assert found.done.returncode == 0, found.done.stderr + found.done.stdout
    yield found
    connection.query("MATCH (n) WHERE NOT n:Migration DETACH DELETE n", write=True)


def test_it_shows_which_region_is_done_which_was_late_and_which_failed(demo: Demo) -> None:
    shown = demo.done.stdout
    before, after = shown.split("the clicks of UK's hour 23 are there at last")
    assert [line.split()[:2] for line in region_lines(before)] == [
        ["US", "COMPLETED"],
        ["UK", "–"],
        ["JP", "–"],
    ]
    us, uk, jp = region_lines(after)
    assert us.split()[1] == uk.split()[1] == "COMPLETED"
    assert "23 FAILED" in jp
    assert "ValueError: 2026-03-08T14.csv: 1 clicks that cannot be read" in jp
    assert "Traceback" not in demo.done.stderr


def test_what_all_regions_share_runs_once_however_often_it_is_asked_for(demo: Demo) -> None:
    lines = [line for line in demo.done.stdout.splitlines() if line.startswith("experiments: ")]
    assert lines == [
        "experiments: read_experiments COMPLETED",
        "experiments: read_experiments FRESH_SKIP",
    ]
    rows = demo.query(
        "MATCH (r:Run {kind: 'action'}) WHERE r.name CONTAINS 'write_experiments' RETURN r.id"
    )
    assert len(rows) == 1


def test_the_day_depends_on_its_hours_and_on_what_is_shared(demo: Demo) -> None:
    rows = demo.query("MATCH (j:Job)-[:DEPENDS_ON]->(p:Job) RETURN j.fqn AS job, p.fqn AS parent")
    task = "daily_experiment_metrics.calculate_daily_customer_metrics"
    assert {(row["job"], row["parent"]) for row in rows} >= {
        (task, "hourly_experiment_metrics.calculate_hourly_experiment_metrics"),
        (task, "experiments.read_experiments"),
    }


def region_lines(shown: str) -> list[str]:
    """The table of regions that was shown last."""
    table = shown.rpartition("REGION")[2].splitlines()[1:]
    return [line for line in table if line.split()[:1] in (["US"], ["UK"], ["JP"])][:3]


@pytest.mark.parametrize("region", ["US", "UK"])
def test_the_sums_are_those_of_the_website(demo: Demo, region: str) -> None:
    clicks, found = demo.clicks(region), demo.metrics(region)
    assert found["clicks"].sum() == len(clicks)
    assert found["latency_ms"].sum() == clicks["latency_ms"].sum()
    assert set(found["experiment"]) == {"checkout", "search", "banner"}


def test_a_region_without_all_of_its_hours_has_no_day(demo: Demo) -> None:
    assert demo.metrics("JP").empty


def test_a_day_ends_at_midnight_in_its_region(demo: Demo) -> None:
    for region, hour in LAST.items():
        files = sorted(path.stem for path in (demo.project / "website" / region).iterdir())
        assert files == [hour]


def test_three_regions_are_one_graph(demo: Demo) -> None:
    rows = demo.query("MATCH (d:Dataset) WHERE d.name CONTAINS '/lake/' RETURN d.name AS name")
    assert sorted(Path(row["name"]).name for row in rows) == sorted(TABLES)
    (row,) = demo.query("MATCH (j:Job {kind: 'pipeline'}) RETURN count(j) AS count")
    assert row["count"] == 3


def test_the_same_application_is_a_job_under_each_task_that_it_runs_in(demo: Demo) -> None:
    rows = demo.query(
        "MATCH (j:Job {kind: 'application', simple_name: 'experiment_metrics_job'}) "
        "RETURN j.fqn AS name ORDER BY name"
    )
    assert [row["name"].split(".")[:2] for row in rows] == [
        ["daily_experiment_metrics", "calculate_aggregate_experiment_metrics"],
        ["daily_experiment_metrics", "calculate_daily_customer_metrics"],
        ["hourly_experiment_metrics", "calculate_current_hourly_customer_experiment_metrics"],
        ["hourly_experiment_metrics", "calculate_hourly_experiment_metrics"],
        ["hourly_experiment_metrics", "collect_clickstream"],
        ["hourly_experiment_metrics", "determine_experiment_samples"],
    ]


def test_each_day_was_started_by_the_hours_of_its_region(demo: Demo) -> None:
    rows = demo.query(
        "MATCH (f:Firing)-[:STARTED]->(day:Run {name: 'daily_experiment_metrics'}) "
        "MATCH (f)-[:CONSUMED]->(hour:Run) "
        "RETURN day.partition AS day, collect(hour.partition) AS hours ORDER BY day"
    )
    assert rows == [
        {
            "day": f'{{"day":"2026-03-08","region":"{region}"}}',
            "hours": [f'{{"day":"2026-03-08","hour":"23","region":"{region}"}}'],
        }
        for region in ("UK", "US")
    ]


def test_the_aggregates_come_from_the_website_of_the_regions(demo: Demo) -> None:
    rows = demo.query(
        "MATCH (d:Dataset) WHERE d.name ENDS WITH 'lake/aggregate_experiment_metrics' "
        "MATCH (s:Dataset)-[:FEEDS|PRODUCES*]->(d) WHERE NOT s.name CONTAINS '/lake/' "
        "RETURN DISTINCT s.name AS name"
    )
    found = {Path(row["name"]).stem for row in rows}
    assert {"experiments", LAST["US"], LAST["UK"]} <= found


@pytest.mark.soak
def test_a_day_of_three_hours_and_the_same_again_leave_no_more_jobs_and_tables(
    graph: Graph, server: ServerAddress, tmp_path: Path
) -> None:
    commands = Commands(tmp_path, shared(server, tmp_path / "home"))
    first = Demo(commands, graph, 3)
    assert first.done.returncode == 0, first.done.stderr
    kinds = ("Job", "JobVersion", "Dataset", "Trigger")

    def counts() -> dict[str, int]:
        return {k: graph.query(f"MATCH (n:{k}) RETURN count(n) AS n")[0]["n"] for k in kinds}

    before = counts()
    again = Demo(commands, graph, 3)
    assert again.done.returncode == 0, again.done.stderr
    assert counts() == before
    assert again.metrics("JP").empty
