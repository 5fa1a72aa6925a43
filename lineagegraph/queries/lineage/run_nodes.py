"""Lineage around one run or one version of a dataset, with the details of each node."""

from uuid import UUID

import msgspec

from lineagegraph.errors import NotFound
from lineagegraph.graph import Graph, Transaction
from lineagegraph.queries.lineage.dataset_versions import (
    DatasetVersionDetail,
    describe_dataset_versions,
)
from lineagegraph.queries.lineage.lineage_graph import DatasetRow, JobRow, LineageGraph
from lineagegraph.queries.lineage.run_lineage import (
    MOST_NODES,
    RunLineage,
    Steps,
    walk_from_runs,
    walk_from_version,
)
from lineagegraph.queries.runs.run_details import RunDetail, list_runs
from lineagegraph.store.datasets.dataset_versions import DatasetVersionRow, list_versions
from lineagegraph.store.datasets.names import list_same
from lineagegraph.store.lineage.lineage import FlowRow, list_dataset_nodes
from lineagegraph.store.lineage.run_lineage import list_below


class DescribedRuns(msgspec.Struct, frozen=True):
    """Runs and versions, and the data flows between them, by id or key."""

    runs: list[RunDetail]
    versions: list[DatasetVersionDetail]
    edges: tuple[FlowRow, ...]
    roots: tuple[str, ...]
    cut: bool


def describe_run_lineage(
    graph: Graph, node: str, steps: Steps, *, inherit: bool
) -> DescribedRuns | None:
    """Return the neighbours of `run:UUID` or `dataset:NAMESPACE:NAME#UUID`; None for other nodes.

    A run stands for its whole subtree.
    """

    def work(tx: Transaction) -> DescribedRuns | None:
        kind, _, rest = node.partition(":")
        if kind == "run":
            return _around_run(tx, rest, steps, inherit)
        return _around_version(tx, node, steps, inherit) if kind == "dataset" else None

    return graph.read(work)


def picture_runs(found: DescribedRuns) -> LineageGraph:
    """Return the graph for drawings: each run as a job, each version as a dataset."""
    runs = (_run_node(run) for run in found.runs)
    versions = (_version_node(version) for version in found.versions)
    return LineageGraph(
        nodes=(*runs, *versions), edges=found.edges, roots=found.roots, cut=found.cut
    )


def _around_run(tx: Transaction, text: str, steps: Steps, inherit: bool) -> DescribedRuns:
    uuid = _uuid(text)
    # One more than is shown, so that a cut is seen.
    below = list_below(tx, id=str(uuid), limit=MOST_NODES + 1) if uuid else []
    if not below:
        raise NotFound(f"no node 'run:{text}'")
    found = walk_from_runs(tx, below, steps)
    used = {end for edge in found.edges for end in (edge.source, edge.target)}
    runs = [run for run in found.runs if run in used or run == str(uuid)]
    return _described(tx, found, runs, (str(uuid),), inherit)


def _around_version(
    tx: Transaction, node: str, steps: Steps, inherit: bool
) -> DescribedRuns | None:
    dataset, _, text = node.rpartition("#")
    uuid = _uuid(text)
    rows = list_versions(tx, keys=[uuid.hex]) if uuid else []
    if not rows or dataset not in _names(tx, rows[0]):
        return None
    found = walk_from_version(tx, rows[0].key, rows[0].run, steps)
    return _described(tx, found, list(found.runs), (rows[0].key,), inherit)


def _names(tx: Transaction, row: DatasetVersionRow) -> set[str]:
    """Return the node ids of the dataset of a version, by all its names."""
    others = list_dataset_nodes(tx, keys=list_same(tx, key=row.dataset))
    names = [(row.namespace, row.name), *((one.namespace, one.name) for one in others)]
    return {f"dataset:{namespace}:{name}" for namespace, name in names}


def _described(
    tx: Transaction, found: RunLineage, runs: list[str], roots: tuple[str, ...], inherit: bool
) -> DescribedRuns:
    return DescribedRuns(
        list_runs(tx, runs, inherit),
        describe_dataset_versions(tx, list(found.versions), inherit),
        found.edges,
        roots,
        found.cut,
    )


def _run_node(run: RunDetail) -> JobRow:
    row, name = run.row, run.row.name or run.row.id
    return JobRow(
        key=row.id,
        namespace=run.namespace,
        name=name,
        simple_name=row.simple_name or name,
        kind=f"run {row.id[:8]}",
        state=row.state,
        ancestors=(),
    )


def _version_node(version: DatasetVersionDetail) -> DatasetRow:
    row = version.row
    at = f" @ {row.created_at:%Y-%m-%d %H:%M %Z}" if row.created_at else ""
    return DatasetRow(row.key, row.namespace, row.name + at, ())


def _uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None
