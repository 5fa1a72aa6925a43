"""The four test scenarios that CDAP's design of program status schedules lists.

Where a scenario needs a time of day the clock is the test's, elsewhere everything is real.
"""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, time, timedelta
from pathlib import Path

import httpx2 as httpx
import pytest

from lineagegraph.cli.run.sync import sync_path
from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.model.runs.states import RunState
from lineagegraph.model.triggers.condition import OnCron, OnStatus
from lineagegraph.model.triggers.constraint import Otherwise, TimeRange
from lineagegraph.model.triggers.trigger import Trigger
from lineagegraph.neo4j_server import ServerAddress
from lineagegraph.reactions.commit import commit
from lineagegraph.settings import Settings
from lineagegraph.triggers.held import release_held
from lineagegraph.triggers.react import react_to_times
from lineagegraph.worker.launcher import Launcher
from tests.acceptance.processes import Commands, shared, until
from tests.events import run_event
from tests.integration.scheduling.rules import firing_states, write_rules

FIVE_MINUTES = timedelta(minutes=5)
TEN_TO_TEN = datetime(2036, 3, 2, 21, 50, tzinfo=UTC)
AFTER_FIRST = OnStatus(job="first", statuses=(RunState.COMPLETED,))

TWO = """
import lineagegraph as lg
lg.pipeline("first", tasks=[lg.command("work", ["true"])])
lg.pipeline("second", tasks=[lg.command("work", ["true"])])
"""

FAILING = """
import json
import lineagegraph as lg
from lineagegraph import on

@lg.task(emits={"key": str})
def write():
    lg.emit(key="value")
    raise RuntimeError("as it should")

@lg.task
def look(key: str):
    (first,) = lg.upstream()
    with open("seen.json", "w") as file:
        json.dump([first.job, first.status, key, first.payload["key"]], file)

lg.pipeline("first", tasks=[write])
lg.pipeline(
    "second", tasks=[look], params={"key": str}, trigger=on.failure("first").where(key="value")
)
lg.pipeline(
    "third", tasks=[look], params={"key": str}, trigger=on.failure("first").where(key="other")
)
lg.pipeline("fourth", tasks=[look], params={"key": str}, trigger=on.success("first"))
"""

SLOW = """
import time
from pathlib import Path
import lineagegraph as lg

@lg.task
def work():
    time.sleep({seconds} - 0.5)
    Path("half a second left").touch()
    time.sleep(0.5)
    while not Path("deleted").exists():
        time.sleep(0.05)

@lg.task
def never():
    Path("never").touch()

lg.pipeline("first", tasks=[work])
lg.pipeline("second", tasks=[never])
"""

AFTER = {
    "program": {"programName": "second", "programType": "WORKFLOW"},
    "trigger": {
        "type": "PROGRAM_STATUS",
        "programStatuses": ["COMPLETED"],
        "programId": {"type": "WORKFLOW", "program": "first"},
    },
}


@pytest.fixture
def commands(server: ServerAddress, graph: Graph, tmp_path: Path) -> Iterator[Commands]:
    commands = Commands(tmp_path, shared(server, tmp_path / "home"))
    yield commands
    commands("down")


def states(graph: Graph, job: str) -> list[str]:
    rows = graph.query(
        "MATCH (:Job {fqn: $job})-[:HAS_RUN]->(r) RETURN r.state AS state ORDER BY r.created_at",
        {"job": job},
    )
    return [row["state"] for row in rows]


def work_through(graph: Graph, settings: Settings) -> None:
    """Run what is queued, and what that sets off, in workers' processes."""
    launcher = Launcher(graph, settings, "test")
    while launcher.launch_queued():
        for worker in launcher.workers.values():
            worker.process.wait(60)
        launcher.collect_ended()


def test_1_every_five_minutes_both_run_and_complete(
    graph: Graph, server: ServerAddress, tmp_path: Path
) -> None:
    own = Settings(
        home=tmp_path / "home",
        neo4j_uri=server.bolt,
        neo4j_user=server.user,
        neo4j_password=server.password,
    )
    (tmp_path / "pipes.py").write_text(TWO)
    sync_path(graph, own, tmp_path / "pipes.py")
    noon = datetime.now(UTC).replace(hour=12, minute=0, second=0) - timedelta(days=1)
    rules = {
        "first": Trigger(when=OnCron(cron="*/5 * * * *", zone="UTC")),
        "second": Trigger(when=AFTER_FIRST),
    }
    graph.write(write_rules, rules, now=noon)
    for now in (noon + FIVE_MINUTES, noon + 2 * FIVE_MINUTES):
        assert graph.write(react_to_times, now=now - timedelta(seconds=1)) == []
        assert len(graph.write(react_to_times, now=now)) == 1
    work_through(graph, own)
    assert states(graph, "first") == ["COMPLETED", "COMPLETED"]
    assert states(graph, "second") == ["COMPLETED", "COMPLETED"]


def test_2_what_a_failed_run_emitted_is_seen_by_the_run_that_its_failure_starts(
    commands: Commands, graph: Graph
) -> None:
    (commands.folder / "pipes.py").write_text(FAILING)
    assert commands("sync", "pipes.py").returncode == 0
    assert commands("up", "--detach").returncode == 0
    commands("run", "first")
    until(lambda: states(graph, "second") == ["COMPLETED"], seconds=150)
    assert states(graph, "first") == ["FAILED"]
    seen = json.loads((commands.folder / "seen.json").read_text())
    assert seen == ["first", "FAILED", "value", "value"]
    assert states(graph, "third") == states(graph, "fourth") == []


@pytest.mark.parametrize("seconds", [1, pytest.param(10, marks=pytest.mark.soak)])
def test_3_a_schedule_that_is_deleted_half_a_second_before_its_time_starts_nothing(
    commands: Commands, graph: Graph, seconds: int
) -> None:
    folder = commands.folder
    (folder / "pipes.py").write_text(SLOW.replace("{seconds}", str(seconds)))
    assert commands("sync", "pipes.py").returncode == 0
    assert commands("up", "--detach").returncode == 0
    http = json.loads(commands("status", "--json").stdout)["http"]
    schedule = f"{http}/v3/namespaces/default/apps/default/schedules/after"
    assert httpx.put(schedule, json=AFTER).status_code == 200
    assert httpx.post(f"{schedule}/enable").status_code == 200
    commands("run", "first")
    until((folder / "half a second left").exists, seconds=150)
    assert httpx.delete(schedule).status_code == 200
    (folder / "deleted").touch()
    until(lambda: states(graph, "first") == ["COMPLETED"], seconds=150)
    # What a run's end starts is there as soon as its end is.
    assert states(graph, "second") == []
    assert not (folder / "never").exists()


@pytest.mark.parametrize("otherwise", Otherwise)
def test_4_what_completes_before_ten_starts_nothing_that_may_run_from_ten_to_eleven(
    graph: Graph, otherwise: Otherwise
) -> None:
    hour = TimeRange(start=time(22), end=time(23), zone="UTC", otherwise=otherwise)
    rules = {
        "first": Trigger(when=OnCron(cron="50 21 2 3 *", zone="UTC")),
        "second": Trigger(when=AFTER_FIRST, constraints=(hour,)),
    }
    graph.write(write_rules, rules, now=TEN_TO_TEN - timedelta(hours=1))
    (first,) = graph.write(react_to_times, now=TEN_TO_TEN + timedelta(seconds=1))
    ended = TEN_TO_TEN + timedelta(minutes=9)
    done = extract([run_event("first", run_id=first.run_id, at=ended)])
    (second,) = graph.write(commit, done, now=ended)
    assert second.run_id is None
    assert states(graph, "first") == ["COMPLETED"]
    just_before, ten = (TEN_TO_TEN + timedelta(seconds=s) for s in (599, 601))
    assert release_held(graph, now=just_before) == []
    at_ten = release_held(graph, now=ten)
    if otherwise is Otherwise.ABORT:
        assert (at_ten, firing_states(graph)["second"]) == ([], ["ABORTED"])
        assert release_held(graph, now=ten + timedelta(days=1)) == []
    else:
        assert [one.key for one in at_ten] == [second.key]
    assert states(graph, "second") == ["PENDING"] * len(at_ten)
