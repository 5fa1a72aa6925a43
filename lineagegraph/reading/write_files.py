"""Write definition files that were read, several in one transaction."""

import re
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from lineagegraph.errors import GraphBusy, LineagegraphError, QueryRefused
from lineagegraph.graph import Graph, Transaction
from lineagegraph.model.names.keys import canonical_json, name_job
from lineagegraph.reading.definition_files import DefinitionFile, path_marks, this_host
from lineagegraph.reading.parser import Parsed, ParsedPipeline
from lineagegraph.reading.write_versions import SyncedPipeline, UnusablePipelines, write_pipelines
from lineagegraph.settings import Settings
from lineagegraph.store.admin.audit import AuditedChange, audit_each
from lineagegraph.store.jobs.jobs import delete_empty
from lineagegraph.store.pipelines import definition_files, definition_paths
from lineagegraph.triggers.of_definition import withdraw_definition

_RETRY_SECONDS = 60.0
_PLACE = re.compile(r"(\S+?):(\d+)(?::\d+)?: ")


class WrittenFile(NamedTuple):
    """The result of writing a file: its pipelines, its faults, and withdrawn pipelines."""

    pipelines: list[SyncedPipeline]
    faults: list[str]
    withdrawn: list[str]


class FileToWrite(NamedTuple):
    """A file to write, without its `refused` pipelines."""

    target: DefinitionFile
    settings: Settings
    parsed: Parsed
    pipelines: list[ParsedPipeline]
    #: hash of the inputs of its reading
    fingerprint: str
    #: keys of jobs that other files state now, which are not withdrawn
    elsewhere: list[str]
    #: faults of pipelines by index; these stay as they are in the graph
    refused: dict[int, str]

    @property
    def accepted(self) -> list[tuple[int, ParsedPipeline]]:
        """The pipelines that are written, with their indexes."""
        each = enumerate(self.pipelines)
        return [(index, one) for index, one in each if index not in self.refused]

    @property
    def keys(self) -> list[str]:
        """The keys of the jobs of its pipelines."""
        return [job_key(one) for one in self.pipelines]

    @property
    def faults(self) -> list[str]:
        """The faults of the file."""
        return [self.parsed.fault] if self.parsed.fault else list(self.refused.values())

    def pipeline_rows(self) -> list[dict[str, Any]]:
        """Return the jobs that it declares, with their lines."""
        return [
            {"key": self.target.key, "job_key": job_key(one), "line": one.line}
            for _, one in self.accepted
        ]

    def file_row(self) -> dict[str, Any]:
        """Return the results of reading the file."""
        return {
            "key": self.target.key,
            "properties": self._properties(),
            "faults": self.faults,
            "seconds": self._seconds(),
        }

    def fault_rows(self) -> list[dict[str, Any]]:
        """Return its faults with their places."""
        return [_fault(fault, self.target.path) for fault in self.faults]

    def _properties(self) -> dict[str, Any]:
        parsed, settings = self.parsed, self.settings
        # A reading that failed changes the watched inputs, but not the active definition.
        seen = {} if parsed.fault else {"variable_values": canonical_json(parsed.variables)}
        return seen | {
            "namespace": settings.namespace,
            "zone": settings.zone,
            "application": settings.application,
            "fingerprint": self.fingerprint,
            "files": list(parsed.inputs.files),
            "folders": list(parsed.inputs.folders),
            "variables": sorted(parsed.variables),
            "dynamic": is_dynamic(parsed),
            "unsteady": list(parsed.unsteady),
        }

    def _seconds(self) -> float | None:
        if self.faults:
            return _RETRY_SECONDS
        if not is_dynamic(self.parsed):
            return None
        return self.parsed.statement.every or self.settings.dynamic_seconds


def is_dynamic(parsed: Parsed) -> bool:
    """Return whether a file is read again even if no input has changed."""
    stated = parsed.statement.dynamic
    return bool(parsed.unsteady) if stated is None else stated


def withdraw(tx: Transaction, key: str, keep: Sequence[str]) -> list[str]:
    """Withdraw the pipelines of a file except some jobs, and return their names."""
    withdrawn = definition_files.set_withdrawn(tx, key=key, keep=list(keep), now=None)
    before, after = {"withdrawn": False}, {"withdrawn": True}
    changes = [AuditedChange(key=one.key, before=before, after=after) for one in withdrawn]
    audit_each(tx, "pipeline.withdraw", changes)
    for one in withdrawn:
        withdraw_definition(tx, starts=one.key)
    delete_empty(tx, keys=sorted({stub for one in withdrawn for stub in one.stubs}))
    return [one.fqn for one in withdrawn]


def withdraw_file(graph: Graph, target: DefinitionFile) -> list[str]:
    """Forget a file and withdraw its pipelines; return their names."""
    return graph.write(_forget, target)


def withdraw_gone(graph: Graph, target: DefinitionFile) -> list[str]:
    """Forget a file that is gone, unless another process has read it in the meantime."""

    def write(tx: Transaction) -> list[str]:
        _claim(tx, [target])
        return _forget(tx, target)

    try:
        return graph.write(write)
    except _Overtaken:
        return []


def _forget(tx: Transaction, target: DefinitionFile) -> list[str]:
    names = withdraw(tx, target.key, [])
    definition_files.delete_file(tx, key=target.key)
    return names


def job_key(one: ParsedPipeline) -> str:
    """Return the key of a pipeline's job."""
    return name_job(one.version.pipeline.namespace, one.version.pipeline.name).key


def _fault(message: str, path: str) -> dict[str, Any]:
    found = _PLACE.match(message)
    return {
        "file": found[1] if found else path,
        "line": int(found[2]) if found else None,
        "message": message,
    }


class _Overtaken(LineagegraphError):
    """Some files, with these keys, were read or forgotten by another process in the meantime."""

    def __init__(self, keys: set[str]) -> None:
        super().__init__(f"{len(keys)} files were read or forgotten in the meantime")
        self.keys = keys


def write_files(graph: Graph, files: Sequence[FileToWrite]) -> dict[str, WrittenFile]:
    """Write files in one transaction, and return the results by key.

    Pipelines that the graph refuses become faults of their files. Files that another process has
    read in the meantime are skipped, and not returned.
    """
    files = list(files)
    while files:
        try:
            return graph.write(_write, files)
        except UnusablePipelines as error:
            for refusal in error.refusals:
                _refuse(files, _changed(files, refusal.pipelines), refusal.reason)
        except _Overtaken as error:
            files = [one for one in files if one.target.key not in error.keys]
        except (GraphBusy, QueryRefused) as error:
            if len(files) > 1:
                return _write_each(graph, files)
            if isinstance(error, GraphBusy) or not files[0].accepted:
                raise
            _refuse(files, files[0].pipelines, str(error))
    return {}


def rehearse_writing(graph: Graph, files: Sequence[FileToWrite]) -> None:
    """Let Neo4j plan the statements that write files; nothing is kept."""
    with suppress(LineagegraphError):
        graph.rehearse(lambda tx: _write(tx, list(files)))


def _write_each(graph: Graph, files: Sequence[FileToWrite]) -> dict[str, WrittenFile]:
    """Write files one by one, as a server's error does not name the file."""
    each = (write_files(graph, [one]) for one in files)
    return {key: written for some in each for key, written in some.items()}


def _write(tx: Transaction, files: list[FileToWrite]) -> dict[str, WrittenFile]:
    _claim(tx, [one.target for one in files])
    synced = _write_pipelines(tx, files)
    rows = [row for one in files for row in one.pipeline_rows()]
    definition_files.link_pipelines(tx, rows=rows)
    withdrawn = {one.target.key: _withdraw(tx, one) for one in files}
    definition_files.set_files(tx, rows=[one.file_row() for one in files], now=None)
    for one in files:
        if one.faults or (one.target.row and one.target.row.faults):
            faults = one.fault_rows()
            definition_files.merge_faults(tx, key=one.target.key, faults=faults, now=None)
    return {
        key: WrittenFile(synced[key], one.faults, withdrawn[key])
        for one in files
        for key in (one.target.key,)
    }


def _claim(tx: Transaction, targets: list[DefinitionFile]) -> None:
    if forgotten := _list_forgotten(tx, [one for one in targets if one.row is None]):
        raise _Overtaken(forgotten)
    claimed = definition_files.claim_files(tx, rows=[_claim_row(one) for one in targets])
    turns = {row.key: row.turn for row in claimed}
    expected = {one.key: one.row.turn if one.row else 0 for one in targets}
    if overtaken := {key for key, turn in expected.items() if turns[key] != turn}:
        raise _Overtaken(overtaken)


def _list_forgotten(tx: Transaction, targets: list[DefinitionFile]) -> set[str]:
    """Return the keys of files whose paths were forgotten since the files were found."""
    if not targets:
        return set()
    definition_paths.claim_paths(tx, host=this_host())
    marks = path_marks(tx)
    return {one.key for one in targets if marks.is_forgotten(one.file)}


def _claim_row(target: DefinitionFile) -> dict[str, Any]:
    place = {"root": str(target.root), "path": target.path, "file": str(target.file)}
    return {"key": target.key, "host": this_host()} | place


def _write_pipelines(tx: Transaction, files: list[FileToWrite]) -> dict[str, list[SyncedPipeline]]:
    places = [(file.target.key, one) for file in files for _, one in file.accepted]
    synced = write_pipelines(
        tx, [one for _, one in places], application=files[0].settings.application
    )
    found: dict[str, list[SyncedPipeline]] = {file.target.key: [] for file in files}
    for (key, _), one in zip(places, synced, strict=True):
        found[key].append(one)
    return found


def _withdraw(tx: Transaction, file: FileToWrite) -> list[str]:
    if file.target.row is None or file.parsed.fault:
        return []
    return withdraw(tx, file.target.key, [*file.keys, *file.elsewhere])


def _changed(
    files: Sequence[FileToWrite], pipelines: Sequence[ParsedPipeline]
) -> Sequence[ParsedPipeline]:
    """Return those that differ from what their file declared before, or all of them."""
    declared = (one for file in files if file.target.row for one in file.target.row.pipelines)
    known = {one.version for one in declared}
    return [one for one in pipelines if one.version.hash not in known] or pipelines


def _refuse(files: Sequence[FileToWrite], pipelines: Sequence[ParsedPipeline], why: str) -> None:
    for file in files:
        for index, one in file.accepted:
            if any(one is other for other in pipelines):
                name, where = one.version.pipeline.name, f"{one.version.file}:{one.line}"
                file.refused[index] = f"{where}: pipeline {name}: {why}"
