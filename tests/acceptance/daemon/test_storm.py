"""A task that sends the event that starts it, with a real daemon and real workers."""

import json

from lineagegraph.graph import Graph
from lineagegraph.reading.sync import sync_path
from lineagegraph.settings import Settings
from tests.acceptance.daemon.looks import runs_of, state
from tests.acceptance.processes import Commands, until

PIPELINES = """
import subprocess
import sys
import lineagegraph as lg
from lineagegraph import on

EVENT = [sys.executable, "-m", "lineagegraph.cli", "event", "again"]
PASSWORD = ["LINEAGEGRAPH_NEO4J_PASSWORD"]

@lg.task(pass_env=PASSWORD)
def send():
    subprocess.run(EVENT, check=True)

again = on.event("again")
lg.pipeline("echo", tasks=[send], trigger=again)
lg.pipeline("calm", tasks=[lg.command("nothing", ["true"])], trigger=again)
"""


ASKING = """
import subprocess
import sys
import lineagegraph as lg
from lineagegraph import on

ASK = [sys.executable, "-m", "lineagegraph.cli", "run", "feed"]

@lg.task(pass_env=["LINEAGEGRAPH_NEO4J_PASSWORD"])
def ask():
    subprocess.run(ASK, check=True)

lg.pipeline("feed", tasks=[lg.command("nothing", ["true"])])
lg.pipeline("greedy", tasks=[ask], trigger=on.success("feed"))
"""


def test_a_task_that_runs_the_pipeline_that_starts_it_is_stopped(
    commands: Commands, graph: Graph
) -> None:
    (commands.folder / "asking.py").write_text(ASKING)
    sync_path(graph, Settings(home=commands.folder / "home"), commands.folder / "asking.py")
    up = commands("up", "--detach", LINEAGEGRAPH_TRIGGER_REPEAT_LIMIT="2")
    assert up.returncode == 0
    assert commands("run", "feed").returncode == 0
    said = "from one cause: greedy → greedy"
    until(lambda: said in commands("trigger", "why", "greedy").stdout, 300)
    assert (runs_of(graph, "greedy"), runs_of(graph, "feed")) == (2, 3)


def test_a_storm_of_tasks_ends_and_others_go_on(commands: Commands, graph: Graph) -> None:
    (commands.folder / "storm.py").write_text(PIPELINES)
    sync_path(graph, Settings(home=commands.folder / "home"), commands.folder / "storm.py")
    up = commands("up", "--detach", LINEAGEGRAPH_TRIGGER_REPEAT_LIMIT="2")
    assert up.returncode == 0
    commands("event", "again")
    until(lambda: "from one cause: echo → echo" in commands("trigger", "why", "echo").stdout, 300)
    until(lambda: state(graph, "calm") == "COMPLETED", 300)
    assert (runs_of(graph, "echo"), runs_of(graph, "calm")) == (2, 3)
    dead = json.loads(commands("status", "--json").stdout)["dead"]
    assert "echo" in {one["job"] for one in dead}
