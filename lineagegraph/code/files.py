"""The files of a project that a definition needs."""

import ast
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from lineagegraph.authoring.checked_values import texts_in
from lineagegraph.authoring.project import is_own, module_file, module_name
from lineagegraph.model.pipelines.definition import (
    Cluster,
    CommandTask,
    NotebookTask,
    Pipeline,
    SparkSubmitTask,
    Task,
)
from lineagegraph.model.pipelines.hierarchy import tasks_in


def needed_files(
    file: Path, root: Path, pipelines: Iterable[Pipeline], opened: Iterable[Path] = ()
) -> list[Path]:
    """Return the definition file, the project's modules that it imports, and files its tasks name.

    Call it after the import. It includes imported modules, modules that functions would import, and
    files of the project that were `opened` for reading.
    """
    read = {path for path in opened if is_own(path, root) and path.is_file()}
    imported = {one for one in (file, *own_files(root)) if one.suffix == ".py"}
    found = {file, *with_imported(imported, root)}
    return sorted(found | read | named_files(pipelines, root))


def with_imported(files: set[Path], root: Path) -> set[Path]:
    """Return sources with the project's sources that they import, directly or not."""
    found = set(files)
    pending = list(found)
    while pending:
        more = set(_imported(pending.pop(), root)) - found
        found |= more
        pending += more
    return found


def named_files(pipelines: Iterable[Pipeline], root: Path) -> set[Path]:
    """Return the files of the project that commands of tasks and clusters name."""
    named: list[str] = []
    for pipeline in pipelines:
        named += _texts(pipeline.tasks)
        named += (text for cluster in pipeline.clusters for text in _programs(cluster))
    return set(_existing(named, root))


def imported_by(text: str, root: Path) -> set[Path]:
    """Return the files of the project that a text imports; none if it is not valid Python."""
    try:
        nodes = list(ast.walk(ast.parse(text)))
    except SyntaxError:
        return set()
    names = (name for node in nodes for name in _names(node, []))
    return {file for name in names for file in _with_packages(name, root)}


def own_files(root: Path) -> Iterator[Path]:
    """Yield the sources of the project's modules that are loaded now."""
    for module in list(sys.modules.values()):
        name = getattr(module, "__file__", None)
        if name and (file := Path(name).resolve()).suffix == ".py" and is_own(file, root):
            yield file


def _imported(file: Path, root: Path) -> Iterator[Path]:
    package = module_name(file, root).split(".")
    if file.name != "__init__.py":
        package.pop()
    for node in ast.walk(ast.parse(file.read_bytes())):
        for name in _names(node, package):
            yield from _with_packages(name, root)


def _names(node: ast.AST, package: list[str]) -> list[str]:
    """Return the modules that a statement may import; `from a import b` may mean `a.b`."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if not isinstance(node, ast.ImportFrom):
        return []
    above = package[: len(package) + 1 - node.level] if node.level else []
    base = [*above, *([node.module] if node.module else [])]
    return [".".join([*base, alias.name]) for alias in node.names]


def _with_packages(module: str, root: Path) -> Iterator[Path]:
    parts = module.split(".")
    for length in range(1, len(parts) + 1):
        file = module_file(".".join(parts[:length]), root)
        if file is not None and is_own(file, root):
            yield file


def _texts(tasks: Iterable[Task]) -> Iterator[str]:
    for task in tasks:
        match task.work:
            case CommandTask(command=command):
                yield from command
            case SparkSubmitTask(file=file, args=args):
                yield from (file, *args)
            case NotebookTask(file=file, params=params):
                yield from (file, *texts_in(params))
            case work:
                yield from _texts(tasks_in(work))


def _programs(cluster: Cluster) -> Iterator[str]:
    for program in (cluster.create, cluster.destroy):
        if isinstance(program, tuple):
            yield from program


def _existing(texts: Iterable[str], root: Path) -> Iterator[Path]:
    for text in texts:
        if text and "\0" not in text and len(text) < 1024 and not Path(text).is_absolute():
            file = (root / text).resolve()
            if is_own(file, root) and file.is_file():
                yield file
