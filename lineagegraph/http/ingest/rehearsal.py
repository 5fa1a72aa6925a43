"""What Neo4j plans before the first event: transactions that write and fire, and are undone."""

from datetime import UTC, datetime, timedelta
from typing import Any

from lineagegraph.graph import Graph, Transaction
from lineagegraph.ingest.batch import Batch
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


def rehearse_events(graph: Graph) -> None:
    """Write the events of a run; nothing is kept."""
    graph.rehearse(_write)


def rehearse_triggers(graph: Graph) -> None:
    """Write the events of a run whose end fires a trigger; nothing is kept."""
    graph.rehearse(_fire)


def _write(tx: Transaction) -> Batch:
    batch = extract([_event("START"), _event("COMPLETE")])
    commit(tx, batch, now=_AT)
    return batch


def _fire(tx: Transaction) -> None:
    batch = _write(tx)
    rule = Trigger(when=OnStatus(job="parent.child", statuses=(RunState.COMPLETED,)))
    starts = job_key(None, _NAMESPACE, "parent")
    before = _AT - timedelta(seconds=1)
    write_trigger(tx, rule, starts=starts, name="t", namespace=_NAMESPACE, now=before)
    react(tx, batch.runs, now=_AT)


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
