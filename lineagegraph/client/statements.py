"""Names of a statement: those it sets, those whose values it changes, and those it needs."""

import ast
import linecache
import symtable
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from lineagegraph.client.output import current_shell

AWAIT = "await"  # stands among the names for what no module can do
_LISTS = ("append", "clear", "extend", "insert", "pop", "remove", "reverse", "sort")
_MUTATORS = frozenset({*_LISTS, "add", "discard", "popitem", "setdefault", "update"})
_PERHAPS = (ast.If, ast.For, ast.While, ast.Try, ast.Match, ast.AugAssign)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_COMPREHENSIONS = frozenset({"listcomp", "setcomp", "dictcomp", "genexpr"})


@dataclass(frozen=True)
class Bindings:
    """Names that a statement surely sets, those that it may change, and those that it needs.

    It needs some `now`, when it runs, and others `later`, when its functions are called.
    """

    sets: frozenset[str]
    changes: frozenset[str]
    now: frozenset[str]
    later: frozenset[str]


def bindings_of(node: ast.stmt) -> Bindings:
    """Return the names that a statement at the top of a module sets, changes and needs."""
    table = symtable.symtable(ast.unparse(node), "cell", "exec")
    symbols = table.get_symbols()
    given = frozenset(one.get_name() for one in symbols if one.is_assigned() or one.is_imported())
    given |= frozenset(_starred(node))
    perhaps = given if isinstance(node, _PERHAPS) else frozenset()
    needs = {True: {AWAIT} if _awaits(node) else set[str](), False: set[str]()}
    for name, is_now in _needs(table, is_now=True):
        needs[is_now].add(name)
    return Bindings(
        sets=given - perhaps,
        changes=perhaps | frozenset(_changed(node)),
        now=frozenset(needs[True]),
        later=frozenset(needs[False]),
    )


def _needs(table: symtable.SymbolTable, *, is_now: bool) -> Iterator[tuple[str, bool]]:
    is_top = table.get_type() == "module"
    for one in table.get_symbols():
        if one.is_referenced() and (is_top or one.is_global()):
            yield one.get_name(), is_now
    for child in table.get_children():
        is_called = child.get_type() == "function" and child.get_name() not in _COMPREHENSIONS
        yield from _needs(child, is_now=is_now and not is_called)


def _changed(node: ast.stmt) -> Iterator[str]:
    """Yield the names changed in place: by items, attributes, and usual methods."""
    for one in ast.walk(node) if not isinstance(node, _FUNCTIONS) else ():
        match one:
            case (
                ast.Attribute(ctx=ast.Store() | ast.Del())
                | ast.Subscript(ctx=ast.Store() | ast.Del())
            ):
                yield from _root(one)
            case ast.Call(func=ast.Attribute(value=value, attr=name)) if name in _MUTATORS:
                yield from _root(value)


def _root(node: ast.expr) -> Iterator[str]:
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    if isinstance(node, ast.Name):
        yield node.id


def _awaits(node: ast.AST) -> bool:
    if isinstance(node, (*_FUNCTIONS, ast.Lambda)):
        return False
    is_one = isinstance(node, ast.Await | ast.AsyncFor | ast.AsyncWith)
    return is_one or any(map(_awaits, ast.iter_child_nodes(node)))


def _starred(node: ast.stmt) -> Iterator[str]:
    """Yield the names that `from … import *` gives: the module is there, as it was imported."""
    match node:
        case ast.ImportFrom(module=str(name), names=[ast.alias(name="*")]):
            module = sys.modules.get(name)
            public = (one for one in vars(module) if not one.startswith("_")) if module else ()
            yield from getattr(module, "__all__", public)


@dataclass(frozen=True)
class Statement:
    """A statement as it was written, its place, and its names."""

    text: str
    first: int
    last: int
    file: str
    place: str
    names: Bindings


def read_statements(file: str, cells: Mapping[str, int]) -> list[Statement]:
    """Return the statements at the top of a file or cell; none if it is not Python."""
    lines = linecache.getlines(file)
    where = f"cell {cells[file]}, line " if file in cells else f"{file}:"
    try:
        tree = ast.parse("".join(lines))
    except SyntaxError:
        return []
    return [_statement(node, lines, file, where) for node in tree.body]


def cells_until_now() -> dict[str, int]:
    """Return the cells that this notebook has run, in order: their numbers by Python's names."""
    shell = current_shell()
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
    """Return a statement as it was written, or unparsed if others share its lines."""
    behind = lines[-1].encode()[node.end_col_offset or 0 :].decode().strip()
    if node.col_offset or (behind and not behind.startswith("#")):
        return ast.unparse(node)
    return "".join(lines).rstrip()
