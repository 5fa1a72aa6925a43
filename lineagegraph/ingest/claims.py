"""Claims: parts of an event about jobs and datasets that are not its author's.

A claim is kept in the event, marked by its JSON path, and adds no facts.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from typing import Any, NamedTuple
from uuid import UUID

from lineagegraph.graph import Transaction
from lineagegraph.ingest.names import find_reference
from lineagegraph.ingest.other_names import list_previous, list_symlinks
from lineagegraph.model.access import Caller, Role
from lineagegraph.openlineage.objects import get_parent, own_part
from lineagegraph.store.jobs import names
from lineagegraph.store.runs import runs

Event = dict[str, Any]
_NAME = re.compile(r"\w+")
_OF_READS = ("inputStatistics", "subset")
_MARK = "$.run.facets.lineagegraph.mark"
_STEP = re.compile(r"\.(\w+)|\[(\d+)\]")


class Others(NamedTuple):
    """Runs and namespaces that events name and that may belong to others than their sender."""

    runs: Mapping[str, str]  # namespaces of the runs of others, by id
    with_jobs: frozenset[str]  # namespaces of datasets that are also namespaces of jobs


def read_others(tx: Transaction, caller: Caller, events: Sequence[Event]) -> Others:
    """Return the runs and namespaces of others that valid events name."""
    ids = sorted({run for event in events for run in _run_ids(event)})
    mine = sorted(caller.covers[Role.WRITE])
    elsewhere = runs.list_told_elsewhere(tx, ids=ids, mine=mine)
    described = sorted({name for event in events for _, name in _described(event)})
    with_jobs = names.list_namespaces_with_jobs(tx, names=described)
    return Others({run.id: run.namespace for run in elsewhere}, frozenset(with_jobs))


def list_claims(event: Event, caller: Caller, others: Others) -> list[str]:
    """Return the JSON paths of the claims in a valid event; the last of an array comes first."""
    claims = [
        path
        for run, namespace, path in _references(event)
        if _spell(run) in others.runs or not caller.may(Role.WRITE, namespace)
    ]
    claims += [
        path
        for path, namespace in _described(event)
        if not caller.describes(namespace, has_jobs=namespace in others.with_jobs)
    ]
    if is_marked(event) and not caller.may(Role.OPERATE, event["job"]["namespace"]):
        claims.append(_MARK)
    return list(dict.fromkeys(reversed(claims)))


def without(event: Event, claims: Sequence[str]) -> Event:
    """Return an event without the parts at these JSON paths, in the order of `list_claims`."""
    part = deepcopy(event) if claims else event
    for claim in claims:
        _delete(part, [int(index) if index else name for name, index in _STEP.findall(claim)])
    return part


def _delete(value: Any, steps: list[str | int]) -> None:
    for step in steps[:-1]:
        value = value.get(step) if isinstance(value, dict) else value[step]
        if value is None:
            return
    if isinstance(value, dict):
        value.pop(steps[-1], None)
    else:
        del value[steps[-1]]


def _run_ids(event: Event) -> set[str]:
    named = [run for run, _, _ in _references(event)]
    if event.get("run"):
        named.append(event["run"].get("runId"))
    return {spelled for run in named if (spelled := _spell(run))}


def is_marked(event: Event) -> bool:
    """Return whether an event marks its run by hand, which takes more than to report it."""
    own = ((event.get("run") or {}).get("facets") or {}).get("lineagegraph")
    return isinstance(own, dict) and "mark" in own


def _references(event: Event) -> Iterator[tuple[Any, str, str]]:
    """Yield run id, job namespace and JSON path of each reference to another run."""
    facets = (event.get("run") or {}).get("facets") or {}
    path = "$.run.facets.parent"
    parent = get_parent(event)
    for named, at in ((parent, path), (parent.get("root"), f"{path}.root")):
        if found := find_reference(named):
            yield found[0], found[1][0], at
    found = facets.get("jobDependencies")
    for side in ("upstream", "downstream"):
        for number, entry in _list_entries(found, side):
            job, run = entry.get("job"), entry.get("run")
            if isinstance(job, dict) and (run is None or isinstance(run, dict)):
                at = f"$.run.facets.jobDependencies.{side}[{number}]"
                yield (run or {}).get("runId"), str(job.get("namespace")), at


def _described(event: Event) -> Iterator[tuple[str, str]]:
    """Yield JSON path and dataset namespace of each statement about a dataset.

    A dataset may be read by everyone, so that only facets of an input describe it.
    """
    event = own_part(event)
    for number, read in enumerate(event.get("inputs") or ()):
        path = f"$.inputs[{number}]"
        if read.get("facets"):
            yield f"{path}.facets", read["namespace"]
        for facet in filter(describes_data, read.get("inputFacets") or ()):
            yield f"{path}.inputFacets.{facet}", read["namespace"]
        yield from _aliases(read, path)
    for number, written in enumerate(event.get("outputs") or ()):
        path = f"$.outputs[{number}]"
        yield path, written["namespace"]
        yield from _aliases(written, path)
    if event.get("dataset"):
        yield from _aliases(event["dataset"], "$.dataset")
    lineage = ((event.get("job") or {}).get("facets") or {}).get("lineage")
    for number, entry in _list_entries(lineage, "entries"):
        if isinstance(entry.get("namespace"), str):
            yield f"$.job.facets.lineage.entries[{number}]", entry["namespace"]


def describes_data(facet: str) -> bool:
    """Return whether an input facet describes its dataset, not only the read by the run.

    Others than those with plain names have no JSON path that a claim could have.
    """
    return facet not in _OF_READS and _NAME.fullmatch(facet) is not None


def _aliases(dataset: Mapping[str, Any], path: str) -> Iterator[tuple[str, str]]:
    facets = dataset.get("facets") or {}
    for facet, identifiers in (
        ("symlinks", list_symlinks(facets)),
        ("lifecycleStateChange", list_previous(facets)),
    ):
        for one in identifiers:
            if isinstance(one.get("namespace"), str):
                yield f"{path}.facets.{facet}", one["namespace"]


def _list_entries(facet: Any, name: str) -> list[tuple[int, dict[str, Any]]]:
    """Return the JSON objects of an array in a facet, with their positions."""
    entries = facet.get(name) if isinstance(facet, dict) else None
    found = enumerate(entries if isinstance(entries, list) else ())
    return [(number, entry) for number, entry in found if isinstance(entry, dict)]


def _spell(run: Any) -> str | None:
    """Return a run's id as the graph has it."""
    try:
        return str(UUID(run))
    except (TypeError, ValueError, AttributeError):
        return None
