"""A batch file with a sensor is drawn, run to its end, and seen as it was."""

import json
from pathlib import Path
from threading import Timer

from lineagegraph.cli.run.batch.files import read_batch
from lineagegraph.cli.run.sync import sync_path
from lineagegraph.drawing.as_was import draw_as_was
from lineagegraph.drawing.batch import draw_batch
from lineagegraph.drawing.dot import to_dot
from lineagegraph.drawing.mermaid import to_mermaid
from lineagegraph.drawing.svg import to_svg
from lineagegraph.graph import Graph
from lineagegraph.neo4j_server import ServerAddress
from lineagegraph.queries.versions.as_was import read_as_was
from tests.project import Project


def test_a_batch_file_waits_for_its_sensor_and_shows_it_as_it_was(
    graph: Graph, server: ServerAddress, tmp_path: Path
) -> None:
    reached = {"uri": server.bolt, "user": server.user, "password": server.password}
    named = {f"neo4j_{name}": value for name, value in reached.items()}
    project = Project(tmp_path / "project", graph, tmp_path / "home", **named)
    flag, file = tmp_path / "flag", project.folder / "kpi.json"
    landed = {"sensor": {"kind": "file", "path": str(flag)}, "pokeInterval": "0.3s"}
    kpi = {"command": ["true"], "dependencies": ["landed"]}
    file.write_text(json.dumps({"batch": "kpi_daily", "tasks": {"landed": landed, "kpi": kpi}}))
    assert not sync_path(graph, project.settings, file).failures
    Timer(1, flag.touch).start()
    run_id = project.run("kpi_daily")
    assert project.tasks(run_id) == {"kpi": "COMPLETED", "landed": "COMPLETED"}

    then = read_as_was(graph, run_id)
    assert [(one.name, one.runs, one.state) for one in then.tasks] == [
        ("landed", "sensor", "COMPLETED"),
        ("kpi", "command", "COMPLETED"),
    ]
    assert then.tasks[0].settings["fields"] == {"path": str(flag)}
    assert then.tasks[1].after == ("landed",)

    stated = draw_batch(read_batch(project.settings, file).version.pipeline)
    for graph_, labels in (stated, (draw_as_was(then), None)):
        for draw in (to_dot, to_mermaid, to_svg):
            drawn = draw(graph_, labels)
            assert "landed" in drawn
            assert "kpi" in drawn
