"""The facts of a dataset as names with values, most important first."""

from collections.abc import Iterator

import msgspec

from lineagegraph.errors import NotFound
from lineagegraph.graph import Graph
from lineagegraph.queries.datasets.dataset_details import DatasetDetail, describe_with_origins
from lineagegraph.queries.find.find import find_node
from lineagegraph.queries.reaching_tags import describe_reaching
from lineagegraph.queries.runs.facet_facts import list_use_facts
from lineagegraph.store.lineage.tag_flow import list_reached


def read_dataset(graph: Graph, name: str) -> DatasetDetail:
    """Return the dataset of `dataset:NAMESPACE:NAME` with its latest facets."""
    found = graph.read(describe_with_origins, [find_node(graph, name).key])
    if not found:
        raise NotFound(f"no dataset {name!r}: `lineagegraph lineage` shows those of a job")
    return found[0]


def list_reaching(graph: Graph, dataset: DatasetDetail) -> list[tuple[str, str]]:
    """Return the watched tags whose values reach columns of a dataset, as names with values."""
    return [describe_reaching(one) for one in graph.read(list_reached, key=dataset.row.key)]


def list_dataset_facts(dataset: DatasetDetail) -> Iterator[tuple[str, str]]:
    """Yield each known fact about a dataset, except its columns."""
    row = dataset.row
    bodies = {name: msgspec.json.decode(body) for name, body in dataset.facets.items()}
    facts = {
        "dataset": f"{row.namespace}:{row.name}",
        "description": str((bodies.get("documentation") or {}).get("description") or ""),
        "written": row.written_at.isoformat() if row.written_at else "",
        "version": row.version or "",
        "other names": ", ".join(f"{one.namespace}:{one.name}" for one in row.other_names),
    }
    yield from ((name, value) for name, value in facts.items() if value)
    yield from list_use_facts(bodies)
