"""Queries of the conformance suite, each with what it reads and writes."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

Work = Callable[[Any, Path], None]


@dataclass(frozen=True)
class Query:
    """A query; datasets are named as they are below the home, `warehouse/orders`."""

    name: str
    work: Work
    reads: frozenset[str]
    writes: frozenset[str]
    #: the kinds of sources and outputs that its lineage says it does not understand
    opaque: frozenset[str]
    fails: bool


def query(
    reads: str = "", writes: str = "", opaque: tuple[str, ...] = (), *, fails: bool = False
) -> Callable[[Work], Query]:
    """Make a query of a function of the session and the home, with its truth."""

    def made(work: Work) -> Query:
        return Query(
            work.__name__,
            work,
            frozenset(reads.split()),
            frozenset(writes.split()),
            frozenset(opaque),
            fails,
        )

    return made


def queries_of(*themes: ModuleType) -> list[Query]:
    """Return the queries of modules in their order."""
    return [each for theme in themes for each in vars(theme).values() if isinstance(each, Query)]
