"""A definition file that was read, with all that it states, in one transaction."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from lineagegraph.definitions.parser import Parsed, ParsedPipeline
from lineagegraph.errors import GraphError, LineagegraphError
from lineagegraph.graph import Graph, Transaction
from lineagegraph.model.canonical import canonical_json
from lineagegraph.model.names import name_job
from lineagegraph.parsing.place import place
from lineagegraph.parsing.places import Target, this_host
from lineagegraph.parsing.write_pipeline import Synced, write_pipeline
from lineagegraph.scheduling import withdraw_definition
from lineagegraph.settings import Settings
from lineagegraph.store import definition_files

_RETRY_SECONDS = 60.0
_PLACE = re.compile(r"(\S+):(\d+): ")


class Written(NamedTuple):
    """What came of a file: its pipelines, what is wrong with it, and what it states no more."""

    pipelines: list[Synced]
    faults: list[str]
    withdrawn: list[str]


class Overtaken(LineagegraphError):
    """Another process has read the file meanwhile."""


class _Unusable(LineagegraphError):
    """A pipeline that the graph cannot take, by its index."""

    def __init__(self, index: int, message: str) -> None:
        super().__init__(message)
        self.index = index


def write_file(
    graph: Graph,
    settings: Settings,
    target: Target,
    parsed: Parsed,
    *,
    fingerprint: str,
    clashes: Mapping[int, str],
    elsewhere: Sequence[str] = (),
) -> Written:
    """Write what a file states, but for pipelines that clash or that the graph cannot take.

    Those stay as they are, and become faults. Pipelines that it states no more are withdrawn,
    unless they are stated `elsewhere`. Raises `Overtaken`.
    """
    placed = [place(one, settings) for one in parsed.pipelines]
    writing = _Writing(settings, target, parsed, placed, fingerprint, list(elsewhere))
    refused = dict(clashes)
    while True:
        try:
            return graph.write(writing.write, refused)
        except _Unusable as error:
            refused[error.index] = str(error)


class _Writing(NamedTuple):
    settings: Settings
    target: Target
    parsed: Parsed
    pipelines: list[ParsedPipeline]
    fingerprint: str
    elsewhere: list[str]

    def write(self, tx: Transaction, refused: Mapping[int, str]) -> Written:
        key = self._claim(tx)
        keys = {index: job_key(one) for index, one in enumerate(self.pipelines)}
        synced = [
            self._write_one(tx, index, one)
            for index, one in enumerate(self.pipelines)
            if index not in refused
        ]
        rows = [
            {"job_key": keys[index], "line": one.line}
            for index, one in enumerate(self.pipelines)
            if index not in refused
        ]
        definition_files.link_pipelines(tx, key=key, rows=rows)
        withdrawn = [] if self.parsed.fault else self._withdraw(tx, key, list(keys.values()))
        faults = [self.parsed.fault] if self.parsed.fault else list(refused.values())
        definition_files.set_file(
            tx, key=key, properties=self._properties(), seconds=self._seconds(faults), now=None
        )
        if faults or (self.target.row and self.target.row.faulty):
            rows = [_fault(fault, self.target.path) for fault in faults]
            definition_files.merge_faults(tx, key=key, faults=rows, now=None)
        return Written(synced, faults, withdrawn)

    def _claim(self, tx: Transaction) -> str:
        target = self.target
        turn = definition_files.claim_file(
            tx,
            key=target.key,
            host=this_host(),
            root=str(target.root),
            path=target.path,
            file=str(target.file),
        )
        if turn != (target.row.turn if target.row else 0):
            raise Overtaken(f"{target.path}: another process has read it meanwhile")
        return target.key

    def _write_one(self, tx: Transaction, index: int, one: ParsedPipeline) -> Synced:
        try:
            return write_pipeline(tx, one, application=self.settings.application)
        except GraphError:
            raise
        except LineagegraphError as error:
            where = f"{one.version.file}:{one.line}"
            name = one.version.pipeline.name
            raise _Unusable(index, f"{where}: pipeline {name}: {error}") from error

    def _withdraw(self, tx: Transaction, key: str, stated: list[str]) -> list[str]:
        if self.target.row is None:
            return []
        keep = [*stated, *self.elsewhere]
        withdrawn = definition_files.set_withdrawn(tx, key=key, keep=keep, now=None)
        for one in withdrawn:
            withdraw_definition(tx, starts=one.key)
        return [one.fqn for one in withdrawn]

    def _properties(self) -> dict[str, Any]:
        parsed, settings = self.parsed, self.settings
        # A reading that failed changes what is watched, and not what is in force.
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

    def _seconds(self, faults: Sequence[str]) -> float | None:
        if faults:
            return _RETRY_SECONDS
        if not is_dynamic(self.parsed):
            return None
        return self.parsed.statement.every or self.settings.dynamic_seconds


def is_dynamic(parsed: Parsed) -> bool:
    """Say whether a file is read again though nothing that it depends on has changed."""
    said = parsed.statement.dynamic
    return bool(parsed.unsteady) if said is None else said


def withdraw_file(graph: Graph, target: Target) -> list[str]:
    """Forget a file, and withdraw the pipelines that it declared; return their names."""

    def write(tx: Transaction) -> list[str]:
        withdrawn = definition_files.set_withdrawn(tx, key=target.key, keep=[], now=None)
        for one in withdrawn:
            withdraw_definition(tx, starts=one.key)
        definition_files.delete_file(tx, key=target.key)
        return [one.fqn for one in withdrawn]

    return graph.write(write)


def job_key(one: ParsedPipeline) -> str:
    """Return the key of the job that a pipeline is."""
    return name_job(one.version.pipeline.namespace, one.version.pipeline.name).key


def _fault(message: str, path: str) -> dict[str, Any]:
    found = _PLACE.match(message)
    return {
        "file": found[1] if found else path,
        "line": int(found[2]) if found else None,
        "message": message,
    }
