"""Facets that nothing refers to, after the events that had them went."""

import re
from collections.abc import Iterator

from lineagegraph.admin.lock import WorkLock
from lineagegraph.graph import Graph
from lineagegraph.ingest.received import delete_unused, used_hashes
from lineagegraph.store.admin import retention
from lineagegraph.store.runs import events

_BATCH = 500
_HASH = re.compile(r"[0-9a-f]{64}")


def delete_loose(graph: Graph, lock: WorkLock) -> int:
    """Delete the facets of deleted events that no other event and no dataset has."""
    loose = set(graph.read(retention.list_loose))
    if not loose:
        return 0
    graph.write(lock.begin_reading)
    used = _used(graph, loose)
    for part in _parts(sorted(used)):
        graph.write(retention.set_loose, hashes=part, loose=None)
    unused = _parts(sorted(loose - used))
    return sum(graph.write(delete_unused, part, lock.get_reading) for part in unused)


def _used(graph: Graph, loose: set[str]) -> set[str]:
    used: set[str] = set()
    for text in _dataset_texts(graph):
        used |= loose & set(_HASH.findall(text))
    after, after_id = "0001-01-01T00:00:00Z", ""
    while len(used) < len(loose) and (
        found := graph.read(events.list_received, after=after, after_id=after_id, limit=_BATCH)
    ):
        used |= loose & used_hashes(event.body for event in found)
        after, after_id = found[-1].received_at, found[-1].id
    return used


def _dataset_texts(graph: Graph) -> Iterator[str]:
    after = ""
    while found := graph.read(retention.list_fact_texts, after=after, limit=_BATCH):
        for one in found:
            yield from (one.facts, *one.images)
        after = found[-1].key


def _parts(hashes: list[str]) -> Iterator[list[str]]:
    return (hashes[i : i + _BATCH] for i in range(0, len(hashes), _BATCH))
