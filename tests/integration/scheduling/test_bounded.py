"""What daemons decide in several transactions: a kill between two loses and repeats nothing."""

import os
import signal
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.record import record
from lineagegraph.model.runs.ids import new_id
from lineagegraph.model.runs.states import RunState
from lineagegraph.model.triggers.condition import OnStatus
from lineagegraph.model.triggers.constraint import Concurrency, Otherwise
from lineagegraph.model.triggers.trigger import Trigger
from lineagegraph.neo4j_server import ServerAddress
from lineagegraph.triggers.held import release_held
from lineagegraph.triggers.react import react_to_missed
from tests.command_line import FORKS
from tests.events import run_event
from tests.integration.scheduling.rules import write_rules

MOST, COUNT = 10, 45
DONE = OnStatus(job="go", statuses=(RunState.COMPLETED,))


class KilledBetween(Graph):
    """A connection whose process ends when it begins a transaction after some others."""

    def __init__(self, server: ServerAddress, writes: int) -> None:
        super().__init__(server.bolt, server.user, server.password)
        self._left = writes

    def write(self, work: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        if self._left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        self._left -= 1
        return super().write(work, *args, **kwargs)


def decide_until_killed(server: ServerAddress, writes: int, decide: Callable[..., Any]) -> None:
    with KilledBetween(server, writes) as graph:
        decide(graph, most=MOST)


def killed_after(server: ServerAddress, writes: int, decide: Callable[..., Any]) -> None:
    process = FORKS.Process(target=decide_until_killed, args=(server, writes, decide))
    process.start()
    process.join(60)
    assert process.exitcode == -signal.SIGKILL


def runs_by_firing(graph: Graph) -> Counter[int]:
    """Count the firings by the number of runs that each started."""
    rows = graph.query("MATCH (f:Firing) RETURN COUNT { (f)-[:STARTED]->() } AS runs")
    return Counter(row["runs"] for row in rows)


@pytest.fixture
def missed(graph: Graph) -> None:
    """Runs that ended and were not evaluated, each of which starts another."""
    graph.write(write_rules, {"job": Trigger(when=DONE)}, datetime.now(UTC))
    now = datetime.now(UTC)
    times = [now + timedelta(microseconds=number) for number in range(COUNT)]
    graph.write(record, extract([run_event("go", run_id=new_id(), at=time) for time in times]))


@pytest.mark.usefixtures("missed")
@pytest.mark.parametrize("writes", [1, 3])
def test_runs_that_were_not_evaluated_are_so_in_bounded_transactions(
    graph: Graph, server: ServerAddress, writes: int
) -> None:
    killed_after(server, writes, react_to_missed)
    assert runs_by_firing(graph) == {1: writes * MOST}
    assert len(react_to_missed(graph, most=MOST)) == COUNT - writes * MOST
    assert runs_by_firing(graph) == {1: COUNT}
    assert react_to_missed(graph) == []


@pytest.mark.parametrize("writes", [1, 3])
def test_held_firings_are_released_in_bounded_transactions(
    graph: Graph, server: ServerAddress, writes: int
) -> None:
    one = (Concurrency(limit=1, otherwise=Otherwise.WAIT),)
    rules = {f"job_{n}": Trigger(when=DONE, constraints=one) for n in range(COUNT)}
    graph.write(write_rules, rules, datetime.now(UTC))
    for _ in range(2):
        graph.write(record, extract([run_event("go", run_id=new_id(), at=datetime.now(UTC))]))
        react_to_missed(graph)
    assert runs_by_firing(graph) == {0: COUNT, 1: COUNT}
    graph.query("MATCH (r:Run {launch: 'QUEUED'}) REMOVE r.launch", write=True)
    killed_after(server, writes, release_held)
    assert runs_by_firing(graph) == {0: COUNT - writes * MOST, 1: COUNT + writes * MOST}
    assert len(release_held(graph, most=MOST)) == COUNT - writes * MOST
    assert runs_by_firing(graph) == {1: 2 * COUNT}
    assert release_held(graph) == []
