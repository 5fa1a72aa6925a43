"""Nondeterminism of an import: places that read a clock, the environment or random numbers."""

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from lineagegraph.authoring.origin import shown

_CLOCK, _ENVIRONMENT, _CHANCE = "reads the clock", "reads the environment", "draws at random"
_TASK = "lineagegraph.task"
_MEANING = {
    **dict.fromkeys(
        (
            "datetime.date.today",
            "datetime.datetime.now",
            "datetime.datetime.today",
            "datetime.datetime.utcnow",
            "pandas.Timestamp.now",
            "pandas.Timestamp.today",
            "time.ctime",
            "time.gmtime",
            "time.localtime",
            "time.strftime",
            "time.time",
            "time.time_ns",
        ),
        _CLOCK,
    ),
    **dict.fromkeys(("os.environ", "os.environb", "os.getenv"), _ENVIRONMENT),
    **dict.fromkeys(
        (
            "random.choice",
            "random.randint",
            "random.random",
            "random.sample",
            "random.shuffle",
            "uuid.uuid1",
            "uuid.uuid4",
        ),
        _CHANCE,
    ),
}
_Function = ast.FunctionDef | ast.AsyncFunctionDef


class _Piece(NamedTuple):
    """Code that runs together: a function, or the top level of a module."""

    name: str | None
    names: frozenset[str]
    found: tuple[str, ...]


def find_nondeterminism(files: Iterable[Path]) -> Iterator[str]:
    """Yield a line for each such place in these modules, except in functions that are tasks.

    A function counts if its name is used by code that counts.
    """
    pieces = [piece for file in sorted(files) for piece in _Module(file).pieces()]
    counted: set[str] = set()
    new = {name for piece in pieces if piece.name is None for name in piece.names}
    while new - counted:
        counted |= new
        new = {name for piece in pieces if piece.name in counted for name in piece.names}
    for piece in pieces:
        if piece.name is None or piece.name in counted:
            yield from piece.found


class _Module:
    def __init__(self, file: Path) -> None:
        self._file = file
        self._tree = ast.parse(file.read_bytes())
        self._aliases = dict(_aliases(self._tree))

    def pieces(self) -> Iterator[_Piece]:
        """Yield the top level of the module, and each function that is not a task."""
        yield self._piece(None, self._tree.body)
        yield from self._functions(self._tree)

    def _functions(self, node: ast.AST) -> Iterator[_Piece]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, _Function):
                if any(self._is_task(one) for one in child.decorator_list):
                    continue
                yield self._piece(child.name, child.body)
            yield from self._functions(child)

    def _piece(self, name: str | None, body: list[ast.stmt]) -> _Piece:
        nodes = [node for statement in body for node in self._inside(statement)]
        names = {one.id for one in nodes if isinstance(one, ast.Name)}
        names |= {one.attr for one in nodes if isinstance(one, ast.Attribute)}
        return _Piece(name, frozenset(names), tuple(self._found(nodes)))

    def _inside(self, node: ast.AST) -> Iterator[ast.AST]:
        """Yield a node and those below it, without functions' bodies and functions made tasks."""
        yield node
        below: Iterable[ast.AST] = ast.iter_child_nodes(node)
        if isinstance(node, _Function):
            below = [*node.decorator_list, node.args]
        elif isinstance(node, ast.Call) and self._is_task(node.func):
            below = [keyword.value for keyword in node.keywords]
        for child in below:
            yield from self._inside(child)

    def _found(self, nodes: Iterable[ast.AST]) -> Iterator[str]:
        for node in nodes:
            if isinstance(node, ast.Attribute | ast.Name):
                name = self._full_name(node)
                if name in _MEANING:
                    yield f"{shown(str(self._file))}:{node.lineno} {_MEANING[name]} ({name})"

    def _is_task(self, node: ast.expr) -> bool:
        called = node.func if isinstance(node, ast.Call) else node
        return self._full_name(called) == _TASK

    def _full_name(self, node: ast.expr) -> str:
        """Return the full dotted name of an expression, empty if it has none."""
        if isinstance(node, ast.Name):
            return self._aliases.get(node.id, "")
        if isinstance(node, ast.Attribute) and (above := self._full_name(node.value)):
            return f"{above}.{node.attr}"
        return ""


def _aliases(tree: ast.Module) -> Iterator[tuple[str, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                first = alias.name.partition(".")[0]
                yield (alias.asname or first, alias.name if alias.asname else first)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                yield alias.asname or alias.name, f"{node.module}.{alias.name}"
