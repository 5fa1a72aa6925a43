"""A task's function, from the unpacked source."""

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

_lock = Lock()


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
