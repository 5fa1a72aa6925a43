"""Partitions from the text of Hadoop's file statuses."""

from lineagegraph.spark.action import Statistics
from lineagegraph.spark.partitions import partitions_in

ANY = Statistics()
COLUMNS = (("day", "integer"), ("origin", "string"))


def status(path, time, length=9, job="part-0"):
    return (
        f"DeprecatedRawLocalFileStatus{{path=file:/d/{path}/{job}.parquet; isDirectory=false; "
        f"length={length}; replication=1; blocksize=1; modification_time={time}; access_time=1}}"
    )


def test_values_are_typed_and_each_partition_is_named_once():
    text = ", ".join(
        [
            status("day=2/origin=New%20York", 1001),
            status("day=2/origin=New%20York", 1002),
            status("day=10/origin=__HIVE_DEFAULT_PARTITION__", 1003),
        ]
    )
    assert partitions_in(f"[[{text}]]", COLUMNS, 1001, ANY) == (
        {"day": 10, "origin": None},
        {"day": 2, "origin": "New York"},
    )


def test_files_from_before_the_write_do_not_count():
    text = status("day=1/origin=a", 1500) + ", " + status("day=2/origin=a", 1501)
    assert partitions_in(text, COLUMNS, 1501, ANY) == ({"day": 2, "origin": "a"},)


def test_a_store_that_keeps_whole_seconds_is_not_taken_for_older():
    assert partitions_in(status("day=1/origin=a", 5000), COLUMNS, 5700, ANY) != ()


def test_files_of_another_job_at_the_same_time_do_not_count():
    ours, theirs = (f"part-0-{n * 8}-0000-4000-8000-{n * 12}.c000" for n in "ab")
    text = status("day=1/origin=a", 10, 5, ours) + ", " + status("day=2/origin=a", 10, 6, theirs)
    own = ({"day": 1, "origin": "a"},)
    assert partitions_in(text, COLUMNS, 5, Statistics(rows=1, bytes=5, files=1)) == own
    both = (*own, {"day": 2, "origin": "a"})
    assert partitions_in(text, COLUMNS, 5, Statistics(rows=1, bytes=7, files=1)) == both


def test_a_write_without_files_has_no_partitions_of_others():
    text = status("day=1/origin=a", 10)
    assert partitions_in(text, COLUMNS, 5, Statistics(rows=0, bytes=0, files=0)) == ()
