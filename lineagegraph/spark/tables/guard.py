"""The guard of publishing: a run that another worker took over may not publish."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from lineagegraph.model.holding import holding
from lineagegraph.spark.thread_tags import passing_on

Guard = Callable[[], None]

_guard: ContextVar[Guard | None] = ContextVar("lineagegraph_guard", default=None)
# Threads that the JVM asks for, as for foreachBatch, have no context. All guards of a process ask
# for the same run.
_entered: dict[object, Guard] = {}


def check_may_publish() -> None:
    """Raise the guard's error; outside a run there is no guard."""
    guard = _find()
    if guard is not None:
        guard()


def has_guard() -> bool:
    """Return whether this is the work of a run that another worker may take over."""
    return _find() is not None


@contextmanager
def guarding(guard: Guard) -> Iterator[None]:
    """Ask before each switch of a table, in this thread and in all that have no other guard."""
    key = object()
    _entered[key] = guard
    try:
        with holding(_guard, guard), passing_on(lambda: holding(_guard, guard)):
            yield
    finally:
        del _entered[key]


def _find() -> Guard | None:
    return _guard.get() or next(reversed(list(_entered.values())), None)
