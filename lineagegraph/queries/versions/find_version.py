"""Lookup of the run or version that a typed text means."""

import re

import msgspec

from lineagegraph.errors import Ambiguous, NotFound
from lineagegraph.graph import Graph
from lineagegraph.queries.find.find import find_job, find_runs
from lineagegraph.store.jobs.job_versions import (
    NamedVersion,
    get_ran,
    list_hashes_starting,
    list_versions_starting,
)

_HASH = re.compile(r"[0-9a-f]{1,64}")
_LISTED = 5


class RunOrVersion(msgspec.Struct, frozen=True):
    """A run by its id, or a version by its hash."""

    run: str | None = None
    version: str | None = None


def find_run_or_version(graph: Graph, text: str, namespace: str | None = None) -> RunOrVersion:
    """Return the run or version for a prefix of its id or hash, or for `JOB@HASH`."""
    job, sign, prefix = text.rpartition("@")
    if sign:
        key = find_job(graph, job, namespace).key
        return RunOrVersion(version=find_version_of(graph, key, prefix))
    prefix = text.lower()
    runs = [run.id for run in find_runs(graph, prefix)]
    found = graph.read(list_hashes_starting, prefix=prefix) if _HASH.fullmatch(prefix) else []
    hashes = list(dict.fromkeys(one.version for one in found))
    if prefix in runs or (len(runs) == 1 and not hashes):
        return RunOrVersion(run=runs[0])
    if prefix in hashes or (len(hashes) == 1 and not runs):
        return RunOrVersion(version=hashes[0])
    raise _unclear(text, runs, found)


def version_of(graph: Graph, meant: RunOrVersion) -> str:
    """Return the version of a match: for a run, the one that it ran."""
    if meant.version:
        return meant.version
    ran = graph.read(get_ran, id=meant.run or "")
    if ran is None:
        raise NotFound(
            f"run {meant.run} has no version: it has not begun, or its producer reports none"
        )
    return ran


def find_version_of(graph: Graph, job_key: str, prefix: str) -> str:
    """Return the version of a job whose hash has a prefix."""
    rows = graph.read(list_versions_starting, key=job_key, prefix=prefix.lower()) if prefix else []
    if len(rows) > 1:
        listed = ", ".join(row.version[:16] for row in rows[:_LISTED])
        raise Ambiguous(f"several versions start with {prefix!r} ({listed}): give more of the hash")
    if not rows:
        raise NotFound(f"the job has no version {prefix!r}: `lineagegraph versions JOB` lists them")
    return rows[0].version


def _unclear(text: str, runs: list[str], versions: list[NamedVersion]) -> NotFound:
    if not runs and not versions:
        return NotFound(
            f"no run or version {text!r}: `lineagegraph runs JOB` lists runs, `lineagegraph "
            "versions JOB` versions"
        )
    found = [*runs, *(f"{one.version[:16]} of {one.job}" for one in versions)]
    return Ambiguous(f"{text!r} matches several: {', '.join(found[:_LISTED])}: give more")
