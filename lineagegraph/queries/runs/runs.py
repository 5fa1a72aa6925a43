"""The runs of a job, and all details of one run."""

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import msgspec

from lineagegraph.errors import NotFound
from lineagegraph.graph import Graph, Transaction
from lineagegraph.model.names.named_values import values_of
from lineagegraph.model.runs.note import RunNote
from lineagegraph.model.runs.states import FINAL
from lineagegraph.model.runs.values import read_value, shown_value
from lineagegraph.queries.find.find import find_job, find_run
from lineagegraph.queries.pins import describe_pin, find_pin
from lineagegraph.queries.runs.facet_facts import list_use_facts
from lineagegraph.queries.runs.hierarchy import Branch, read_run_tree
from lineagegraph.queries.runs.use_facets import UseFacets, read_use_facets
from lineagegraph.reruns.files import FilesOfRun, Reproduction, compare_outputs, read_files
from lineagegraph.store.jobs.details import list_run_facets
from lineagegraph.store.jobs.hierarchy import RunTreeRow
from lineagegraph.store.runs.history import (
    DatasetUseRow,
    RunFiringRow,
    RunOrderRow,
    RunRow,
    WholeRunRow,
    get_run,
    list_firings_of_run,
    list_orders,
    list_reads,
    list_runs,
    list_writes,
)
from lineagegraph.store.runs.notes import list_notes

_ID = re.compile(r"[0-9a-f-]{8,36}")
_MOST_ORDERS = 100


class UseFact(msgspec.Struct, frozen=True):
    """A fact that a run reported of an input or output, with the name of the dataset."""

    dataset: str
    name: str
    value: str


class WholeRun(msgspec.Struct, frozen=True):
    """A run with its parameters, tree, data and the firings around it.

    `variables` are those that it read; None is a variable that was not set.
    """

    run: WholeRunRow  # the run
    params: dict[str, Any]  # parameters by name
    variables: dict[str, Any]  # variables that it read; None for one not set
    emitted: dict[str, Any]  # emitted values by name
    returned: Any  # value that its function returned, with secrets masked; None without one
    cost: dict[str, Any]  # Spark usage by measure
    tree: Branch[RunTreeRow]  # the run and its descendants
    reads: tuple[DatasetUseRow, ...]  # datasets that it read
    writes: tuple[DatasetUseRow, ...]  # datasets that it wrote
    started_by: RunFiringRow | None  # firing that started it; None if a person did
    fired: tuple[RunFiringRow, ...]  # firings that it set off
    facets: dict[str, Any]  # OpenLineage facets by name, without secrets
    files: FilesOfRun  # local files that it opened
    outputs: dict[str, Reproduction]  # written files of a rerun's original, compared, by path
    notes: tuple[RunNote, ...] = ()  # notes about it, the oldest first
    pin: str | None = None  # version that its pipeline is pinned to now, in words
    use_facts: tuple[UseFact, ...] = ()  # facts of the facets of its inputs and outputs
    orders: tuple[RunOrderRow, ...] = ()  # runs that it follows by their producer, then followers


def read_runs(
    graph: Graph,
    job: str,
    namespace: str | None = None,
    *,
    before: datetime | None = None,
    limit: int = 20,
) -> list[RunRow]:
    """Return the newest runs of a job, or the newest of those created until `before`."""
    key = find_job(graph, job, namespace).key
    return graph.read(list_runs, job_key=key, before=before, limit=limit)


def find_run_of(graph: Graph, text: str) -> str:
    """Return the id of the run for a prefix of an id, or for a job.

    For a job it is the newest run that has not ended, or else the newest.
    """
    if _ID.fullmatch(text.lower()):
        return find_run(graph, text).id
    runs = read_runs(graph, text)
    if not runs:
        raise NotFound(f"{text} has not run yet")
    return next((run for run in runs if run.state not in FINAL), runs[0]).id


def read_run(graph: Graph, run: str) -> WholeRun:
    """Return all details of a run."""
    found = find_run(graph, run)
    row, reads, writes, firings, orders = graph.read(_parts, found.id)
    facets = graph.read(list_run_facets, ids=[found.id], scope="run")
    uses = graph.read(read_use_facets, [found.id]).get(found.id, UseFacets()).present()
    value = read_value(row.output)
    pin = find_pin(graph, row.job_key) if row.job_key else None
    return WholeRun(
        # Its value may have secrets, which `returned` has not.
        run=msgspec.structs.replace(row, output=None),
        params=values_of(row.params),
        variables=values_of(row.variables),
        emitted=values_of(row.emitted),
        returned=shown_value(value) if value else None,
        cost=values_of(row.cost),
        tree=read_run_tree(graph, found.id),
        reads=tuple(reads),
        writes=tuple(writes),
        started_by=next((f for f in firings if f.part == "started by"), None),
        fired=tuple(f for f in firings if f.part == "fired"),
        facets={facet.name: msgspec.json.decode(facet.body) for facet in facets},
        files=graph.read(read_files, found.id),
        outputs=graph.read(compare_outputs, row.rerun_of, found.id) if row.rerun_of else {},
        notes=tuple(graph.read(list_notes, run_id=found.id)),
        pin=describe_pin(pin) if pin else None,
        use_facts=tuple(_use_facts(uses)),
        orders=tuple(orders),
    )


def _use_facts(uses: UseFacets) -> Iterator[UseFact]:
    for side in (uses.inputs, uses.outputs):
        for (namespace, name), facets in sorted(side.items()):
            bodies = {facet: msgspec.json.decode(body) for facet, body in facets.items()}
            for fact, value in list_use_facts(bodies):
                yield UseFact(f"{namespace}:{name}", fact, value)


_Parts = tuple[
    WholeRunRow, list[DatasetUseRow], list[DatasetUseRow], list[RunFiringRow], list[RunOrderRow]
]


def _parts(tx: Transaction, run: str) -> _Parts:
    row = get_run(tx, id=run)
    if row is None:
        raise NotFound(f"no run {run!r}: `lineagegraph runs JOB` lists a job's runs")
    orders = list_orders(tx, id=run, limit=_MOST_ORDERS)
    firings = list_firings_of_run(tx, id=run)
    return row, list_reads(tx, id=run), list_writes(tx, id=run), firings, orders
