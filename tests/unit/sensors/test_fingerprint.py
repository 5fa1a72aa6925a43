"""The fingerprint of a function that holds tasks and sensors of its file."""

from dataclasses import replace

import pytest

import lineagegraph as lg
from lineagegraph.sensors.calls.fingerprint import fingerprint


def holding(handle):
    return lambda: handle


@pytest.mark.parametrize(
    "handle",
    [lg.sensor("file", path="/data/flag"), lg.command("load", ["true"])],
    ids=["sensor", "command"],
)
def test_the_folder_into_which_code_was_unpacked_does_not_count(handle):
    elsewhere = replace(handle, origin=replace(handle.origin, file="/tmp/x.py", declared_in="/x"))
    assert fingerprint(holding(handle)) == fingerprint(holding(elsewhere))
    assert fingerprint(holding(handle)) != fingerprint(holding(replace(handle, retries=3)))


def test_another_field_of_a_sensor_counts():
    one, other = (lg.sensor("file", path=f"/data/{name}") for name in "ab")
    assert fingerprint(holding(one)) != fingerprint(holding(other))
