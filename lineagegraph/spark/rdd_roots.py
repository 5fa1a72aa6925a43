"""The RDDs that an RDD is made of in the end."""

from collections.abc import Iterator
from typing import Any

from lineagegraph.spark.jvm import sequence

_MOST_RDDS = 200


def roots_of(rdd: Any) -> Iterator[Any]:
    """Yield the RDDs that depend on none; a checkpoint has cut off what was before it."""
    seen: set[int] = set()
    left = [rdd]
    while left and len(seen) < _MOST_RDDS:
        each = left.pop()
        if (id_ := each.id()) in seen:
            continue
        seen.add(id_)
        above = [dependency.rdd() for dependency in sequence(each.dependencies())]
        left += above
        if not above:
            yield each
