"""The functions of a pipeline's tasks as one pickle."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

import cloudpickle

from lineagegraph.authoring.callables import held_by
from lineagegraph.authoring.named_function import is_named
from lineagegraph.authoring.project_scope import Own
from lineagegraph.code.by_value.pickler import Bounded, Pickler, TooLarge
from lineagegraph.model.pipelines.task_code import TaskCode, task_code

Callables = Mapping[str, Callable[..., Any]]


class NotKept(Exception):
    """A function cannot be pickled, nor found by its name; `reason` has no line ends."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.reason = reason


class _MemberNotPickled(Exception):
    def __init__(self, key: tuple[str, str]) -> None:
        super().__init__(*key)
        self.key = key


def pack_functions(functions: Callables, own: Own) -> TaskCode:
    """Return functions by path of task, pickled, and why some of them could not be.

    They are pickled together, so that they go on sharing what they share. Raises `NotKept` for a
    function that no module has under its name either.
    """
    unnamed = [path for path, function in functions.items() if not is_named(function)]
    with _by_value(own):
        content, reasons = _pickle_those_that_can_be(functions, own)
    for path in unnamed:
        if path in reasons:
            raise NotKept(path, reasons[path])
    left_out = [f"{path}: {reason}" for path, reason in reasons.items()]
    return task_code(content, left_out, unnamed)


def _pickle_those_that_can_be(functions: Callables, own: Own) -> tuple[bytes, dict[str, str]]:
    try:
        return _pickle(functions, own), {}
    except Exception as error:
        together = _said(error)
    alone = {path: _fault(function, own) for path, function in functions.items()}
    reasons = {path: fault for path, fault in alone.items() if fault}
    if not reasons:
        return _pickle({}, own), dict.fromkeys(functions, f"with the other tasks, it {together}")
    sound = {path: function for path, function in functions.items() if path not in reasons}
    content, more = _pickle_those_that_can_be(sound, own)
    return content, reasons | more


def _pickle(functions: Callables, own: Own) -> bytes:
    """Pickle functions, and then what modules must have that they refer to, as far as it can be."""
    without: set[tuple[str, str]] = set()
    while True:
        try:
            return _pickle_all(functions, own, without)
        except _MemberNotPickled as error:
            without.add(error.key)


def _pickle_all(functions: Callables, own: Own, without: set[tuple[str, str]]) -> bytes:
    file = Bounded()
    pickler = Pickler(file, own)
    pickler.dump(dict(functions))
    written = set(without)
    while wanted := next((key for key in pickler.wanted if key not in written), None):
        written.add(wanted)
        try:
            pickler.dump((*wanted, pickler.wanted[wanted]))
        except Exception as error:
            raise _MemberNotPickled(wanted) from error
    pickler.dump(None)
    return file.getvalue()


def _fault(function: Callable[..., Any], own: Own) -> str | None:
    """Return why a function cannot be pickled, with the name of what it is about."""
    try:
        _pickle({"": function}, own)
    except Exception as error:
        return f"{_culprit(function, own)}{_said(error)}"
    return None


def _culprit(function: Callable[..., Any], own: Own) -> str:
    for name, value in held_by(function):
        try:
            Pickler(Bounded(), own).dump(value)
        except Exception:
            return f"{name} "
    return "it "


def _said(error: Exception) -> str:
    if isinstance(error, TooLarge):
        return str(error)
    said = " ".join(str(error).split())
    return f"cannot be pickled: {type(error).__name__}: {said}"[:500]


@contextmanager
def _by_value(own: Own) -> Iterator[None]:
    """Let cloudpickle take the project's modules for what its reader does not have."""
    known = cloudpickle.list_registry_pickle_by_value()
    added = [one for one in own.modules() if one.__name__ not in {*known, "__main__"}]
    for module in added:
        cloudpickle.register_pickle_by_value(module)
    try:
        yield
    finally:
        for module in added:
            with suppress(ValueError):  # what was pickled may have imported or dropped modules
                cloudpickle.unregister_pickle_by_value(module)
