"""Imports without what is large and not needed."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module

# The driver imports these where they are there, for results as tables: 80 MB of memory.
_LARGE = ("numpy", "pandas", "pyarrow")


def import_graph() -> None:
    """Import the driver without the packages of tables; who needs these imports them later."""
    with _without(_LARGE):
        import_module("lineagegraph.graph")


@contextmanager
def _without(names: tuple[str, ...]) -> Iterator[None]:
    absent = [name for name in names if name not in sys.modules]
    # What is None there cannot be imported.
    sys.modules.update(dict.fromkeys(absent))  # type: ignore[arg-type]
    try:
        yield
    finally:
        for name in absent:
            del sys.modules[name]
