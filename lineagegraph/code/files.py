"""The files of a project that a definition needs."""

import os
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path

from lineagegraph.authoring.checked_values import texts_in
from lineagegraph.model.pipelines.definition import (
    Cluster,
    CommandTask,
    NotebookTask,
    Pipeline,
    SparkSubmitTask,
    Task,
)
from lineagegraph.model.pipelines.hierarchy import tasks_in
from lineagegraph.project.imports import with_imported
from lineagegraph.project.loaded import loaded_modules
from lineagegraph.project.programs import programs_of
from lineagegraph.project.root import is_own


def existing_files(paths: Iterable[Path], root: Path) -> set[Path]:
    """Return those paths that are files of the project."""
    return {path for path in paths if is_own(path, root) and path.is_file()}


def imported_files(file: Path, root: Path, loaded: Iterable[Path] = ()) -> set[Path]:
    """Return the definition file, and the project's modules that it imports.

    Call it after the import. It includes modules that functions would import, and `loaded` ones,
    which may not be among Python's modules.
    """
    imported = {one for one in (file, *own_files(root), *loaded) if one.suffix == ".py"}
    return {file, *with_imported(imported, root)}


def named_files(pipelines: Iterable[Pipeline], root: Path) -> set[Path]:
    """Return the files of the project that commands of tasks and clusters name, and their own."""
    commands: list[Sequence[str]] = []
    for pipeline in pipelines:
        commands += _commands(pipeline.tasks)
        commands += (one for cluster in pipeline.clusters for one in _programs(cluster))
    words = (word for command in commands for word in command)
    return {*_existing(words, root), *programs_of(commands, root)}


def own_files(root: Path) -> Iterator[Path]:
    """Yield the sources of the project's modules that are loaded now."""
    below = f"{str(root).rstrip(os.sep)}{os.sep}"
    files = (getattr(module, "__file__", None) for module in loaded_modules())
    for name in map(_real_path, filter(None, files)):
        if name.startswith(below) and name.endswith(".py") and is_own(Path(name), root):
            yield Path(name)


@cache
def _real_path(name: str) -> str:
    return os.path.realpath(name)


def _commands(tasks: Iterable[Task]) -> Iterator[Sequence[str]]:
    for task in tasks:
        match task.work:
            case CommandTask(command=command):
                yield command
            case SparkSubmitTask(file=file, args=args):
                yield (file, *args)
            case NotebookTask(file=file, params=params):
                yield (file, *texts_in(params))
            case work:
                yield from _commands(tasks_in(work))


def _programs(cluster: Cluster) -> Iterator[Sequence[str]]:
    yield from (one for one in (cluster.create, cluster.destroy) if isinstance(one, tuple))


def _existing(texts: Iterable[str], root: Path) -> Iterator[Path]:
    for text in texts:
        if text and "\0" not in text and len(text) < 1024 and not Path(text).is_absolute():
            file = (root / text).resolve()
            if is_own(file, root) and file.is_file():
                yield file
