"""Events that the sender may not write."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from lineagegraph.graph import Graph
from lineagegraph.http.access.caller import lacking
from lineagegraph.http.access.run_tokens import refuse_outside
from lineagegraph.http.plumbing.refusal import RequestRefused
from lineagegraph.model.access import Caller, Role
from lineagegraph.store.runs.runs import list_told_elsewhere

Event = dict[str, Any]


def refuse_foreign(
    graph: Graph, caller: Caller, events: Sequence[Event]
) -> list[RequestRefused | None]:
    """Return for each valid event the refusal of its sender, if any.

    An event counts for the namespace of its job, or of its dataset if it has no job. An
    event about a run that a job of another namespace has already counts for that one as well.
    """
    if caller.run is not None:
        return refuse_outside(graph, caller, events)
    if caller.covers_all(Role.WRITE):
        return [None] * len(events)
    ids = sorted({_run_id(event) for event in events} - {""})
    mine = sorted(caller.covers[Role.WRITE])
    told = graph.read(list_told_elsewhere, ids=ids, mine=mine)
    elsewhere = {run.id: run.namespace for run in told}
    return [_judge(caller, event, elsewhere) for event in events]


def _judge(caller: Caller, event: Event, elsewhere: dict[str, str]) -> RequestRefused | None:
    own = (event.get("job") or event["dataset"])["namespace"]
    for namespace in (own, elsewhere.get(_run_id(event), own)):
        if not caller.may(Role.WRITE, namespace):
            return RequestRefused(403, lacking(caller, Role.WRITE, namespace))
    return None


def _run_id(event: Event) -> str:
    """Return the id as the graph has it; empty for an event about no run."""
    return str(UUID(event["run"]["runId"])) if event.get("run") else ""
