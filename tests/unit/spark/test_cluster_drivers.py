"""What the output of spark-submit tells of drivers on clusters."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lineagegraph.errors import RunError
from lineagegraph.spark.cluster_drivers import DriverReport, cluster_manager
from lineagegraph.spark.submit import submit_command

STANDALONE = """\
26/11/24 16:35:42 INFO ClientEndpoint: ... waiting before polling master for driver state
26/11/24 16:35:42 INFO ClientEndpoint: Driver successfully submitted as driver-20261124163542-0001
26/11/24 16:35:47 INFO ClientEndpoint: State of driver-20261124163542-0001 is RUNNING
26/11/24 16:35:57 INFO ClientEndpoint: State of driver driver-20261124163542-0001 is {}, exiting \
spark-submit JVM.
"""
YARN = """\
INFO Client: Submitting application application_1700000000000_0007 to ResourceManager
INFO YarnClientImpl: Submitted application application_1700000000000_0007
INFO Client: Application report for application_1700000000000_0007 (state: ACCEPTED)
\t final status: UNDEFINED
INFO Client: Application report for application_1700000000000_0007 (state: FINISHED)
\t final status: {}
"""
KUBERNETES = """\
INFO LoggingPodStatusWatcherImpl: Waiting for application pi with application ID spark-1 and \
submission ID jobs:pi-1-driver to finish...
INFO LoggingPodStatusWatcherImpl: Application status for spark-1 (phase: Running)
INFO LoggingPodStatusWatcherImpl: State changed, new state:
\t phase: {}
"""
CLUSTERS = [
    ("spark://m:7077", STANDALONE, "driver-20261124163542-0001", "FINISHED", "ERROR"),
    ("yarn", YARN, "application_1700000000000_0007", "SUCCEEDED", "KILLED"),
    ("k8s://https://h:6443", KUBERNETES, "jobs:pi-1-driver", "Succeeded", "Failed"),
]


def manager_of(master):
    return cluster_manager({"spark.master": master, "spark.submit.deployMode": "cluster"})


def read(master, text, ids=None):
    report = DriverReport(manager_of(master), (ids if ids is not None else []).append)
    report.write(text)
    return report


@pytest.mark.parametrize(("master", "text", "driver_id", "success", "failure"), CLUSTERS)
def test_a_driver_did_its_work_only_if_the_cluster_says_so(
    master, text, driver_id, success, failure
):
    ids = []
    done = read(master, text.format(success), ids)
    assert (done.has_ended, done.find_fault(), ids) == (True, None, [driver_id])
    failed = read(master, text.format(failure))
    assert failed.has_ended
    assert failed.find_fault() == f"the driver {driver_id} ended as {failure}"
    *lines, _ = text.format(success).splitlines(keepends=True)
    cut = read(master, "".join(lines))
    assert not cut.has_ended
    assert cut.find_fault() is not None


@given(st.lists(st.integers(0, len(STANDALONE)), max_size=8).map(sorted))
def test_output_may_come_in_any_pieces(cuts):
    text = STANDALONE.format("FINISHED")
    report = read("spark://m:7077", "")
    for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True):
        report.write(text[start:end])
    assert report.find_fault() is None


def test_a_submission_without_a_driver_fails():
    assert read("yarn", "bye\n").find_fault() == "spark-submit ended without the id of a driver"


@pytest.mark.parametrize("row", CLUSTERS, ids=lambda row: row[0])
def test_the_order_to_kill_names_the_driver(row):
    assert row[2] in manager_of(row[0]).kill(row[0], row[2])


def test_a_driver_on_this_machine_has_no_manager():
    assert cluster_manager({"spark.master": "spark://m:7077"}) is None
    assert cluster_manager({"spark.submit.deployMode": "client"}) is None


def test_a_master_without_drivers_is_refused():
    with pytest.raises(RunError, match=r"the master local\[2\] runs no drivers: use one that"):
        manager_of("local[2]")


def test_spark_submit_waits_whatever_the_settings_say():
    conf = {
        "spark.master": "spark://m:7077",
        "spark.submit.deployMode": "cluster",
        "spark.standalone.submit.waitAppCompletion": "false",
        "spark.master.rest.enabled": "true",
    }
    words = submit_command("a.jar", "Main", [], conf)
    assert "spark.standalone.submit.waitAppCompletion=true" in words
    assert "spark.master.rest.enabled=false" in words


def test_the_cluster_makes_one_attempt_unless_more_are_stated():
    conf = {"spark.master": "yarn", "spark.submit.deployMode": "cluster"}
    assert "spark.yarn.maxAppAttempts=1" in submit_command("a.jar", "Main", [], conf)
    stated = conf | {"spark.yarn.maxAppAttempts": "3"}
    assert "spark.yarn.maxAppAttempts=3" in submit_command("a.jar", "Main", [], stated)


@pytest.mark.parametrize(
    ("output", "is_gone"),
    [
        ("Application application_1_2 has already finished", True),
        ("Application with id 'application_1_2' doesn't exist in RM.", True),
        ("Call From a to b failed on connection exception", False),
    ],
)
def test_an_application_that_yarn_does_not_have_is_no_more(output, is_gone):
    assert bool(re.search(manager_of("yarn").gone, output)) is is_gone
