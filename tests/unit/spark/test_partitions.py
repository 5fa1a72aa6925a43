"""Partitions from the text of Hadoop's file statuses."""

from lineagegraph.spark.partitions import partitions_in

COLUMNS = (("day", "integer"), ("origin", "string"))


def status(path, time):
    return (
        f"DeprecatedRawLocalFileStatus{{path=file:/d/{path}/part-0.parquet; isDirectory=false; "
        f"length=9; replication=1; blocksize=1; modification_time={time}; access_time=1}}"
    )


def test_values_are_typed_and_each_partition_is_named_once():
    text = ", ".join(
        [
            status("day=2/origin=New%20York", 1001),
            status("day=2/origin=New%20York", 1002),
            status("day=10/origin=__HIVE_DEFAULT_PARTITION__", 1003),
        ]
    )
    assert partitions_in(f"[[{text}]]", COLUMNS, 1001) == (
        {"day": 10, "origin": None},
        {"day": 2, "origin": "New York"},
    )


def test_files_from_before_the_write_do_not_count():
    text = status("day=1/origin=a", 1500) + ", " + status("day=2/origin=a", 1501)
    assert partitions_in(text, COLUMNS, 1501) == ({"day": 2, "origin": "a"},)


def test_a_store_that_keeps_whole_seconds_is_not_taken_for_older():
    assert partitions_in(status("day=1/origin=a", 5000), COLUMNS, 5700) != ()
