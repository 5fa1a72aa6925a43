"""Where commands write: results to standard output, all else to standard error."""

import sys
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

import msgspec
from rich import box
from rich.console import Console, RenderableType
from rich.progress import track as rich_track
from rich.table import Table
from rich.text import Text

T = TypeVar("T")
Cell = RenderableType | None
_PIPE_WIDTH = 10_000


def _console(stderr: bool) -> Console:
    """Write what was given, as it is: where nobody looks, no line is cut or broken."""
    is_terminal = (sys.stderr if stderr else sys.stdout).isatty()
    return Console(
        stderr=stderr,
        markup=False,
        highlight=False,
        emoji=False,
        width=None if is_terminal else _PIPE_WIDTH,
    )


results = _console(stderr=False)
errors = _console(stderr=True)


def print_json(value: Any) -> None:
    """Write a value as indented JSON."""
    print(msgspec.json.format(msgspec.json.encode(value), indent=2).decode())


def print_table(columns: Sequence[str], rows: Iterable[Sequence[Cell]], empty: str) -> None:
    """Write a table, or where there are no rows the sentence `empty` to standard error."""
    found = list(rows)
    if not found:
        errors.print(empty)
        return
    table = Table(box=box.SIMPLE_HEAD if results.is_terminal else None, pad_edge=False)
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in found:
        table.add_row(*(Text("") if cell is None else cell for cell in row))
    results.print(table)


def track(items: Sequence[T], what: str) -> Iterable[T]:
    """Go through items with a progress bar, where somebody looks."""
    return rich_track(items, what, console=errors, transient=True, disable=not errors.is_terminal)
