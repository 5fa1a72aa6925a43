"""Neo4j's driver, imported without what is large and not needed.

The driver imports the packages of tables where they are there, to take their values as parameters:
80 MB and half a second for each process. A notebook needs them, as does who imported them before.
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
