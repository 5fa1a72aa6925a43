"""The statements of cells or a file."""

import ast
import linecache
from collections.abc import Mapping
from dataclasses import dataclass

from IPython import get_ipython

from lineagegraph.driving.bindings import Bindings, bindings_of


@dataclass(frozen=True)
class Statement:
    """A statement as it was written, where that is, and what it does with names."""

    text: str
    first: int
    last: int
    file: str
    place: str
    names: Bindings


def read_statements(file: str, cells: Mapping[str, int]) -> list[Statement]:
    """Return the statements at the top of a file or cell; none of what is no Python."""
    lines = linecache.getlines(file)
    where = f"cell {cells[file]}, line " if file in cells else f"{file}:"
    try:
        tree = ast.parse("".join(lines))
    except SyntaxError:
        return []
    return [_statement(node, lines, file, where) for node in tree.body]


def cells_until_now() -> dict[str, int]:
    """Return the cells that this notebook has run, in order: their numbers by Python's names."""
    shell = get_ipython()
    if shell is None:
        return {}
    numbers: dict[str, int] = shell.compile._filename_map
    return dict(sorted(numbers.items(), key=lambda one: one[1]))


def _statement(node: ast.stmt, lines: list[str], file: str, where: str) -> Statement:
    decorated = getattr(node, "decorator_list", [])
    first = min([node.lineno, *(one.lineno for one in decorated)])
    last = node.end_lineno or node.lineno
    text = _text(node, lines[first - 1 : last])
    return Statement(text, first, last, file, f"{where}{first}", bindings_of(node))


def _text(node: ast.stmt, lines: list[str]) -> str:
    """Return a statement as it was written, or anew where others are on its lines."""
    behind = lines[-1].encode()[node.end_col_offset or 0 :].decode().strip()
    if node.col_offset or (behind and not behind.startswith("#")):
        return ast.unparse(node)
    return "".join(lines).rstrip()
