"""The first event would wait for Neo4j to plan every statement: one that is undone goes before."""

from datetime import UTC, datetime, timedelta
from typing import Any

from lineagegraph.graph import Graph, Transaction
from lineagegraph.ingest.extract import extract
from lineagegraph.model.names.keys import job_key
from lineagegraph.model.runs.ids import new_id
from lineagegraph.model.runs.states import RunState
from lineagegraph.model.triggers.condition import OnStatus
from lineagegraph.model.triggers.trigger import Trigger
from lineagegraph.reactions.commit import commit
from lineagegraph.triggers.react import react
from lineagegraph.triggers.write import write_trigger

_NAMESPACE = "lineagegraph:warm-up"
_AT = datetime(2000, 1, 1, tzinfo=UTC)


class _Undone(Exception):
    """Ends the transaction without a trace."""


def warm_up(graph: Graph) -> None:
    """Let Neo4j plan the queries that write an event and fire a trigger; nothing is kept."""

    def write(tx: Transaction) -> None:
        batch = extract([_event("START"), _event("COMPLETE")])
        commit(tx, batch, now=_AT)
        rule = Trigger(when=OnStatus(job="parent.child", statuses=(RunState.COMPLETED,)))
        starts = job_key(None, _NAMESPACE, "parent")
        before = _AT - timedelta(seconds=1)
        write_trigger(tx, rule, starts=starts, name="t", namespace=_NAMESPACE, now=before)
        react(tx, batch.runs, now=_AT)
        raise _Undone

    try:
        graph.write(write)
    except _Undone:
        return


def _event(event_type: str) -> dict[str, Any]:
    job = {"namespace": _NAMESPACE, "name": "child"}
    parent = {"run": {"runId": new_id()}, "job": {"namespace": _NAMESPACE, "name": "parent"}}
    source = {"namespace": _NAMESPACE, "name": "in"}
    schema = {"fields": [{"name": "column", "type": "int"}]}
    derived = {"fields": {"column": {"inputFields": [source | {"field": "column"}]}}}
    facets = {"schema": schema, "columnLineage": derived}
    return {
        "eventTime": "2000-01-01T00:00:00Z",
        "eventType": event_type,
        "run": {"runId": new_id(), "facets": {"parent": parent}},
        "job": job,
        "inputs": [source],
        "outputs": [{"namespace": _NAMESPACE, "name": "out", "facets": facets}],
    }
