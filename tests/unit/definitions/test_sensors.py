"""What is waited for, as a definition file or a batch file states it."""

import re
from pathlib import Path
from typing import Any

import pytest

import lineagegraph as lg
from lineagegraph.code.hashing import structure_hash
from lineagegraph.errors import DefinitionError
from lineagegraph.model.change import Change
from lineagegraph.model.pipelines.definition import Pipeline, SensorTask
from lineagegraph.model.pipelines.definition_diff import FieldDiff, PartDiff, diff_pipelines
from tests.unit.definitions.batches import batch, read


def stated(*tasks: Any, **more: Any) -> Pipeline:
    return lg.pipeline("p", tasks=tasks, **more).definition


def landed(**more: Any) -> Pipeline:
    return stated(lg.sensor("file", path="/data/flights.csv", **more))


def test_a_sensor_is_a_task_with_the_terms_of_its_wait() -> None:
    (task,) = stated(
        lg.sensor(
            "file",
            "landed",
            path="/data/flights.csv",
            poke_interval="10s",
            poke_backoff=1.5,
            max_poke_interval="5m",
            timeout="1h",
            execution_timeout="30m",
            retries=2,
            soft_fail=True,
            mode="exclusive",
            on_failure="alerts:tell",
        )
    ).tasks
    assert task.name == "landed"
    assert task.work == SensorTask(
        kind="file",
        fields={"path": "/data/flights.csv"},
        poke_interval=10.0,
        poke_backoff=1.5,
        max_poke_interval=300.0,
        timeout=3600.0,
        execution_timeout=1800.0,
        retries=2,
        soft_fail=True,
        mode="exclusive",
        on_failure="alerts:tell",
    )
    assert (task.retries, task.timeout) == (2, 1800.0)
    assert task.work.total_seconds == 5400.0


def test_a_sensor_has_the_name_of_its_kind_and_terms_of_its_own_where_nothing_is_said() -> None:
    (task,) = landed().tasks
    assert isinstance(task.work, SensorTask)
    assert (task.name, task.work.poke_interval, task.work.timeout) == ("file", 60.0, 604800.0)


def test_a_poke_field_may_have_the_name_of_an_argument() -> None:
    fields = {"namespace": "file", "name": "/data/flights"}
    (task,) = stated(lg.sensor("dataset", "flights", fields=fields)).tasks
    assert isinstance(task.work, SensorTask)
    assert task.work.fields == fields


def test_parameters_may_stand_in_poke_fields_and_must_be_ones() -> None:
    sensor = lg.sensor("file", path="/data/{month}/flights.csv")
    (task,) = stated(sensor, params={"month": int}).tasks
    assert isinstance(task.work, SensorTask)
    assert task.work.fields == {"path": "/data/{month}/flights.csv"}
    with pytest.raises(DefinitionError, match=r"\{month\} is not a parameter"):
        stated(sensor)


FAULTS: list[tuple[str, dict[str, Any], str]] = [
    ("fil", {"path": "/x"}, "no kind of sensor is named 'fil'"),
    ("file", {"pth": "/x"}, "has no field pth"),
    ("file", {"pth": "/{month}"}, "has no field pth"),
    ("file", {"path": object()}, "field path cannot be written as JSON"),
    ("file", {"path": "s3://me:secret@bucket/x"}, "field path is a secret"),
    ("file", {"path": "s3://me:secret@bucket/{month}"}, "field path is a secret"),
    ("file", {"path": "/x", "poke_interval": "0s"}, "poke_interval='0s' must be between 0.1 s"),
    ("file", {"path": "/x", "poke_interval": "1ms"}, "poke_interval='1ms' must be between 0.1 s"),
    ("file", {"path": "/x", "max_poke_interval": "1ms"}, "must be between 0.1 s"),
    ("file", {"path": "/x", "poke_backoff": 0.5}, "poke_backoff=0.5 must be a number from 1"),
    ("file", {"path": "/x", "poke_backoff": 101}, "poke_backoff=101 must be at most 100"),
    ("file", {"path": "/x", "timeout": "9999d"}, "timeout='9999d' must be between"),
    ("file", {"path": "/x", "execution_timeout": 1e300}, "must be between"),
    ("file", {"path": "/x", "retries": 1000}, "retries=1000 all attempts together take more"),
    ("file", {"path": "/x", "timeout": 1e-7}, "timeout=1e-07 must be between 0.1 s"),
    ("file", {"path": "/x", "execution_timeout": "1ms"}, "must be between 0.1 s"),
    ("file", {"path": "/x", "timeout": "0s"}, "timeout='0s' must be more than 0"),
    ("file", {"path": "/x", "mode": "smrt"}, "mode='smrt' must be one of smart, exclusive"),
    ("file", {"path": "/x", "soft_fail": "yes"}, "soft_fail='yes' must be true or false"),
    ("file", {"path": "/x", "retries": -1}, "retries=-1 must be 0 or more"),
    ("file", {"path": "/x", "on_retry": ["true"]}, "on_retry must be a function"),
]


@pytest.mark.parametrize(("kind", "said", "fault"), FAULTS)
def test_what_is_wrong_with_a_sensor_is_told_where_it_is_stated(
    kind: str, said: dict[str, Any], fault: str
) -> None:
    with pytest.raises(DefinitionError, match=r"test_sensors\.py:\d+: .*" + re.escape(fault)):
        lg.sensor(kind, **said)


def test_a_secret_is_not_told() -> None:
    with pytest.raises(DefinitionError) as caught:
        lg.sensor("file", path="s3://me:hunter2@bucket/x")
    assert "hunter2" not in str(caught.value)


def test_other_poke_fields_or_terms_make_another_version_and_the_diff_says_which() -> None:
    before, after = landed(), landed(poke_interval="5s")
    assert structure_hash(before) != structure_hash(after)
    assert structure_hash(before) == structure_hash(landed(poke_interval=60))
    changed = (FieldDiff("poke_interval", 60.0, 5.0),)
    assert diff_pipelines(before, after).tasks == (PartDiff("file", Change.CHANGED, changed),)


def test_a_batch_file_states_a_sensor(tmp_path: Path) -> None:
    task = {
        "sensor": {"kind": "file", "path": "/data/flights.csv"},
        "pokeInterval": "10s",
        "pokeBackoff": 2,
        "maxPokeInterval": "5m",
        "timeout": "6h",
        "retries": 1,
        "softFail": True,
        "mode": "exclusive",
    }
    (found,) = read(tmp_path, batch({"landed": task})).tasks
    assert found.work == SensorTask(
        kind="file",
        fields={"path": "/data/flights.csv"},
        poke_interval=10.0,
        poke_backoff=2.0,
        max_poke_interval=300.0,
        timeout=21600.0,
        retries=1,
        soft_fail=True,
        mode="exclusive",
    )


@pytest.mark.parametrize(
    ("task", "fault"),
    [
        ({"sensor": {"path": "/x"}}, "tasks.one.sensor: needs a `kind`"),
        ({"sensor": {"kind": "fil", "path": "/x"}}, "tasks.one.sensor.kind: no kind of sensor"),
        (
            {"sensor": {"kind": "file", "pth": "/x"}},
            "tasks.one.sensor.pth: sensor of kind file has",
        ),
        ({"sensor": "file"}, "tasks.one.sensor: must be an object {…}"),
        ({"command": ["true"], "softFail": True}, "tasks.one.softFail: is for tasks with sensor"),
        (
            {"sensor": {"kind": "file", "path": "/x"}, "pokeInterval": "soon"},
            "tasks.one.pokeInterval: poke_interval='soon' is not a duration",
        ),
        (
            {"sensor": {"kind": "file", "path": "/x"}, "pokeInterval": "1ms"},
            "tasks.one.pokeInterval: poke_interval='1ms' must be between 0.1 seconds",
        ),
        (
            {"sensor": {"kind": "file", "path": "/x"}, "mode": "append"},
            "tasks.one.mode: mode='append' must be one of smart, exclusive",
        ),
        (
            {"sensor": {"kind": "file", "path": "/x"}, "emits": {"rows": "int"}},
            "tasks.one.emits: is not allowed for a sensor task: it runs no code",
        ),
    ],
)
def test_what_is_wrong_in_a_batch_file_is_told_with_its_place(
    tmp_path: Path, task: dict[str, Any], fault: str
) -> None:
    with pytest.raises(DefinitionError, match=re.escape(fault)):
        read(tmp_path, batch({"one": task}))


def since(cursor: Any, day: str) -> bool:
    """Stand for a function that finds new items."""
    return bool(cursor or day)


def test_a_function_of_a_wait_may_take_a_cursor_which_is_no_parameter() -> None:
    task = stated(lg.sensor(since), params={"day": str}).tasks[0].work
    assert isinstance(task, SensorTask)
    assert task.fields["arguments"] == {"day": "{day}"}
    named = stated(lg.sensor(since), params={"day": str, "cursor": str}).tasks[0].work
    assert isinstance(named, SensorTask)
    assert named.fields["arguments"] == {"cursor": "{cursor}", "day": "{day}"}
