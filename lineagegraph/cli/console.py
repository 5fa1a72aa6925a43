"""Output of commands: results on standard output, everything else on standard error."""

import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import zip_longest
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from rich import box
from rich.cells import cell_len
from rich.console import ConsoleDimensions, RenderableType
from rich.progress import Progress
from rich.progress import track as rich_track
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from lineagegraph.client.formatting import plain_console
from lineagegraph.text import escape_json, visible

T = TypeVar("T")
Cell = RenderableType | None
_WIDE = 120
_NEVER_FOLDED = 24
_INDENT, _LEAST_ROOM = 4, 40


results = plain_console(stderr=False)
errors = plain_console(stderr=True)


def is_wide() -> bool:
    """Return whether whole ids and dates fit a line; always true if output is not a terminal."""
    return results.width >= _WIDE


def program() -> str:
    """Return the command that runs this program: its name, or its path in a checkout."""
    if shutil.which("lineagegraph"):
        return "lineagegraph"
    path = Path(sys.argv[0])
    with suppress(FileNotFoundError, ValueError):
        return str(path.relative_to(Path.cwd()))
    return str(path)


def print_json(value: Any) -> None:
    """Write a value as indented JSON."""
    print(escape_json(msgspec.json.format(msgspec.json.encode(value), indent=2).decode()))


def print_tree(tree: Tree) -> None:
    """Print a tree; a deep one is wider than the terminal."""
    console = plain_console(stderr=False)
    # Rich prints nothing of a line that has no room, and heeds no width alone at dumb terminals.
    width = max(console.width, _INDENT * _depth(tree) + _LEAST_ROOM)
    console.size = ConsoleDimensions(width, console.height)
    console.print(tree)


def _depth(tree: Tree) -> int:
    depth, level = 0, [tree]
    while level := [child for above in level for child in above.children]:
        depth += 1
    return depth


def print_table(columns: Sequence[str], rows: Iterable[Sequence[Cell]], empty: str) -> None:
    """Print a table, or the sentence `empty` on standard error if there are no rows."""
    found = list(rows)
    if not found:
        errors.print(empty)
        return
    if not results.is_terminal:
        _print_plain(columns, found)
        return
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column, cells in zip(columns, zip(*found, strict=True), strict=True):
        table.add_column(column, overflow="fold", no_wrap=_longest(cells) <= _NEVER_FOLDED)
    for row in found:
        table.add_row(*map(_cell, row))
    results.print(table)


def _print_plain(columns: Sequence[str], rows: Sequence[Sequence[Cell]]) -> None:
    """Print a table for other programs: no value is folded, and a long one widens no other line."""
    listed = [[str(_cell(cell)).split("\n") for cell in row] for row in ([*columns], *rows)]
    widths = [
        max(
            (width for cell in cells for one in cell if (width := cell_len(one)) <= _WIDE),
            default=0,
        )
        for cells in zip(*listed, strict=True)
    ]
    for row in listed:
        for parts in zip_longest(*row, fillvalue=""):
            padded = (
                one + " " * (width - cell_len(one))
                for one, width in zip(parts, widths, strict=True)
            )
            print(visible("  ".join(padded).rstrip()))


def print_rest(number: int, end: str = "") -> None:
    """Print how many rows were left out of a list, if any, on standard error."""
    if number > 0:
        errors.print(f"{number} more: --limit shows them{end}")


def _cell(cell: Cell) -> RenderableType:
    """Return a cell: a string is one line, and a `Text` may have several."""
    return visible(cell) if isinstance(cell, str) else Text("") if cell is None else cell


def print_rows(columns: Sequence[str], rows: Sequence[Sequence[str]], empty: str) -> None:
    """Print a table, or one line for each value if the terminal is too narrow for it."""
    needed = sum(_longest(cells) + 3 for cells in zip(columns, *rows, strict=True))
    if needed <= results.width or not rows or not results.is_terminal:
        print_table(columns, rows, empty)
        return
    indent = _longest(columns) + 2
    for row in rows:
        for column, cell in zip(columns, row, strict=True):
            results.print(Text.assemble((column.ljust(indent), "dim"), visible(cell)))
        results.print()


def _longest(cells: Iterable[object]) -> int:
    return max(len(str(cell)) for cell in cells)


@contextmanager
def counting(what: str) -> Iterator[Callable[[int, int], None]]:
    """Yield a function that shows progress as (done, total), if standard error is a terminal."""
    with Progress(console=errors, transient=True, disable=not errors.is_terminal) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def track(items: Sequence[T], what: str) -> Iterable[T]:
    """Yield the items with a progress bar, if standard error is a terminal."""
    return rich_track(items, what, console=errors, transient=True, disable=not errors.is_terminal)
