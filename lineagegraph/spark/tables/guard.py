"""The guard of publishing: a run that another worker took over may not publish."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_guard: ContextVar[Callable[[], None] | None] = ContextVar("lineagegraph_guard", default=None)


def check_may_publish() -> None:
    """Raise the guard's error; outside a run there is no guard."""
    guard = _guard.get()
    if guard is not None:
        guard()


@contextmanager
def guarding(guard: Callable[[], None]) -> Iterator[None]:
    """Ask before each switch of a table in this thread (and in contexts copied from it)."""
    token = _guard.set(guard)
    try:
        yield
    finally:
        _guard.reset(token)
