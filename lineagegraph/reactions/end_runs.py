"""Events that end runs whose worker cannot report."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from lineagegraph.graph import Transaction
from lineagegraph.ingest.extract import extract
from lineagegraph.model.outbox.routes import Route
from lineagegraph.model.runs.ids import PRODUCER
from lineagegraph.openlineage.compose import make_event, make_facet
from lineagegraph.reactions.commit import commit
from lineagegraph.store.runs import leases, pools
from lineagegraph.store.runs.launches import OpenRun


def commit_ends(
    tx: Transaction,
    run_id: str,
    events: Sequence[dict[str, Any]],
    *,
    max_event_age: timedelta,
    routes: Sequence[Route] = (),
    now: datetime | None = None,
) -> None:
    """Commit the ends of a run or of some below it, and let go of all that is leased to it."""
    held = leases.list_held(tx, id=run_id)
    commit(tx, extract(events), max_event_age=max_event_age, routes=routes, now=now)
    ended = [event["run"]["runId"] for event in events]
    leases.release_leases(tx, run_ids=sorted({*held, *ended}), now=now)
    pools.release_claims(tx, run_ids=ended)


def failure_events(
    open_runs: Sequence[OpenRun], reason: str, message: str, event_type: str = "FAIL"
) -> list[dict[str, Any]]:
    """Return an end for each run, in the order given."""
    own = {"reason": reason}
    return [
        failure_event(run.id, run.namespace, run.name, run.now, own, message, event_type)
        for run in open_runs
    ]


def failure_event(
    run_id: str,
    namespace: str,
    name: str,
    at: datetime,
    own: Mapping[str, str],
    message: str,
    event_type: str = "FAIL",
) -> dict[str, Any]:
    """Return the event that ends one run; `own` is the content of our facet."""
    event = own_event(run_id, namespace, name, at, own, event_type)
    event["run"]["facets"]["errorMessage"] = make_facet(
        "1-0-1/ErrorMessageRunFacet", message=message, programmingLanguage="PYTHON"
    )
    return event


def own_event(
    run_id: str,
    namespace: str,
    name: str,
    at: datetime,
    own: Mapping[str, Any],
    event_type: str = "OTHER",
) -> dict[str, Any]:
    """Return an event with only our facet, whose content is `own`."""
    facet = {"_producer": PRODUCER, "_schemaURL": f"{PRODUCER}#run-facet-1", **own}
    return {
        **make_event("RunEvent", at),
        "eventType": event_type,
        "run": {"runId": run_id, "facets": {"lineagegraph": facet}},
        "job": {"namespace": namespace, "name": name, "facets": {}},
        "inputs": [],
        "outputs": [],
    }
