"""The order of runs and of jobs from the jobDependencies facet."""

from collections.abc import Iterator
from typing import Any

from lineagegraph.errors import InvalidEvent
from lineagegraph.ingest.batch import Batch
from lineagegraph.ingest.column_facets import list_maps
from lineagegraph.ingest.names import check_name, find_reference
from lineagegraph.model.names.keys import canonical_json, job_key
from lineagegraph.model.runs.facts import HEARD_OF, REPORTED, RunFacts, Stamped

FOLLOWS = "follows "
# Followed by the key of the declaration that stands for the named job.
AFTER_JOB = "after "
BEFORE_JOB = "before "
_RULES = ("dependency_type", "sequence_trigger_rule", "status_trigger_rule")
_PATH = "$.run.facets.jobDependencies"


def add_dependencies(batch: Batch, run_id: str, name: list[str], facet: Any, at: str) -> None:
    """Add which runs a run follows, and which ones follow it.

    An entry without a run is about the jobs of both: the named one is kept as a declaration.
    Source: JobDependenciesRunFacet 1-0-1.
    """
    said = facet if isinstance(facet, dict) else {}
    for side, prefix in (("upstream", AFTER_JOB), ("downstream", BEFORE_JOB)):
        for entry in list_maps(said.get(side)):
            if entry.get("run") is None:
                _add_job(batch, (run_id, name), prefix, entry, at)
                continue
            other = _heard_of(batch, entry, at)
            if other and other != run_id:
                ends = (run_id, other) if prefix == AFTER_JOB else (other, run_id)
                _add(batch, *ends, entry, at)


def list_orders(before: RunFacts, after: RunFacts) -> Iterator[tuple[bool, str, Stamped]]:
    """Yield the news of the order of jobs: whether the other is before, its key, the rules."""
    for said, stamped in after.said.items():
        for prefix in (AFTER_JOB, BEFORE_JOB):
            if said.startswith(prefix) and before.said.get(said) != stamped:
                yield prefix == AFTER_JOB, said[len(prefix) :], stamped


def _add_job(
    batch: Batch, run: tuple[str, list[str]], prefix: str, entry: dict[str, Any], at: str
) -> None:
    job = entry.get("job")
    try:
        named = check_name(job["namespace"], job["name"], _PATH) if isinstance(job, dict) else None
    except (KeyError, InvalidEvent):
        return
    if named and named != run[1]:
        key = job_key(None, *named)
        batch.add_declaration(
            key, RunFacts(heard_at=at, said={"name": Stamped(HEARD_OF, at, named)})
        )
        said = {f"{prefix}{key}": Stamped(REPORTED, at, canonical_json(_rules(entry)))}
        batch.add_run(run[0], RunFacts(said=said))


def _heard_of(batch: Batch, entry: dict[str, Any], at: str) -> str | None:
    found = find_reference(entry)
    if found is None:
        return None
    run_id, name = found
    said = {"name": Stamped(HEARD_OF, at, name)}
    batch.add_run(run_id, RunFacts(heard_at=at, said=said))
    return run_id


def _add(batch: Batch, run_id: str, followed: str, entry: dict[str, Any], at: str) -> None:
    rules = Stamped(REPORTED, at, _rules(entry))
    batch.add_run(run_id, RunFacts(said={f"{FOLLOWS}{followed}": rules}))


def _rules(entry: dict[str, Any]) -> dict[str, str]:
    return {name: str(entry[name]) for name in _RULES if entry.get(name) is not None}
