"""The causes of the running task's run, for `lg.upstream()`."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

from lineagegraph.model.pipelines.upstream import Upstream

_given: ContextVar[tuple[Upstream, ...]] = ContextVar("lineagegraph_upstream", default=())


def upstream() -> tuple[Upstream, ...]:
    """Return the causes of this task's run, the oldest first; empty if a person started it.

    A program finds the same as JSON in the file that `LINEAGEGRAPH_UPSTREAM` names.
    """
    return _given.get()


@contextmanager
def provide_upstream(what: Sequence[Upstream]) -> Iterator[None]:
    """Let `upstream` return these causes in this thread, and in contexts copied from it."""
    token = _given.set(tuple(what))
    try:
        yield
    finally:
        _given.reset(token)
