"""The pipelines that a definition file has declared while it was imported."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lineagegraph.definitions.pipelines import PipelineHandle


@dataclass(slots=True)
class Declared:
    """What was declared, and what holds where a definition doesn't say: namespace and zone."""

    namespace: str = "default"
    zone: str = "UTC"
    pipelines: list[PipelineHandle] = field(default_factory=list)


_current: list[Declared] = [Declared()]


def declared() -> Declared:
    """Return what is being collected."""
    return _current[-1]


@contextmanager
def collecting(namespace: str, zone: str) -> Iterator[Declared]:
    """Collect what is declared meanwhile, in any thread."""
    _current.append(Declared(namespace, zone))
    try:
        yield _current[-1]
    finally:
        _current.pop()
