"""The environment variables that a task read are in its run's record."""

import json
from pathlib import Path

from lineagegraph.graph import Graph
from lineagegraph.reading.sync import sync_path
from lineagegraph.settings import Settings
from tests.acceptance.daemon.looks import state
from tests.acceptance.processes import Commands, until

TASKS = """
import os
import lineagegraph as lg

@lg.task(pass_env=["REGION", "API_TOKEN", "UNREAD"])
def reads():
    os.environ["REGION"], os.getenv("API_TOKEN"), os.environ.get("ABSENT")
    os.path.expanduser("~")

lg.pipeline("reading", tasks=[reads])
"""


def test_variables_that_a_task_read_are_kept_and_shown_without_secrets(
    commands: Commands, graph: Graph, tmp_path: Path
) -> None:
    (tmp_path / "reading.py").write_text(TASKS)
    sync_path(graph, Settings(home=tmp_path / "home"), tmp_path / "reading.py")
    given = {"REGION": "eu-1", "API_TOKEN": "s3cr3t-v4lue", "UNREAD": "x"}
    commands("run", "reading", **given)
    until(lambda: state(graph, "reading") == "COMPLETED", 90)
    [row] = graph.query("MATCH (:Job {fqn: 'reading.reads'})-[:HAS_RUN]->(r) RETURN r.id AS id")
    printed = commands("show", row["id"]).stdout
    for kept in ("REGION", "eu-1", "API_TOKEN"):
        assert kept in printed
    for absent in ("s3cr3t-v4lue", "UNREAD", "HOME"):
        assert absent not in printed
    events = graph.query("MATCH (e:Event) RETURN e.body AS body")
    assert "s3cr3t-v4lue" not in json.dumps(events)
