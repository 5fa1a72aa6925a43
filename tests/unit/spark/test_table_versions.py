"""Which version of a table an execution made."""

from lineagegraph.spark.table_versions import TakenVersions, total_of


def test_an_execution_gets_the_oldest_version_that_no_other_has() -> None:
    taken = TakenVersions()
    assert taken.take_oldest("t", [(3, "c"), (2, "b"), (1, "a")]) == "a"
    assert taken.take_oldest("t", [(3, "c"), (2, "b"), (1, "a")]) == "b"
    assert taken.take_oldest("u", [(1, "other")]) == "other"
    assert taken.take_oldest("t", []) is None


def test_an_execution_that_began_early_and_ends_late_takes_no_version_of_others() -> None:
    taken = TakenVersions()
    assert taken.take_oldest("t", [(1, "a")]) == "a"
    # This one began after the first version: it does not look at it.
    assert taken.take_oldest("t", [(2, "b")]) == "b"
    assert taken.take_oldest("t", [(3, "c"), (2, "b"), (1, "a")]) == "c"


def test_metrics_that_are_missing_count_for_nothing() -> None:
    assert total_of({"a": "1", "b": "2"}, "a", "b", "c") == 3
    assert total_of({"a": "1"}, "b") is None
