"""A piece of lineage as rows: one for each edge."""

from lineagegraph.notebook.results.result import Result
from lineagegraph.queries.lineage.lineage_graph import LineageGraph, id_of, node_ids


def list_flows(graph: LineageGraph) -> Result:
    """Return the edges of lineage with their drawing; by column if there are columns."""
    note = "the lineage is cut off: limit it with up and down" if graph.cut else ""
    if graph.by_column:
        return _columns(graph, note)
    ids = node_ids(graph)
    rows = [
        (ids[edge.source], ids[edge.target], edge.runs, edge.first_seen, edge.last_seen)
        for edge in graph.edges
    ]
    return Result(("source", "target", "runs", "first_seen", "last_seen"), rows, graph, note=note)


def _columns(graph: LineageGraph, note: str) -> Result:
    ids = {c.key: f"{id_of(d)}#{c.name}" for d in graph.datasets for c in d.columns}
    jobs = {job.key: job.name for job in graph.jobs}
    rows = [
        (
            ids[derivation.source],
            ids[derivation.target],
            derivation.subtype or derivation.type,
            jobs.get(derivation.job or ""),
        )
        for derivation in graph.derivations
    ]
    return Result(("source", "target", "how", "job"), rows, graph, note=note)
