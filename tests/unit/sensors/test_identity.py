"""Two sensors with the same poke fields are one, whoever states them, wherever."""

from typing import Any

import pytest

from lineagegraph.errors import InvalidSensor
from lineagegraph.sensors import (
    decode_sensor,
    encode_sensor,
    known_kinds,
    make_sensor,
    sensor_id,
    shard_of,
)
from lineagegraph.sensors.kinds.file import FileSensor


def test_the_id_is_the_same_on_every_machine_and_for_ever() -> None:
    sensor = make_sensor("file", {"path": "/data/x"})
    assert sensor_id(sensor) == "37d2524928b6ab9e9f42f6ad4ff093db"


@pytest.mark.parametrize("path", ["/data//x/", "/data/./x", "file:///data/x", "local:///data/x"])
def test_spellings_of_one_path_are_one_sensor(path: str) -> None:
    assert sensor_id(FileSensor(path=path)) == sensor_id(FileSensor(path="/data/x"))


def test_a_url_of_a_file_keeps_its_whole_name() -> None:
    url, path = "file:///data/a%20b#1.csv", "/data/a b#1.csv"
    assert sensor_id(FileSensor(path=url)) == sensor_id(FileSensor(path=path))


def test_fields_that_are_left_out_are_their_defaults() -> None:
    said = FileSensor(path="/data/x", at_least=1, marker=None)
    assert sensor_id(said) == sensor_id(FileSensor(path="/data/x"))


def test_another_field_is_another_sensor() -> None:
    one, other = FileSensor(path="/data/x"), FileSensor(path="/data/x", marker="_SUCCESS")
    assert sensor_id(one) != sensor_id(other)


def test_what_is_written_reads_as_what_it_was() -> None:
    sensor = FileSensor(path="s3://bucket/x/*.csv", at_least=3, connection="lake")
    assert decode_sensor("file", encode_sensor(sensor)) == sensor


def test_shards_are_even() -> None:
    ids = [sensor_id(FileSensor(path=f"/data/{number}")) for number in range(400)]
    sizes = [sum(shard_of(id_, 4) == shard for id_ in ids) for shard in range(4)]
    assert sum(sizes) == 400
    assert min(sizes) > 60


def test_an_unknown_kind_is_told_the_nearest_known() -> None:
    with pytest.raises(InvalidSensor, match=r"no kind of sensor is named 'fil' \(did you mean fil"):
        make_sensor("fil", {})


def test_the_kinds_are_known() -> None:
    assert "file" in known_kinds()


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"pth": "/x"}, r"no field pth \(did you mean path\?\)"),
        ({}, "missing required field `path`"),
        ({"path": 3}, "Expected `str`"),
        ({"path": object()}, "field path cannot be written as JSON"),
        ({"path": "/x", "marker": {1, object()}}, "field marker cannot be written as JSON"),
        ({"path": "data/x"}, "use an absolute path"),
        ({"path": "file://data/x"}, "data would be a host"),
        ({"path": ""}, "is not a path"),
        ({"path": "/x\0"}, "is not a path"),
        ({"path": "simplecache::http://h/x"}, "chained"),
        ({"path": "s4://bucket/x"}, r"no file system has the scheme s4"),
        ({"path": "/x", "at_least": 0}, "at_least must be 1"),
        ({"path": "/x", "at_least": 2}, "needs a glob pattern"),
        ({"path": "/x", "marker": "a/b"}, "not a file name"),
        ({"path": "/x" * 200_000}, "bytes, at most"),
    ],
)
def test_what_cannot_be_looked_at_is_refused_in_one_line(fields: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidSensor, match=said) as caught:
        make_sensor("file", fields)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["{", "[]", "3", '{"path": }'])
def test_text_that_is_no_map_of_fields_is_refused(text: str) -> None:
    with pytest.raises(InvalidSensor, match="sensor of kind file"):
        decode_sensor("file", text)
