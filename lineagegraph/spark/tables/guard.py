"""The guard of publishing: a run that another worker took over may not publish."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from contextvars import ContextVar

from lineagegraph.model.holding import holding

_guard: ContextVar[Callable[[], None] | None] = ContextVar("lineagegraph_guard", default=None)


def check_may_publish() -> None:
    """Raise the guard's error; outside a run there is no guard."""
    guard = _guard.get()
    if guard is not None:
        guard()


def has_guard() -> bool:
    """Return whether this is the work of a run that another worker may take over."""
    return _guard.get() is not None


def guarding(guard: Callable[[], None]) -> AbstractContextManager[None]:
    """Ask before each switch of a table in this thread (and in contexts copied from it)."""
    return holding(_guard, guard)
