"""Sessions that other code asks pyspark for: they are ours."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import local
from typing import Any

from pyspark.sql import SparkSession

_thread = local()


@contextmanager
def building(session: Callable[[dict[str, str]], Any]) -> Iterator[None]:
    """Let `SparkSession.builder.getOrCreate()` return the result of `session`."""
    original = SparkSession.Builder.getOrCreate

    def get_or_create(builder: Any) -> Any:
        # What makes our session asks pyspark's builder for it.
        if getattr(_thread, "inside", False):
            return original(builder)
        _thread.inside = True
        try:
            return session({name: str(value) for name, value in builder._options.items()})
        finally:
            _thread.inside = False

    SparkSession.Builder.getOrCreate = get_or_create  # type: ignore[assignment]
    try:
        yield
    finally:
        SparkSession.Builder.getOrCreate = original  # type: ignore[method-assign]
