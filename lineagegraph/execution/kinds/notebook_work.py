"""A Jupyter notebook as a task: a program with a kernel, and the lineage that it leaves."""

import json
import os
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from lineagegraph.execution.emit import Emitted
from lineagegraph.execution.kinds.command_work import CommandWork, command_environment
from lineagegraph.execution.kinds.kept_events import capture_variables, report_kept
from lineagegraph.execution.kinds.notebook_variables import (
    FAULT,
    LOGS,
    OUTPUT,
    PARAMS,
    SPARK,
)
from lineagegraph.execution.kinds.work import CommandFailed
from lineagegraph.execution.logs import Log, log_path
from lineagegraph.execution.parameters import fill
from lineagegraph.execution.plan import Step
from lineagegraph.execution.reports import Reports
from lineagegraph.execution.request import RunRequest
from lineagegraph.execution.sessions import task_context
from lineagegraph.model.pipelines.definition import NotebookTask
from lineagegraph.private_files import TemporaryFolder

# A name, as importing it takes a second and more: it is for a process of its own.
_PROGRAM = "lineagegraph.execution.kinds.notebook_program"


@dataclass(frozen=True, slots=True)
class NotebookContext:
    """The context of a notebook: the run request, Spark's settings, and the reports of events."""

    request: RunRequest
    spark: Mapping[str, str]
    reports: Reports


class NotebookWork:
    """Runs a notebook in a process of its own, and keeps it, with its output, beside its log.

    Its Spark lineage is reported at its end.
    """

    def __init__(
        self, step: Step, task: NotebookTask, around: NotebookContext, log: Log, emitted: Emitted
    ) -> None:
        self._folder = TemporaryFolder()
        self._reports = around.reports
        own = Path(self._folder.name)
        self._events, self._fault = own / "events.jsonl", own / "fault.txt"
        variables = {
            PARAMS: json.dumps(dict(step.params)),
            SPARK: json.dumps(dict(around.spark)),
            OUTPUT: str(log_path(around.request.logs, step.names).with_suffix(".ipynb")),
            LOGS: str(around.request.logs),
            FAULT: str(self._fault),
            "PYTHONPATH": _path(around.request.code),
        } | capture_variables(task_context(step), self._events)
        command = [sys.executable, "-m", _PROGRAM, _file(step, task, around.request.code)]
        self._command = CommandWork(
            command, command_environment(step, around.request, {}) | variables, log, emitted
        )

    def run(self) -> None:
        """Run all cells; raise `CommandFailed` with the cell that failed."""
        try:
            self._command.run()
        except CommandFailed as error:
            if self._fault.exists():
                raise CommandFailed(self._fault.read_text("utf-8"), error.tail) from None
            raise
        finally:
            report_kept(self._events, self._reports.report)
            with suppress(OSError):
                self._folder.cleanup()

    def stop(self, returned: Callable[[float], bool], grace: float) -> None:
        """Stop the program, and the kernel with it."""
        self._command.stop(returned, grace)


def _file(step: Step, task: NotebookTask, code: Path) -> str:
    name = fill(task.file, step.params)
    kept = code / name
    return str(kept if kept.exists() else Path(name))


def _path(code: Path) -> str:
    return os.pathsep.join(filter(None, [str(code), os.environ.get("PYTHONPATH")]))
