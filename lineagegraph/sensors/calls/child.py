"""Call one function and write its answer.

This file is run by its path, not as a module: it needs nothing of lineagegraph, so it starts fast.
"""

import asyncio
import base64
import inspect
import json
import os
import pickle
import resource
import signal
import sys
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from operator import attrgetter
from typing import Any

_LONGEST = 500
_LARGEST = 32_000


def main() -> None:
    """Read the function from standard input; the answer is the one line of standard output."""
    # What the function prints is no answer: that goes where errors go.
    answer = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    said: dict[str, Any] = json.load(sys.stdin)
    # Should nobody be left who would end it: the system does, whatever it hangs in.
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, said["seconds"])
    _limit_memory(said["memory_bytes"])
    try:
        function = _function(said)
        result = _answer(_call(function, said["arguments"] | _cursor(function, said)))
    except BaseException as error:
        text = " ".join(str(error).split())
        result = {"error": f"{type(error).__name__}: {text}"[:_LONGEST]}
    answer.write(json.dumps(result) + "\n")
    answer.flush()
    os._exit(0)


def _cursor(function: Any, said: dict[str, Any]) -> dict[str, Any]:
    """Return the sensor's cursor as an argument, if the function takes one."""
    with suppress(TypeError, ValueError):
        if "cursor" in inspect.signature(function).parameters and "cursor" not in said["arguments"]:
            return {"cursor": said["cursor"]}
    return {}


def _answer(found: Any) -> dict[str, Any]:
    """Return None, True or False, a dictionary, or new items: true unless empty."""
    # Only a function that has loaded the module can return such items.
    known = sys.modules.get("lineagegraph.model.new_items")
    if known is not None and isinstance(found, known.NewItems):
        return {"items": found.items, "cursor": found.cursor}
    _refuse_iterator(found)
    if not isinstance(found, dict):
        return {"found": None if found is None else bool(found)}
    size = len(json.dumps(found, allow_nan=False))
    if size > _LARGEST:
        raise ValueError(
            f"its value has {size} bytes, and at most {_LARGEST} are kept: return a place"
        )
    return {"found": found}


def _refuse_iterator(found: Any) -> None:
    if inspect.isgenerator(found) or inspect.isasyncgen(found):
        raise TypeError("it returned a generator, whose code has not run: return True or False")
    if isinstance(found, Iterator):
        name = type(found).__name__
        raise TypeError(f"it returned an iterator of type {name}, which is always true")


def _limit_memory(most: int) -> None:
    # Only Linux counts all memory that a process asks for.
    if sys.platform == "linux":
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))


def _function(said: dict[str, Any]) -> Any:
    if said["pickle"] is not None:
        return pickle.loads(base64.b64decode(said["pickle"]))
    module, _, name = said["function"].partition(":")
    found = attrgetter(name)(import_module(module))
    return getattr(found, "function", found)


def _call(function: Any, arguments: dict[str, Any]) -> Any:
    found = function(**arguments)
    return asyncio.run(found) if inspect.iscoroutine(found) else found


if __name__ == "__main__":
    main()
