"""Lineage as Marquez writes it: nodes, each with its edges."""

from collections.abc import Iterable
from typing import Any

from lineagegraph.http.marquez.dataset_shapes import dataset_shape
from lineagegraph.http.marquez.job_shapes import job_shape
from lineagegraph.http.marquez.run_shapes import run_shape
from lineagegraph.queries.lineage.described_lineage import DescribedLineage
from lineagegraph.queries.lineage.lineage_graph import told_apart
from lineagegraph.store.lineage.lineage import FlowRow


def lineage_shape(found: DescribedLineage) -> dict[str, Any]:
    """Return the graph, its nodes by id; `truncated` is not Marquez's."""
    ids = _ids(found)
    data = {
        ids[job.row.key]: ("JOB", job_shape(job) | _by_value(found, job.row.key))
        for job in found.jobs
    }
    data |= {
        ids[one.row.key]: ("DATASET", dataset_shape(one) | _by_value(found, one.row.key))
        for one in found.datasets
    }
    return {"graph": nodes_shape(data, ids, found.edges), "truncated": found.cut}


def _ids(found: DescribedLineage) -> dict[str, str]:
    jobs = {job.row.key: f"job:{job.namespace}:{job.row.name}" for job in found.jobs}
    rows = (one.row for one in found.datasets)
    return told_apart(jobs | {row.key: f"dataset:{row.namespace}:{row.name}" for row in rows})


def nodes_shape(
    data: dict[str, tuple[str, Any]], ids: dict[str, str], flows: Iterable[FlowRow]
) -> list[dict[str, Any]]:
    """Return nodes, by id, each with the edges at it; `ids` has the node id of each key."""
    into: dict[str, list[dict[str, str]]] = {node: [] for node in data}
    out: dict[str, list[dict[str, str]]] = {node: [] for node in data}
    for origin, destination in sorted((ids[flow.source], ids[flow.target]) for flow in flows):
        edge = {"origin": origin, "destination": destination}
        out[origin].append(edge)
        into[destination].append(edge)
    return [
        {"id": node, "type": kind, "data": about, "inEdges": into[node], "outEdges": out[node]}
        for node, (kind, about) in sorted(data.items())
    ]


def _by_value(found: DescribedLineage, key: str) -> dict[str, Any]:
    """Return the newest run for each value, where runs are told apart by one."""
    if found.by_value is None:
        return {}
    runs = [(one.value, run_shape(one.run)) for one in found.by_value.get(key, ())]
    return {
        "partitions": [
            {"value": value, "state": run["state"], "latestRun": run} for value, run in runs
        ]
    }
