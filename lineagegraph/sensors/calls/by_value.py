"""Functions of a project, whose files a sensor process does not have: they go by value."""

import base64
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from operator import attrgetter
from types import ModuleType
from typing import Any

import cloudpickle

from lineagegraph.errors import InvalidSensor
from lineagegraph.sensors.calls.fingerprint import fingerprint
from lineagegraph.sensors.calls.installed import is_foreign
from lineagegraph.sensors.texts import one_line
from lineagegraph.signing import check_signature, sign

_PURPOSE = "function of a sensor"


def stated_function(function: Callable[..., Any]) -> dict[str, Any]:
    """Return a function as fields of a sensor: by name if its package is installed."""
    name = _name(function)
    if _is_installed(function):
        return {"function": name}
    try:
        with _by_value():
            content = cloudpickle.dumps(function)
        code = fingerprint(function)
    except Exception as error:
        raise InvalidSensor(
            f"function {name} cannot be kept: {type(error).__name__}: {one_line(error)}"
        ) from None
    pickle = base64.b64encode(content).decode()
    signature = sign(_PURPOSE, _signed(pickle, this_python()))
    return {
        "function": name,
        "code": code,
        "pickle": f"{signature}:{pickle}",
        "python": this_python(),
    }


def checked_pickle(name: str, pickle: str, python: str | None) -> str:
    """Return a pickle without its signature; raise `UnsignedCode` if that is not ours."""
    signature, colon, content = pickle.partition(":")
    known = signature if colon else None
    check_signature(_PURPOSE, _signed(content, python), known, f"function {name}")
    return content


def _signed(pickle: str, python: str | None) -> bytes:
    return f"{python}\0{pickle}".encode()


def _name(function: Any) -> str:
    while isinstance(function, partial):
        function = function.func
    named = function if hasattr(function, "__qualname__") else type(function)
    return f"{named.__module__}:{named.__qualname__}"


def this_python() -> str:
    """Return the version for which code is kept by value."""
    return f"{sys.version_info.major}.{sys.version_info.minor}"


def _is_installed(function: Any) -> bool:
    module = sys.modules.get(getattr(function, "__module__", None) or "")
    if module is None or not is_foreign(module):
        return False
    with suppress(AttributeError):
        found = attrgetter(function.__qualname__)(module)
        return getattr(found, "function", found) is function
    return False


@contextmanager
def _by_value() -> Iterator[None]:
    """Let cloudpickle pickle the modules of the project by value."""
    known = cloudpickle.list_registry_pickle_by_value()
    own = [module for module in list(sys.modules.values()) if _is_own(module)]
    added = [module for module in own if module.__name__ not in known]
    for module in added:
        cloudpickle.register_pickle_by_value(module)
    try:
        yield
    finally:
        for module in added:
            with suppress(ValueError):
                cloudpickle.unregister_pickle_by_value(module)


def _is_own(module: Any) -> bool:
    return (
        isinstance(module, ModuleType)
        and module.__name__ != "__main__"
        and module.__name__ in sys.modules
        and not is_foreign(module)
    )
