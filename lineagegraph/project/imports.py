"""The project's modules that sources import, found without running them."""

import ast
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from lineagegraph.project.root import is_own, module_file, module_name
from lineagegraph.project.syntax import syntax_nodes


def with_imported(files: set[Path], root: Path) -> set[Path]:
    """Return sources with the project's sources that they import, directly or not."""
    return with_used(files, lambda file: _imported(file, root))


def with_used(files: Iterable[Path], used: Callable[[Path], Iterable[Path]]) -> set[Path]:
    """Return files with those that they use, and what these use in turn."""
    found = set(files)
    pending = list(found)
    while pending:
        more = set(used(pending.pop())) - found
        found |= more
        pending += more
    return found


def imported_by(text: str, root: Path) -> set[Path]:
    """Return the files of the project that a text imports; none if it is not valid Python."""
    try:
        nodes = list(ast.walk(ast.parse(text)))
    except SyntaxError:
        return set()
    names = (name for node in nodes for name in _names(node, []))
    return {file for name in names for file in _with_packages(name, root)}


def _imported(file: Path, root: Path) -> Iterator[Path]:
    package = module_name(file, root).split(".")
    if file.name != "__init__.py":
        package.pop()
    for node in syntax_nodes(file.read_bytes()):
        for name in _names(node, package):
            yield from _with_packages(name, root)


def _names(node: ast.AST, package: list[str]) -> list[str]:
    """Return the modules that a statement may import; `from a import b` may mean `a.b`."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.Call):
        return _called(node)
    if not isinstance(node, ast.ImportFrom):
        return []
    above = package[: len(package) + 1 - node.level] if node.level else []
    base = [*above, *([node.module] if node.module else [])]
    return [".".join([*base, alias.name]) for alias in node.names]


def _called(node: ast.Call) -> list[str]:
    """Return the module of `import_module("a.b")`, however it is reached."""
    match node:
        case ast.Call(
            func=ast.Name(id="import_module") | ast.Attribute(attr="import_module"),
            args=[ast.Constant(value=str(name)), *_],
        ):
            return [name] if not name.startswith(".") else []
    return []


def _with_packages(module: str, root: Path) -> Iterator[Path]:
    parts = module.split(".")
    for length in range(1, len(parts) + 1):
        file = module_file(".".join(parts[:length]), root)
        if file is not None and is_own(file, root):
            yield file
