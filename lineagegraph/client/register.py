"""Register a pipeline that was stated here: its triggers start it from now on."""

from typing import NamedTuple
from zoneinfo import ZoneInfo

from lineagegraph.authoring.pipelines import PipelineHandle
from lineagegraph.client.connected_graph import default_graph
from lineagegraph.graph import Graph
from lineagegraph.liveness.daemons import has_daemon
from lineagegraph.queries.triggers.schedules import read_next
from lineagegraph.queries.triggers.triggers import read_starting
from lineagegraph.reading.session_pipeline import sync
from lineagegraph.settings import load_settings
from lineagegraph.store.triggers.catalog import TriggerRow

_HASH = 10


class Registered(NamedTuple):
    """An active pipeline; its text lists its starts, and the missing parts."""

    pipeline: str
    version: str
    is_new: bool
    starts: tuple[str, ...]
    pinned: str | None = None

    def __repr__(self) -> str:
        what = "is active" if self.is_new else "existed already, and is active"
        if self.pinned and self.pinned != self.version:
            what = f"is stored; the pipeline is pinned to version {self.pinned[:_HASH]}"
        return "\n".join((f"{self.pipeline}: version {self.version[:_HASH]} {what}", *self.starts))


def register(pipeline: PipelineHandle) -> Registered | None:
    """Make a pipeline active as `lg.sync` does, and return its next starts."""
    synced = sync(pipeline)
    if synced is None:
        return None
    graph = default_graph()
    rules = read_starting(graph, pipeline.namespace, pipeline.name)
    starts = [_describe_start(graph, rule) for rule in rules]
    if not starts:
        starts.append("no trigger starts it: give it one by trigger=, or call run()")
    elif not has_daemon(graph):
        starts.append("no daemon is running: start one with `lineagegraph up`")
    return Registered(synced.pipeline, synced.version, synced.is_new, tuple(starts), synced.pinned)


def _describe_start(graph: Graph, rule: TriggerRow) -> str:
    zone = ZoneInfo(load_settings().zone)
    times = [time for one in read_next(graph, rule.id, 1) for time in one.times]
    text = f"started by {rule.text}"
    return f"{text}, next at {min(times).astimezone(zone):%Y-%m-%d %H:%M %Z}" if times else text
