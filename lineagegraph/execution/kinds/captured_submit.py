"""A Python file that `spark-submit` runs on this machine, and the lineage that it leaves."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from lineagegraph.execution.emit import Emitted
from lineagegraph.execution.kinds.kept_events import capture_variables, report_kept
from lineagegraph.execution.kinds.spark_submission import SparkSubmission, SubmitCommand
from lineagegraph.execution.kinds.work import TextSink
from lineagegraph.execution.plan import Step
from lineagegraph.execution.reports import Reports
from lineagegraph.execution.sessions import task_context
from lineagegraph.private_files import TemporaryFolder


class CapturedSubmit:
    """Runs `spark-submit`; the Spark work of its driver is reported at the end."""

    def __init__(
        self,
        step: Step,
        asked: SparkSubmission,
        environment: Mapping[str, str],
        reports: Reports,
        log: TextSink,
        emitted: Emitted,
    ) -> None:
        self._folder = TemporaryFolder()
        self._events, self._reports = Path(self._folder.name) / "events.jsonl", reports
        variables = {**environment, **capture_variables(task_context(step), self._events)}
        self._command = SubmitCommand(asked, variables, log, emitted)

    def run(self) -> None:
        """Run it to its end; raise `CommandFailed` unless its exit code is 0."""
        try:
            self._command.run()
        finally:
            report_kept(self._events, self._reports.report)
            with suppress(OSError):
                self._folder.cleanup()

    def stop(self, returned: Callable[[float], bool], grace: float) -> None:
        """Stop it, and the driver with it."""
        self._command.stop(returned, grace)
