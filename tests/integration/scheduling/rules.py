"""Triggers, events and firings for tests, at times that the tests say."""

import json
from datetime import datetime, timedelta
from typing import Any

from lineagegraph.graph import Graph, Transaction
from lineagegraph.ingest.extract import extract
from lineagegraph.model.names.keys import job_key
from lineagegraph.model.runs.ids import new_id
from lineagegraph.model.triggers.condition import OnEvent
from lineagegraph.model.triggers.trigger import Trigger
from lineagegraph.reactions.commit import commit
from lineagegraph.store.jobs import jobs
from lineagegraph.triggers.react import react_to_events
from lineagegraph.triggers.write import write_trigger
from tests.events import run_event

GO = OnEvent(name="go")


def write_rules(
    tx: Transaction, rules: dict[str, Trigger], now: datetime, origin: str = "test"
) -> dict[str, str]:
    """Write rules, each for a job of its own of that name; return their ids.

    No file states them, so none that is read again withdraws them.
    """
    keys = {name: job_key(None, "default", name) for name in rules}
    rows = [
        {"key": key, "namespace": "default", "name": name, "simple_name": name, "fqn": name}
        for name, key in keys.items()
    ]
    jobs.merge_jobs(tx, rows=[row | {"parent_key": None} for row in rows])
    return {
        name: write_trigger(
            tx, rule, name=name, namespace="default", starts=keys[name], origin=origin, now=now
        )
        for name, rule in rules.items()
    }


def say(
    tx: Transaction, name: str, now: datetime, *, at: datetime | None = None, **payload: Any
) -> list[str]:
    """Say that an external event happened, and return why runs were started."""
    id_ = new_id()
    tx.run(
        "CREATE (:ExternalEvent {id: $id, name: $name, occurred_at: $at, payload: $payload})",
        {"id": id_, "name": name, "at": at or now, "payload": json.dumps(payload)},
    ).consume()
    return [one.reason for one in react_to_events(tx, [id_], now=now) if one.run_id]


def end(
    graph: Graph,
    job: str,
    kind: str = "COMPLETE",
    *,
    at: datetime,
    now: datetime | None = None,
    max_event_age: timedelta = timedelta(hours=1),
    own: dict[str, Any] | None = None,
    partitions: tuple[dict[str, str], ...] = (),
    **terms: Any,
) -> list[str]:
    """Report that a run ended, and return why runs were started."""
    event = run_event(job, kind, at=at, **terms)
    if own:
        event["run"]["facets"]["lineagegraph"] = own
    if partitions:
        listed = {"type": "partition", "partitions": [{"dimensions": one} for one in partitions]}
        for output in event["outputs"]:
            output["outputFacets"] = {"subset": {"outputCondition": listed}}
    found = graph.write(commit, extract([event]), now=now or at, max_event_age=max_event_age)
    return [one.reason for one in found if one.run_id]


def firing_states(graph: Graph) -> dict[str, list[str]]:
    """Return the states of each trigger's firings, the oldest first; STARTED where a run is."""
    rows = graph.query(
        "MATCH (t:Trigger)-[:FIRED]->(f:Firing) "
        "WITH t, f ORDER BY f.fired_at, f.generation "
        "RETURN t.name AS name, collect(CASE WHEN EXISTS { (f)-[:STARTED]->() } "
        "THEN 'STARTED' ELSE f.state END) AS states"
    )
    return {row["name"]: row["states"] for row in rows}
