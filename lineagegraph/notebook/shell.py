"""What a notebook's shell learns: names of the graph, and errors in one line."""

import sys
from types import TracebackType
from typing import Any
from weakref import WeakKeyDictionary

from IPython.core.interactiveshell import InteractiveShell

from lineagegraph.errors import LineagegraphError
from lineagegraph.notebook.completion.matcher import NameMatcher

_RED, _PLAIN = "\x1b[31m", "\x1b[0m"
_prepared: WeakKeyDictionary[InteractiveShell, NameMatcher] = WeakKeyDictionary()


def prepare(shell: InteractiveShell) -> NameMatcher:
    """Let a shell complete names, and show our errors in one line; once is enough."""
    if shell not in _prepared:
        shell.set_custom_exc((LineagegraphError,), _show)
        _prepared[shell] = NameMatcher(shell)
        _prepared[shell].install()
    return _prepared[shell]


def one_line(error: LineagegraphError) -> str:
    """Return an error as notebooks show it."""
    return f"{_RED}{type(error).__name__}{_PLAIN}: {error}"


def _show(
    shell: Any,
    kind: type[LineagegraphError],
    error: LineagegraphError,
    traceback: TracebackType,
    tb_offset: int | None = None,
) -> list[str]:
    """Show one line, and leave the whole to `%tb`."""
    sys.last_type, sys.last_value, sys.last_traceback = kind, error, traceback
    lines = [one_line(error)]
    shell._showtraceback(kind, error, lines)
    return lines
