"""The demo, on real data: what it leaves equals what pandas computes from the files.

It runs on an eighth of the flights; on all of them in soak.
"""

import re
import subprocess
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any
from urllib.request import urlopen
from xml.etree import ElementTree

import pandas as pd
import pytest
from nbformat import NotebookNode

from docs.make_notebooks import NOTEBOOKS, execute, list_sources, read_source
from lineagegraph import neo4j_server
from lineagegraph.cli.demo.command import fetch_data
from lineagegraph.graph import Graph, answers
from lineagegraph.settings import Settings
from tests.acceptance.processes import DEMO_SECONDS, Commands
from tests.guides import guide_queries

LATE_AFTER = 15
pytestmark = pytest.mark.timeout(DEMO_SECONDS + 60)
Run = Callable[[Path], NotebookNode]
SUMS = ["flights", "dep_delay", "arr_delay", "late"]


class Demo:
    """One run of the demo, and the graph that it left."""

    def __init__(self, commands: Commands, project: Path) -> None:
        self.commands = commands
        self.project = project
        self.done = self.run()
        settings = Settings(home=Path(commands.environment["LINEAGEGRAPH_HOME"]), neo4j_uri=None)
        address = neo4j_server.status(settings, answers).address
        assert address is not None, self.done.stderr
        self.graph = Graph(address.bolt, address.user, address.password)

    def run(self) -> "subprocess.CompletedProcess[str]":
        return self.commands("demo", "--folder", str(self.project), seconds=DEMO_SECONDS)

    def query(self, text: str, **parameters: Any) -> list[dict[str, Any]]:
        return self.graph.query(text, parameters)

    def table(self, name: str) -> pd.DataFrame:
        return pd.read_parquet(self.project / "lake" / name)

    def csv(self, name: str) -> pd.DataFrame:
        return pd.read_csv(self.project / "data" / f"{name}.csv", low_memory=False)


@pytest.fixture(scope="module", params=["eighth", pytest.param("whole", marks=pytest.mark.soak)])
def demo(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Demo]:
    folder = tmp_path_factory.mktemp("demo")
    if request.param == "eighth":
        keep_an_eighth(fetch_data(folder / "nyc" / "data") / "flights.csv")
    settings = {"LINEAGEGRAPH_HOME": str(folder / "home"), "LINEAGEGRAPH_PORT": "0"}
    commands = Commands(folder, settings)
    found = Demo(commands, folder / "nyc")
    yield found
    found.graph.close()
    commands("down")


def keep_an_eighth(file: Path) -> None:
    head, *rows = file.read_text().splitlines(keepends=True)
    file.write_text("".join([head, *rows[::8]]))


@pytest.fixture(scope="module")
def expected(demo: Demo) -> pd.DataFrame:
    """Sums a month, carrier and origin, from the CSV file."""
    flights = demo.csv("flights")
    flown = flights[flights["arr_delay"].notna()].copy()
    flown["late"] = (flown["arr_delay"] > LATE_AFTER).astype(int)
    flown["flights"] = 1
    return flown.groupby(["month", "carrier", "origin"])[SUMS].sum().sort_index()


def test_it_ends_well_and_shows_what_it_did(demo: Demo) -> None:
    assert demo.done.returncode == 0, demo.done.stderr
    for shown in ("hierarchy", "lineage of", "runs", "firings", "the last week"):
        assert shown in demo.done.stdout
    assert "Traceback" not in demo.done.stderr


def test_it_ends_with_the_page_the_notebooks_and_how_to_stop(demo: Demo) -> None:
    *_, page, notebook, stop = demo.done.stdout.splitlines()
    assert re.fullmatch(r"page      http://127\.0\.0\.1:\d+/", page)
    assert notebook == "notebook  lineagegraph notebook"
    assert stop == "stop      lineagegraph down"
    with urlopen(page.split()[1]) as answer:
        assert answer.status == 200
    assert "password" not in demo.done.stdout


def test_each_command_that_it_prints_has_something_to_show(demo: Demo) -> None:
    shown = {
        "runs nyc.delays": "the weather of JFK was not delivered",
        "analysis critical-path": "nyc.delays.clean",
        "versions nyc.bulletin": "code of nyc.py",
        "freshness --stale": "vendor.publish is FAILED",
        "sensor list": "flights_2014.csv",
        "backfill list": "7/7",
        "trigger why nyc.bulletin": "DEAD_LETTER",
        "tags flow PII": "tailnum",
    }
    printed = re.findall(r"  lineagegraph (\S.*)", demo.done.stdout.partition("last week")[2])
    for start, words in shown.items():
        (command,) = (one for one in printed if one.startswith(start))
        assert words in demo.commands(*command.split(), COLUMNS="250").stdout, command


def test_a_week_of_runs_is_there_with_a_failure_its_rerun_and_a_late_day(demo: Demo) -> None:
    rows = demo.query(
        "MATCH (r:Run {name: 'nyc.delays'}) RETURN date(r.started_at) AS day, r.state AS state, "
        "r.started_at.hour AS hour ORDER BY r.started_at"
    )
    assert len({row["day"] for row in rows}) == 7
    assert [row["state"] for row in rows] == ["COMPLETED"] * 2 + ["FAILED"] + ["COMPLETED"] * 5
    assert [row["hour"] for row in rows[:6]] == [6, 6, 6, 8, 11, 6]


def test_the_bulletin_failed_and_was_rerun_as_another_version(demo: Demo) -> None:
    (row,) = demo.query(
        "MATCH (again:Run {name: 'nyc.bulletin'})-[:RERUN_OF]->(first:Run) "
        "RETURN first.state AS first, again.state AS again, "
        "first.job_version = again.job_version AS same"
    )
    assert row == {"first": "FAILED", "again": "COMPLETED", "same": False}


def test_the_past_has_no_jobs_of_its_own_beside_those_of_today(demo: Demo) -> None:
    rows = demo.query(
        "MATCH (j:Job) WHERE j.fqn STARTS WITH 'nyc.' "
        "WITH j.fqn AS name, count(*) AS n WHERE n > 1 RETURN name"
    )
    assert rows == []


def test_its_drawing_is_an_svg(demo: Demo) -> None:
    root = ElementTree.parse(demo.project / "lineage.svg").getroot()
    assert root.tag.endswith("svg")


def test_the_queries_of_the_guides_find_what_it_left(demo: Demo) -> None:
    """All but those about verdicts and old edges."""
    found = {query: len(demo.query(query)) for guide, query in guide_queries()}
    empty = {q for guide, q in guide_queries() if not found[q] and guide != "sensors"}
    absent = "HOLDS|P30D|Assertion"
    assert empty == {q for q in empty if re.search(absent, q)}


def test_the_monthly_sums_are_those_of_the_csv(demo: Demo, expected: pd.DataFrame) -> None:
    monthly = demo.table("gold/monthly_delay").astype({"month": int})
    found = monthly.set_index(["month", "carrier", "origin"]).sort_index()
    pd.testing.assert_frame_equal(found[SUMS].astype(float), expected.astype(float))


def test_the_daily_sums_add_up_to_the_same(demo: Demo, expected: pd.DataFrame) -> None:
    daily = demo.table("gold/daily_delay").astype({"month": int})
    found = daily.groupby(["month", "carrier", "origin"])[SUMS].sum().sort_index()
    pd.testing.assert_frame_equal(found.astype(float), expected.astype(float))


def test_the_report_emits_the_sum_of_all_flights(demo: Demo, expected: pd.DataFrame) -> None:
    (row,) = demo.query(
        "MATCH (r:Run {name: 'nyc.report'}) WHERE r.emitted <> '{}' "
        "RETURN r.emitted AS emitted LIMIT 1"
    )
    assert f'"flights":{expected["flights"].sum()}' in row["emitted"]


def test_a_column_of_the_report_comes_from_one_column_of_one_file(demo: Demo) -> None:
    rows = demo.query(
        "MATCH (d:Dataset)-[:HAS_FIELD]->(f:Field {name: 'arr_delay'}) "
        "WHERE d.name ENDS WITH 'gold/monthly_delay' "
        "MATCH path = (f)-[:DERIVED_FROM*]->(s:Field) "
        "WHERE all(x IN relationships(path) WHERE x.type = 'DIRECT') "
        "AND NOT EXISTS { (s)-[:DERIVED_FROM]->() } "
        "MATCH (source:Dataset)-[:HAS_FIELD]->(s) "
        "RETURN DISTINCT source.name AS dataset, s.name AS column, length(path) AS hops"
    )
    file = str(demo.project / "data" / "flights.csv")
    assert rows == [{"dataset": file, "column": "arr_delay", "hops": 5}]


@pytest.mark.parametrize("label", ["Run", "Job"])
def test_a_spark_action_is_on_the_fourth_level(demo: Demo, label: str) -> None:
    rows = demo.query(
        f"MATCH path = (top:{label})-[:PARENT_OF*]->(a:{label} {{kind: 'action'}}) "
        f"WHERE NOT EXISTS {{ (:{label})-[:PARENT_OF]->(top) }} "
        "RETURN DISTINCT [n IN nodes(path) | n.kind] AS kinds"
    )
    assert rows == [{"kinds": ["pipeline", "task", "application", "action"]}]


def test_the_rows_read_from_each_file_are_counted(demo: Demo) -> None:
    rows = demo.query(
        "MATCH (:Run)-[w:WRITES]->(:DatasetVersion)<-[:HAS_VERSION]-(d:Dataset) "
        "WHERE d.name CONTAINS '/bronze/' RETURN DISTINCT d.name AS name, w.row_count AS rows"
    )
    found = {Path(row["name"]).name: row["rows"] for row in rows}
    tables = ("flights", "weather", "planes", "airports", "airlines")
    assert found == {table: len(demo.csv(table)) for table in tables}


def test_the_partitions_that_were_written_are_known(demo: Demo) -> None:
    (row,) = demo.query(
        "MATCH ()-[w:WRITES]->(:DatasetVersion)<-[:HAS_VERSION]-(d:Dataset) "
        "WHERE d.name ENDS WITH 'gold/daily_delay' AND w.partitions IS NOT NULL "
        "RETURN DISTINCT w.partitions AS partitions"
    )
    assert all(f'"month":{month}}}' in row["partitions"] for month in range(1, 13))


def test_the_last_pipeline_was_started_by_a_status_and_a_dataset(demo: Demo) -> None:
    (row,) = demo.query(
        "MATCH (:Job {fqn: 'nyc.report'})<-[:STARTS]-(:Trigger)-[:FIRED]->(f:Firing) "
        "MATCH (f)-[:CONSUMED]->(what) RETURN collect(DISTINCT labels(what)[0]) AS consumed"
    )
    assert sorted(row["consumed"]) == ["DatasetVersion", "Run"]


@pytest.mark.soak
def test_running_it_again_makes_new_runs_and_nothing_else(demo: Demo) -> None:
    kinds = ("Job", "JobVersion", "TaskVersion", "Source", "Trigger", "Condition", "Dataset")

    def counts() -> dict[str, int]:
        return {k: demo.query(f"MATCH (n:{k}) RETURN count(n) AS n")[0]["n"] for k in kinds}

    def runs() -> int:
        return int(demo.query("MATCH (n:Run {kind: 'pipeline'}) RETURN count(n) AS n")[0]["n"])

    before, runs_before = counts(), runs()
    again = demo.run()
    assert again.returncode == 0, again.stderr
    assert counts() == before
    assert runs() == runs_before + 3


def again(source: Path) -> object:
    """A notebook to run a second time; the second, which starts Spark three times, in soak."""
    marks = [pytest.mark.soak] if source.stem.startswith("02") else []
    return pytest.param(source, id=source.stem, marks=marks)


@pytest.fixture(scope="module")
def first_run(demo: Demo) -> Iterator[Run]:
    """Run a notebook, or return what its first run left."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LINEAGEGRAPH_HOME", demo.commands.environment["LINEAGEGRAPH_HOME"])
        yield cache(lambda source: execute(read_source(source), demo.project))


@pytest.mark.parametrize("source", list_sources(), ids=lambda path: path.stem)
def test_the_notebooks_run_in_order(source: Path, first_run: Run) -> None:
    first_run(source)


@pytest.mark.parametrize("source", [again(source) for source in list_sources()])
def test_a_notebook_runs_again(source: Path, first_run: Run, demo: Demo) -> None:
    first_run(source)
    execute(read_source(source), demo.project)


def test_a_notebook_shows_what_the_demo_left(first_run: Run) -> None:
    notebook = first_run(NOTEBOOKS / "01_explore_lineage.py")
    shown = [
        out["data"] for cell in notebook.cells for out in cell.get("outputs", []) if "data" in out
    ]
    drawings = "".join(data.get("image/svg+xml", "") for data in shown)
    tables = "".join(data.get("text/html", "") for data in shown)
    assert "flights.csv" in drawings
    for said in ("nyc.report", "arr_delay", "flights.csv", "COMPLETED"):
        assert said in tables
