"""The definition file that is being imported: its statement, pipelines and named files."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from lineagegraph.authoring.checked_values import Duration, checked_text, seconds
from lineagegraph.authoring.handle import Handle
from lineagegraph.authoring.origin import Origin, caller
from lineagegraph.errors import DefinitionError
from lineagegraph.project.root import find_root, is_own
from lineagegraph.project.syntax import syntax_tree
from lineagegraph.text import read_duration


class FileStatement(msgspec.Struct, frozen=True):
    """The options of `lg.file(…)`; None for those that the file does not give."""

    timeout: float | None = None
    dynamic: bool | None = None
    every: float | None = None


@dataclass(slots=True)
class Declared:
    """The declarations of one import, and the defaults for them."""

    #: namespace of definitions that give none
    namespace: str = "default"
    #: time zone of definitions that give none
    zone: str = "UTC"
    #: absolute path of the file that is being imported
    file: str | None = None
    #: absolute path of its project
    root: str | None = None
    #: the options of its `lg.file(…)`
    statement: FileStatement = field(default_factory=FileStatement)
    #: handles of the stated pipelines, in order
    pipelines: list[Handle] = field(default_factory=list)
    #: absolute paths of the files that definitions name, missing ones included
    named_files: set[str] = field(default_factory=set)


_current: list[Declared] = [Declared()]


def declared() -> Declared:
    """Return the declarations that are being collected."""
    return _current[-1]


def is_reading() -> bool:
    """Return whether a definition file is being imported, rather than run by a person."""
    return len(_current) > 1


def project_root(origin: Origin) -> Path:
    """Return the root of the project in which `origin` states a definition."""
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
    """Collect the declarations made in the meantime, in any thread."""
    _current.append(Declared(namespace, zone, file, root, statement or FileStatement()))
    try:
        yield _current[-1]
    finally:
        _current.pop()


@contextmanager
def ignoring() -> Iterator[None]:
    """Ignore the declarations of a definition file that is imported again."""
    with collecting("default", "UTC"):
        yield


_PACKAGE = "lineagegraph"


def file(
    *,
    timeout: Duration | None = None,
    dynamic: bool | None = None,
    every: Duration | None = None,
) -> None:
    """State how this file is read, with plain values: they are parsed before the file runs.

    `timeout` limits its import. A `dynamic` file is read again at the start of each run and once
    per `every`, even if nothing changed; False turns that off.
    """
    origin = caller()
    stated = FileStatement(
        timeout=_positive(timeout, "timeout", origin),
        dynamic=_flag(dynamic, every, origin),
        every=_positive(every, "every", origin),
    )
    current = declared()
    if origin.file == current.file and stated != current.statement:
        raise DefinitionError(
            f"{origin}: lg.file(…) is parsed before the file runs: write it once, at the top "
            "level, with plain values"
        )


def statement_of(file: Path) -> FileStatement:
    """Return the `lg.file(…)` statement of a Python file; an empty one for other files."""
    return read_statement(file.read_bytes()) if file.suffix == ".py" else FileStatement()


def read_statement(content: bytes) -> FileStatement:
    """Parse the `lg.file(…)` statement in a file's text, without running it."""
    if b"file" not in content:
        return FileStatement()
    try:
        module = syntax_tree(content)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return FileStatement()
    names = set(_names(module))
    for node in module.body:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            call = node.value
            if ast.unparse(call.func) in names:
                return _statement(call)
    return FileStatement()


def _names(module: ast.Module) -> Iterator[str]:
    """Yield the spellings of `lg.file` that a module's imports allow."""
    for node in module.body:
        if isinstance(node, ast.Import):
            yield from (f"{a.asname or a.name}.file" for a in node.names if a.name == _PACKAGE)
        elif isinstance(node, ast.ImportFrom) and node.module == _PACKAGE:
            yield from (a.asname or a.name for a in node.names if a.name == "file")


def _statement(call: ast.Call) -> FileStatement:
    try:
        given: dict[str, Any] = {k.arg or "": ast.literal_eval(k.value) for k in call.keywords}
    except ValueError:
        return FileStatement()
    every, dynamic = read_duration(given.get("every")), given.get("dynamic")
    return FileStatement(
        timeout=read_duration(given.get("timeout")) or None,
        dynamic=True if dynamic is None and every else dynamic,
        every=every or None,
    )


def _positive(duration: Duration | None, option: str, origin: Origin) -> float | None:
    if duration is None:
        return None
    found = seconds(duration, option, origin)
    if found == 0:
        raise DefinitionError(f"{origin}: {option}={duration!r} must be more than 0")
    return found


def _flag(dynamic: object, every: Duration | None, origin: Origin) -> bool | None:
    if dynamic is not None and not isinstance(dynamic, bool):
        raise DefinitionError(f"{origin}: dynamic={dynamic!r} must be True or False")
    if every is not None and dynamic is False:
        raise DefinitionError(f"{origin}: every={every!r} needs dynamic=True")
    return True if dynamic is None and every is not None else dynamic


def project_file(name: str, kind: str, origin: Origin) -> str:
    """Return the relative path of a file that is beside the definition or below the root.

    Each path that was tried is recorded, so that the definition is read again once it exists.
    """
    checked_text(name, kind, origin)
    root = project_root(origin).resolve()
    beside = Path(origin.declared_in).parent / name
    for place in (beside, root / name):
        file = Path(place).resolve()
        declared().named_files.add(str(file))
        if file.is_file():
            if not is_own(file, root):
                raise DefinitionError(
                    f"{origin}: {kind} {name!r} is not in the project ({root}): "
                    "keep it there, as it is part of each version"
                )
            return file.relative_to(root).as_posix()
    raise DefinitionError(
        f"{origin}: {kind} {name!r}: no such file beside the definition, or below {root}"
    )
