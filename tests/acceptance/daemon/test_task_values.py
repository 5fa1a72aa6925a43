"""Values pass between tasks that run in processes of their own."""

import json
from pathlib import Path

from lineagegraph.graph import Graph
from lineagegraph.reading.sync import sync_path
from lineagegraph.settings import Settings
from tests.acceptance.daemon.looks import state
from tests.acceptance.processes import Commands, until

TASKS = """
from __future__ import annotations
from dataclasses import dataclass
from pathlib import Path
import lineagegraph as lg
import pyarrow as pa

@dataclass
class Found:
    rows: int
    token: str

@lg.task
def find():
    return Found(20_000, "s3cr3t")

@lg.task(takes={"found": find.output})
def table(found: Found):
    return pa.table({"n": list(range(found.rows))})

@lg.task(takes={"found": find.output, "made": table.output})
def check(found: Found, made):
    assert found.token == "s3cr3t"
    assert made.num_rows == found.rows

lg.pipeline("passing", tasks=[find, table, check])
"""


def test_values_pass_between_processes_and_are_shown_without_secrets(
    commands: Commands, graph: Graph, tmp_path: Path
) -> None:
    (tmp_path / "passing.py").write_text(TASKS)
    sync_path(graph, Settings(home=tmp_path / "home"), tmp_path / "passing.py")
    commands("run", "passing")
    until(lambda: state(graph, "passing") == "COMPLETED", 90)
    [row] = graph.query("MATCH (:Job {fqn: 'passing.find'})-[:HAS_RUN]->(r) RETURN r.id AS id")
    printed = commands("show", row["id"]).stdout
    assert '{"rows": 20000, "token": "***"}' in " ".join(printed.split())
    assert "s3cr3t" not in json.dumps(commands("show", row["id"], "--json").stdout)
