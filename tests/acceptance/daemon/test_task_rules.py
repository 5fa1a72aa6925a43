"""Branches, skips, rules and teardowns of tasks in processes of their own."""

from pathlib import Path

from lineagegraph.graph import Graph
from lineagegraph.reading.sync import sync_path
from lineagegraph.settings import Settings
from tests.acceptance.daemon.looks import state
from tests.acceptance.processes import Commands, until

TASKS = """
from pathlib import Path
import time
import lineagegraph as lg

HERE = Path("FOLDER")

@lg.branch
def pick():
    with (HERE / "picked").open("a") as file:
        file.write("x")
    return "weekday"

@lg.task(after=pick)
def weekday():
    if (HERE / "closed").exists():
        raise OSError("closed")

@lg.task(after=pick)
def weekend():
    raise AssertionError

@lg.task(after=[weekday, weekend], when="none_failed_min_one_success")
def report():
    lg.skip("nothing is new")

@lg.task(after=weekday, when="one_failed")
def mend(): ...

lg.pipeline("days", tasks=[pick, weekday, weekend, report, mend])

@lg.task
def hang():
    (HERE / "hangs").touch()
    time.sleep(600)

clean = lg.command("clean", ["sh", "-c", "sleep 1; touch FOLDER/clean"], after=hang, teardown=True)
lg.pipeline("hanging", tasks=[hang, clean])
"""


def states(graph: Graph, run: str) -> dict[str, str]:
    rows = graph.query(
        "MATCH (:Run {id: $run})-[:PARENT_OF]->(r)<-[:HAS_RUN]-(j:Job)"
        " RETURN j.simple_name AS name, r.state AS state",
        {"run": run},
    )
    return {row["name"]: row["state"] for row in rows}


def test_choices_and_skips_are_kept_over_a_rerun_and_a_cancelled_run_cleans_up(
    commands: Commands, graph: Graph, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (tmp_path / "days.py").write_text(TASKS.replace("FOLDER", str(out)))
    sync_path(graph, Settings(home=tmp_path / "home"), tmp_path / "days.py")
    assert commands("up", "--detach", "--only", "daemon").returncode == 0
    (out / "closed").touch()
    first = commands("run", "days").stdout.split()[0]
    until(lambda: state(graph, "days") == "FAILED", 90)
    assert states(graph, first) == {
        "pick": "COMPLETED",
        "weekday": "FAILED",
        "weekend": "SKIPPED",
        "report": "FAILED",
        "mend": "COMPLETED",
    }

    (out / "closed").unlink()
    again = commands("rerun", first, "--from-failed", "--policy", "as_was").stdout.split()[0]
    until(lambda: state(graph, "days") == "COMPLETED", 90)
    assert states(graph, again) == {
        "weekday": "COMPLETED",
        "weekend": "SKIPPED",
        "report": "SKIPPED",
        "mend": "SKIPPED",
    }
    assert (out / "picked").read_text() == "x"
    shown = commands("show", again).stdout
    assert "nothing is new" in shown
    assert "pick chose otherwise" in shown

    refused = commands("rerun", again, "--from-failed", "--policy", "as_was")
    assert refused.returncode == 1
    assert f"no task of run {again} failed" in refused.stderr

    hanging = commands("run", "hanging").stdout.split()[0]
    until((out / "hangs").exists, 90)
    assert commands("cancel", hanging).returncode == 0
    until(lambda: state(graph, "hanging") == "KILLED", 90)
    assert states(graph, hanging) == {"hang": "KILLED", "clean": "COMPLETED"}
    assert (out / "clean").exists()
