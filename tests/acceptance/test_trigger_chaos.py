"""Daemons, writers and servers that are killed: every occurrence counts, and counts once."""

import random
import signal
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from lineagegraph.graph import Graph
from lineagegraph.model.runs.ids import new_id
from lineagegraph.model.runs.states import RunState
from lineagegraph.model.triggers.condition import OnStatus
from lineagegraph.model.triggers.constraint import Concurrency, Otherwise
from lineagegraph.model.triggers.trigger import Pick, Trigger
from lineagegraph.neo4j_server import ServerAddress
from lineagegraph.triggers.react import react_to_missed
from tests.acceptance.doomed import MAX_EVENT_AGE, tick, write_events
from tests.acceptance.mortal import MortalServer, post_events
from tests.acceptance.processes import Commands, shared, until
from tests.command_line import FORKS
from tests.events import run_event
from tests.integration.scheduling.rules import write_rules

SLOTS = 2


class Chaos:
    """Starts processes with a step at which each dies, and others in their place while it may."""

    def __init__(self, deaths: int, steps: int) -> None:
        self._random = random.Random(4)
        self._steps = steps
        self.deaths = deaths
        self._all: dict[BaseProcess, tuple[Any, ...]] = {}

    def start(self, target: Any, *args: Any) -> None:
        last = self._random.randint(1, self._steps) if self.deaths > 0 else None
        process = FORKS.Process(target=target, args=(*args, last))
        process.start()
        self._all[process] = (target, *args)

    def live_on(self) -> bool:
        """Replace those that were killed, and say whether any of the writers is at work."""
        for process in [one for one in self._all if not one.is_alive()]:
            said = self._all.pop(process)
            assert process.exitcode in (0, -signal.SIGKILL)
            if process.exitcode:
                self.deaths -= 1
                self.start(*said)
        return any(target is write_events for target, *_ in self._all.values())

    def join(self) -> None:
        for process in self._all:
            process.join(60)


def success(job: str) -> OnStatus:
    return OnStatus(job=job, statuses=(RunState.COMPLETED,))


def make_rules(jobs: list[str]) -> dict[str, Trigger]:
    """Rules that fire a known number of times, and two that join what waits."""
    first, second, third, fourth = jobs[:4]
    failed = OnStatus(job=second, statuses=(RunState.FAILED,))
    two = Concurrency(limit=SLOTS, otherwise=Otherwise.WAIT)
    rules = {f"after_{job}": Trigger(when=success(job)) for job in jobs}
    return rules | {
        "any": Trigger(when=success(first) | failed),
        "both": Trigger(when=success(first) & success(second)),
        "latest": Trigger(when=success(third) & success(fourth), pick=Pick.LATEST),
        "all": Trigger(when=success(third) | success(fourth), pick=Pick.ALL),
        "limited": Trigger(when=success(fourth), constraints=(two,)),
    }


def count_expected(jobs: list[str], events: list[dict[str, Any]]) -> dict[str, int]:
    """Count by hand how often each rule fires, but for `latest` and `all`."""
    ends = Counter((event["job"]["name"], event["eventType"]) for event in events)
    done = {job: ends[job, "COMPLETE"] for job in jobs}
    return {f"after_{job}": done[job] for job in jobs} | {
        "any": done[jobs[0]] + ends[jobs[1], "FAIL"],
        "both": min(done[jobs[0]], done[jobs[1]]),
        "limited": done[jobs[3]],
    }


def make_events(jobs: list[str], count: int) -> list[dict[str, Any]]:
    chosen, now = random.Random(7), datetime.now(UTC)
    return [
        run_event(
            chosen.choice(jobs),
            chosen.choice(["COMPLETE", "COMPLETE", "COMPLETE", "FAIL"]),
            run_id=new_id(),
            at=now + timedelta(microseconds=number),
        )
        for number in range(count)
    ]


class Size(NamedTuple):
    """How much happens, and how many processes see to it."""

    events: int
    jobs: int
    daemons: int = 3
    writers: int = 2
    producers: int = 2


class Deaths(NamedTuple):
    """How many daemons and writers die, within how many steps, and how many servers."""

    processes: int
    steps: int
    servers: int


@pytest.mark.parametrize(
    ("size", "deaths"),
    [
        pytest.param(Size(200, 6), Deaths(8, 150, 2), id="small"),
        pytest.param(Size(5_000, 20), Deaths(50, 400, 30), id="medium", marks=pytest.mark.soak),
        pytest.param(
            Size(20_000, 50, daemons=8, writers=4),
            Deaths(200, 1000, 100),
            id="large",
            marks=pytest.mark.soak,
        ),
    ],
)
def test_what_killed_processes_leave_behind_is_each_occurrence_once(
    graph: Graph, server: ServerAddress, tmp_path: Path, size: Size, deaths: Deaths
) -> None:
    names = [f"job_{number}" for number in range(size.jobs)]
    graph.write(write_rules, make_rules(names), now=datetime.now(UTC))
    told = make_events(names, size.events)
    parts = size.writers + size.producers
    chaos = Chaos(deaths.processes, deaths.steps)
    over = tmp_path / "over"
    answers: list[int] = []
    environment = Commands(tmp_path, shared(server, tmp_path / "home")).environment
    with (
        ThreadPoolExecutor(size.producers) as pool,
        MortalServer(environment, tmp_path, deaths.servers) as mortal,
    ):
        for _ in range(size.daemons):
            chaos.start(tick, server, over)
        for number in range(size.writers):
            chaos.start(write_events, server, told[number::parts], tmp_path / f"noted_{number}")
        posting = [
            pool.submit(post_events, mortal.url, told[number::parts], answers)
            for number in range(size.writers, parts)
        ]
        while chaos.live_on() or not all(one.done() for one in posting) or is_waiting(graph):
            time.sleep(0.1)
        for one in posting:
            one.result()
        until(lambda: not list(tmp_path.glob("home/spool/*")), 60)
    over.touch()
    chaos.join()
    assert chaos.deaths <= 0
    assert mortal.deaths < deaths.servers
    assert {200, 201} <= set(answers)
    assert react_to_missed(graph, max_event_age=MAX_EVENT_AGE) == []
    assert_each_once(graph, told)
    found = count_firings(graph)
    expected = count_expected(names, told)
    assert {name: found.get(name, 0) for name in expected} == expected
    # How many wait together depends on timing; what each firing takes of them does not.
    assert_joined(graph, "latest", sides=2)
    assert_joined(graph, "all", sides=1)
    assert_explained(graph)
    assert most_at_once(graph) <= SLOTS


def is_waiting(graph: Graph) -> bool:
    """Say whether a firing is kept back, or a limited run is not over."""
    (row,) = graph.query(
        "RETURN EXISTS { (:Firing {state: 'HELD'}) } OR EXISTS { "
        "MATCH (:Trigger {name: 'limited'})-[:STARTS]->()-[:HAS_RUN]->(r) "
        "WHERE r.launch IS NOT NULL } AS waiting"
    )
    return bool(row["waiting"])


def assert_each_once(graph: Graph, told: list[dict[str, Any]]) -> None:
    """Each end of a run that a condition waits for is consumed once, or waits once."""
    (row,) = graph.query("MATCH (r:Run) WHERE r.name STARTS WITH 'job_' RETURN count(r) AS n")
    assert row["n"] == len(told)
    rows = graph.query(
        "MATCH (t:Trigger)-[:HAS_CONDITION]->(c)-[:WATCHES]->()-[:HAS_RUN]->(r) "
        "WHERE r.state IN c.statuses RETURN "
        "COUNT { (t)-[:FIRED]->()-[:CONSUMED {condition_id: c.id}]->(r) } + "
        "COUNT { (t)-[:HAS_CELL]->()-[:HOLDS {condition_id: c.id}]->(r) } AS times, count(*) AS n"
    )
    assert [row["times"] for row in rows] == [1]


def assert_joined(graph: Graph, name: str, sides: int) -> None:
    """Each firing takes all that waits, as soon as there is something of so many sides."""
    rows = graph.query(
        "MATCH (:Trigger {name: $name})-[:FIRED]->(f)-[c:CONSUMED]->() "
        "WITH f, c ORDER BY c.occurred_at, c.key WITH f, "
        "collect({side: c.condition_id, noted: c.noted_at, key: c.key, chosen: c.chosen}) AS took "
        "RETURN f.fired_at AS at, took ORDER BY f.generation",
        {"name": name},
    )
    assert rows
    for before, row in zip([None, *rows], rows, strict=False):
        took = row["took"]
        newest = {one["side"]: one["key"] for one in took}
        assert len(newest) >= sides
        chosen = {one["key"] for one in took if one["chosen"]}
        assert chosen == ({one["key"] for one in took} if name == "all" else set(newest.values()))
        # Nothing that waited when the firing before took all was left for this one.
        assert before is None or min(one["noted"] for one in took) >= before["at"]
    waiting = graph.query(
        "MATCH (:Trigger {name: $name})-[:HAS_CELL]->()-[h:HOLDS]->() "
        "RETURN DISTINCT h.condition_id AS side",
        {"name": name},
    )
    assert len(waiting) < sides


def count_firings(graph: Graph) -> dict[str, int]:
    rows = graph.query(
        "MATCH (t:Trigger)-[:FIRED]->(f) RETURN t.name AS name, count(DISTINCT f.key) AS n"
    )
    return {row["name"]: row["n"] for row in rows}


def assert_explained(graph: Graph) -> None:
    """Each firing started one run, and says why; each trigger that fired has looked."""
    rows = graph.query(
        "MATCH (t:Trigger)-[:FIRED]->(f) RETURN DISTINCT COUNT { (f)-[:STARTED]->() } AS runs, "
        "f.reason <> '' AS has_reason, EXISTS { (t)-[:EVALUATED]->() } AS has_looked"
    )
    assert rows == [{"runs": 1, "has_reason": True, "has_looked": True}]


def most_at_once(graph: Graph) -> int:
    """Return how many runs of the limited job went on at once at most."""
    rows = graph.query(
        "MATCH (:Trigger {name: 'limited'})-[:STARTS]->()-[:HAS_RUN]->(r) "
        "RETURN r.created_at AS begins, r.ended_at AS ends"
    )
    return max(sum(a["begins"] <= b["begins"] < a["ends"] for a in rows) for b in rows)
