"""A `spark-submit` whose driver runs on a cluster."""

import time
from collections.abc import Callable, Mapping

from lineagegraph.errors import RunError
from lineagegraph.execution.emit import Emitted
from lineagegraph.execution.kinds.spark_submission import (
    DriverCluster,
    SparkSubmission,
    SubmitCommand,
)
from lineagegraph.execution.kinds.work import CommandFailed, TextSink
from lineagegraph.process_environment.chosen import BASE, choose
from lineagegraph.process_environment.drivers import KILL_SECONDS, DriverFile, DriverKill
from lineagegraph.spark.cluster_drivers import CLIENT_LOGGING, DriverReport
from lineagegraph.spark.submit import spark_home

# The configuration of the Kubernetes client, besides what all programs have.
_NEEDED = (*BASE, "KUBECONFIG")
# `spark-class` takes no options of Java for a client that kills a driver.
_JAVA_OPTIONS = "JDK_JAVA_OPTIONS"
_HANDOVER_SECONDS = 20.0


class SubmitWork:
    """Runs `spark-submit` until its driver on the cluster has ended, and fails as the driver does.

    A driver whose end `spark-submit` did not report is killed: the next attempt must not run beside
    it.
    """

    def __init__(
        self,
        asked: SparkSubmission,
        cluster: DriverCluster,
        environment: Mapping[str, str],
        driver_file: DriverFile,
        log: TextSink,
        emitted: Emitted,
    ) -> None:
        self._cluster = cluster
        self._report = DriverReport(cluster.manager, self._submitted)
        options = f"{environment.get(_JAVA_OPTIONS, '')} {CLIENT_LOGGING}".strip()
        self._environment = choose(environment, _NEEDED) | {_JAVA_OPTIONS: options}
        self._driver_file = driver_file
        self._log = log
        self._command = SubmitCommand(asked, environment, self, emitted)

    def run(self) -> None:
        """Run it to the driver's end; raise `CommandFailed` unless the driver did its work."""
        self._kill("a driver of an earlier attempt")
        if self._cluster.driver_id:
            self._submitted(self._cluster.driver_id)
        try:
            self._command.run()
        except CommandFailed:
            # The end of the driver says more than the code of `spark-submit`.
            if not self._report.has_failed:
                raise
        finally:
            self._end_driver()
        if fault := self._report.find_fault():
            where = f"its output is in the logs of the cluster at {self._cluster.master}"
            raise CommandFailed(f"{fault}: {where}", self._command.tail())

    def stop(self, returned: Callable[[float], bool], grace: float) -> None:
        """End `spark-submit`, and have `run` kill the driver.

        The cluster may have a driver whose id is still on its way here: the id is waited for.
        """
        deadline = time.monotonic() + _HANDOVER_SECONDS
        while not self._driver_id and time.monotonic() < deadline and not returned(0.1):
            pass
        self._command.stop(returned, grace)
        returned(KILL_SECONDS)

    def write(self, text: str) -> None:
        """Take the output of `spark-submit`."""
        self._log.write(text)
        self._report.write(text)

    @property
    def _driver_id(self) -> str | None:
        return self._report.driver_id or self._cluster.driver_id

    def _submitted(self, driver_id: str) -> None:
        first, *rest = self._cluster.manager.kill(self._cluster.master, driver_id)
        command = [str(spark_home() / "bin" / first), *rest]
        order = DriverKill(command, self._environment, self._cluster.manager.gone)
        try:
            self._driver_file.add(order)
        except OSError as error:
            # The driver runs already, and this process can kill it.
            where = f"{error.filename}: {error.strerror}"
            self._log.write(f"if this worker is killed, the driver {driver_id} runs on: {where}\n")

    def _end_driver(self) -> None:
        if self._report.has_ended:
            self._driver_file.forget()
        else:
            self._kill(f"the driver {self._driver_id}")

    def _kill(self, driver: str) -> None:
        if fault := self._driver_file.kill():
            message = f"{driver} may still run on {self._cluster.master}: {fault}"
            # Of a task that is cancelled the error is not shown.
            self._log.write(f"{message}\n")
            raise RunError(message)
