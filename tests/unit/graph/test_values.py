"""Values of the driver as values of Python."""

from datetime import timedelta

from neo4j.time import Duration

from lineagegraph.graph.ask import read_value


def test_a_duration_that_python_has_no_room_for_is_text() -> None:
    assert read_value(Duration(days=9_999_999_999)) == "P9999999999D"
    assert read_value(Duration(days=2, seconds=3)) == timedelta(days=2, seconds=3)
