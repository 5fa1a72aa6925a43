"""`firings` shows what became of each firing, also of those that started no run."""

from datetime import UTC, datetime

import pytest

from lineagegraph.graph import Graph
from lineagegraph.model.triggers.constraint import Concurrency, Otherwise
from lineagegraph.model.triggers.trigger import Argument, Trigger
from lineagegraph.neo4j_server import ServerAddress
from tests.command_line import CommandLine
from tests.integration.scheduling.rules import GO, say, write_rules


@pytest.fixture
def fired(graph: Graph) -> None:
    """Two firings of each of three triggers."""
    now = datetime.now(UTC)
    wait, abort = (
        (Concurrency(limit=1, otherwise=otherwise),)
        for otherwise in (Otherwise.WAIT, Otherwise.ABORT)
    )
    missing = (Argument(parameter="place", key="region", required=True),)
    rules = {
        "waits": Trigger(when=GO, constraints=wait),
        "stops": Trigger(when=GO, constraints=abort),
        "lacks": Trigger(when=GO, arguments=missing),
    }
    graph.write(write_rules, rules, now)
    for _ in range(2):
        graph.write(say, "go", datetime.now(UTC))


@pytest.mark.usefixtures("fired")
@pytest.mark.parametrize(
    ("trigger", "states"),
    [
        ("waits", ["HELD", "PENDING"]),
        ("stops", ["ABORTED", "PENDING"]),
        ("lacks", ["DEAD_LETTER", "DEAD_LETTER"]),
    ],
)
def test_a_firing_that_started_nothing_has_its_state(
    server: ServerAddress, trigger: str, states: list[str]
) -> None:
    told = CommandLine(server)("firings", trigger)
    assert told.returncode == 0, told.stderr
    # After the day, the time and the zone.
    shown = [line.split()[3] for line in told.stdout.splitlines()[1:]]
    assert shown == states, told.stdout
