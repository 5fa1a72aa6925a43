"""Values that a task emits about its run; they travel with it to the runs that its end starts."""

import json
import os
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from contextvars import ContextVar
from pathlib import Path
from threading import Lock
from typing import Any

from lineagegraph.errors import RunError
from lineagegraph.model.holding import holding
from lineagegraph.model.pipelines.definition import Emit
from lineagegraph.model.pipelines.emits import plain_value
from lineagegraph.model.typed import check_storable
from lineagegraph.private_files import append_private

LIMIT = 64 * 1024

_sink: ContextVar["Emitted | None"] = ContextVar("lineagegraph_emitted", default=None)


def emit(**values: Any) -> None:
    """Keep JSON values on the running task's run; a later value of a key replaces the earlier.

    Call it in the task's own thread, or in a thread started in a copy of the task's context. All
    values of a task together may have 64 kB. If the task declares its emitted values, other names
    and types are refused. In a notebook, or a program that a task runs, the values are checked at
    its end.
    """
    sink = _sink.get()
    if sink is None and (file := os.environ.get("LINEAGEGRAPH_EMIT")):
        texts = {name: _json(name, value) for name, value in values.items()}
        line = f"{{{', '.join(f'{json.dumps(n)}: {t}' for n, t in texts.items())}}}\n"
        # Half a line, of a full disk, would spoil the next one.
        append_private(Path(file), line.encode())
        return
    if sink is None:
        raise RunError("emit() was called outside a task: call it in a task's own thread")
    sink.add(values)


class Emitted:
    """The values that an attempt emitted; undeclared names and wrong types are refused."""

    def __init__(
        self,
        declared: Iterable[Emit] | None = None,
        on_added: Callable[[dict[str, Any]], None] | None = None,
    ) -> None:
        self._on_added = on_added
        self._types = None if declared is None else {emit.name: emit.type for emit in declared}
        self._texts: dict[str, str] = {}
        self._lock = Lock()

    def add(self, values: Mapping[str, Any]) -> None:
        """Take all the values or, raising `RunError`, none."""
        texts = {name: _json(name, self._checked(name, value)) for name, value in values.items()}
        with self._lock:
            joined = self._texts | texts
            size = sum(len(name) + len(text.encode()) for name, text in joined.items())
            if size > LIMIT:
                raise RunError(f"emitted values have {size} bytes; at most {LIMIT} are kept")
            self._texts = joined
        if self._on_added and texts:
            self._on_added({name: json.loads(text) for name, text in texts.items()})

    def add_lines(self, file: Path) -> None:
        """Take the lines of a command's file: one JSON object each."""
        if (size := file.stat().st_size) > 16 * LIMIT:
            raise RunError(
                f"the file LINEAGEGRAPH_EMIT has {size} bytes; keep it under {16 * LIMIT}"
            )
        for number, line in enumerate(file.read_bytes().splitlines(), start=1):
            if line.strip():
                self.add(_object(line, f"line {number} of the file LINEAGEGRAPH_EMIT"))

    def values(self) -> dict[str, Any]:
        """Return the values as they were when they were emitted."""
        return {name: json.loads(text) for name, text in self._texts.items()}

    def _checked(self, name: str, value: Any) -> Any:
        if self._types is None:
            return value
        if name not in self._types:
            known = ", ".join(self._types) or "none"
            raise RunError(
                f"emitted name {name!r} is not declared by the task, which declares: {known}"
            )
        try:
            return plain_value(self._types[name], value)
        except ValueError as error:
            raise RunError(f"emitted value {name!r}: {error}") from error

    def receiving(self) -> AbstractContextManager[None]:
        """Receive the values of `emit` in this thread, and in contexts copied from it."""
        return holding(_sink, self)


def _json(name: str, value: Any) -> str:
    if not name.isidentifier() or name.startswith("_"):
        raise RunError(f"emitted name {name!r} must be an identifier without a leading _")
    try:
        text = json.dumps(value, allow_nan=False, ensure_ascii=False)
        check_storable(json.loads(text))
    except (TypeError, ValueError, RecursionError) as error:
        raise RunError(f"emitted value {name!r} is not JSON: {error}") from error
    return text


def _object(line: bytes, where: str) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except ValueError as error:
        raise RunError(f"{where} is not JSON: {error}") from error
    if not isinstance(value, dict):
        raise RunError(f'{where} must be an object such as {{"rows": 12}}')
    return value
