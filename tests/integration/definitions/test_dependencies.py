"""What tasks of batches depend on, as relationships between jobs."""

import json
import os
import time
from pathlib import Path
from typing import Any

import pytest

from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.record import record
from lineagegraph.model.runs.ids import new_id
from lineagegraph.reading.sync import sync_path
from lineagegraph.settings import Settings
from tests.events import run_event
from tests.integration.definitions.article import ARTICLE

DO = {"command": ["true"]}


class Batches:
    """A folder of batch files."""

    def __init__(self, folder: Path, graph: Graph, settings: Settings) -> None:
        self.folder = folder
        self._graph = graph
        self._settings = settings
        folder.mkdir()
        (folder / "lineagegraph.toml").touch()

    def state(self, name: str, **tasks: Any) -> None:
        """Write a batch; a task is what it depends on, with terms or without."""
        said = {
            task: DO | {"dependenciesWithMeta" if isinstance(on, dict) else "dependencies": on}
            for task, on in tasks.items()
        }
        (self.folder / f"{name}.json").write_text(json.dumps({"batch": name, "tasks": said}))

    def sync(self) -> list[str]:
        """Sync the folder, and return what is wrong."""
        return sync_path(self._graph, self._settings, self.folder).failures

    def edges(self) -> set[tuple[str, str]]:
        """Return which job depends on which."""
        rows = self._graph.query(
            "MATCH (a:Job)-[:DEPENDS_ON]->(b:Job) RETURN a.fqn AS child, b.fqn AS parent"
        )
        return {(row["child"], row["parent"]) for row in rows}


@pytest.fixture
def batches(tmp_path: Path, graph: Graph, settings: Settings) -> Batches:
    """A project without any."""
    return Batches(tmp_path / "project", graph, settings)


def test_tasks_depend_on_jobs_by_the_terms_that_they_state(batches: Batches, graph: Graph) -> None:
    batches.state("fx", rates=[])
    batches.state(
        "kpi",
        rides=[],
        kpi={"rides": {}, "fx.rates": {"maxAge": "1h", "wait": "1m", "whenSkipped": "ignore"}},
    )
    assert batches.sync() == []
    assert batches.edges() == {("kpi.kpi", "kpi.rides"), ("kpi.kpi", "fx.rates")}
    (row,) = graph.query("MATCH (:Job)-[d:DEPENDS_ON]->({fqn: 'fx.rates'}) RETURN d {.*} AS d")
    assert row["d"] == {
        "max_age": 3600.0,
        "any_partition": False,
        "unchanged": False,
        "when_skipped": "ignore",
        "when_newer": "ignore",
        "external": False,
        "recheck": 120.0,
        "wait": 60.0,
    }


def test_batches_may_name_each_others_tasks_in_any_order(batches: Batches, graph: Graph) -> None:
    batches.state("a", first=[], last=["b.middle"])
    batches.state("b", middle=["a.first"])
    assert batches.sync() == []
    assert batches.edges() == {("a.last", "b.middle"), ("b.middle", "a.first")}
    rows = graph.query("MATCH (j:Job {fqn: 'b.middle'}) RETURN j.stub AS stub")
    assert [row["stub"] for row in rows] == [False]


def test_edges_follow_the_version_in_force_and_go_with_the_definition(batches: Batches) -> None:
    batches.state("fx", rates=[], gold=[])
    batches.state("kpi", kpi=["fx.rates"])
    batches.sync()
    batches.state("kpi", kpi=["fx.gold"])
    assert batches.sync() == []
    assert batches.edges() == {("kpi.kpi", "fx.gold")}
    batches.state("kpi", kpi=[])
    batches.sync()
    assert batches.edges() == set()
    batches.state("kpi", kpi=["fx.gold"])
    batches.sync()
    (batches.folder / "kpi.json").unlink()
    batches.sync()
    assert batches.edges() == set()


def test_edges_to_a_parent_that_is_withdrawn_stay(batches: Batches) -> None:
    batches.state("fx", rates=[])
    batches.state("kpi", kpi=["fx.rates"])
    batches.sync()
    (batches.folder / "fx.json").unlink()
    assert batches.sync() == []
    assert batches.edges() == {("kpi.kpi", "fx.rates")}


def test_an_unknown_parent_is_a_fault_with_its_place_until_it_is_known(batches: Batches) -> None:
    batches.state("kpi", kpi=["fx.rate"])
    batches.state("fx", rates=[])
    (fault,) = batches.sync()
    assert fault.startswith("kpi.json:1:")
    assert "tasks.kpi.dependencies[0]: task kpi depends on fx.rate of namespace default" in fault
    assert "which is unknown (did you mean fx.rates?)" in fault
    assert batches.edges() == set()
    batches.state("fx", rate=[])
    assert batches.sync() == []
    assert batches.edges() == {("kpi.kpi", "fx.rate")}


def test_a_simple_name_that_one_task_has_is_that_task_in_any_order_of_files(
    batches: Batches,
) -> None:
    batches.state("a", kpi={"Task_1": {"freshnessCriteriaInHours": 24}})
    (fault,) = batches.sync()
    assert "task kpi depends on Task_1 of namespace default, which is unknown" in fault
    batches.state("z", Task_1=[])
    assert batches.sync() == []
    assert batches.edges() == {("a.kpi", "z.Task_1")}
    batches.state("b", gold=["Task_1"])
    assert batches.sync() == []
    assert ("b.gold", "z.Task_1") in batches.edges()


def test_the_sample_of_the_article_is_taken_as_it_is_typed(batches: Batches, graph: Graph) -> None:
    batches.state("etl", Task_1=[], Task_2=[])
    batches.state("more", Task_3=[], Task_4=[])
    text = f'{{"batch": "kpi", "tasks": {{"kpi": {{"command": ["true"], {ARTICLE}}}}}}}'
    (batches.folder / "kpi.json").write_text(text)
    assert batches.sync() == []
    hours = "MATCH (:Job {fqn: 'kpi.kpi'})-[d:DEPENDS_ON]->(j) RETURN j.fqn AS on, d.max_age AS age"
    assert {row["on"]: row["age"] / 3600 for row in graph.query(hours)} == {
        "etl.Task_1": 24,
        "etl.Task_2": 168,
        "more.Task_3": 96,
        "more.Task_4": 72,
    }


def test_a_simple_name_of_several_tasks_is_refused_with_the_candidates(batches: Batches) -> None:
    batches.state("x", Task_1=[])
    batches.state("y", Task_1=[])
    batches.state("kpi", kpi=["Task_1"])
    (fault,) = batches.sync()
    assert "which is the name of several: write x.Task_1 or y.Task_1" in fault
    (again,) = batches.sync()
    assert again == fault


def test_a_circle_by_simple_names_is_a_circle(batches: Batches) -> None:
    batches.state("a", one=["two"])
    batches.state("b", two=["one"])
    assert all("wait for each other in a circle" in fault for fault in batches.sync())
    assert batches.edges() == set()


def test_an_external_parent_need_not_be_known_and_is_found_when_it_comes(
    batches: Batches, graph: Graph
) -> None:
    batches.state("kpi", kpi={"dag.load": {"external": True, "namespace": "airflow"}})
    assert batches.sync() == []
    jobs = "MATCH (j:Job {namespace: 'airflow', fqn: 'dag.load'}) RETURN j.kind AS kind"
    assert [row["kind"] for row in graph.query(jobs)] == ["external"]
    batches.state("other", one={"dag.load": {"namespace": "airflow"}})
    (fault,) = batches.sync()
    assert "task one depends on dag.load of namespace airflow, which is unknown" in fault
    dag = new_id()
    events = [
        run_event("dag", namespace="airflow", run_id=dag),
        run_event("dag.load", namespace="airflow", parent=(dag, "dag")),
    ]
    graph.write(record, extract(events))
    assert batches.edges() == {("kpi.kpi", "dag.load")}
    assert len(graph.query(jobs)) == 1
    assert batches.sync() == []


def test_an_external_parent_that_nothing_names_any_more_is_no_job(
    batches: Batches, graph: Graph
) -> None:
    named = "MATCH (j:Job {namespace: 'airflow'}) RETURN j.fqn AS job ORDER BY job"
    for name in ("dag.lod", "dag.load"):
        batches.state("kpi", kpi={name: {"external": True, "namespace": "airflow"}})
        assert batches.sync() == []
        assert graph.query(named) == [{"job": name}]
    batches.state("other", one={"dag.load": {"external": True, "namespace": "airflow"}})
    assert batches.sync() == []
    for file in ("kpi", "other"):
        assert graph.query(named) == [{"job": "dag.load"}]
        (batches.folder / f"{file}.json").unlink()
        assert batches.sync() == []
    assert graph.query(named) == []


def test_a_cycle_across_batches_is_refused_with_its_path(batches: Batches, graph: Graph) -> None:
    batches.state("a", first=[], last=["b.middle", "first"])
    # A file of the future is read each time.
    os.utime(batches.folder / "a.json", (time.time() + 3600,) * 2)
    batches.state("b", middle=[])
    assert batches.sync() == []
    batches.state("b", middle=["a.last"])
    (fault,) = batches.sync()
    assert "b.json:1: pipeline b: tasks wait for each other in a circle: " in fault
    assert fault.count("a.last") + fault.count("b.middle") == 3
    assert batches.edges() == {("a.last", "b.middle"), ("a.last", "a.first")}


def test_of_a_cycle_that_is_new_every_batch_in_it_is_refused(batches: Batches) -> None:
    batches.state("a", one=["b.two"])
    batches.state("b", two=["a.one"])
    batches.state("c", three=[])
    found = batches.sync()
    assert [fault.partition(":")[0] for fault in found] == ["a.json", "b.json"]
    assert all("tasks wait for each other in a circle: " in fault for fault in found)
    assert batches.edges() == set()


def test_every_batch_of_a_cycle_is_refused_however_many_others_are_between(
    batches: Batches,
) -> None:
    batches.state("a", one=["z.two"])
    for number in range(30):
        batches.state(f"m{number}", middle=["a.one"])
    batches.state("z", two=["a.one"])
    assert sorted(fault.partition(":")[0] for fault in batches.sync()) == ["a.json", "z.json"]


def test_a_cycle_through_a_whole_batch_is_refused(batches: Batches) -> None:
    batches.state("a", one=[], two={"b": {"namespace": "default"}})
    batches.state("b", x=[])
    assert batches.sync() == []
    batches.state("b", x=[], y=["a.two"])
    (fault,) = batches.sync()
    assert "in a circle: " in fault
