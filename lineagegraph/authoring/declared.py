"""The pipelines that a definition file has declared while it was imported."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from lineagegraph.authoring.handle import Handle
from lineagegraph.authoring.origin import Origin
from lineagegraph.authoring.project import find_root


class FileStatement(msgspec.Struct, frozen=True):
    """What a file says of itself with `lg.file(…)`; None where it leaves that open."""

    timeout: float | None = None
    dynamic: bool | None = None
    every: float | None = None


@dataclass(slots=True)
class Declared:
    """What was declared, and what holds where a definition doesn't say: namespace and zone.

    `file` is the file that is being read below `root`, `statement` what it says of itself, and
    `looked_at` has files that it names.
    """

    namespace: str = "default"
    zone: str = "UTC"
    file: str | None = None
    root: str | None = None
    statement: FileStatement = field(default_factory=FileStatement)
    pipelines: list[Handle] = field(default_factory=list)
    looked_at: set[str] = field(default_factory=set)


_current: list[Declared] = [Declared()]


def declared() -> Declared:
    """Return what is being collected."""
    return _current[-1]


def is_reading() -> bool:
    """Say whether a definition file is being imported, rather than run by a person."""
    return len(_current) > 1


def project_root(origin: Origin) -> Path:
    """Return the root of the project whose definition is being stated at a place."""
    root = declared().root
    if root is not None:
        return Path(root)
    file = Path(origin.declared_in)
    return find_root(file if file.is_file() else Path.cwd())


@contextmanager
def collecting(
    namespace: str,
    zone: str,
    file: str | None = None,
    root: str | None = None,
    statement: FileStatement | None = None,
) -> Iterator[Declared]:
    """Collect what is declared meanwhile, in any thread."""
    _current.append(Declared(namespace, zone, file, root, statement or FileStatement()))
    try:
        yield _current[-1]
    finally:
        _current.pop()


@contextmanager
def ignoring() -> Iterator[None]:
    """Let a definition file be imported once more, whatever it states."""
    with collecting("default", "UTC"):
        yield
