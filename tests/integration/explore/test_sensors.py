"""What is waited for, who waits, and why something still does."""

import pytest
from msgspec.structs import replace

from lineagegraph.drawing.dot import to_dot
from lineagegraph.drawing.mermaid import to_mermaid
from lineagegraph.drawing.sensor import draw_sensor
from lineagegraph.drawing.svg import to_svg
from lineagegraph.errors import NotFound
from lineagegraph.graph import Graph
from lineagegraph.model.waits import WaitTerms
from lineagegraph.queries.sensors import describe_sensor, read_sensor, read_sensors, read_waits_of
from lineagegraph.sensors import make_sensor, sensor_id
from lineagegraph.sensors.end_waits import end_waits
from lineagegraph.settings import load_settings
from tests.sensors import wait_for

READY = make_sensor("file", {"path": "/data/ready"})
LATER = make_sensor("file", {"path": "/data/later"})


def test_sensors_are_listed_with_their_waits_those_with_the_most_first(graph: Graph) -> None:
    wait_for(graph, LATER)
    for n in range(3):
        wait_for(graph, READY, job=f"waiter{n}")
    found = read_sensors(graph)
    assert [(describe_sensor(one), one.waits) for one in found] == [
        ("file /data/ready", 3),
        ("file /data/later", 1),
    ]
    assert read_sensors(graph, "http") == []


def test_a_sensor_is_found_by_a_start_of_its_id(graph: Graph) -> None:
    run_id = wait_for(graph, READY)
    found = read_sensor(graph, sensor_id(READY)[:8])
    assert [one.run_id for one in found.waits] == [run_id]
    assert found.holder is None
    with pytest.raises(NotFound, match="sensor list"):
        read_sensor(graph, "nothing")


def test_why_says_on_which_terms_a_run_waits(graph: Graph) -> None:
    terms = WaitTerms(poke_interval=5, timeout=60, retries=1)
    run_id = wait_for(graph, READY, terms)
    (found,) = read_waits_of(graph, run_id[:20])
    assert found.wait.state == "smart_pending"
    assert (found.wait.poke_interval, found.wait.retries, found.wait.attempt) == (5, 1, 1)
    assert found.wait.began_at is not None
    assert found.wait.deadline is not None
    assert (found.wait.deadline - found.wait.began_at).total_seconds() == 120
    assert found.sensor.id == sensor_id(READY)


def test_the_picture_has_a_box_for_each_job_that_waits(graph: Graph) -> None:
    for job in ("nightly", "nightly", "hourly"):
        wait_for(graph, READY, job=job)
    found = read_sensor(graph, sensor_id(READY))
    picture = draw_sensor(found, "file path=/data/ready")
    for text in (to_mermaid(*picture), to_dot(*picture)):
        assert "2 waiting" in text
        assert "hourly" in text
    assert "ready" in to_svg(*picture)


def test_a_wait_that_was_given_back_to_its_run_is_none_any_more(graph: Graph) -> None:
    run_id = wait_for(graph, READY)
    wait_for(graph, READY, job="other")
    graph.write(end_waits, [run_id], why="it looks itself")
    (found,) = read_sensors(graph)
    assert found.waits == 1
    details = read_sensor(graph, sensor_id(READY))
    assert [one.run_id == run_id for one in details.waits] == [False, True]
    assert "waiter" not in to_mermaid(*draw_sensor(details, "ready"))


def test_a_kind_that_fails_is_said_as_it_is_written(
    graph: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    wait_for(graph, READY)
    (found,) = read_sensors(graph)
    monkeypatch.setenv(
        "LINEAGEGRAPH_SENSOR_KINDS", '["tests.integration.sensors.own_kinds:Faulty"]'
    )
    load_settings.cache_clear()
    try:
        assert describe_sensor(replace(found, kind="faulty", fields="{}")) == "faulty {}"
    finally:
        load_settings.cache_clear()
