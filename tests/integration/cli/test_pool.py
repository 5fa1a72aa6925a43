"""`pool`, as processes, and pools that definitions name."""

import json
from pathlib import Path

from lineagegraph.graph import Graph
from lineagegraph.neo4j_server import ServerAddress
from tests.command_line import CommandLine

DEFINITION = """
import lineagegraph as lg

tasks = [lg.group("in", tasks=[lg.command("a", ["true"], pool="lab", pool_slots=3)])]
lg.pipeline("experiment", tasks=tasks)
"""


def test_pools_are_set_listed_and_deleted(
    graph: Graph, server: ServerAddress, tmp_path: Path
) -> None:
    command = CommandLine(server)

    def run(*words: str, code: int = 0) -> str:
        done = command(*words)
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout if code == 0 else done.stderr + done.stdout

    definition = tmp_path / "experiment.py"
    definition.write_text(DEFINITION)
    refused = run("sync", str(definition), code=1)
    assert "task a: pool 'lab' is unknown: `lineagegraph pool set lab 3`" in " ".join(
        refused.split()
    )
    run("pool", "set", "lab", "2")
    assert "pool lab has 2 slots and the task needs 3" in " ".join(
        run("sync", str(definition), code=1).split()
    )
    run("pool", "set", "lab", "3")
    run("sync", str(definition))
    empty = {"name": "lab", "slots": 3, "taken": 0, "waiting": 0}
    assert json.loads(run("pool", "list", "--json")) == [empty]
    assert json.loads(run("pool", "show", "lab", "--json")) == empty | {"tasks": []}
    assert "lab" in run("pool", "list")
    run("pool", "delete", "lab")
    assert "pool 'lab' is unknown" in run("pool", "show", "lab", code=1)
    entries = json.loads(run("audit", "--action", "pool", "--json"))
    assert [one["action"] for one in entries].count("pool.set") == 2
