"""The causes of the running task's run, for `lg.upstream()`."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from contextvars import ContextVar

from lineagegraph.model.holding import holding
from lineagegraph.model.pipelines.upstream import Upstream

_given: ContextVar[tuple[Upstream, ...]] = ContextVar("lineagegraph_upstream", default=())


def upstream() -> tuple[Upstream, ...]:
    """Return the causes of this task's run, the oldest first; empty if a person started it.

    A program finds the same as JSON in the file that `LINEAGEGRAPH_UPSTREAM` names.
    """
    return _given.get()


def provide_upstream(what: Sequence[Upstream]) -> AbstractContextManager[None]:
    """Let `upstream` return these causes in this thread, and in contexts copied from it."""
    return holding(_given, tuple(what))
