"""A daemon goes on after its folder was deleted, such as that of an earlier release."""

import shutil
from pathlib import Path

from lineagegraph.graph import Graph
from lineagegraph.neo4j_server import ServerAddress
from lineagegraph.reading.sync import sync_path
from lineagegraph.settings import Settings
from tests.acceptance.daemon.looks import state
from tests.acceptance.processes import Commands, shared, until

PROJECT = """
import lineagegraph as lg

def note(about):
    open("{folder}/called", "w").close()

landed = lg.sensor("file", "landed", path="{folder}/flag", on_success="p:note")

@lg.task(after=landed)
def python():
    pass

shell = lg.command("shell", ["true"])
lg.pipeline("p", tasks=[landed, python, shell])
"""


def test_tasks_sensors_and_callbacks_of_a_daemon_whose_folder_was_deleted_run(
    server: ServerAddress, graph: Graph, tmp_path: Path
) -> None:
    release, project = tmp_path / "release", tmp_path / "project"
    for folder in (release, project):
        folder.mkdir()
    (project / "p.py").write_text(PROJECT.format(folder=tmp_path))
    assert not sync_path(graph, Settings(home=tmp_path / "home"), project).failures
    daemon = Commands(release, shared(server, tmp_path / "home"))
    assert daemon("up", "--detach").returncode == 0
    commands = Commands(tmp_path, daemon.environment)
    try:
        shutil.rmtree(release)
        (tmp_path / "flag").touch()
        assert commands("run", "p").returncode == 0
        until(lambda: state(graph, "p") == "COMPLETED", 60)
        until((tmp_path / "called").exists, 60)
    finally:
        commands("down")
