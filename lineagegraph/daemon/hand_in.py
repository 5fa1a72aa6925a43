"""What dead workers of this machine had not reported, reported for them."""

from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import structlog

from lineagegraph.daemon.report import GraphReporter
from lineagegraph.errors import GraphError, QueryRefused
from lineagegraph.execution.spool import list_spools, read_spool
from lineagegraph.graph import Graph
from lineagegraph.model.states import FINAL
from lineagegraph.routes import Route
from lineagegraph.store import launches

log = structlog.get_logger()


def hand_in(
    graph: Graph, logs: Path, run_id: str, news: timedelta, routes: Sequence[Route] = ()
) -> bool:
    """Report what the workers of a run left in its folder, by the fence of each; say if some did.

    What a worker left that did not hold the run any more counts as late.
    """
    found = 0
    for fence, path in list_spools(logs):
        reporter = GraphReporter(graph, run_id, fence, news, routes)
        events = read_spool(path)
        _report(reporter, events)
        path.unlink(missing_ok=True)
        found += len(events)
        log.info("spool_handed_in", run=run_id, events=len(events))
    return found > 0


def hand_in_ended(graph: Graph, logs: Path, news: timedelta, routes: Sequence[Route] = ()) -> None:
    """Report what is left of runs that others have settled since: it is kept, and late."""
    ids = sorted({path.parent.name for path in logs.glob("*/spool-*.ndjson")})
    for run in graph.read(launches.list_states, ids=ids):
        if run.state in FINAL:
            hand_in(graph, logs / run.id, run.id, news, routes)


def _report(reporter: GraphReporter, events: list[dict[str, Any]]) -> None:
    """Report events together, or where that is refused each alone."""
    if not events:
        return
    try:
        reporter.report(events)
    except Exception as error:
        if isinstance(error, GraphError) and not isinstance(error, QueryRefused):
            raise
        if len(events) == 1:
            log.error("spooled_event_refused", reason=str(error), body=events[0])
            return
        for event in events:
            _report(reporter, [event])
