"""Report a run's events to the graph; those of a worker that lost the run do not count."""

from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import Any

from lineagegraph.graph import Graph, Transaction
from lineagegraph.ingest.batch import Batch
from lineagegraph.ingest.extract import extract
from lineagegraph.liveness.daemons import nudge_daemons
from lineagegraph.model.outbox.routes import Route
from lineagegraph.model.runs.ids import PRODUCER
from lineagegraph.model.runs.states import EventType, RunState
from lineagegraph.reactions.commit import commit
from lineagegraph.store.runs import launches, leases, pools
from lineagegraph.store.runs.events import list_known
from lineagegraph.triggers.start import Started

LATE = "LATE"
_MESSAGE = "reported by a worker that no longer held the run"


def as_late(events: Iterable[dict[str, Any]], run_id: str) -> list[dict[str, Any]]:
    """Return events in the form in which they may be recorded late: completed runs are SUPERSEDED.

    The run itself keeps its state.
    """
    return [_late(event, is_top=event["run"]["runId"] == run_id) for event in events]


def _late(event: dict[str, Any], *, is_top: bool) -> dict[str, Any]:
    run = event["run"]
    facets = run.get("facets") or {}
    own = {"_producer": PRODUCER, "_schemaURL": f"{PRODUCER}#run-facet-1"}
    own |= facets.get("lineagegraph") or {}
    own |= {"state": RunState.SUPERSEDED.value, "reason": LATE, "message": _MESSAGE}
    late = event | {"run": run | {"facets": facets | {"lineagegraph": own}}}
    return late | {"eventType": EventType.OTHER.value} if is_top else late


_ENDS = ("COMPLETE", "FAIL", "ABORT")


class GraphReporter:
    """Commits events of one run; the event that ends it also releases it and fires triggers.

    Every commit renews the worker's `lease`, as no heartbeat can while a commit locks the run. Once
    the run is no longer this worker's, its events are kept, but do not count.
    """

    def __init__(
        self,
        graph: Graph,
        run_id: str,
        fence: int,
        max_event_age: timedelta,
        routes: Sequence[Route] = (),
        lease: timedelta | None = None,
    ) -> None:
        self._graph = graph
        self._run_id = run_id
        self._fence = fence
        self._max_event_age = max_event_age
        self._routes = routes
        self._lease = lease
        self._is_launched = False

    def report(self, events: Sequence[dict[str, Any]]) -> None:
        """Commit events."""
        batch = extract(events)
        over = [event["run"]["runId"] for event in events if event.get("eventType") in _ENDS]
        ends = self._run_id in over
        if self._graph.write(self._commit, batch, events, over) or ends:
            nudge_daemons(self._graph)
        self._is_launched = True

    def _commit(
        self, tx: Transaction, batch: Batch, events: Sequence[dict[str, Any]], over: list[str]
    ) -> list[Started]:
        if not launches.claim_fence(tx, id=self._run_id, fence=self._fence):
            # The answer to an earlier commit can be lost: these counted.
            known = set(list_known(tx, ids=sorted(batch.events)))
            new = [event for event in events if not extract([event]).events.keys() <= known]
            late = extract(as_late(new, self._run_id))
            return commit(tx, late, max_event_age=self._max_event_age, routes=self._routes)
        firings = commit(tx, batch, max_event_age=self._max_event_age, routes=self._routes)
        leases.release_leases(tx, run_ids=over, now=None)
        pools.release_claims(tx, run_ids=over)
        if self._run_id in over:
            launches.release_run(tx, id=self._run_id)
        elif not self._is_launched:
            launches.settle_launched(tx, id=self._run_id)
        if self._lease:
            # After a release there is none to keep.
            launches.set_renewed(tx, id=self._run_id, lease=self._lease, now=None)
        return firings
