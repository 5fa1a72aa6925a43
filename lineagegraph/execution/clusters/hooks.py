"""The programs that create and remove a cluster."""

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Event, Timer
from typing import Any

import msgspec

from lineagegraph.errors import RunError
from lineagegraph.execution.emit import Emitted
from lineagegraph.execution.kinds.command_work import CommandWork
from lineagegraph.execution.kinds.work import CommandFailed
from lineagegraph.execution.logs import Log
from lineagegraph.model.pipelines.definition import Cluster
from lineagegraph.model.typed import decode_json
from lineagegraph.process_environment.handover import task_environment
from lineagegraph.settings import load_settings

ASKED = "LINEAGEGRAPH_CLUSTER_JSON"
NAMES = "LINEAGEGRAPH_CLUSTER_"
GRACE = 10.0
LONGEST_DESTROY = 3600.0
"""Seconds after which a `destroy` that hangs is stopped, as a daemon repeats it."""
_PROGRAM = "lineagegraph.execution.clusters.hook_program"


class Hooks:
    """Runs a cluster's `create` and `destroy`; `created` has the settings that create returned."""

    def __init__(
        self,
        cluster: Cluster,
        run_id: str,
        batch: str,
        code: Path,
        logs: Path,
        cwd: str | None = None,
    ) -> None:
        self.cluster = cluster
        self.created: dict[str, str] = {}
        self._asked = {"run_id": run_id, "batch": batch, "name": cluster.name}
        self._code = code
        self._logs = logs
        self._cwd = cwd if cwd and Path(cwd).is_dir() else None
        self._ended = Event()
        self._work: CommandWork | None = None
        self._over = False

    def create(self) -> dict[str, str]:
        """Create it, and return the Spark settings that the program prints last."""
        if self.cluster.create is None:
            return {}
        text = self._carry_out("create", self.cluster.create, {})
        self.created = read_settings(text, self.cluster.name)
        return self.created

    def destroy(self, *, again: bool) -> None:
        """Remove it; `again` is true if that was tried before."""
        if self.cluster.destroy is not None:
            asked = {"created": self.created, "again": again}
            self._carry_out("destroy", self.cluster.destroy, asked)

    def stop(self) -> None:
        """Stop the program that still creates it."""
        self._over = True
        if self._work:
            self._work.stop(self._ended.wait, GRACE)

    def _carry_out(self, what: str, hook: Sequence[str] | str, more: Mapping[str, Any]) -> str:
        if what == "create" and self._over:
            raise RunError(f"cluster {self.cluster.name}: the run has ended")
        asked = {**self._asked, "settings": self.cluster.spark, **more}
        command = [sys.executable, "-m", _PROGRAM, hook] if isinstance(hook, str) else list(hook)
        file = self._logs / f"cluster@{self.cluster.name or 'run'}.log"
        with Log(file) as log:
            lines = _Lines(log)
            work = CommandWork(
                command, self._environment(what, asked), lines, Emitted(), cwd=self._cwd
            )
            self._work = work if what == "create" else None
            self._ended.clear()
            limit = Timer(LONGEST_DESTROY, work.stop, (self._ended.wait, GRACE))
            limit.daemon = True
            if what == "destroy":
                limit.start()
            try:
                work.run()
            except (CommandFailed, OSError) as error:
                raise RunError(f"cluster {self.cluster.name}: {what} failed: {error}") from error
            finally:
                limit.cancel()
                self._work = None
                self._ended.set()
        return lines.last

    def _environment(self, what: str, asked: dict[str, Any]) -> dict[str, str]:
        text = msgspec.json.encode(asked).decode()
        path = os.pathsep.join(filter(None, [str(self._code), os.environ.get("PYTHONPATH")]))
        names = {f"{NAMES}{name.upper()}": _text(value) for name, value in asked.items()}
        own = {ASKED: text, f"{NAMES}DO": what, "LINEAGEGRAPH_CODE": str(self._code)}
        return {**task_environment(load_settings()), **names, **own, "PYTHONPATH": path}


class _Lines(Log):
    """A log that keeps the last line that is not blank."""

    def __init__(self, log: Log) -> None:
        self._to = log
        self._part = ""
        self.last = ""

    def write(self, text: str) -> None:
        self._to.write(text)
        lines = (self._part + text).split("\n")
        self._part = lines[-1]
        self.last = next((line.strip() for line in reversed(lines) if line.strip()), self.last)


def read_settings(text: str, cluster: str) -> dict[str, str]:
    """Return the settings in the last line of `create`, which is JSON; none if it is empty."""
    if not text:
        return {}
    try:
        return decode_json(text, into=dict[str, str])
    except msgspec.DecodeError as error:
        raise RunError(
            f"cluster {cluster}: the last line of create must be a JSON map of Spark settings, such"
            f' as {{"spark.master": "spark://host:7077"}}: {error}'
        ) from None


def _text(value: Any) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
