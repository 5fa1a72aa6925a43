"""Load the functions of a run's tasks, kept by value or from the unpacked source."""

import sys
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from threading import RLock
from types import ModuleType
from typing import Any

import structlog

from lineagegraph.authoring.declared import ignoring
from lineagegraph.authoring.task_functions import resolve
from lineagegraph.code.by_value.unpickler import unpickle
from lineagegraph.errors import DefinitionError
from lineagegraph.model.pipelines.definition import PythonTask
from lineagegraph.model.pipelines.task_code import TASK_CODE, TaskCode, this_python
from lineagegraph.signing import check_signature

log = structlog.get_logger()
_lock = RLock()


class KeptFunctions:
    """The functions of one run's tasks; `code` is the folder of the unpacked source.

    `loaded` is called with the modules that were loaded from functions kept by value.
    """

    def __init__(
        self,
        code: Path,
        stored: TaskCode | None,
        loaded: Callable[[list[ModuleType]], None] = lambda modules: None,
    ) -> None:
        self._code = code
        self._stored = stored
        self._loaded = loaded

    def __call__(self, task: PythonTask, path: str) -> Callable[..., Any]:
        """Return the function of the task at a path, as it was written.

        Raises `DefinitionError` if it was kept for another Python, and no module has it under its
        name.
        """
        with _lock:
            _enter(self._code)
            if path in self._by_value:
                return self._by_value[path]
            if self._stored and path in self._stored.unnamed:
                raise DefinitionError(self._why(path))
            return load_function(task, self._code)

    @cached_property
    def _by_value(self) -> dict[str, Callable[..., Any]]:
        if self._stored is None or not self._stored.is_for_this_python:
            return {}
        what = f"the stored code {self._stored.sha256[:12]} of the tasks"
        check_signature(TASK_CODE, self._stored.signed, self._stored.signature, what)
        try:
            functions, modules = unpickle(self._stored.content, self._code)
        except Exception as error:
            self._fault = f"{type(error).__name__}: {error}"
            log.warning("functions_not_read", sha256=self._stored.sha256, error=self._fault)
            return {}
        self._loaded(modules)
        return functions

    def _why(self, path: str) -> str:
        assert self._stored is not None
        kept = f"the function of task {path} is kept by value for {self._stored.python}"
        if self._stored.is_for_this_python:
            return f"{kept}, but cannot be loaded: {self._fault}"
        return f"{kept}, but this is {this_python()}: use that Python, or sync it with this one"


def load_function(task: PythonTask, folder: Path) -> Callable[..., Any]:
    """Import a task's module from a folder, and return its function."""
    with _lock:
        _enter(folder)
        with ignoring():
            return resolve(task.module, task.qualname)


def _enter(folder: Path) -> None:
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
