"""Import one definition file in this process."""

import importlib
import json
import os
import re
import select
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path

import msgspec
from msgspec.structs import replace

from lineagegraph.authoring.batch_files.read import state_batch
from lineagegraph.authoring.batch_files.recognise import SUFFIX
from lineagegraph.authoring.declared import Declared, collecting, statement_of
from lineagegraph.authoring.origin import shown
from lineagegraph.authoring.pipelines import PipelineHandle, pipelines_of
from lineagegraph.authoring.project_scope import ProjectScope
from lineagegraph.authoring.variables import GivenVariables, offering
from lineagegraph.code.by_value.pack import keep_functions
from lineagegraph.code.closure import Closures, CodeHash
from lineagegraph.code.files import existing_files, imported_files, named_files, own_files
from lineagegraph.code.nondeterminism import find_nondeterminism
from lineagegraph.errors import DefinitionError
from lineagegraph.project.archive import SourceArchive, contents, pack
from lineagegraph.project.root import is_own, module_name, relative_paths
from lineagegraph.reading.importer import (
    Answer,
    ImportedFile,
    ImportRefused,
    ImportRequest,
    Inputs,
    StatedPipeline,
)
from lineagegraph.reading.observe import VARIABLE, ImportGuards, ImportObserver
from lineagegraph.secrets import mask_text
from lineagegraph.text import storable


def locate_error(error: BaseException, file: Path, root: Path) -> str:
    """Return one line: file, line, and the error, without secrets."""
    return storable(mask_text(_located(error, file, root)))


def _located(error: BaseException, file: Path, root: Path) -> str:
    if isinstance(error, DefinitionError):
        return str(error)
    if isinstance(error, SyntaxError) and error.filename:
        return f"{shown(error.filename)}:{error.lineno or 1}: syntax error: {error.msg}"
    where = _line(error, file, root)
    if isinstance(error, SystemExit):
        return f"{where}: the file ends Python (sys.exit({error.code!r})) when it is imported"
    message = " ".join(str(error).split())
    return f"{where}: {type(error).__name__}: {message}"[:1000]


def _line(error: BaseException, file: Path, root: Path) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if is_own(Path(frame.filename), root)]
    return f"{shown(own[-1].filename)}:{own[-1].lineno}" if own else f"{shown(str(file))}:1"


_FRAME = re.compile(r'File "(.+)", line (\d+) in ')
_PAUSE_SECONDS = 0.05


def find_line(trace: int, request: ImportRequest, seconds: float) -> str:
    """Return the project's innermost line of a traceback in a pipe, or the file without a line.

    Waits so many seconds for its begin.
    """
    root = Path(request.root)
    for name, line in _FRAME.findall(_read(trace, seconds)):
        if is_own(Path(name), root):
            return f"{Path(name).relative_to(root)}:{line}"
    return request.shown


def _read(trace: int, seconds: float) -> str:
    text = b""
    while select.select([trace], [], [], _PAUSE_SECONDS if text else seconds)[0]:
        chunk = os.read(trace, 1 << 16)
        if not chunk:
            break
        text += chunk
    return text.decode(errors="replace")


class FileImport:
    """One import."""

    def __init__(
        self,
        request: ImportRequest,
        answer: int,
        tell: Callable[[str, str], None] = lambda kind, name: None,
    ) -> None:
        self._request = request
        self._file, self._root = Path(request.file), Path(request.root)
        self._answer = answer
        self._observer = ImportObserver(self._root, tell)
        self._named: set[str] = set()
        self._given = GivenVariables(json.loads(request.variables), partial(tell, VARIABLE))
        self._guards = ImportGuards(self._root, self._refuse)

    def answer(self, trace: int) -> Answer:
        """Import the file, and return its declarations or the error."""
        with offering(self._given):
            return replace(self._answer_once(trace), variables=self._given.seen)

    def _answer_once(self, trace: int) -> Answer:
        try:
            with self._collecting() as declared:
                self._named = declared.named_files
                self._observer.start()
                self._guards.start(trace)
                _import(self._file, self._root)
            self._stop()
            return self._read(declared)
        except BaseException as error:
            self._stop()
            known = isinstance(error, DefinitionError)
            name = type(error).__name__ if known else DefinitionError.__name__
            return ImportRefused(
                name, locate_error(error, self._file, self._root), self._failed_inputs()
            )

    @property
    def opened(self) -> set[str] | None:
        """The files that the import read; None if it did more, such as to list a folder."""
        return self._observer.files if self._observer.is_idle else None

    def rehearse(self) -> Answer:
        """Import the file, which is ours, without limits; hooks would stay in this process."""
        with self._collecting() as declared:
            _import(self._file, self._root)
        return self._read(declared)

    def write(self, answer: Answer) -> None:
        """Write a whole answer; text that is not Unicode, such as a file's name, is an error."""
        try:
            content = msgspec.msgpack.encode(answer)
        except UnicodeEncodeError as error:
            message = f"{self._request.shown}: not Unicode, and cannot be stored: {error.object!a}"
            inputs = self._failed_inputs().storable()
            content = msgspec.msgpack.encode(
                ImportRefused(
                    DefinitionError.__name__, mask_text(message[:1000]), inputs, answer.variables
                )
            )
        with os.fdopen(self._answer, "wb", closefd=False) as stream:
            stream.write(content)

    def _collecting(self) -> AbstractContextManager[Declared]:
        request, statement = self._request, statement_of(self._file)
        return collecting(request.namespace, request.zone, request.file, request.root, statement)

    def _refuse(self, message: str) -> None:
        self._observer.stop()
        inputs, given = self._failed_inputs(), self._given.seen
        self.write(ImportRefused(DefinitionError.__name__, message, inputs, given))

    def _stop(self) -> None:
        self._observer.stop()
        self._guards.stop()

    def _read(self, declared: Declared) -> Answer:
        if self._guards.fork:
            raise DefinitionError(
                f"{self._guards.fork}: the file forks Python when it is imported: start processes "
                "in a task"
            )
        own = [one for one in pipelines_of(declared) if one.origin.declared_in == str(self._file)]
        _check_names(own)
        opened = {Path(file) for file in (*self._observer.files, *self._named)}
        unsteady = (*self._observer.unsteady, *find_nondeterminism(own_files(self._root)))
        imported = imported_files(self._file, self._root, map(Path, self._observer.modules))
        data = [opened | named_files([one.definition], self._root) for one in own]
        files = sorted(imported | existing_files(opened.union(*data), self._root))
        source = pack(self._root, files, self._request.archive_bytes) if own else None
        return ImportedFile(
            stated=tuple(self._state(own, source, imported, data)) if source else (),
            source=source,
            inputs=self._inputs(files),
            statement=declared.statement,
            unsteady=tuple(dict.fromkeys(unsteady)),
        )

    def _state(
        self,
        own: list[PipelineHandle],
        source: SourceArchive,
        imported: set[Path],
        data: list[set[Path]],
    ) -> Iterator[StatedPipeline]:
        python = (file for file in imported if file.suffix == ".py")
        modules = relative_paths(python, self._root)
        scope = ProjectScope(self._root, frozenset(source.files))
        closures = Closures(contents(source), modules)
        for one, paths in zip(own, data, strict=True):
            file, line = one.origin.file, one.origin.line
            (stated_in,) = relative_paths([Path(file)], self._root) or {file}
            read = relative_paths(paths, self._root)
            hashed = closures.hash(one.definition, stated_in, line, read)
            yield _state(one, scope, hashed)

    def _failed_inputs(self) -> Inputs:
        """Return the inputs of a failed import, which may fail for want of a module."""
        inputs = self._inputs(())
        folders = {str(self._root), str(self._file.parent), *inputs.folders}
        return Inputs(inputs.files, tuple(sorted(folders)))

    def _inputs(self, files: Iterable[Path]) -> Inputs:
        loaded = {self._file, *own_files(self._root), *files}
        seen = self._observer
        read = {*map(str, loaded), *seen.modules, *seen.files, *seen.linked_files, *self._named}
        folders = seen.folders | seen.linked_folders
        return Inputs(tuple(sorted(read | seen.missing)), tuple(sorted(folders)))


def _import(file: Path, root: Path) -> None:
    if file.suffix == SUFFIX:
        state_batch(file)
        return
    name = module_name(file, root)
    module = importlib.import_module(name)
    # Modules in C, such as atexit, have no file.
    taken_by = getattr(module, "__file__", None)
    if taken_by is None or Path(taken_by) != file:
        raise DefinitionError(
            f"{file.relative_to(root)}: module name {name} is taken by {taken_by or 'Python'}: "
            "rename the file"
        )


def _check_names(own: list[PipelineHandle]) -> None:
    seen: dict[tuple[str, str], PipelineHandle] = {}
    for one in own:
        other = seen.setdefault((one.namespace, one.name), one)
        if other is not one:
            raise DefinitionError(
                f"{one.origin}: pipeline {one.name} is defined at {other.origin} as well: "
                "rename one"
            )


def _state(one: PipelineHandle, own: ProjectScope, hashed: CodeHash) -> StatedPipeline:
    parents = {
        task.name: {parent.terms.job: str(parent.origin) for parent in task.dependencies}
        for task in one.tasks
        if task.dependencies
    }
    code = keep_functions(one, own)
    return StatedPipeline(one.definition, one.origin.line, hashed, code, parents)
