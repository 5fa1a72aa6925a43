"""`down --drain`: runs under way end, waiting runs are kept, and no others begin."""

from pathlib import Path

from lineagegraph.graph import Graph
from lineagegraph.reading.sync import sync_path
from lineagegraph.settings import Settings
from tests.acceptance.daemon.looks import state, status
from tests.acceptance.processes import Commands, until

PIPELINES = """
import lineagegraph as lg

UNTIL = "while ! test -e go; do sleep 0.1; done"
lg.pipeline("busy", tasks=[lg.command("work", ["sh", "-c", UNTIL])])
lg.pipeline("next", tasks=[lg.command("nothing", ["true"])])

arrived = lg.sensor("file", path=PATH, poke_interval="1s")

@lg.task(after=arrived)
def read():
    pass

lg.pipeline("waiting", tasks=[arrived, read])
"""


def begin(commands: Commands, graph: Graph, *jobs: str) -> None:
    text = PIPELINES.replace("PATH", repr(str(commands.folder / "arrived")))
    (commands.folder / "drained.py").write_text(text)
    sync_path(graph, Settings(home=commands.folder / "home"), commands.folder / "drained.py")
    assert commands("up", "--detach", LINEAGEGRAPH_WORKER_SLOTS="1").returncode == 0
    for job in jobs:
        commands("run", job)


def test_runs_under_way_end_and_no_others_begin(commands: Commands, graph: Graph) -> None:
    begin(commands, graph, "busy")
    until(lambda: state(graph, "busy.work") == "RUNNING", 60)
    commands("run", "next")
    down = commands.start("down", "--drain")
    assert down.stderr is not None
    assert any("waiting for 1 run: busy" in line for line in iter(down.stderr.readline, ""))
    assert status(commands)["ready"]
    assert down.poll() is None
    (commands.folder / "go").touch()
    down.communicate(timeout=60)
    assert down.returncode == 0
    assert (state(graph, "busy"), state(graph, "next")) == ("COMPLETED", "PENDING")
    assert not status(commands)["ready"]


def test_runs_under_way_end_also_if_the_disk_is_full(commands: Commands, graph: Graph) -> None:
    begin(commands, graph, "busy")
    until(lambda: state(graph, "busy.work") == "RUNNING", 60)
    pid = status(commands)["daemons"][0]["pid"]
    full = commands.folder / "home" / f"up.json.{pid}.part"
    full.symlink_to("/dev/full")
    down = commands.start("down", "--drain")
    until(lambda: not full.is_symlink())
    (commands.folder / "go").touch()
    down.communicate(timeout=60)
    assert state(graph, "busy") == "COMPLETED"


def test_after_the_timeout_the_rest_is_ended(commands: Commands, graph: Graph) -> None:
    begin(commands, graph, "busy")
    until(lambda: state(graph, "busy.work") == "RUNNING", 60)
    down = commands("down", "--drain", "--timeout", "2s")
    assert down.returncode == 0
    assert state(graph, "busy") == "KILLED"
    assert "it needs --drain" in commands("down", "--timeout", "2s").stderr


def test_a_run_that_only_waits_is_kept_for_the_next_daemon(
    commands: Commands, graph: Graph, tmp_path: Path
) -> None:
    begin(commands, graph, "waiting")
    until(lambda: state(graph, "waiting") == "WAITING" or is_resting(graph), 60)
    assert commands("down", "--drain").returncode == 0
    assert state(graph, "waiting") not in {"KILLED", "FAILED"}
    (tmp_path / "arrived").touch()
    assert commands("up", "--detach").returncode == 0
    until(lambda: state(graph, "waiting") == "COMPLETED", 90)


def is_resting(graph: Graph) -> bool:
    return bool(graph.query("MATCH (r:Run) WHERE r.resting_since IS NOT NULL RETURN r.id"))
