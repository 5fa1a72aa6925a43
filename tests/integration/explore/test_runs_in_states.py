"""Runs of all jobs by state and time."""

from datetime import UTC, datetime, timedelta
from typing import NamedTuple

import pytest

from lineagegraph.graph import Graph
from lineagegraph.store.jobs.listings import count_all_runs, list_all_runs
from lineagegraph.store.runs.history import list_changed

START = datetime(2026, 3, 1, tzinfo=UTC)
STATES = ["COMPLETED", "FAILED", "RUNNING", "PENDING"]
COUNT = 40
LATER, LATEST = START + timedelta(minutes=3), START + timedelta(minutes=17)


class Made(NamedTuple):
    id: str
    state: str
    at: datetime
    job: str


@pytest.fixture
def runs(graph: Graph) -> list[Made]:
    """Runs, the newest first; some of a hidden job."""
    rows = [
        {
            "id": f"run-{number:02}",
            "state": STATES[number % len(STATES)],
            "at": (START + timedelta(minutes=number // 2)).isoformat(),
            "job": "hidden" if number % 7 == 3 else "job",
        }
        for number in range(COUNT)
    ]
    graph.query(
        "UNWIND $rows AS row "
        "MERGE (j:Job {key: row.job, fqn: row.job, namespace: 'default'}) "
        "SET j.hidden_at = CASE WHEN row.job = 'hidden' THEN datetime() END "
        "CREATE (j)-[:HAS_RUN]->(:Run {id: row.id, job_key: row.job, namespace: 'default', "
        "state: row.state, state_at: datetime(row.at), created_at: datetime(row.at)})",
        {"rows": rows},
        write=True,
    )
    return [
        Made(row["id"], row["state"], datetime.fromisoformat(row["at"]), row["job"])
        for row in reversed(rows)
    ]


@pytest.mark.parametrize(
    "states",
    [[], ["FAILED"], ["PENDING"], ["FAILED", "PENDING"], ["COMPLETED", "RUNNING"], ["KILLED"]],
)
@pytest.mark.parametrize(
    ("since", "until"), [(None, None), (LATER, None), (None, LATEST), (LATER, LATEST)]
)
def test_pages_and_counts_are_those_of_the_states(
    graph: Graph,
    runs: list[Made],
    states: list[str],
    since: datetime | None,
    until: datetime | None,
) -> None:
    shown = [run for run in runs if run.job != "hidden" and (not states or run.state in states)]
    chosen = [
        run.id
        for run in shown
        if (since is None or since <= run.at) and (until is None or run.at < until)
    ]
    period = {"states": states, "since": since, "until": until}
    for offset in (0, 3):
        found = graph.read(list_all_runs, **period, limit=5, offset=offset)
        assert found == chosen[offset:][:5]
    assert graph.read(count_all_runs, **period) == len(chosen)


@pytest.mark.parametrize("states", [None, ["FAILED"], ["PENDING"], ["FAILED", "PENDING"]])
def test_the_latest_changes_are_those_of_the_states(
    graph: Graph, runs: list[Made], states: list[str] | None
) -> None:
    since = START + timedelta(minutes=3)
    options = {"namespace": None, "unacknowledged": False, "limit": 6}
    found = graph.read(list_changed, since=since, states=states, **options)
    chosen = [(run.state, run.at) for run in runs if states is None or run.state in states]
    assert sorted(row.state_at for row in found) == sorted(at for _, at in chosen[:6])
    assert {(row.state, row.state_at) for row in found} <= set(chosen)
