"""Lineage as Marquez writes it: nodes, each with its edges."""

from typing import Any

from lineagegraph.explore.described_lineage import DescribedLineage
from lineagegraph.explore.lineage_graph import node_ids
from lineagegraph.explore.lineage_picture import picture_lineage
from lineagegraph.http.marquez.dataset_shapes import dataset_shape
from lineagegraph.http.marquez.job_shapes import job_shape


def lineage_shape(found: DescribedLineage) -> dict[str, Any]:
    """Return the graph, its nodes by id; `truncated` is not Marquez's."""
    ids = node_ids(picture_lineage(found))
    edges = sorted((ids[edge.source], ids[edge.target]) for edge in found.edges)
    data = {ids[job.row.key]: ("JOB", job_shape(job)) for job in found.jobs}
    data |= {ids[one.row.key]: ("DATASET", dataset_shape(one)) for one in found.datasets}
    into: dict[str, list[dict[str, str]]] = {node: [] for node in data}
    out: dict[str, list[dict[str, str]]] = {node: [] for node in data}
    for origin, destination in edges:
        edge = {"origin": origin, "destination": destination}
        out[origin].append(edge)
        into[destination].append(edge)
    nodes = [
        {"id": node, "type": kind, "data": about, "inEdges": into[node], "outEdges": out[node]}
        for node, (kind, about) in sorted(data.items())
    ]
    return {"graph": nodes, "truncated": found.cut}
