"""The output of tasks is kept, on the host of the worker and for readers elsewhere."""

import json
from datetime import timedelta
from pathlib import Path

import pytest

from lineagegraph.admin.retention import delete_logs
from lineagegraph.errors import NotFound
from lineagegraph.graph import Graph
from lineagegraph.reading.sync import sync_path
from lineagegraph.runs.task_logs import read_log
from lineagegraph.settings import Settings
from tests.acceptance.daemon.looks import state
from tests.acceptance.processes import Commands, until

TASKS = """
import os
import subprocess
import lineagegraph as lg

@lg.task(retries=1, retry_delay=0)
def loud():
    os.system("echo by system with password=hunter2")
    subprocess.run(["echo", "by subprocess"])
    os.write(1, b"by descriptor\\n")
    assert os.path.exists("again") or os.mkdir("again")

lg.pipeline("noisy", tasks=[loud])
"""


def test_output_below_python_is_in_the_log_of_each_attempt_also_elsewhere(
    commands: Commands, graph: Graph, tmp_path: Path
) -> None:
    (tmp_path / "noisy.py").write_text(TASKS)
    home = tmp_path / "home"
    sync_path(graph, Settings(home=home), tmp_path / "noisy.py")
    commands("run", "noisy")
    until(lambda: state(graph, "noisy") == "COMPLETED", 90)
    run = json.loads(commands("runs", "noisy", "--json").stdout)[0]["id"]
    first = commands("logs", run, "--task", "loud", "--attempt", "1", "--follow").stdout
    for text in ("by system with password=***", "by subprocess", "by descriptor", "AssertionError"):
        assert text in first
    assert "hunter2" not in commands("logs", run).stdout
    [row] = graph.query("MATCH (:Job {fqn: 'noisy.loud'})-[:HAS_RUN]->(r) RETURN r.id AS id")
    here = read_log(graph, home / "logs", row["id"])
    assert (here.attempt, here.host, here.is_whole) == (2, None, True)
    # Another host has other folders, and a path in an event must not lead out of them.
    elsewhere = read_log(graph, tmp_path / "other", row["id"])
    assert elsewhere.host
    assert elsewhere.text == here.text
    with pytest.raises(NotFound, match="no log of attempt 1 here; it may be on host"):
        read_log(graph, tmp_path / "other", row["id"], 1)
    # Retention: the folder goes once its run has gone, and not before.
    assert delete_logs(graph, home / "logs", timedelta(0)) == 0
    graph.write(lambda tx: tx.run("MATCH (r:Run {id: $id}) DETACH DELETE r", id=run).consume())
    assert delete_logs(graph, home / "logs", timedelta(days=1)) == 0
    assert delete_logs(graph, home / "logs", timedelta(0)) == 1
    assert not (home / "logs" / run).exists()
