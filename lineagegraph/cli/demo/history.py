"""The days before the demo: OpenLineage events with past times, as other programs send them.

They are made from the runs of today, so that they have the names and data of these.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, time, timedelta
from typing import Any
from uuid import NAMESPACE_URL, uuid5
from zoneinfo import ZoneInfo

from lineagegraph.cli.demo.steps import states
from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.model.runs.states import EventType
from lineagegraph.queries.runs.hierarchy import Branch
from lineagegraph.queries.runs.runs import WholeRun, read_run
from lineagegraph.reactions.commit import commit
from lineagegraph.store.jobs.hierarchy import RunTreeRow

Event = dict[str, Any]
Use = Mapping[str, Any]
DAYS = 6
LATE, FAILED = 3, 4  # how many days ago
FARES, VENDOR, PRICES = "vendor.fares", "vendor.publish", "gold.fares"
_FAILING, _NOT_REACHED = "nyc.delays.enrich", "nyc.delays.daily"
_ERROR = "Path does not exist: lake/bronze/weather: the weather of JFK was not delivered"
_REFUSED = "HTTP 403 from fares.example.org: the contract of the key ended"
_BATCH = 100
_TYPES = {"pipeline": "PIPELINE", "task": "TASK", "application": "APPLICATION", "action": "SQL_JOB"}
# Longer from day to day, as the data grows.
_STRETCH = (1.0, 0.97, 0.9, 0.92, 0.85, 0.8, 0.78)
_OWNERS = {"ownership": {"owners": [{"name": "team:pricing", "type": "OWNER"}]}}


def write_history(graph: Graph, runs: Sequence[str], zone: str) -> None:
    """Write the last six days of the pipelines of some runs, and of a table of fares.

    Days that are in the graph already stay as they are.
    """
    whole = [read_run(graph, run) for run in runs]
    details = {node.id: read_run(graph, node.id) for one in whole for node in _nodes(one.tree)}
    today = datetime.now(ZoneInfo(zone)).date()
    for ago in range(DAYS, 0, -1):
        morning = datetime.combine(today - timedelta(days=ago), time(6), ZoneInfo(zone))
        first = _id(whole[0].run.name or "", morning)
        if not states(graph, [first]):
            _ingest(graph, [*_day(whole, details, morning, ago), *_fares(morning, ago)])


def _ingest(graph: Graph, events: Sequence[Event]) -> None:
    for start in range(0, len(events), _BATCH):
        graph.write(commit, extract(events[start : start + _BATCH]), own=False)


def _day(
    whole: Sequence[WholeRun], details: Mapping[str, WholeRun], morning: datetime, ago: int
) -> Iterator[Event]:
    """Yield the runs of a day, one after the other: on one of them late, on one failing first."""
    at = morning
    for one in whole:
        name = one.run.name or ""
        if ago == LATE and one is whole[1]:
            at += timedelta(hours=5)
        if ago == FAILED and _FAILING.startswith(name):
            past = _PastRun(details, at, _STRETCH[ago], fails=True)
            yield from past.events(one.tree, None)
            at += timedelta(hours=2)
        past = _PastRun(details, at, _STRETCH[ago])
        yield from past.events(one.tree, None)
        at += timedelta(minutes=1) + past.span(one.tree.item)


class _PastRun:
    """A run of today, at another time; one that fails ends with the failing task."""

    def __init__(
        self, details: Mapping[str, WholeRun], at: datetime, stretch: float, fails: bool = False
    ) -> None:
        self._details = details
        self._at = at
        self._stretch = stretch
        self._fails = fails
        self._began: datetime | None = None

    def events(self, tree: Branch[RunTreeRow], parent: tuple[str, str] | None) -> list[Event]:
        """Return the events of a run and of those below it."""
        run = tree.item
        self._began = self._began or run.started_at
        id_, failed = _id(run.name, self._at), self._fails and _FAILING.startswith(run.name)
        whole = self._details[run.id]
        facets: Event = {"lineagegraph": {"version": whole.run.version, "params": whole.params}}
        if parent:
            job = {"namespace": "default", "name": parent[1]}
            facets["parent"] = {"run": {"runId": parent[0]}, "job": job}
        name = _own_name(run, parent and parent[1])
        kind = _TYPES.get(run.kind or "", "TASK")
        job_facets = {
            "jobType": {"jobType": kind, "processingType": "BATCH", "integration": "DEMO"}
        }
        begin = _event(EventType.START, self._moved(run.started_at), id_, name, facets)
        if failed:
            facets = facets | {"errorMessage": {"message": _ERROR, "programmingLanguage": "PYTHON"}}
        state = EventType.FAIL if failed else EventType.COMPLETE
        end = _event(state, self._moved(run.ended_at), id_, name, facets)
        for event in (begin, end):
            event["job"]["facets"] = job_facets
        if not failed and not tree.children:
            end["inputs"] = [_use(use, "inputFacets", "inputStatistics") for use in whole.reads]
            end["outputs"] = [_use(use, "outputFacets", "outputStatistics") for use in whole.writes]
        below = [] if failed and run.name == _FAILING else tree.children
        known = [one for one in below if not self._fails or one.item.name != _NOT_REACHED]
        return [begin, *(e for one in known for e in self.events(one, (id_, name))), end]

    def span(self, run: RunTreeRow) -> timedelta:
        """Return the duration of a run."""
        return self._moved(run.ended_at) - self._moved(run.started_at)

    def _moved(self, at: datetime | None) -> datetime:
        began = self._began or datetime.now(UTC)
        return self._at + max((at or began) - began, timedelta()) * self._stretch


def _use(use: Any, kind: str, statistics: str) -> Use:
    counts = {"rowCount": use.row_count, "size": use.size}
    known = {name: count for name, count in counts.items() if count is not None}
    return {"namespace": use.namespace, "name": use.name, kind: {statistics: known}}


def _fares(morning: datetime, ago: int) -> Iterator[Event]:
    """Yield the runs about fares: a vendor's, ours after it, and a dashboard that reads the end.

    On the last two days the vendor's fails, so that ours has nothing to follow.
    """
    fares = {"namespace": "warehouse", "name": FARES, "facets": _columns("route", "fare")}
    prices = {
        "namespace": "warehouse",
        "name": PRICES,
        "facets": _columns("route", "fare") | _OWNERS,
    }
    failed = ago <= 2
    said = (
        {"errorMessage": {"message": _REFUSED, "programmingLanguage": "PYTHON"}} if failed else {}
    )
    yield from _run(VENDOR, "vendor", morning, said, outputs=[] if failed else [fares])
    if not failed:
        later = morning + timedelta(minutes=12)
        yield from _run("nyc.fares", "default", later, {}, inputs=[fares], outputs=[prices])
    dashboard = morning + timedelta(hours=2)
    yield from _run("dashboard.prices", "bi", dashboard, {}, inputs=[prices])


def _run(
    job: str,
    namespace: str,
    at: datetime,
    said: Event,
    *,
    inputs: Sequence[Use] = (),
    outputs: Sequence[Use] = (),
) -> Iterator[Event]:
    id_, state = _id(job, at), EventType.FAIL if said else EventType.COMPLETE
    end = _event(state, at + timedelta(minutes=4), id_, job, said)
    for event in (_event(EventType.START, at, id_, job, {}), end):
        event["job"] = {"namespace": namespace, "name": job, "facets": _OWNERS}
        yield event | {"inputs": list(inputs), "outputs": list(outputs) if event is end else []}


def _columns(*names: str) -> Event:
    return {"schema": {"fields": [{"name": name, "type": "string"} for name in names]}}


def _event(state: EventType, at: datetime, run: str, job: str, facets: Event) -> Event:
    return {
        "eventTime": at.astimezone(UTC).isoformat(),
        "eventType": state.value,
        "producer": "https://example.org/lineagegraph/demo",
        "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent",
        "run": {"runId": run, "facets": facets},
        "job": {"namespace": "default", "name": job, "facets": {}},
        "inputs": [],
        "outputs": [],
    }


def _id(job: str, at: datetime) -> str:
    return str(uuid5(NAMESPACE_URL, f"{job} {at.isoformat()}"))


def _own_name(run: RunTreeRow, parent: str | None) -> str:
    """Return the name that a run gives its job: Spark's begin with that of the application."""
    if run.kind == "application":
        return run.simple_name
    return f"{parent}.{run.simple_name}" if run.kind == "action" else run.name


def _nodes(tree: Branch[RunTreeRow]) -> Iterator[RunTreeRow]:
    yield tree.item
    for one in tree.children:
        yield from _nodes(one)
