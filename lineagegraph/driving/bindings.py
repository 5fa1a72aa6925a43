"""What a statement does with names: gives them values, changes what they stand for, needs them."""

import ast
import symtable
import sys
from collections.abc import Iterator
from dataclasses import dataclass

AWAIT = "await"  # stands among the names for what no module can do
_LISTS = ("append", "clear", "extend", "insert", "pop", "remove", "reverse", "sort")
_MUTATORS = frozenset({*_LISTS, "add", "discard", "popitem", "setdefault", "update"})
_PERHAPS = (ast.If, ast.For, ast.While, ast.Try, ast.Match, ast.AugAssign)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_COMPREHENSIONS = frozenset({"listcomp", "setcomp", "dictcomp", "genexpr"})


@dataclass(frozen=True)
class Bindings:
    """Names that a statement surely sets, those that it may change, and those that it needs.

    It needs some `now`, when it is carried out, and others `later`, when its functions are called.
    """

    sets: frozenset[str]
    changes: frozenset[str]
    now: frozenset[str]
    later: frozenset[str]


def bindings_of(node: ast.stmt) -> Bindings:
    """Return what a statement at the top of a module does with names."""
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
    """Yield the names of what is changed in place: items, attributes, and by usual methods."""
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
