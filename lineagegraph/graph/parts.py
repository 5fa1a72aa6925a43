"""Long lists of keys, read in parts at once."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from math import ceil
from typing import TypeVar

from lineagegraph.graph.binding import Transaction
from lineagegraph.graph.connection import Graph

T = TypeVar("T")
_AT_ONCE = min(4, os.cpu_count() or 1)
_SMALLEST = 100


def read_in_parts(
    graph: Graph,
    tx: Transaction,
    work: Callable[[Transaction, list[str]], list[T]],
    keys: list[str],
) -> list[T]:
    """Return what `work` reads of some keys, in its order for each part of them.

    Neo4j answers a statement with one core: a long list is read in up to four transactions of their
    own at once, a short one in `tx`.
    """
    size = max(_SMALLEST, ceil(len(keys) / _AT_ONCE))
    parts = [keys[begin : begin + size] for begin in range(0, len(keys), size)]
    if len(parts) < 2:
        return work(tx, keys)
    with ThreadPoolExecutor(len(parts)) as threads:
        return [*chain.from_iterable(threads.map(lambda part: graph.read(work, part), parts))]
