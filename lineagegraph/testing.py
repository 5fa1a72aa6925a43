"""What tests of definitions and tasks need."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from lineagegraph.authoring.variables import Handed, offering


@contextmanager
def variables(values: Mapping[str, Any] | None = None, /, **more: Any) -> Iterator[None]:
    """Let `lg.variable` return these values meanwhile; all other variables are not set."""
    with offering(Handed({**(values or {}), **more})):
        yield
