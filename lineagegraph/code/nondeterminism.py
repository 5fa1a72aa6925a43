"""Nondeterminism of an import: places that read a clock, the environment or random numbers."""

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from lineagegraph.authoring.origin import shown
from lineagegraph.project.syntax import syntax_nodes, syntax_tree

_CLOCK, _ENVIRONMENT, _CHANCE = "reads the clock", "reads the environment", "draws at random"
_MACHINE, _DISK = "asks for the machine or process", "asks for a file"
_TASKS = ("lineagegraph.task", "lineagegraph.branch")
_MEANINGS = {
    _CLOCK: (
        "datetime.date.today datetime.datetime.now datetime.datetime.today datetime.datetime.utcnow"
        " pandas.Timestamp.now pandas.Timestamp.today pandas.Timestamp.utcnow time.ctime"
        " time.gmtime time.localtime time.monotonic time.monotonic_ns time.perf_counter"
        " time.perf_counter_ns time.process_time time.strftime time.time time.time_ns"
    ),
    _ENVIRONMENT: "os.environ os.environb os.getenv os.path.expandvars",
    _CHANCE: "os.getrandom os.urandom uuid.uuid1 uuid.uuid4 tempfile.mkdtemp tempfile.mkstemp",
    _MACHINE: (
        "getpass.getuser os.getlogin os.getpid os.getppid os.uname platform.node platform.uname"
        " socket.getfqdn socket.gethostname uuid.getnode"
    ),
    _DISK: (
        "os.access os.lstat os.path.exists os.path.getmtime os.path.getsize os.path.isdir"
        " os.path.isfile os.path.lexists os.stat"
    ),
    "reads a database": "sqlite3.connect",
}
_MEANING = {name: meaning for meaning, names in _MEANINGS.items() for name in names.split()}
# All that these modules offer, but for what makes a generator whose seed is given.
_RANDOM = ("random.", "numpy.random.", "secrets.", "tempfile.Named", "tempfile.Temporary")
_SEEDED = (
    "numpy.random.Generator",
    "numpy.random.RandomState",
    "numpy.random.default_rng",
    "numpy.random.seed",
    "random.Random",
    "random.seed",
)
# Calls that read the clock if they are given this text.
_NOW = {"now", "today"}
_DATES = ("pandas.Timestamp", "pandas.to_datetime", "numpy.datetime64")
_PATH_METHODS = {"exists", "is_dir", "is_file", "lstat", "stat"}
_LONGEST = 60
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
        content = file.read_bytes()
        self._tree = syntax_tree(content)
        self._aliases = dict(_aliases(syntax_nodes(content)))

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
        calls = {id(node.func): node for node in nodes if isinstance(node, ast.Call)}
        for node in nodes:
            if not isinstance(node, ast.Attribute | ast.Name):
                continue
            call = calls.get(id(node))
            if meaning := self._meaning(node, call):
                text = ast.unparse(call or node)
                short = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
                yield f"{shown(str(self._file))}:{node.lineno} {meaning}: {short}"

    def _meaning(self, node: ast.Attribute | ast.Name, call: ast.Call | None) -> str | None:
        name = self._full_name(node)
        given = [*call.args, *(one.value for one in call.keywords)] if call else []
        if name in _MEANING:
            return _MEANING[name]
        if name in _SEEDED:
            return None if given else _CHANCE
        if name.startswith(_RANDOM):
            return _CHANCE
        if name in _DATES:
            texts = {one.value for one in given if isinstance(one, ast.Constant)}
            return _CLOCK if texts & _NOW else None
        is_method = isinstance(node, ast.Attribute) and node.attr in _PATH_METHODS
        knows_paths = any(one.startswith("pathlib.Path") for one in self._aliases.values())
        return _DISK if is_method and call and not name and knows_paths else None

    def _is_task(self, node: ast.expr) -> bool:
        called = node.func if isinstance(node, ast.Call) else node
        return self._full_name(called) in _TASKS

    def _full_name(self, node: ast.expr) -> str:
        """Return the full dotted name of an expression, empty if it has none."""
        if isinstance(node, ast.Name):
            return self._aliases.get(node.id, "")
        if isinstance(node, ast.Attribute) and (above := self._full_name(node.value)):
            return f"{above}.{node.attr}"
        return ""


def _aliases(nodes: Iterable[ast.AST]) -> Iterator[tuple[str, str]]:
    for node in nodes:
        if isinstance(node, ast.Import):
            for alias in node.names:
                first = alias.name.partition(".")[0]
                yield (alias.asname or first, alias.name if alias.asname else first)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                yield alias.asname or alias.name, f"{node.module}.{alias.name}"
