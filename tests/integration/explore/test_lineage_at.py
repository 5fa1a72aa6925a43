"""Lineage as of a time is what was answered at that time."""

import random
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from lineagegraph.errors import NotFound
from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.record import record
from lineagegraph.model.names.keys import dataset_key, job_key
from lineagegraph.model.runs.states import RunState
from lineagegraph.queries.lineage.described_lineage import DescribedLineage, describe_lineage
from lineagegraph.queries.lineage.window import Window
from lineagegraph.runs.mark import mark_run
from tests.events import run_event

START = datetime(2026, 3, 1, tzinfo=UTC)
DATASETS = ["raw", "clean", "gold", "report"]
SCHEMAS = [["id"], ["id", "price"], ["price", "id", "note"]]
# A smaller seed is no smaller history.
PHASES = [Phase.generate]
SUPPRESSED = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]


class History:
    """Events about two workflows with tasks of the same names, in the order of their times."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.minute = 0
        self.runs: list[dict[str, Any]] = []

    def next_step(self) -> list[dict[str, Any]]:
        """Return the events of the next minute: a workflow run with a task's, or a known run's."""
        self.minute += self.chance.randint(1, 3)
        if len(self.runs) > 3 and self.chance.random() < 0.7:
            return [self._event(self.chance.choice(self.runs[-8:]))]
        dag = self._add(self.chance.choice(["hourly", "daily"]), None)
        task = self._add(self.chance.choice(["extract", "load", "publish"]), dag)
        return [self._event(dag), self._event(task)]

    @property
    def now(self) -> datetime:
        return START + timedelta(minutes=self.minute)

    def _add(self, name: str, parent: dict[str, Any] | None) -> dict[str, Any]:
        run = {"id": str(UUID(int=self.chance.getrandbits(128))), "name": name, "parent": parent}
        self.runs.append(run)
        return run

    def _event(self, run: dict[str, Any]) -> dict[str, Any]:
        kinds = ["START", "RUNNING", "COMPLETE", "COMPLETE", "FAIL", "ABORT", "START"]
        parent = run["parent"]
        uses = parent is not None
        return {
            "eventTime": self.now.isoformat(),
            "eventType": self.chance.choice(kinds),
            "producer": "https://example.org/test",
            "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent",
            "run": {"runId": run["id"], "facets": _parent(parent)},
            "job": {
                "namespace": "ns",
                "name": run["name"],
                "facets": self._location() | self._kind(),
            },
            "inputs": [self._dataset(name) for name in self._names(2)] if uses else [],
            "outputs": [self._dataset(name) for name in self._names(1)] if uses else [],
        }

    def _names(self, most: int) -> list[str]:
        return self.chance.sample(DATASETS, k=self.chance.randint(0, most))

    def _location(self) -> dict[str, Any]:
        url = f"https://example.org/{self.chance.randint(0, 2)}"
        return {"sourceCodeLocation": {"url": url}} if self.chance.random() < 0.3 else {}

    def _kind(self) -> dict[str, Any]:
        return {"jobType": {"processingType": "STREAMING"}} if self.chance.random() < 0.2 else {}

    def _dataset(self, name: str) -> dict[str, Any]:
        fields = [{"name": n, "type": "int"} for n in self.chance.choice(SCHEMAS)]
        facets: dict[str, Any] = (
            {"schema": {"fields": fields}} if self.chance.random() < 0.6 else {}
        )
        if self.chance.random() < 0.1:
            facets["lifecycleStateChange"] = {"lifecycleStateChange": "ALTER"}
        return {"namespace": "lake", "name": name, "facets": facets}


def _parent(run: dict[str, Any] | None) -> dict[str, Any]:
    job = {"namespace": "ns", "name": run["name"]} if run else {}
    return {"parent": {"run": {"runId": run["id"]}, "job": job}} if run else {}


def seen(found: DescribedLineage) -> dict[str, Any]:
    """All that a time decides: all but when the database was told."""
    return {
        "edges": sorted((edge.source, edge.target) for edge in found.edges),
        "cut": found.cut,
        **{
            job.row.key: (
                *(job.namespace, job.row.name, job.row.inputs, job.row.outputs, job.created_at),
                *(job.row.version, job.facets),
                [
                    (run.row.id, run.row.state, run.row.started_at, run.row.ended_at)
                    for run in job.runs
                ],
            )
            for job in found.jobs
        },
        **{
            one.row.key: (
                *(one.row.name, [(f.name, f.type) for f in one.row.fields], one.row.version),
                *(one.row.first_seen, one.row.last_seen, one.row.written_at),
            )
            for one in found.datasets
        },
    }


def nodes() -> list[str]:
    dags = [job_key(None, "ns", name) for name in ("hourly", "daily")]
    tasks = [job_key(dag, "ns", name) for dag in dags for name in ("extract", "load")]
    return [*dags, *tasks, *(dataset_key("lake", name) for name in DATASETS)]


def ask(graph: Graph, key: str, at: datetime | None = None) -> dict[str, Any] | None:
    """Return what is answered, or None where nothing is known of a node."""
    try:
        found = describe_lineage(graph, key, 9, 9, inherit=True, window=Window(at=at))
    except NotFound:
        return None
    known = {job.row.key for job in found.jobs} | {one.row.key for one in found.datasets}
    return seen(found) if key in known else None


def check_history(graph: Graph, seed: int, steps: int) -> None:
    graph.query("MATCH (n) WHERE NOT n:Migration DETACH DELETE n", write=True)
    history = History(seed)
    answers = []
    for _ in range(steps):
        graph.write(record, extract(history.next_step()))
        node = history.chance.choice(nodes())
        answers.append((node, history.now, ask(graph, node)))
    for node, at, answer in answers:
        late = timedelta(seconds=history.chance.randint(0, 59))
        assert ask(graph, node, at + late) == answer


@settings(max_examples=2, deadline=None, phases=PHASES, suppress_health_check=SUPPRESSED)
@given(seed=st.integers(1, 2**32))
def test_lineage_at_any_time_is_the_answer_that_was_given_then(graph: Graph, seed: int) -> None:
    check_history(graph, seed, 50)


@pytest.mark.parametrize(("kind", "change"), [("FAIL", ""), ("ABORT", ""), ("COMPLETE", "ALTER")])
def test_a_dataset_is_not_written_by_a_run_that_failed_or_only_altered_it(
    graph: Graph, kind: str, change: str
) -> None:
    first, then = (datetime(2026, 3, day, tzinfo=UTC) for day in (1, 2))
    events = [
        run_event("load", at=first, outputs=(("lake", "gold"),)),
        run_event("load", kind, at=then, outputs=(("lake", "gold"),)),
    ]
    if change:
        facet = {"lifecycleStateChange": {"lifecycleStateChange": change}}
        events[1]["outputs"][0]["facets"] = facet
    for event in events:
        graph.write(record, extract([event]))
    key = dataset_key("lake", "gold")
    for at in (None, then):
        (found,) = describe_lineage(graph, key, 0, 0, inherit=True, window=Window(at=at)).datasets
        assert (found.row.written_at, found.row.last_seen) == (first, then)


@pytest.mark.parametrize(("kind", "state"), [("FAIL", "COMPLETED"), ("COMPLETE", "FAILED")])
def test_a_mark_by_hand_changes_nothing_before_it(graph: Graph, kind: str, state: str) -> None:
    event = run_event("load", kind, outputs=(("lake", "gold"),), at=START)
    graph.write(record, extract([event]))
    nodes = [job_key(None, event["job"]["namespace"], "load"), dataset_key("lake", "gold")]
    before = [ask(graph, node) for node in nodes]
    mark_run(graph, event["run"]["runId"], RunState(state), "seen", author="ann")
    assert [ask(graph, node) for node in nodes] != before
    assert [ask(graph, node, START + timedelta(days=1)) for node in nodes] == before


@pytest.mark.soak
@settings(max_examples=20, deadline=None, phases=PHASES, suppress_health_check=SUPPRESSED)
@given(seed=st.integers(1, 2**32))
def test_lineage_at_any_time_is_the_answer_of_then_at_length(graph: Graph, seed: int) -> None:
    check_history(graph, seed, 300)
