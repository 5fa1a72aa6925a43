"""Targets and events for these tests."""

from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec

from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.model.outbox.targets import Forward
from lineagegraph.model.runs.ids import new_id
from lineagegraph.outbox.forwarding import Forwarder
from lineagegraph.outbox.notifications.patience import Patience
from lineagegraph.queries.jobs.outbox import read_targets
from lineagegraph.reactions.commit import commit
from lineagegraph.store.outbox.forwards import TargetRow
from tests.events import run_event
from tests.receiver import Receiver

QUICK = Patience(
    attempts=None,
    pause=timedelta(seconds=10),
    longest=timedelta(seconds=30),
    stranded=timedelta(days=7),
)


def to(receiver: Receiver, name: str = "company", **rest: Any) -> Forward:
    return Forward(name=name, url=receiver.url, **rest)


def forwarder(graph: Graph, *targets: Forward, most: int = 1000, **rest: Any) -> Forwarder:
    """A forwarder as a daemon that starts has it."""
    found = Forwarder(graph, targets, most, rest.get("patience", QUICK))
    found.register()
    return found


def record(graph: Graph, *events: dict[str, Any], own: bool = True) -> list[dict[str, Any]]:
    """Record events, each in a transaction of its own, and return them."""
    for event in events:
        graph.write(commit, extract([event]), own=own)
    return list(events)


def story(job: str = "load", **rest: Any) -> list[dict[str, Any]]:
    """A run from its start to its end."""
    run_id = new_id()
    return [
        run_event(job, kind, run_id=run_id, **rest) for kind in ("START", "RUNNING", "COMPLETE")
    ]


def arrived(receiver: Receiver) -> list[dict[str, Any]]:
    return [msgspec.json.decode(body) for body in receiver.bodies]


def target(graph: Graph, name: str = "company") -> TargetRow:
    (found,) = [one for one in read_targets(graph) if one.name == name]
    return found


def later(seconds: float) -> datetime:
    return datetime.now(UTC) + timedelta(seconds=seconds)
