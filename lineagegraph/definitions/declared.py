"""The pipelines that a definition file has declared while it was imported."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lineagegraph.definitions.answer import FileStatement

if TYPE_CHECKING:
    from lineagegraph.definitions.pipelines import PipelineHandle


@dataclass(slots=True)
class Declared:
    """What was declared, and what holds where a definition doesn't say: namespace and zone.

    `statement` is what `file`, the file that is being read, was found to say of itself.
    """

    namespace: str = "default"
    zone: str = "UTC"
    file: str | None = None
    statement: FileStatement = field(default_factory=FileStatement)
    pipelines: list[PipelineHandle] = field(default_factory=list)


_current: list[Declared] = [Declared()]


def declared() -> Declared:
    """Return what is being collected."""
    return _current[-1]


@contextmanager
def collecting(
    namespace: str, zone: str, file: str, statement: FileStatement
) -> Iterator[Declared]:
    """Collect what is declared meanwhile, in any thread."""
    _current.append(Declared(namespace, zone, file, statement))
    try:
        yield _current[-1]
    finally:
        _current.pop()
