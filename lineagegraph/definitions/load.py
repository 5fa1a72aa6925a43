"""A task's function: as it was kept by value, or from the unpacked source."""

import importlib
import sys
from collections.abc import Callable
from operator import attrgetter
from pathlib import Path
from threading import Lock
from typing import Any, cast

from lineagegraph.definitions.kinds import TaskFunction
from lineagegraph.errors import DefinitionError
from lineagegraph.model.definition import PythonTask
from lineagegraph.model.task_code import TaskCode

_lock = Lock()


class Functions:
    """The functions of one run's tasks; `code` is the folder of the unpacked source."""

    def __init__(self, code: Path, stored: TaskCode | None) -> None:
        self._code = code
        self._stored = stored

    def __call__(self, task: PythonTask, path: str) -> Callable[..., Any]:
        """Return the function of the task at a path, as it was written."""
        return load_function(task, self._code)


def load_function(task: PythonTask, folder: Path) -> Callable[..., Any]:
    """Import a task's module from a folder, and return the function as it was written."""
    with _lock:
        if str(folder) not in sys.path:
            sys.path.insert(0, str(folder))
        return resolve(task.module, task.qualname)


def resolve(module: str, qualname: str) -> Callable[..., Any]:
    """Return the function of that name, without the task that it was made."""
    imported = importlib.import_module(module)
    try:
        found = attrgetter(qualname)(imported)
    except AttributeError:
        raise DefinitionError(f"{module} has no {qualname}: sync it again") from None
    function = found.function if isinstance(found, TaskFunction) else found
    return cast("Callable[..., Any]", function)
