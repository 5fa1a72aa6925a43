"""A program as a task: its environment, its process group, its output and its emitted values."""

import os
import shlex
import signal
import subprocess
from codecs import getincrementaldecoder
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Lock, Thread

from lineagegraph.errors import RunError, RunKilled
from lineagegraph.execution.emit import Emitted
from lineagegraph.execution.kinds.work import CommandFailed, TextSink
from lineagegraph.execution.limits import ResourceLimits
from lineagegraph.execution.parameters import fill
from lineagegraph.execution.plan import Step
from lineagegraph.execution.request import UPSTREAM_FILE, RunRequest
from lineagegraph.model.pipelines.parameters import as_text
from lineagegraph.model.runs.ids import new_id
from lineagegraph.private_files import TemporaryFolder
from lineagegraph.process_environment.handover import task_environment
from lineagegraph.process_environment.task_processes import MARK, claim_mark, end_processes
from lineagegraph.secrets import mask
from lineagegraph.settings import load_settings
from lineagegraph.text import signal_name


def command_environment(step: Step, request: RunRequest, own: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of tasks with the run, its parameters, and the task's variables.

    `LINEAGEGRAPH_CODE` is the folder with the code of this version; the command itself starts in
    this process's working directory, so files that it writes stay. `LINEAGEGRAPH_UPSTREAM` is a
    file with the causes of the run. `OPENLINEAGE_PARENT_ID` makes the task the parent of events
    from an OpenLineage producer in the command, and `OPENLINEAGE_ROOT_PARENT_ID` the pipeline their
    root.
    """
    params = {
        f"LINEAGEGRAPH_PARAM_{name.upper()}": as_text(value) for name, value in step.params.items()
    }
    stated = step.task.pass_env if step.task else ()
    passed = task_environment(load_settings(), stated)
    return {
        **passed,
        **_report_variables(request, {**passed, **own}),
        **params,
        MARK: claim_mark(request.run_id, request.fence, request.place),
        "LINEAGEGRAPH_RUN_ID": step.run_id,
        "LINEAGEGRAPH_CODE": str(request.code),
        "LINEAGEGRAPH_UPSTREAM": str(request.logs / UPSTREAM_FILE),
        "OPENLINEAGE_PARENT_ID": _reference(step),
        "OPENLINEAGE_ROOT_PARENT_ID": _reference(step.root),
        **{name: fill(value, step.params) for name, value in own.items()},
    }


def _report_variables(request: RunRequest, given: Mapping[str, str]) -> dict[str, str]:
    """Return the address of the HTTP server and the run's token, if there is one.

    OpenLineage's variables come as a pair: the token must not be sent to another server.
    """
    report = request.report
    if report is None:
        return {}
    own = {"LINEAGEGRAPH_TOKEN": report.token}
    if given.get("OPENLINEAGE_URL", report.url) == report.url:
        own |= {"OPENLINEAGE_URL": report.url, "OPENLINEAGE_API_KEY": report.token}
    return own


def _reference(step: Step) -> str:
    return f"{step.job.namespace}/{step.job.name}/{step.run_id}"


TAIL_LINES = 20
TAIL_CHARACTERS = 20_000
CHUNK_BYTES = 65_536
_TICK_SECONDS = 0.2
DRAIN_SECONDS = 5.0  # a child left behind may hold the pipe open for ever


class CommandWork:
    """Runs a program in this process's working directory and in a process group of its own."""

    def __init__(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        log: TextSink,
        emitted: Emitted,
        cwd: str | None = None,
        limits: ResourceLimits | None = None,
    ) -> None:
        self._command = list(command)
        self._environment = dict(environment)
        if MARK in environment:
            self._environment[MARK] += f"{new_id()}/"
        self._log = log
        self._emitted = emitted
        self._cwd = cwd
        self._limits = limits or ResourceLimits(None, None)
        self._fault: str | None = None
        self._tail = ""
        self._lock = Lock()
        self._stopped = False
        self._process: subprocess.Popen[bytes] | None = None

    def run(self) -> None:
        """Run it to its end; raise `CommandFailed` unless its exit code is 0."""
        with TemporaryFolder() as folder:
            file = Path(folder) / "emit.jsonl"
            file.touch()
            process = self._start({"LINEAGEGRAPH_EMIT": str(file)})
            self._follow(process)
            try:
                self._judge(process.returncode)
            except CommandFailed:
                # How it ended says more than a line that is no JSON.
                with suppress(RunError):
                    self._emitted.add_lines(file)
                raise
            self._emitted.add_lines(file)

    def tail(self) -> str:
        """Return the last lines of its output."""
        return "".join(self._tail.splitlines(keepends=True)[-TAIL_LINES:])

    def stop(self, returned: Callable[[float], bool], grace: float) -> None:
        """Send TERM to the process group, and KILL to the rest of it after the grace time."""
        with self._lock:
            self._stopped = True
        self._signal(signal.SIGTERM)
        returned(grace)
        self._signal(signal.SIGKILL)
        self._end_rest()
        returned(DRAIN_SECONDS + 1)

    def _start(self, extra: dict[str, str]) -> "subprocess.Popen[bytes]":
        with self._lock:
            if self._stopped:
                raise RunKilled("the command was stopped before it started")
            self._process = subprocess.Popen(
                self._command,
                env=self._environment | extra,
                cwd=self._cwd,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            return self._process

    def _follow(self, process: "subprocess.Popen[bytes]") -> None:
        reader = Thread(target=self._copy, args=(process,), daemon=True)
        reader.start()
        self._keep_within_limits(process)
        if process.wait():
            self._end_rest()
        reader.join(DRAIN_SECONDS)

    def _keep_within_limits(self, process: "subprocess.Popen[bytes]") -> None:
        while self._limits and self._fault is None:
            with suppress(subprocess.TimeoutExpired):
                process.wait(_TICK_SECONDS)
                return
            self._fault = self._limits.excess(process.pid)
        if self._fault:
            self._signal(signal.SIGKILL)

    def _copy(self, process: "subprocess.Popen[bytes]") -> None:
        assert process.stdout is not None
        decoder = getincrementaldecoder("utf-8")(errors="backslashreplace")
        # By pieces, not by lines: there may be gigabytes without a line end.
        with process.stdout as output:
            while data := os.read(output.fileno(), CHUNK_BYTES):
                text = decoder.decode(data).replace("\r\n", "\n")
                self._log.write(text)
                self._tail = (self._tail + text)[-TAIL_CHARACTERS:]

    def _end_rest(self) -> None:
        """Kill programs that it has left: the next attempt must not run beside them."""
        if mark := self._environment.get(MARK):
            end_processes(mark)

    def _judge(self, code: int) -> None:
        if code == 0:
            return
        how = f"was killed by {signal_name(-code)}" if code < 0 else f"exited with {code}"
        if self._fault:
            how = f"was ended: {self._fault}"
        raise CommandFailed(f"{shlex.join(mask(self._command))} {how}", self.tail())

    def _signal(self, number: signal.Signals) -> None:
        if self._process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, number)
