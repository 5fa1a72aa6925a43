"""What a definition file says of itself: `lg.file(timeout="5m")`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lineagegraph.authoring.declared import FileStatement, declared
from lineagegraph.authoring.durations import Duration, seconds
from lineagegraph.authoring.origin import Origin, caller
from lineagegraph.errors import DefinitionError
from lineagegraph.model.durations import read_seconds

_PACKAGE = "lineagegraph"


def file(
    *,
    timeout: Duration | None = None,
    dynamic: bool | None = None,
    every: Duration | None = None,
) -> None:
    """State how this file is read, with plain values: they are looked up before it runs.

    `timeout` is how long its import may take. A `dynamic` file is read again at the start of each
    run and `every` so often, though nothing changed; False says that it need not be.
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
            f"{origin}: lg.file(…) is read before the file runs: write it once, at the top level, "
            "with plain values"
        )


def statement_of(file: Path) -> FileStatement:
    """Return what a file says of itself; one that is no Python says nothing."""
    return read_statement(file.read_bytes()) if file.suffix == ".py" else FileStatement()


def read_statement(content: bytes) -> FileStatement:
    """Return what a file's text says with `lg.file(…)`; nothing is run for it."""
    try:
        module = ast.parse(content)
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
    """Return how `lg.file` may be spelled in a module."""
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
    every, dynamic = read_seconds(given.get("every")), given.get("dynamic")
    return FileStatement(
        timeout=read_seconds(given.get("timeout")) or None,
        dynamic=True if dynamic is None and every else dynamic,
        every=every or None,
    )


def _positive(duration: Duration | None, what: str, origin: Origin) -> float | None:
    if duration is None:
        return None
    found = seconds(duration, what, origin)
    if found == 0:
        raise DefinitionError(f"{origin}: {what}={duration!r} leaves no time")
    return found


def _flag(dynamic: object, every: Duration | None, origin: Origin) -> bool | None:
    if dynamic is not None and not isinstance(dynamic, bool):
        raise DefinitionError(f"{origin}: dynamic={dynamic!r} must be True or False")
    if every is not None and dynamic is False:
        raise DefinitionError(f"{origin}: every={every!r} is for a file that is dynamic")
    return True if dynamic is None and every is not None else dynamic
