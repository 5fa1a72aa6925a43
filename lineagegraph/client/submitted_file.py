"""Anybody's Python file for Spark as a run: `spark-submit` with the file's lineage."""

import os
import subprocess
import tokenize
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from lineagegraph.client.held_block import HeldBlock
from lineagegraph.errors import RunError
from lineagegraph.execution.kinds.kept_events import capture_variables, report_kept
from lineagegraph.execution.kinds.spark_submission import CAPTURED_DRIVER
from lineagegraph.execution.outcome import PASSED, EndReason, Outcome, killed
from lineagegraph.graph import Graph
from lineagegraph.model.runs.states import RunState
from lineagegraph.private_files import TemporaryFolder
from lineagegraph.settings import Settings
from lineagegraph.spark.submit import spark_home, submit_environment

_FLAGS = ("--verbose", "-v", "--supervise")


class SubmittedWords(NamedTuple):
    """The words of a `spark-submit`."""

    options: list[str]
    file: str
    arguments: list[str]


def read_submission(words: Sequence[str]) -> SubmittedWords:
    """Split words as `spark-submit` does; raise `RunError` unless a driver here runs Python."""
    left, options, given = list(words), list[str](), list[tuple[str, str]]()
    while left and left[0].startswith("-"):
        options.append(left.pop(0))
        name, joined, value = options[-1].partition("=")
        if not joined and name not in _FLAGS and left:
            value = left.pop(0)
            options.append(value)
        given.append((name, value))
    if not left:
        raise RunError("spark-submit: no file is named: write it after the options")
    file, *arguments = left
    conf = dict(value.partition("=")[::2] for name, value in given if name in ("--conf", "-c"))
    modes = [conf.get("spark.submit.deployMode"), *dict(given).get("--deploy-mode", "").split()]
    if not file.endswith(".py") or "cluster" in modes:
        raise RunError(
            f"spark-submit {file}: only a Python file whose driver runs on this machine is "
            "captured: use OpenLineage's Spark listener, or lg.spark_submit in a pipeline"
        )
    return SubmittedWords(options, file, arguments)


def submit_file(graph: Graph, settings: Settings, name: str, asked: SubmittedWords) -> Outcome:
    """Run a file by `spark-submit` as a run of a job, and return how it ended."""
    try:
        code = _read_source(Path(asked.file))
    except OSError as error:
        raise RunError(f"{asked.file}: {error.strerror}") from error
    return _SubmittedFile(graph, settings, name, code).run(asked)


def _read_source(file: Path) -> str:
    """Return the text of a file, in the encoding that it states; Python reports another one."""
    try:
        with tokenize.open(file) as source:
            return source.read()
    except (SyntaxError, UnicodeDecodeError):
        return file.read_text(encoding="utf-8", errors="replace")


class _SubmittedFile:
    def __init__(self, graph: Graph, settings: Settings, name: str, code: str) -> None:
        self._java_home = settings.java_home and settings.java_home.absolute()
        self._process: subprocess.Popen[bytes] | None = None
        self._cancelled: str | None = None
        self._block = HeldBlock(graph, settings, name, code, self._cancel)

    def run(self, asked: SubmittedWords) -> Outcome:
        outcome = killed(EndReason.CANCELLED)
        self._block.begin()
        with TemporaryFolder() as folder:
            events = Path(folder) / "events.jsonl"
            try:
                outcome = self._outcome(asked, self._submit(asked, events))
            finally:
                report_kept(events, self._block.report)
                self._block.end(outcome)
        return outcome

    def _submit(self, asked: SubmittedWords, events: Path) -> int:
        submit = str(spark_home() / "bin" / "spark-submit")
        command = [submit, *asked.options, str(CAPTURED_DRIVER), asked.file, *asked.arguments]
        variables = submit_environment({}, self._java_home)
        variables |= capture_variables(self._block.context, events)
        self._process = subprocess.Popen(command, env={**os.environ, **variables})
        return self._process.wait()

    def _outcome(self, asked: SubmittedWords, code: int) -> Outcome:
        if self._cancelled:
            return killed(self._cancelled)
        if code == 0:
            return PASSED
        return Outcome(
            RunState.FAILED, EndReason.USER_CODE, f"spark-submit {asked.file} exited with {code}"
        )

    def _cancel(self, reason: str) -> None:
        self._cancelled = reason
        if self._process:
            self._process.terminate()
