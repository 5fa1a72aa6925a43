"""The processes of Python tasks: forked from a worker, with services of their own."""

import socket
from collections.abc import Sequence
from contextlib import AbstractContextManager
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from lineagegraph.authoring.variables import offering
from lineagegraph.code.load import KeptFunctions
from lineagegraph.execution.kinds.python_work import Load
from lineagegraph.execution.processes import ForkServer
from lineagegraph.execution.processes.attempt import Report, make_attempt
from lineagegraph.execution.processes.message_socket import MessageSocket
from lineagegraph.execution.processes.messages import AttemptOrder
from lineagegraph.execution.sessions import Sessions
from lineagegraph.graph import Graph
from lineagegraph.model.pipelines.expansion import Added
from lineagegraph.model.pipelines.task_code import TaskCode
from lineagegraph.settings import Settings
from lineagegraph.spark.archived_code import ship_by_value
from lineagegraph.store.connect import connect
from lineagegraph.worker.own_sessions import open_sessions
from lineagegraph.worker.run_expander import ExpandedFunctions, TaskResolver, code_reader
from lineagegraph.worker.run_variables import RunVariables


def start_fork_server(settings: Settings) -> ForkServer:
    """Start the server of this worker's tasks. Call it before threads start."""
    return ForkServer(partial(_attempt, settings))


def _attempt(settings: Settings, connection: socket.socket) -> bool:
    return make_attempt(MessageSocket(connection), partial(OwnServices, settings))


class OwnServices:
    """Services that connect to the graph only when a task needs it."""

    def __init__(self, settings: Settings, order: AttemptOrder) -> None:
        self._settings = settings
        self._order = order
        self._code = Path(order.code)
        self._resolver = TaskResolver(self._code)

    @property
    def load(self) -> Load:
        """Loads the function of a task."""
        functions = KeptFunctions(self._code, self._order.stored, ship_by_value)
        return ExpandedFunctions(
            self._read_code, functions, self._code, self._order.facts.expansions
        )

    def sessions(self, report: Report) -> Sessions:
        """Return the sessions of a task that asks Spark for one."""
        java = self._order.java_home
        java_home = Path(java) if java else None
        return open_sessions(self._code, java_home, self._settings, self._order.spark, report)

    def resolve(self, task: Any, name: str | None, parameters: Sequence[str] | None) -> Added:
        """Return the definition of a task to add."""
        return self._resolver(task, name, parameters)

    def offering(self) -> AbstractContextManager[None]:
        """Let the task read variables meanwhile."""
        return offering(self._read_variable)

    def _read_variable(self, name: str) -> Any:
        return self._variables(name)

    @cached_property
    def _variables(self) -> RunVariables:
        return RunVariables(self._graph, self._order.facts.root_run_id)

    def _read_code(self, sha256: str) -> TaskCode | None:
        return code_reader(self._graph)(sha256)

    @cached_property
    def _graph(self) -> Graph:
        return connect(self._settings).outlasting()
