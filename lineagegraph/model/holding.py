"""Values of context variables for the length of a block."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

T = TypeVar("T")


@contextmanager
def holding(variable: ContextVar[T], value: T) -> Iterator[None]:
    """Let a variable have a value in this thread or task, and in contexts copied from it."""
    token = variable.set(value)
    try:
        yield
    finally:
        variable.reset(token)
