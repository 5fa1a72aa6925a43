"""In a notebook's kernel: Spark sessions get the batch's settings; their lineage is recorded."""

import json
import os
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from threading import Lock
from typing import Any

from lineagegraph.errors import RunError
from lineagegraph.execution.kinds.notebook_variables import CONTEXT, EVENTS, LOGS, SPARK
from lineagegraph.execution.stages_file import StagesFile
from lineagegraph.spark.builder import building
from lineagegraph.spark.context import TaskContext
from lineagegraph.spark.sessions import SparkSessions

_open: "list[_Task]" = []


class _Task:
    def __init__(self) -> None:
        self._lock, self._file = Lock(), Path(os.environ[EVENTS])
        self._stack = ExitStack()
        self._sessions: SparkSessions | None = None
        self._stack.enter_context(building(self._session))

    def _session(self, options: dict[str, str]) -> Any:
        if self._sessions is None:
            conf = json.loads(os.environ[SPARK]) | options
            self._sessions = SparkSessions(conf, self._keep)
            self._stack.callback(self._sessions.stop)
            context = TaskContext(**json.loads(os.environ[CONTEXT]))
            self._stack.enter_context(self._sessions.task(context))
            self._stack.enter_context(StagesFile(Path(os.environ[LOGS]), self._sessions.stages))
        return self._sessions.session()

    def _keep(self, events: Sequence[dict[str, Any]]) -> None:
        with self._lock, self._file.open("a") as file:
            file.writelines(json.dumps(event) + "\n" for event in events)

    def leave(self, error: str | None) -> None:
        fault = RunError(error) if error is not None else None
        self._stack.__exit__(type(fault) if fault else None, fault, None)


def enter() -> None:
    """Make this process's Spark sessions those of the task."""
    _open.append(_Task())


def leave(error: str | None) -> None:
    """End them; `error` is the reason if a cell failed."""
    _open.pop().leave(error)
