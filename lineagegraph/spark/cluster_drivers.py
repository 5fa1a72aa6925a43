"""Drivers in cluster mode: how `spark-submit` reports one and its end, and how to kill it.

Exit codes of `spark-submit` do not tell: of a driver that failed on a standalone cluster or on
Kubernetes it is 0 (Spark 3.5 to 4.2).
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from uuid import uuid4

from lineagegraph.errors import RunError

CLIENT_LOGGING = (
    f"-Dlog4j2.configurationFile={Path(__file__).with_name('client_log4j2.properties').as_uri()}"
)
"""The option of Java by which Spark's programs tell what becomes of a driver."""
_LONGEST_LINE = 65_536
_POD_NAME = "spark.kubernetes.driver.pod.name"


@dataclass(frozen=True, slots=True)
class ClusterManager:
    """A kind of cluster that runs drivers, as `spark-submit` knows it."""

    #: settings by which `spark-submit` stays until the driver's end
    waits: Mapping[str, str]
    #: the driver's id, in a line of the output
    driver_id: re.Pattern[str]
    #: the driver's state, in a line of the output
    state: re.Pattern[str]
    #: the state of a driver that did its work
    success: str
    #: the states of one that did not
    failures: frozenset[str]
    #: a pattern of the output of the command that kills, for a driver that is no more
    gone: str
    #: the words after Spark's `bin` folder that kill a driver, by master and id
    kill: Callable[[str, str], list[str]]
    #: settings that the user may override
    defaults: Mapping[str, str] = field(default_factory=dict)
    #: start of the settings that are environment variables of the driver; None: it has those of
    #: `spark-submit`
    variables: str | None = None
    #: whether files of `spark.files` are in the driver's working directory
    places_files: bool = False


_STANDALONE = ClusterManager(
    waits={
        "spark.standalone.submit.waitAppCompletion": "true",
        # Its client returns at once.
        "spark.master.rest.enabled": "false",
    },
    driver_id=re.compile(r"submitted as (driver-[\w-]+)"),
    state=re.compile(r"State of (?:driver )?driver-[\w-]+ is ([A-Z]+)"),
    success="FINISHED",
    failures=frozenset({"FAILED", "ERROR", "KILLED"}),
    gone="has already finished or does not exist",
    kill=lambda master, id_: ["spark-class", "org.apache.spark.deploy.Client", "kill", master, id_],
)
_YARN = ClusterManager(
    waits={"spark.yarn.submit.waitAppCompletion": "true"},
    # Before the cluster has it: `spark-submit` may be killed between this line and the next.
    driver_id=re.compile(r"Submitting application (application_\w+)"),
    state=re.compile(r"final status: ([A-Z]+)"),
    success="SUCCEEDED",
    failures=frozenset({"FAILED", "KILLED"}),
    gone="has already finished|doesn't exist in RM",
    kill=lambda _, id_: [
        *("spark-class", "org.apache.hadoop.yarn.client.cli.ApplicationCLI"),
        *("application", "-kill", id_),
    ],
    # A second attempt is the task's to make.
    defaults={"spark.yarn.maxAppAttempts": "1"},
    variables="spark.yarn.appMasterEnv.",
    places_files=True,
)
_KUBERNETES = ClusterManager(
    waits={"spark.kubernetes.submission.waitAppCompletion": "true"},
    driver_id=re.compile(r"submission ID (\S+:\S+)"),
    state=re.compile(r"\bphase: (\w+)"),
    success="Succeeded",
    failures=frozenset({"Failed"}),
    gone="No applications found",
    kill=lambda master, id_: ["spark-submit", "--master", master, "--kill", id_],
    variables="spark.kubernetes.driverEnv.",
)


def cluster_manager(conf: Mapping[str, str]) -> ClusterManager | None:
    """Return the manager that runs the driver of these settings; None: it runs on this machine."""
    if conf.get("spark.submit.deployMode", "client") != "cluster":
        return None
    master = conf.get("spark.master", "")
    for start, manager in (("spark://", _STANDALONE), ("yarn", _YARN), ("k8s://", _KUBERNETES)):
        if master.startswith(start):
            return manager
    raise RunError(
        f"spark.submit.deployMode is cluster, but the master {master or 'local[*]'} runs no"
        " drivers: use one that begins with spark:// or k8s://, or yarn"
    )


def name_driver(manager: ClusterManager, conf: Mapping[str, str]) -> tuple[dict[str, str], str]:
    """Return settings that name the driver, and its id; both are empty if the cluster names it.

    On Kubernetes `spark-submit` prints the id after the pod is there, and may fail in between.
    """
    if manager is not _KUBERNETES:
        return {}, ""
    pod = conf.get(_POD_NAME) or f"lineagegraph-{uuid4().hex}"
    return {_POD_NAME: pod}, f"{conf.get('spark.kubernetes.namespace', 'default')}:{pod}"


class DriverReport:
    """The id and the state of one driver, read from the output of `spark-submit`."""

    def __init__(self, manager: ClusterManager, submitted: Callable[[str], None]) -> None:
        self._manager = manager
        self._submitted = submitted
        self._begun = ""
        self.driver_id: str | None = None
        self.state: str | None = None

    def write(self, text: str) -> None:
        """Read output, in pieces of any length."""
        *lines, self._begun = (self._begun + text)[-_LONGEST_LINE:].split("\n")
        for line in lines:
            if found := self._manager.state.search(line):
                self.state = found[1]
            if self.driver_id is None and (found := self._manager.driver_id.search(line)):
                self.driver_id = found[1]
                self._submitted(found[1])

    @property
    def has_failed(self) -> bool:
        """Return whether the driver is known to have failed."""
        return self.state in self._manager.failures

    @property
    def has_ended(self) -> bool:
        """Return whether the driver is known to have ended."""
        return self.state == self._manager.success or self.has_failed

    def find_fault(self) -> str | None:
        """Return why the driver did not do its work as far as is known; None if it did."""
        if self.driver_id is None:
            return "spark-submit ended without the id of a driver"
        if self.state != self._manager.success:
            return f"the driver {self.driver_id} ended as {self.state or 'unknown'}"
        return None
