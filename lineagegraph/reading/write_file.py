"""A definition file that was read, as it is written; and one that is gone."""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from lineagegraph.graph import Graph, Transaction
from lineagegraph.model.names.canonical import canonical_json
from lineagegraph.model.names.keys import name_job
from lineagegraph.reading.parser import Parsed, ParsedPipeline
from lineagegraph.reading.places import Target, this_host
from lineagegraph.reading.write_pipeline import Synced
from lineagegraph.settings import Settings
from lineagegraph.store.pipelines import definition_files
from lineagegraph.triggers.of_definition import withdraw_definition

_RETRY_SECONDS = 60.0
_PLACE = re.compile(r"(\S+?):(\d+)(?::\d+)?: ")


class Written(NamedTuple):
    """What came of a file: its pipelines, what is wrong with it, and what it states no more."""

    pipelines: list[Synced]
    faults: list[str]
    withdrawn: list[str]


class Writing(NamedTuple):
    """A file to write, but for the pipelines that are `refused`, by their index.

    Those stay as they are, and become faults. Pipelines that it states no more are withdrawn,
    unless they are stated `elsewhere`.
    """

    target: Target
    settings: Settings
    parsed: Parsed
    pipelines: list[ParsedPipeline]
    fingerprint: str
    elsewhere: list[str]
    refused: dict[int, str]

    @property
    def accepted(self) -> list[tuple[int, ParsedPipeline]]:
        """What is written of it, with the indexes."""
        each = enumerate(self.pipelines)
        return [(index, one) for index, one in each if index not in self.refused]

    @property
    def keys(self) -> list[str]:
        """The keys of the jobs that its pipelines are."""
        return [job_key(one) for one in self.pipelines]

    @property
    def faults(self) -> list[str]:
        """What is wrong with it."""
        return [self.parsed.fault] if self.parsed.fault else list(self.refused.values())

    def claim_row(self) -> dict[str, Any]:
        """Return where it is."""
        target = self.target
        place = {"root": str(target.root), "path": target.path, "file": str(target.file)}
        return {"key": target.key, "host": this_host()} | place

    def pipeline_rows(self) -> list[dict[str, Any]]:
        """Return which jobs it declares, and where."""
        return [
            {"key": self.target.key, "job_key": job_key(one), "line": one.line}
            for _, one in self.accepted
        ]

    def file_row(self) -> dict[str, Any]:
        """Return what its reading found out."""
        seconds = self._seconds()
        return {"key": self.target.key, "properties": self._properties(), "seconds": seconds}

    def fault_rows(self) -> list[dict[str, Any]]:
        """Return its faults, and where each is."""
        return [_fault(fault, self.target.path) for fault in self.faults]

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

    def _seconds(self) -> float | None:
        if self.faults:
            return _RETRY_SECONDS
        if not is_dynamic(self.parsed):
            return None
        return self.parsed.statement.every or self.settings.dynamic_seconds


def is_dynamic(parsed: Parsed) -> bool:
    """Say whether a file is read again though nothing that it depends on has changed."""
    said = parsed.statement.dynamic
    return bool(parsed.unsteady) if said is None else said


def withdraw(tx: Transaction, key: str, keep: Sequence[str]) -> list[str]:
    """Withdraw what a file declared, but for some jobs, and return the names."""
    withdrawn = definition_files.set_withdrawn(tx, key=key, keep=list(keep), now=None)
    for one in withdrawn:
        withdraw_definition(tx, starts=one.key)
    return [one.fqn for one in withdrawn]


def withdraw_file(graph: Graph, target: Target) -> list[str]:
    """Forget a file, and withdraw the pipelines that it declared; return their names."""

    def write(tx: Transaction) -> list[str]:
        names = withdraw(tx, target.key, [])
        definition_files.delete_file(tx, key=target.key)
        return names

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
