"""Dead letters driven again from the panel of triggers, where no daemon lives."""

from pathlib import Path

from lineagegraph import on
from lineagegraph.authoring.triggers import payload, trigger
from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.neo4j_server import ServerAddress
from lineagegraph.notebook.widgets import TriggerPanel
from lineagegraph.queries.find.find import find_job
from lineagegraph.reactions.commit import commit
from lineagegraph.settings import Settings
from lineagegraph.triggers.write import write_trigger
from tests.acceptance.processes import until
from tests.events import run_event
from tests.project import Project

STATED = """
lg.pipeline("report", tasks=[lg.command("say", ["echo", "{place}"])], params={"place": "none"})
"""
STATE = "MATCH (:Firing)-[:STARTED]->(r:Run) RETURN r.state AS state, r.params AS params"


def test_one_of_several_dead_letters_is_driven_again(
    graph: Graph, server: ServerAddress, tmp_path: Path
) -> None:
    Project(tmp_path / "project", graph, tmp_path / "home").state(STATED)
    place = {"starts": find_job(graph, "report").key, "name": "t", "namespace": "default"}
    rule = trigger(on.success("a"), arguments={"place": payload("location")})
    graph.write(write_trigger, rule, **place)
    for path in ("/one", "/two"):
        event = run_event("a")
        said = {"_producer": "p", "_schemaURL": "s", "params": {"path": path}}
        event["run"].setdefault("facets", {})["lineagegraph"] = said
        graph.write(commit, extract([event]))
    settings = Settings(
        home=tmp_path / "home",
        neo4j_uri=server.bolt,
        neo4j_user=server.user,
        neo4j_password=server.password,
    )
    panel = TriggerPanel(graph, settings)
    letters = panel.view.answer_show("t")["waiting"]
    assert ["DEAD_LETTER" in one["text"] for one in letters] == [True, True]
    key = letters[0]["key"]
    assert panel.view.answer_redrive("t", key) == "0 of 1 are started"
    rule = trigger(on.success("a"), arguments={"place": "path"})
    graph.write(write_trigger, rule, **place)
    assert panel.view.answer_redrive("t", key) == "1 of 1 are started"
    assert len(panel.view.answer_show("t")["waiting"]) == 1
    until(lambda: [row["state"] for row in graph.query(STATE)] == ["COMPLETED"], 60)
