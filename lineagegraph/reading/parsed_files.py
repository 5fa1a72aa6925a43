"""Batches of definition files that were read together: compare their names, then write them."""

from collections.abc import Callable, Iterator
from functools import cache, cached_property
from pathlib import Path
from typing import NamedTuple, Self

import msgspec

from lineagegraph.code.git import git_state
from lineagegraph.graph import Graph
from lineagegraph.reading.definition_files import DefinitionFile, this_host, to_definition_file
from lineagegraph.reading.name_checks import NameOwner, find_clashes, find_unknown, names_of
from lineagegraph.reading.parser import Parsed, ParsedPipeline
from lineagegraph.reading.write_files import (
    FileToWrite,
    WrittenFile,
    is_dynamic,
    job_key,
    rehearse_writing,
    write_files,
)
from lineagegraph.reading.write_groups import in_groups
from lineagegraph.reading.write_versions import SyncedPipeline, store_source
from lineagegraph.settings import Settings
from lineagegraph.store.admin.processes import ALIVE, DAEMON, LiveProcess, list_live
from lineagegraph.store.pipelines import definition_files
from lineagegraph.store.pipelines.definition_files import FileRow, OtherFile


class DynamicFile(msgspec.Struct, frozen=True):
    """A file that is read again at the start of each run, and the places that cause this."""

    file: str
    because: tuple[str, ...]


class SyncResult(msgspec.Struct):
    """The result of reading definitions, with one line for each failure.

    `withdrawn` are pipelines that no file states any more, `kept` those that could not be read and
    keep their last version, `forgotten` files that were left out because they were forgotten.
    """

    pipelines: list[SyncedPipeline] = []
    failures: list[str] = []
    withdrawn: list[str] = []
    kept: list[str] = []
    dynamic: list[DynamicFile] = []
    forgotten: list[str] = []

    def keep(self, row: FileRow) -> None:
        """Record a file that was not read, as nothing changed or another process has read it."""
        self.failures += row.faults
        self.pipelines += [
            SyncedPipeline(
                one.namespace,
                one.name,
                one.version or "",
                is_new=False,
                file=one.file,
                pinned=one.pinned,
                suspended=dict(one.suspended),
                unknown=one.unknown,
            )
            for one in row.pipelines
        ]

    def add(self, target: DefinitionFile, written: WrittenFile) -> None:
        """Record the result of writing a file."""
        self.pipelines += written.pipelines
        self.failures += written.faults
        self.withdrawn += written.withdrawn
        if written.faults and target.row is not None:
            read = {one.pipeline for one in written.pipelines}
            unread = [one for one in target.row.pipelines if one.name not in read]
            self.kept += [one.name for one in unread if one.name not in written.withdrawn]

    def extend(self, other: Self) -> None:
        """Add all that another result has."""
        for name in self.__struct_fields__:
            getattr(self, name).extend(getattr(other, name))


class ParsedFile(NamedTuple):
    """A file that was read, with its defaults."""

    target: DefinitionFile
    settings: Settings
    parsed: Parsed
    fingerprint: str


def _taken_fault(one: ParsedPipeline, other: OtherFile) -> str:
    where = f"{other.file}:{other.line}" if other.line else other.file
    return (
        f"{one.version.file}:{one.line}: pipeline {one.version.pipeline.name} is defined by "
        f"{where} on host {other.host}, with another version: rename or delete one, or take it "
        "with `lineagegraph sync --take`"
    )


class ParsedFiles:
    """The files of one reading.

    With `take`, pipelines that other projects or hosts define are theirs no longer.
    """

    def __init__(self, graph: Graph, files: list[ParsedFile], *, take: bool = False) -> None:
        self._graph = graph
        self._files = files
        self._take = take
        self._read_git = cache(git_state)

    def add(self, one: ParsedFile) -> None:
        """Add one more file."""
        self._files.append(one)

    def changed_owners(self, is_stale: Callable[[DefinitionFile], bool]) -> list[DefinitionFile]:
        """Return changed files in which one of the names was stated before."""
        paths = sorted({path for root in self._roots() for path in self._owners(root).values()})
        found: list[DefinitionFile] = []
        for path in paths:
            rows = self._graph.read(definition_files.list_files, host=this_host(), path=path)
            found += [one for one in map(to_definition_file, rows) if is_stale(one)]
        return found

    def rehearse(self) -> None:
        """Let Neo4j plan what writing the files needs; nothing is kept."""
        for group in in_groups(self._writings()):
            rehearse_writing(self._graph, group)

    def write(
        self, result: SyncResult, progress: Callable[[int, int], None]
    ) -> list[DefinitionFile]:
        """Write the files; return those that another process has read in the meantime."""
        done, overtaken = len(self._files), []
        for group in in_groups(self._writings()):
            written = write_files(self._graph, group)
            for file in group:
                if file.target.key not in written:
                    overtaken.append(file.target)
                    continue
                result.add(file.target, written[file.target.key])
                if is_dynamic(file.parsed):
                    result.dynamic.append(DynamicFile(file.target.path, file.parsed.unsteady))
            done += len(group)
            progress(done, 2 * len(self._files))
        return overtaken

    def _writings(self) -> Iterator[FileToWrite]:
        clashes = self._clashes()
        for number, faults in enumerate(self._graph.read(find_unknown, self._files)):
            clashes[number] = faults | clashes[number]
        for number, index, fault in () if self._take else self._taken():
            clashes[number].setdefault(index, fault)
        stated = {
            job_key(one): number
            for number, file in enumerate(self._files)
            for one in file.parsed.pipelines
        }
        for number, file in enumerate(self._files):
            declared = file.target.row.pipelines if file.target.row else []
            yield FileToWrite(
                file.target,
                file.settings,
                file.parsed,
                [store_source(one, file.settings, self._read_git) for one in file.parsed.pipelines],
                file.fingerprint,
                [one.key for one in declared if stated.get(one.key, number) != number],
                clashes[number],
            )

    def _clashes(self) -> list[dict[int, str]]:
        """Return for each file its pipelines, by index, whose name is taken, with the error."""
        found: list[dict[int, str]] = [{} for _ in self._files]
        for root in self._roots():
            places = [
                (number, index)
                for number, file in enumerate(self._files)
                for index in range(len(file.parsed.pipelines))
                if file.target.root == root
            ]
            parsed = [self._files[number].parsed.pipelines[index] for number, index in places]
            for at, fault in find_clashes(parsed, self._owners(root)).items():
                number, index = places[at]
                found[number][index] = fault
        return found

    def _taken(self) -> Iterator[tuple[int, int, str]]:
        """Yield pipelines that others define, by file and index, with the error."""
        for root in self._roots():
            places = {
                job_key(one): (number, index)
                for number, file in enumerate(self._files)
                for index, one in enumerate(file.parsed.pipelines)
                if file.target.root == root
            }
            for other in self._graph.read(
                definition_files.list_other_files,
                keys=sorted(places),
                host=this_host(),
                root=str(root),
            ):
                number, index = places[other.key]
                file = self._files[number]
                one = file.parsed.pipelines[index]
                if other.version != one.version.hash and self._is_defined(other, file):
                    yield number, index, _taken_fault(one, other)

    def _is_defined(self, other: OtherFile, file: ParsedFile) -> bool:
        """Return whether a file still defines its pipelines, as far as this host can know."""
        if other.host != this_host():
            return any(one.host == other.host for one in self._daemons)
        return other.file != str(file.target.file) and Path(other.file).exists()

    @cached_property
    def _daemons(self) -> list[LiveProcess]:
        return self._graph.read(list_live, kind=DAEMON, within=ALIVE, now=None)

    def _roots(self) -> list[Path]:
        return sorted({file.target.root for file in self._files})

    def _owners(self, root: Path) -> dict[NameOwner, str]:
        """Return the owners of these names in files that were not read now, with their paths."""
        files = [file for file in self._files if file.target.root == root]
        names = {
            (owner.namespace, owner.name)
            for file in files
            for owner in names_of(file.parsed.pipelines)
        }
        rows = self._graph.read(
            definition_files.list_owners,
            host=this_host(),
            root=str(root),
            names=[{"namespace": namespace, "name": name} for namespace, name in sorted(names)],
            files=[str(file.target.file) for file in files],
        )
        owners = {
            NameOwner(
                row.namespace, row.name, f"{row.path}:{row.line}", row.pipeline, row.task
            ): row
            for row in rows
        }
        paths = {owner: root / row.path for owner, row in owners.items()}
        return {owner: str(path) for owner, path in paths.items() if path.exists()}
