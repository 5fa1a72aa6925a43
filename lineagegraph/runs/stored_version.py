"""Find a stored version of a pipeline that can run."""

import re
from typing import NamedTuple

from lineagegraph.errors import Ambiguous, NotFound, RunRefused
from lineagegraph.graph import Graph
from lineagegraph.reruns.missing import missing_files
from lineagegraph.settings import Settings
from lineagegraph.store.runs.reruns import VersionRow, list_versions

_START = re.compile(r"[0-9a-f]{4,64}")


class VersionedJob(NamedTuple):
    """The key and the full name of a pipeline's job."""

    key: str
    fqn: str


def find_runnable(
    graph: Graph, settings: Settings, job: VersionedJob, start: str, tasks: tuple[str, ...] = ()
) -> VersionRow:
    """Return the version of a pipeline by the start of its hash, if its `tasks`, or all, can run.

    Raises `RunRefused` with all files that it lacks, or for a start that no hash has, `NotFound`
    without such a version, and `Ambiguous` if there are several.
    """
    found = _find(graph, job, start.lower())
    missing = list(missing_files(graph, settings, found, tasks))
    if missing:
        raise RunRefused(f"version {found.hash[:12]} of {job.fqn} cannot run: {'; '.join(missing)}")
    return found


def _find(graph: Graph, job: VersionedJob, start: str) -> VersionRow:
    if not _START.fullmatch(start):
        raise RunRefused(f"{start!r} is no version: give 4 or more hex digits of its hash")
    found = graph.read(list_versions, job_key=job.key, prefix=start)
    if len(found) > 1:
        raise Ambiguous(f"several versions of {job.fqn} start with {start}: give more of the hash")
    if not found:
        raise NotFound(
            f"{job.fqn} has no version {start}: `lineagegraph versions {job.fqn}` lists them"
        )
    return found[0]
