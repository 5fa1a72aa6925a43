"""Sensors that the graph answers say in full what they are about."""

from datetime import UTC, datetime
from typing import Any

import pytest

from lineagegraph.errors import InvalidSensor
from lineagegraph.sensors import decode_sensor, encode_sensor, make_sensor, sensor_id
from lineagegraph.sensors.kinds.dataset import DatasetSensor
from lineagegraph.sensors.kinds.run import RunSensor
from lineagegraph.sensors.kinds.time import TimeSensor

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def test_a_job_without_a_namespace_is_in_that_of_who_waits() -> None:
    said = make_sensor("run", {"job": "etl"}, namespace="sales")
    assert sensor_id(said) == sensor_id(RunSensor(job="etl", namespace="sales"))


def test_a_run_is_waited_for_from_the_begin_on_and_a_partition_whenever_it_came() -> None:
    assert _run(job="etl").since == "begin"
    assert _run(job="etl", partition={"day": "1"}).since == "any"
    assert _run(job="etl", since="any").since == "any"


def test_the_order_of_statuses_does_not_tell_sensors_apart() -> None:
    one = make_sensor("run", {"job": "etl", "statuses": ["KILLED", "FAILED"]})
    other = make_sensor("run", {"job": "etl", "statuses": ["FAILED", "KILLED", "FAILED"]})
    assert sensor_id(one) == sensor_id(other)


def test_the_order_of_a_partition_does_not_tell_sensors_apart() -> None:
    one = DatasetSensor(namespace="file", name="/t", partition={"a": "1", "b": "2"})
    other = DatasetSensor(namespace="file", name="/t", partition={"b": "2", "a": "1"})
    assert sensor_id(one) == sensor_id(other)


@pytest.mark.parametrize(
    ("kind", "fields", "said"),
    [
        ("run", {}, "either a job or a run_id"),
        ("run", {"job": "a", "run_id": "b"}, "either a job or a run_id"),
        ("run", {"run_id": "b"}, "not a UUID"),
        ("run", {"job": "a", "statuses": ["RUNNING"]}, "statuses of a sensor of kind run"),
        ("run", {"job": "a", "statuses": ["DONE"]}, "Invalid enum value 'DONE'"),
        ("run", {"job": "a", "partition": {}}, "partition is empty"),
        ("dataset", {"name": "x"}, "missing required field `namespace`"),
        ("dataset", {"namespace": "", "name": "x"}, "needs a namespace and a name"),
        ("dataset", {"namespace": "n", "name": "x", "since": "now"}, "Invalid enum value 'now'"),
        ("time", {}, "one of `at`, `delay` and `cron`"),
        ("time", {"at": "2026-01-01", "delay": 5}, "one of `at`, `delay`|RFC3339"),
        ("time", {"at": "9999-12-31T23:59:59-14:00"}, "outside the years 1 to 9999"),
        ("time", {"delay": "soon"}, "not a duration"),
        ("time", {"delay": -1}, "not a duration"),
        ("time", {"delay": 1e12}, "use at most ten years"),
        ("time", {"cron": "* *"}, "five fields"),
        ("time", {"cron": "0 6 * * *", "zone": "Mars"}, "not a time zone"),
    ],
)
def test_what_the_graph_cannot_answer_is_refused(
    kind: str, fields: dict[str, Any], said: str
) -> None:
    with pytest.raises(InvalidSensor, match=said):
        make_sensor(kind, fields)


def test_times_of_all_zones_are_one_sensor() -> None:
    berlin = make_sensor("time", {"at": "2026-03-01T13:00:00+01:00"})
    local = make_sensor("time", {"at": "2026-03-01T13:00:00", "zone": "Europe/Berlin"})
    assert sensor_id(berlin) == sensor_id(local) == sensor_id(TimeSensor(at=NOON))
    assert decode_sensor("time", encode_sensor(berlin)) == TimeSensor(at=NOON)


def test_a_delay_is_a_time_once_the_wait_begins() -> None:
    sensor = make_sensor("time", {"delay": "90m"})
    assert sensor.begun(NOON) == TimeSensor(at=datetime(2026, 3, 1, 13, 30, tzinfo=UTC))


def test_waits_for_the_next_time_of_a_cron_expression_share_it() -> None:
    sensor = make_sensor("time", {"cron": "0  6 * * *", "zone": "Europe/Berlin"})
    next_one = TimeSensor(at=datetime(2026, 3, 2, 5, tzinfo=UTC))
    assert sensor.begun(NOON) == sensor.begun(NOON.replace(hour=20)) == next_one


def _run(**fields: Any) -> RunSensor:
    sensor = make_sensor("run", fields)
    assert isinstance(sensor, RunSensor)
    return sensor
