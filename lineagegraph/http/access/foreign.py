"""Rights of a sender on the parts of its events."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from lineagegraph.graph import Graph, Transaction
from lineagegraph.http.access.caller import lacking
from lineagegraph.http.access.run_tokens import refuse_outside
from lineagegraph.http.plumbing.refusal import RequestRefused
from lineagegraph.ingest.claims import Others, is_marked, list_claims, read_others
from lineagegraph.model.access import Caller, Role
from lineagegraph.openlineage import identify_runs

Event = dict[str, Any]
_NO_OTHERS = Others({}, frozenset())


def judge_events(
    graph: Graph, caller: Caller, events: Sequence[Event]
) -> list[RequestRefused | list[str]]:
    """Return for each valid event the JSON paths of its claims, or the refusal of its sender.

    An event counts for the namespace of its job, or of its dataset if it has no job. An
    event about a run that a job of another namespace has already counts for that one as well.
    """
    if caller.covers_all(Role.WRITE):
        # This needs no graph, which may be away.
        return [
            list_claims(event, caller, _NO_OTHERS) if is_marked(event) else [] for event in events
        ]
    events = [identify_runs(event).event for event in events]
    judged = graph.read(_judge_events, caller, events)
    if caller.run is None:
        return judged
    outside = refuse_outside(graph, caller, events)
    return [refusal or one for refusal, one in zip(outside, judged, strict=True)]


def has_no_claims(caller: Caller, events: Sequence[Event]) -> bool:
    """Return whether a caller has the rights for all of its events, whatever the graph knows."""
    return caller.covers_all(Role.WRITE) and (
        caller.covers_all(Role.OPERATE) or not any(map(is_marked, events))
    )


def _judge_events(
    tx: Transaction, caller: Caller, events: Sequence[Event]
) -> list[RequestRefused | list[str]]:
    others = read_others(tx, caller, events)
    return [
        _refusal(caller, event, others.runs) or list_claims(event, caller, others)
        for event in events
    ]


def _refusal(caller: Caller, event: Event, elsewhere: Mapping[str, str]) -> RequestRefused | None:
    if not event.get("job"):
        own = event["dataset"]["namespace"]
        may = caller.may(Role.WRITE, own) or caller.describes(own, has_jobs=True)
        return None if may else RequestRefused(403, lacking(caller, Role.WRITE, own))
    own = event["job"]["namespace"]
    run = str(UUID(event["run"]["runId"])) if event.get("run") else ""
    for namespace in (own, elsewhere.get(run, own)):
        if not caller.may(Role.WRITE, namespace):
            return RequestRefused(403, lacking(caller, Role.WRITE, namespace))
    return None
