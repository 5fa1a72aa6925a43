"""`mark` and `unmark`, as processes."""

import json

from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.model.runs.ids import new_id
from lineagegraph.neo4j_server import ServerAddress
from lineagegraph.reactions.commit import commit
from tests.command_line import CommandLine
from tests.events import run_event


def test_a_task_of_a_run_is_marked_shown_and_unmarked(graph: Graph, server: ServerAddress) -> None:
    run_id = new_id()
    task = run_event("daily.load", "FAIL", parent=(run_id, "daily"))
    graph.write(commit, extract([run_event("daily", "FAIL", run_id=run_id), task]))
    command = CommandLine(server)

    def said(*words: str, code: int = 0) -> str:
        done = command(*words)
        assert done.returncode == code, done.stderr
        return done.stdout if code == 0 else done.stderr

    mark = ("mark", run_id, "succeeded", "--task", "load", "--author", "ann")
    assert "is marked as succeeded" in said(*mark, "--reason", "loaded by hand")
    assert "was FAILED; marked by ann: loaded by hand" in said("runs", "daily.load")
    assert "was FAILED; marked by ann: loaded by hand" in said("show", run_id)
    shown = json.loads(said("show", task["run"]["runId"], "--json"))
    assert shown["run"]["mark"]["before"] == "FAILED"
    assert "is COMPLETED already" in said(*mark, "--reason", "again", code=1)
    assert "is acknowledged" in said("ack", run_id, "--note", "asked", "--author", "ann")
    assert "acknowledged by ann: asked" in said("runs", "daily")
    assert "asked" not in said("runs", "daily", "--unacknowledged")
    for note in ("the file came twice", "and a third time"):
        assert "has the note" in said("annotate", run_id, note, "--author", "ann")
    shown = said("show", run_id)
    assert shown.index("the file came twice  (ann, ") < shown.index("and a third time  (ann, ")
    assert [n["author"] for n in json.loads(said("show", run_id, "--json"))["notes"]] == ["ann"] * 2
    assert "give a note" in said("annotate", run_id, " ", code=1)
    assert "is FAILED again" in said("unmark", run_id, "--task", "load")
