"""The report of a sweep: deleted and kept runs by namespace."""

from enum import StrEnum

import msgspec


class KeepReason(StrEnum):
    """Why a run stays that is old enough to go."""

    WITNESS = "the newest run of its job, or the newest that has some of its lineage"
    HELD = "a trigger still needs it"
    CURRENT = "wrote the current data of a dataset"
    READ = "wrote data that a kept run has read"
    REPEATED = "a kept rerun of some tasks repeats it"
    PARENT = "parent of a kept run"
    TOLD = "received an event during the sweep"


class KeptCount(msgspec.Struct):
    """How much of a namespace goes, and how many old runs stay for each reason."""

    runs: int = 0
    events: int = 0
    versions: int = 0
    kept: dict[KeepReason, int] = {}


class Report:
    """Counts while a sweep goes on; a run that stays is counted for the first reason."""

    def __init__(self) -> None:
        self.namespaces: dict[str, KeptCount] = {}
        self.namespace_of: dict[str, str] = {}
        self.facets = 0

    def keep(self, job_key: str | None, reason: KeepReason, runs: int = 1) -> None:
        """Count runs of a job that stay."""
        kept = self._of(job_key).kept
        kept[reason] = kept.get(reason, 0) + runs

    def go(self, job_key: str | None, runs: int, events: int, versions: int) -> None:
        """Count the deleted runs of a job."""
        found = self._of(job_key)
        found.runs += runs
        found.events += events
        found.versions += versions

    def _of(self, job_key: str | None) -> KeptCount:
        namespace = self.namespace_of.get(job_key or "", "")
        return self.namespaces.setdefault(namespace, KeptCount())
