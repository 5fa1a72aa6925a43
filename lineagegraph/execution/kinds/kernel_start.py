"""In a notebook's kernel: Spark sessions get the batch's settings; their lineage is recorded."""

import json
import os
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from lineagegraph.errors import RunError
from lineagegraph.execution.kinds.kept_events import KeptEvents
from lineagegraph.execution.kinds.notebook_variables import LOGS, SPARK
from lineagegraph.execution.stages_file import StagesFile
from lineagegraph.spark.builder import building
from lineagegraph.spark.connect.tasks import capturing
from lineagegraph.spark.session_kinds import AnySessions, sessions_of

_open: "list[_Task]" = []


class _Task:
    def __init__(self) -> None:
        self._events = KeptEvents()
        self._stack = ExitStack()
        self._sessions: AnySessions | None = None
        self._stack.enter_context(building(self._session))
        self._stack.enter_context(capturing(self._events.context, self._events.keep))

    def _session(self, options: dict[str, str]) -> Any:
        if self._sessions is None:
            conf = json.loads(os.environ[SPARK]) | options
            self._sessions = sessions_of(conf, self._events.keep)
            self._stack.callback(self._sessions.stop)
            self._stack.enter_context(self._sessions.task(self._events.context))
            self._stack.enter_context(StagesFile(Path(os.environ[LOGS]), self._sessions.stages))
        return self._sessions.session()

    def leave(self, error: str | None) -> None:
        fault = RunError(error) if error is not None else None
        self._stack.__exit__(type(fault) if fault else None, fault, None)


def enter() -> None:
    """Make this process's Spark sessions those of the task."""
    _open.append(_Task())


def leave(error: str | None) -> None:
    """End them; `error` is the reason if a cell failed."""
    _open.pop().leave(error)
