"""In a notebook's kernel: Spark sessions get the batch's settings; their lineage is recorded."""

import json
import os
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from lineagegraph.errors import RunError
from lineagegraph.execution.kinds.kept_events import KeptEvents
from lineagegraph.execution.kinds.notebook_variables import LOGS, SPARK
from lineagegraph.execution.stages_file import StagesFile
from lineagegraph.spark.builder import building
from lineagegraph.spark.session_kinds import build_session, sessions_of

_open: "list[_Task]" = []


class _Task:
    def __init__(self) -> None:
        events = self._events = KeptEvents()
        self._stack = ExitStack()
        sessions = sessions_of(json.loads(os.environ[SPARK]), events.keep)
        self._stack.callback(sessions.stop)
        # Here, as any thread of the notebook may be the first to ask for a session.
        self._stack.enter_context(sessions.task(events.context))
        self._stack.enter_context(StagesFile(Path(os.environ[LOGS]), sessions.stages))
        self._stack.enter_context(building(partial(build_session, sessions)))

    def leave(self, error: str | None) -> None:
        fault = RunError(error) if error is not None else None
        self._stack.__exit__(type(fault) if fault else None, fault, None)
        try:
            self._events.close()
        except SystemExit as incomplete:
            raise RunError(str(incomplete)) from None


def enter() -> None:
    """Make this process's Spark sessions those of the task."""
    _open.append(_Task())


def leave(error: str | None) -> None:
    """End them; `error` is the reason if a cell failed."""
    _open.pop().leave(error)
