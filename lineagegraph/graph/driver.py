"""Neo4j's driver, imported without large packages.

The driver imports pandas and others if they are installed, to accept their values as parameters:
80 MB and half a second for each process. Only processes that imported them before need that.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

_LARGE = ("numpy", "pandas", "pyarrow")


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


with _without(() if "ipykernel" in sys.modules else _LARGE):
    import neo4j  # noqa: F401
