"""Sensors that the graph answers: datasets, runs and times."""

from datetime import timedelta

import pytest

from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.model.runs.ids import new_id
from lineagegraph.reactions.commit import commit
from lineagegraph.sensors import make_sensor
from tests.events import run_event
from tests.integration.sensors.theatre import Theatre, at


@pytest.fixture
def theatre(graph: Graph) -> Theatre:
    return Theatre(graph)


def tell(
    theatre: Theatre,
    seconds: float,
    event_type: str = "COMPLETE",
    *,
    job: str = "etl",
    run_id: str | None = None,
    region: str | None = None,
    region_written: str | None = None,
) -> None:
    event = run_event(job, event_type, at=at(seconds), outputs=(("file", "/d"),), run_id=run_id)
    if region:
        own = {"_producer": "x:y", "_schemaURL": "x:y", "partition": {"region": region}}
        event["run"]["facets"]["lineagegraph"] = own
    if region_written:
        dimensions = {"identifier": "i", "dimensions": {"region": region_written}}
        condition = {"type": "partition", "partitions": [dimensions]}
        facet = {"_producer": "x:y", "_schemaURL": "x:y", "outputCondition": condition}
        event["outputs"][0]["outputFacets"] = {"subset": facet}
    theatre.graph.write(
        commit, extract([event]), max_event_age=timedelta(days=9999), now=at(seconds)
    )


def test_a_new_version_of_a_dataset_is_one_that_was_written_after_the_wait_began(
    theatre: Theatre,
) -> None:
    tell(theatre, 5)
    sensor = make_sensor("dataset", {"namespace": "file", "name": "/d"})
    early, late = theatre.wait(sensor, 10), theatre.wait(sensor, 30)
    assert theatre.ask_graph(31).waits == 0
    assert theatre.state(early) == "smart_running"
    tell(theatre, 20)
    assert theatre.ask_graph(40).waits == 1
    assert (theatre.state(early), theatre.state(late)) == ("success", "smart_running")
    tell(theatre, 41)
    assert theatre.ask_graph(42).waits == 1
    assert theatre.ask_graph(43).waits == 0


def test_a_write_under_another_name_counts_once_the_names_are_linked(theatre: Theatre) -> None:
    theatre.wait(make_sensor("dataset", {"namespace": "hive", "name": "d"}), 10)
    tell(theatre, 20)
    assert theatre.ask_graph(21).waits == 0
    link = run_event("catalog", "RUNNING", at=at(22), inputs=(("file", "/d"),))
    names = {"identifiers": [{"namespace": "hive", "name": "d", "type": "TABLE"}]}
    link["inputs"][0]["facets"] = {"symlinks": names}
    theatre.graph.write(commit, extract([link]), now=at(22))
    assert theatre.ask_graph(23).waits == 1


def test_any_version_will_do_where_that_is_asked_for(theatre: Theatre) -> None:
    tell(theatre, 5)
    run_id = theatre.wait(
        make_sensor("dataset", {"namespace": "file", "name": "/d", "since": "any"}), 10
    )
    assert theatre.ask_graph(11).waits == 1
    assert theatre.run(run_id)["state"] == "COMPLETED"


def test_a_partition_is_met_by_its_own_version(theatre: Theatre) -> None:
    fields = {"namespace": "file", "name": "/d", "partition": {"region": "EU"}}
    theatre.wait(make_sensor("dataset", fields))
    tell(theatre, 1, region_written="US")
    assert theatre.ask_graph(2).waits == 0
    tell(theatre, 3, region_written="EU")
    assert theatre.ask_graph(4).waits == 1


def test_a_run_of_a_job_is_met_by_the_states_that_are_waited_for(theatre: Theatre) -> None:
    sensor = make_sensor("run", {"job": "etl", "namespace": "default"})
    theatre.wait(sensor)
    tell(theatre, 1, "FAIL")
    assert theatre.ask_graph(2).waits == 0
    tell(theatre, 3)
    assert theatre.ask_graph(4).waits == 1
    failed = {"job": "etl", "namespace": "default", "statuses": ["FAILED"]}
    theatre.wait(make_sensor("run", failed), 10)
    assert theatre.ask_graph(11).waits == 0
    tell(theatre, 12, "FAIL")
    assert theatre.ask_graph(13).waits == 1


def test_a_run_that_was_also_marked_by_hand_ends_a_wait_once(theatre: Theatre) -> None:
    run_id = theatre.wait(make_sensor("run", {"job": "etl", "namespace": "default"}))
    tell(theatre, 1, run_id=(ended := new_id()))
    marked = "MATCH (r:Run {id: $id}) SET r.marked_at = $at"
    theatre.graph.query(marked, {"id": ended, "at": at(2)}, write=True)
    assert theatre.ask_graph(3).waits == 1
    assert len(theatre.of(run_id)["log"]) == 1


def test_a_run_of_a_partition_is_met_by_runs_of_that_partition(theatre: Theatre) -> None:
    fields = {"job": "etl", "namespace": "default", "partition": {"region": "EU"}}
    tell(theatre, 1, region="US")
    theatre.wait(make_sensor("run", fields), 2)
    assert theatre.ask_graph(3).waits == 0
    tell(theatre, 4, region="EU")
    assert theatre.ask_graph(5).waits == 1


def test_a_run_that_ended_otherwise_ends_the_wait_for_it(theatre: Theatre) -> None:
    awaited = new_id()
    waits = [
        theatre.wait(make_sensor("run", {"run_id": awaited}), soft_fail=soft)
        for soft in (False, True)
    ]
    assert theatre.ask_graph(1).waits == 0
    tell(theatre, 2, "FAIL", run_id=awaited)
    assert theatre.ask_graph(3).waits == 2
    assert [theatre.state(one) for one in waits] == ["failed", "skipped"]
    assert theatre.run(waits[0])["error"] == "the run ended FAILED"


def test_waits_for_the_same_time_are_one_sensor_and_end_when_it_comes(theatre: Theatre) -> None:
    for seconds in (0, 10):
        theatre.wait(make_sensor("time", {"at": at(60).isoformat()}), seconds)
    theatre.wait(make_sensor("time", {"delay": 50}), 10)
    assert theatre.graph.query("MATCH (s:Sensor) RETURN count(s) AS n") == [{"n": 1}]
    assert theatre.ask_graph(59).waits == 0
    assert theatre.ask_graph(61).waits == 3


def test_where_nothing_was_told_only_new_waits_are_asked_about(theatre: Theatre) -> None:
    tell(theatre, 1)
    sensor = make_sensor("run", {"job": "etl", "namespace": "default", "since": "any"})
    theatre.wait(sensor, 100)
    _let_it_be_heard_long_ago(theatre)
    assert theatre.ask_graph(200, since=at(150)).waits == 0
    theatre.wait(sensor, 205)
    _let_it_be_heard_long_ago(theatre)
    assert theatre.ask_graph(210, since=at(204)).waits == 2


def _let_it_be_heard_long_ago(theatre: Theatre) -> None:
    theatre.graph.query("MATCH (e:Event) SET e.received_at = datetime('2020-01-01')", write=True)
