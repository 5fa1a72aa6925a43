"""Resolution of a node id, `job:NAMESPACE:NAME` or `dataset:NAMESPACE:NAME`."""

from collections.abc import Iterator
from itertools import islice
from uuid import UUID

import msgspec

from lineagegraph.errors import NotFound
from lineagegraph.graph import Graph
from lineagegraph.model.names.keys import Alias, dataset_key
from lineagegraph.queries.find.resolve import Resolution, resolve_names
from lineagegraph.store.jobs.addresses import list_addressed_datasets

# Namespaces have few colons; a text of thousands is not worth thousands of look-ups.
_MOST_SPLITS = 64


class FoundDataset(msgspec.Struct, frozen=True):
    """A dataset, by key."""

    key: str


def resolve_node(graph: Graph, node: str, *, inherit: bool) -> Resolution | FoundDataset:
    """Return the job or dataset of a node id; own names and `job:NAMESPACE:NAME#UUID` work too.

    Namespaces and names may both contain colons, so every colon is tried. Raise `NotFound`.
    """
    kind, _, rest = node.partition(":")
    found = _find_dataset(graph, rest) if kind == "dataset" else None
    jobs = _find_jobs(graph, rest, inherit) if kind == "job" else None
    if found or (jobs and jobs.found):
        return found or jobs or Resolution(())
    raise NotFound(f"no node {node!r}")


def _find_dataset(graph: Graph, rest: str) -> FoundDataset | None:
    keys = [dataset_key(*split) for split in _splits(rest)]
    found = set(graph.read(list_addressed_datasets, keys=keys))
    return next((FoundDataset(key) for key in keys if key in found), None)


def _find_jobs(graph: Graph, rest: str, inherit: bool) -> Resolution:
    found = graph.read(resolve_names, _splits(rest), inherit)
    name, _, uuid = rest.rpartition("#")
    if found.found or not _is_uuid(uuid):
        return found
    return graph.read(resolve_names, _splits(name), inherit, UUID(uuid).hex)


def _splits(text: str) -> list[Alias]:
    return list(islice(_all_splits(text), _MOST_SPLITS))


def _all_splits(text: str) -> Iterator[Alias]:
    for position, character in enumerate(text):
        if character == ":" and 0 < position < len(text) - 1:
            yield Alias(text[:position], text[position + 1 :])


def _is_uuid(text: str) -> bool:
    try:
        return str(UUID(text)) == text.lower()
    except ValueError:
        return False
