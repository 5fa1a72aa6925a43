"""Spark from 3.5 to the newest: what is captured of one is captured of all."""

import re

import pytest

from tests.acceptance.spark_releases import run_tests_with

OLDEST, *BETWEEN, NEWEST = "3.5.9", "4.0.5", "4.1.4", "4.3.0"
HERE = "tests/acceptance"
CAPTURE = f"{HERE}/test_spark_capture.py"
OPAQUE = f"{HERE}/test_spark_opaque.py"
MAIN = (
    "a_csv_load",
    "hierarchy",
    "aggregate",
    "dynamic_overwrite",
    "a_table_is_one",
    "quoted_names",
    "pandas_functions",
    "stream_s_folder",
    "command_in_a_batch",
    "failing_action",
    "cancelled_task",
    "parallel_threads",
)
WHOLE = (
    CAPTURE,
    OPAQUE,
    f"{HERE}/test_publish.py",
    f"{HERE}/test_reruns_with_spark.py",
    f"{HERE}/test_cluster_mode.py",
    f"{HERE}/conformance/test_twin.py",
)
ICEBERG = f"{HERE}/spark_iceberg.py"
DELTA = f"{HERE}/test_spark_delta.py"
KAFKA = f"{HERE}/test_spark_kafka.py"
HAVE_JARS = (OLDEST, *BETWEEN)
# Spark 3.5 has no sources in Python, and runs each INSERT of a statement as an action; its Delta
# truncates no table.
LACKING = {
    OLDEST: (
        "--deselect",
        f"{OPAQUE}::test_a_source_that_is_not_understood_is_named_on_the_action_and_its_application",
        "--deselect",
        f"{OPAQUE}::test_a_statement_that_inserts_into_several_tables_writes_all_of_them",
        "--deselect",
        f"{DELTA}::test_truncate_makes_a_version_that_reads_nothing",
    )
}


def passed(written: str) -> int:
    """Return how many tests passed if all did, however much pytest was asked to print."""
    found = re.search(r"(?<!, )\b(\d+) passed(?:, \d+ (?:deselected|warnings?))* in \S+s", written)
    assert found, written[-20_000:]
    return int(found[1])


@pytest.mark.parametrize("release", [OLDEST, NEWEST])
def test_lineage_of_the_oldest_and_the_newest_release_is_that_of_ours(release):
    assert passed(run_tests_with(release, CAPTURE, "-k", " or ".join(MAIN))) == len(MAIN)


def test_an_iceberg_table_is_one_dataset_with_its_own_versions():
    assert passed(run_tests_with(OLDEST, ICEBERG, "-k", "copy")) == 6


@pytest.mark.soak
@pytest.mark.parametrize("release", [OLDEST, *BETWEEN, NEWEST])
def test_all_of_each_release_is_as_with_ours(release):
    assert passed(run_tests_with(release, *WHOLE, *LACKING.get(release, ()))) > 60


@pytest.mark.soak
@pytest.mark.parametrize("release", HAVE_JARS)
def test_delta_and_iceberg_with_each_release_that_they_have_jars_for(release):
    assert passed(run_tests_with(release, ICEBERG, DELTA, *LACKING.get(release, ()))) > 20


@pytest.mark.soak
def test_topics_with_the_oldest_release_are_as_with_ours():
    found = run_tests_with(OLDEST, KAFKA, "-m", "soak or not soak")
    assert passed(found) > 10
