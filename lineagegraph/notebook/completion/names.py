"""The names that a graph has, read again only when some seconds are over."""

import time
from collections.abc import Callable
from enum import Enum

from lineagegraph.graph import Graph
from lineagegraph.graph.statements import list_readable
from lineagegraph.store.admin.vocabulary import list_labels, list_properties, list_types
from lineagegraph.store.jobs.names import list_dataset_names, list_job_names
from lineagegraph.store.triggers.catalog import list_triggers

_MOST = 20_000
_FRESH_SECONDS = 5.0


class NameKind(Enum):
    """The kind of thing that a name names."""

    JOB = "job"
    DATASET = "dataset"
    NODE = "node"
    TRIGGER = "trigger"
    QUERY = "query"
    LABEL = "label"
    TYPE = "type"
    LABEL_OR_TYPE = "label or type"
    PROPERTY = "property"
    PARAMETER = "parameter"


class Names:
    """The names of a graph, for a person who types: quick, and now and then some seconds old."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph.with_patience(0)
        self._read: dict[NameKind, tuple[float, list[str]]] = {}

    def of(self, kind: NameKind) -> list[str]:
        """Return all names of a kind; those of parameters are not the graph's."""
        if kind in _PARTS:
            return [name for part in _PARTS[kind] for name in self.of(part)]
        at, found = self._read.get(kind, (float("-inf"), []))
        if time.monotonic() > at + _FRESH_SECONDS:
            found = _READ[kind](self._graph) if kind in _READ else []
            self._read[kind] = time.monotonic(), found
        return found


def _triggers(graph: Graph) -> list[str]:
    rows = graph.read(list_triggers, namespace=None, starts=None, limit=_MOST, offset=0)
    return sorted({row.name or row.starts or row.id for row in rows})


_PARTS = {
    NameKind.NODE: (NameKind.JOB, NameKind.DATASET),
    NameKind.LABEL_OR_TYPE: (NameKind.LABEL, NameKind.TYPE),
}
_READ: dict[NameKind, Callable[[Graph], list[str]]] = {
    NameKind.JOB: lambda graph: graph.read(list_job_names, limit=_MOST),
    NameKind.DATASET: lambda graph: graph.read(list_dataset_names, limit=_MOST),
    NameKind.TRIGGER: _triggers,
    NameKind.QUERY: lambda graph: list_readable(),
    NameKind.LABEL: lambda graph: graph.read(list_labels),
    NameKind.TYPE: lambda graph: graph.read(list_types),
    NameKind.PROPERTY: lambda graph: graph.read(list_properties),
}
