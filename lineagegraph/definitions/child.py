"""The process that imports one definition file.

`… child FILE ROOT NAMESPACE ZONE VARIABLES ANSWER`; the last two are files.
"""

import json
import os
import sys
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path

import msgspec
from msgspec.structs import replace

from lineagegraph.definitions.answer import Answer, Read, Refused, Stated
from lineagegraph.definitions.archive import pack
from lineagegraph.definitions.blame import blame
from lineagegraph.definitions.declared import collecting
from lineagegraph.definitions.files import needed_files
from lineagegraph.definitions.handle import Handle
from lineagegraph.definitions.kinds import Group, TaskFunction
from lineagegraph.definitions.load import resolve
from lineagegraph.definitions.pipelines import PipelineHandle
from lineagegraph.definitions.project import module_name
from lineagegraph.definitions.variables import Handed, offering
from lineagegraph.errors import DefinitionError


def main(file: str, root: str, namespace: str, zone: str, variables: str, answer: str) -> None:
    """Import the file and write what it declares; leave without waiting for its threads."""
    handed = Handed(json.loads(Path(variables).read_bytes()))
    with offering(handed):
        answered = _answer(Path(file), Path(root), namespace, zone)
    answered = replace(answered, variables=handed.seen)
    Path(answer).write_bytes(msgspec.msgpack.encode(answered))
    os._exit(0)


def _answer(file: Path, root: Path, namespace: str, zone: str) -> Answer:
    try:
        with collecting(namespace, zone) as found:
            _import(file, root)
        own = [one for one in found.pipelines if Path(one.origin.declared_in) == file]
        return _read(own, file, root)
    except BaseException as error:
        known = isinstance(error, DefinitionError)
        name = type(error).__name__ if known else DefinitionError.__name__
        return Refused(name, blame(error, file, root))


def _import(file: Path, root: Path) -> None:
    # Python takes a .pyc for current if size and second of the change agree: write none.
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(root))
    name = module_name(file, root)
    module = import_module(name)
    if module.__file__ is None or Path(module.__file__) != file:
        raise DefinitionError(
            f"{file.relative_to(root)}: module name {name} is taken by {module.__file__}: "
            "rename the file"
        )


def _read(own: list[PipelineHandle], file: Path, root: Path) -> Answer:
    if not own:
        return Read((), None)
    _check_names(own)
    for function in _functions(own):
        _check_reachable(function)
    stated = tuple(Stated(one.definition, one.origin.line) for one in own)
    files = needed_files(file, root, [one.definition for one in own])
    return Read(stated, pack(root, files))


def _check_names(own: list[PipelineHandle]) -> None:
    seen: dict[tuple[str, str], PipelineHandle] = {}
    for one in own:
        other = seen.setdefault((one.namespace, one.name), one)
        if other is not one:
            raise DefinitionError(
                f"{one.origin}: pipeline {one.name} is defined at {other.origin} as well: "
                "rename one"
            )


def _functions(handles: Iterable[Handle]) -> Iterator[TaskFunction[..., object]]:
    for handle in handles:
        if isinstance(handle, TaskFunction):
            yield handle
        elif isinstance(handle, Group | PipelineHandle):
            yield from _functions(handle.tasks)


def _check_reachable(task: TaskFunction[..., object]) -> None:
    function = task.function
    try:
        found = resolve(function.__module__, function.__qualname__)
    except DefinitionError:
        found = None
    if found is not function:
        raise DefinitionError(
            f"{task.origin}: task {task.name}: no function is found as "
            f"{function.__module__}:{function.__qualname__}; define it with `def` at the top "
            "level of a module, and put @lg.task above its other decorators"
        )


if __name__ == "__main__":
    main(*sys.argv[1:])
