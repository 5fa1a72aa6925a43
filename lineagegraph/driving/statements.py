"""The statements of cells or a file, and which of them a statement needs."""

import ast
import builtins
import linecache
import symtable
from collections.abc import Iterator
from dataclasses import dataclass

from IPython import get_ipython


@dataclass(frozen=True)
class Statement:
    """A statement as it was written, the names that it gives a value, and those that it needs."""

    text: str
    first: int
    last: int
    file: str
    gives: frozenset[str]
    needs: frozenset[str]


def read_statements(file: str) -> list[Statement]:
    """Return the statements at the top of a file or cell; none of what is no Python."""
    lines = linecache.getlines(file)
    try:
        tree = ast.parse("".join(lines))
    except SyntaxError:
        return []
    return [_statement(node, lines, file) for node in tree.body]


def cells_until_now() -> list[str]:
    """Return the names by which Python knows the cells that this notebook has run, in order."""
    shell = get_ipython()
    if shell is None:
        return []
    numbers: dict[str, int] = shell.compile._filename_map
    return sorted(numbers, key=lambda name: numbers[name])


def needed_for(last: Statement, known: list[Statement]) -> list[Statement]:
    """Return a statement, after all that it needs, in their order; the newest of a name counts."""
    given = {name: one for one in known for name in one.gives}
    chosen, open_names = {id(last): last}, [*last.needs]
    while open_names:
        one = given.get(open_names.pop())
        if one is not None and id(one) not in chosen:
            chosen[id(one)] = one
            open_names += one.needs
    return [one for one in known if id(one) in chosen]


def _statement(node: ast.stmt, lines: list[str], file: str) -> Statement:
    decorated = getattr(node, "decorator_list", [])
    first = min([node.lineno, *(one.lineno for one in decorated)])
    last = node.end_lineno or node.lineno
    gives, needs = _names(node)
    return Statement(_text(node, lines[first - 1 : last]), first, last, file, gives, needs)


def _text(node: ast.stmt, lines: list[str]) -> str:
    """Return a statement as it was written, or anew where others are on its lines."""
    behind = lines[-1].encode()[node.end_col_offset or 0 :].decode().strip()
    if node.col_offset or (behind and not behind.startswith("#")):
        return ast.unparse(node)
    return "".join(lines).rstrip()


def _names(node: ast.stmt) -> tuple[frozenset[str], frozenset[str]]:
    try:
        table = symtable.symtable(ast.unparse(node), "cell", "exec")
    except SyntaxError:  # an `await` that is in no function: no definition has that
        return frozenset(), frozenset()
    symbols = table.get_symbols()
    gives = (one.get_name() for one in symbols if one.is_assigned() or one.is_imported())
    return frozenset(gives), frozenset(_needs(table)) - frozenset(dir(builtins))


def _needs(table: symtable.SymbolTable) -> Iterator[str]:
    is_top = table.get_type() == "module"
    for one in table.get_symbols():
        if one.is_referenced() and (is_top or one.is_global()):
            yield one.get_name()
    for child in table.get_children():
        yield from _needs(child)
