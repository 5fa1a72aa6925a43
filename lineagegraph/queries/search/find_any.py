"""Lookup of anything by a typed text."""

from collections.abc import Callable

import msgspec

from lineagegraph.errors import Ambiguous, NotFound
from lineagegraph.graph import Graph
from lineagegraph.neo4j_server import Noun
from lineagegraph.queries.find.find import find_column, find_node_or_column, find_run
from lineagegraph.queries.sensors import read_sensor
from lineagegraph.queries.triggers.triggers import find_trigger
from lineagegraph.queries.versions.find_version import find_run_or_version, version_of
from lineagegraph.store.jobs.names import NamedJob


class Thing(msgspec.Struct, frozen=True):
    """A node by its kind and key."""

    noun: Noun
    key: str


def find_any(graph: Graph, text: str) -> Thing:
    """Return the job, dataset, column, trigger, run, version or sensor of a text.

    A prefix may give the kind: `trigger:nightly`, `run:0190a1`. Without one, it is the first in
    this order that has such a name, or an id that begins so. Raise `NotFound`.
    """
    noun, colon, rest = text.partition(":")
    if colon and rest and noun in _FINDERS:
        return _FINDERS[noun](graph, rest)
    for find in (_find_place, *_FINDERS.values()):
        try:
            return find(graph, text)
        except Ambiguous:
            raise
        except NotFound:
            continue
    raise NotFound(
        f"no job, dataset, trigger, run, version or sensor {text!r}: `lineagegraph jobs`, "
        "`lineagegraph runs JOB` and `lineagegraph trigger list` list some"
    )


def _find_place(graph: Graph, text: str) -> Thing:
    place = find_node_or_column(graph, text)
    if place.column is not None:
        return Thing("column", find_column(graph, text))
    return Thing("job" if isinstance(place.node, NamedJob) else "dataset", place.node.key)


def _find_version(graph: Graph, text: str) -> Thing:
    return Thing("version", version_of(graph, find_run_or_version(graph, text)))


_FINDERS: dict[str, Callable[[Graph, str], Thing]] = {
    "trigger": lambda graph, text: Thing("trigger", find_trigger(graph, text).id),
    "run": lambda graph, text: Thing("run", find_run(graph, text).id),
    "version": _find_version,
    "sensor": lambda graph, text: Thing("sensor", read_sensor(graph, text, limit=1).sensor.id),
}
