"""The `spark-submit` of a task: its words, its variables, and its settings with secrets."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from urllib.parse import urlsplit

from lineagegraph.execution.emit import Emitted
from lineagegraph.execution.kinds.capture_context import REPORT_TOKEN, REPORT_URL, context_variable
from lineagegraph.execution.kinds.command_work import CommandWork
from lineagegraph.execution.kinds.work import TextSink
from lineagegraph.execution.parameters import fill
from lineagegraph.execution.plan import Step
from lineagegraph.execution.request import ReportTarget, RunRequest
from lineagegraph.execution.sessions import task_context
from lineagegraph.model.pipelines.definition import SparkSubmitTask
from lineagegraph.private_files import TemporaryFolder, write_private
from lineagegraph.spark.cluster_drivers import ClusterManager, cluster_manager, name_driver
from lineagegraph.spark.submit import properties_text, submit_command, submit_environment

CAPTURED_DRIVER = Path(__file__).with_name("submitted_program.py")
"""The program that runs a Python file in its place, and captures its Spark work."""
_CLUSTER_DRIVER = Path(__file__).with_name("cluster_program.py")
_LISTENER = "io.openlineage.spark."
_FILES = "spark.files"


@dataclass(frozen=True, slots=True)
class DriverCluster:
    """A cluster that runs a driver."""

    manager: ClusterManager
    master: str
    #: the id of the driver, if it is known before; else empty
    driver_id: str


@dataclass(frozen=True, slots=True)
class SparkSubmission:
    """A `spark-submit` with its variables; `cluster` is None if its driver runs on this machine.

    `is_captured` if a driver on this machine keeps the events of its Spark work for its task.
    """

    command: list[str]
    environment: dict[str, str]
    cluster: DriverCluster | None
    is_captured: bool
    #: settings that other users of this machine must not see, as in its list of processes
    secret_conf: dict[str, str] = field(default_factory=dict, repr=False)


class SubmitCommand:
    """Runs `spark-submit`; its settings with secrets are in a file that only its user may read."""

    def __init__(
        self,
        asked: SparkSubmission,
        environment: Mapping[str, str],
        log: TextSink,
        emitted: Emitted,
    ) -> None:
        self._secret_conf = asked.secret_conf
        self._folder = TemporaryFolder()
        self._file = Path(self._folder.name) / "spark.conf"
        first, *rest = asked.command
        option = ["--properties-file", str(self._file)] if asked.secret_conf else []
        self._command = CommandWork([first, *option, *rest], environment, log, emitted)

    def run(self) -> None:
        """Run it to its end; raise `CommandFailed` unless its exit code is 0."""
        with self._folder:
            if self._secret_conf:
                write_private(self._file, properties_text(self._secret_conf).encode())
            self._command.run()

    def tail(self) -> str:
        """Return the last lines of its output."""
        return self._command.tail()

    def stop(self, returned: Callable[[float], bool], grace: float) -> None:
        """Stop it, and a driver on this machine with it."""
        self._command.stop(returned, grace)


def submission(
    step: Step, work: SparkSubmitTask, request: RunRequest, shared: Mapping[str, str]
) -> SparkSubmission:
    """Return the command and the variables that hand a file to `spark-submit`.

    `shared` are the settings of the task's cluster.

    A file of the code folder goes before others of its name. A Python file is captured, if its
    driver runs here or can report over HTTP, unless it has OpenLineage's own Spark listener, which
    reports under the task.
    """
    named = fill(work.file, step.params)
    file = str(request.code / named) if (request.code / named).exists() else named
    args = [fill(arg, step.params) for arg in work.args]
    conf = {**step.pipeline.spark, **shared, **_parents(step), **work.conf}
    manager, report = cluster_manager(conf), request.report
    has_listener = _LISTENER in conf.get("spark.extraListeners", "")
    is_captured = file.endswith(".py") and not has_listener
    secrets = _transport(step, conf, report) if report and has_listener else {}
    if manager and report and manager.variables:
        variables = _report_variables(report)
        if is_captured and manager.places_files:
            variables |= context_variable(task_context(step))
            conf, file, args = _on_cluster(conf, file, args)
        secrets |= {f"{manager.variables}{name}": value for name, value in variables.items()}
    cluster = None
    if manager:
        naming, driver_id = name_driver(manager, conf)
        conf, cluster = conf | naming, DriverCluster(manager, conf["spark.master"], driver_id)
    elif is_captured:
        file, args = str(CAPTURED_DRIVER), [file, *args]
    return SparkSubmission(
        submit_command(file, work.main, args, conf),
        submit_environment(conf, request.java_home),
        cluster,
        is_captured and not manager,
        {name: value for name, value in secrets.items() if name not in conf},
    )


def _on_cluster(
    conf: dict[str, str], file: str, args: list[str]
) -> tuple[dict[str, str], str, list[str]]:
    """Return settings, file and arguments with which our program runs the file on a cluster."""
    address = urlsplit(file)
    if address.scheme == "local":  # on each node already
        return conf, str(_CLUSTER_DRIVER), [address.path, *args]
    files = ",".join(filter(None, (conf.get(_FILES), file)))
    place = PurePosixPath(address.path).name
    return conf | {_FILES: files}, str(_CLUSTER_DRIVER), [place, *args]


def _report_variables(report: ReportTarget) -> dict[str, str]:
    return {
        REPORT_URL: report.url,
        REPORT_TOKEN: report.token,
        "OPENLINEAGE_API_KEY": report.token,
    }


def _transport(step: Step, conf: Mapping[str, str], report: ReportTarget) -> dict[str, str]:
    """Return the settings with which OpenLineage's listener reports, unless others are stated.

    The token covers the namespace of the task.
    """
    start = "spark.openlineage."
    if any(name.startswith(f"{start}transport.") for name in conf):
        return {}
    return {
        f"{start}namespace": step.job.namespace,
        f"{start}transport.type": "http",
        f"{start}transport.url": report.url,
        f"{start}transport.auth.type": "api_key",
        f"{start}transport.auth.apiKey": report.token,
    }


def _parents(step: Step) -> dict[str, str]:
    root = step.root
    fields = {
        "parentJobNamespace": step.job.namespace,
        "parentJobName": step.job.name,
        "parentRunId": step.run_id,
        "rootParentJobNamespace": root.job.namespace,
        "rootParentJobName": root.job.name,
        "rootParentRunId": root.run_id,
    }
    return {f"spark.openlineage.{name}": value for name, value in fields.items()}
