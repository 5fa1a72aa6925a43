"""Spark work of lineagegraph itself, which is hidden from lineage."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

HIDDEN = "lg-hidden"


@contextmanager
def hidden(session: Any) -> Iterator[None]:
    """Keep this thread's executions out of lineage."""
    context = session.sparkContext
    context.addJobTag(HIDDEN)
    try:
        yield
    finally:
        context.removeJobTag(HIDDEN)
