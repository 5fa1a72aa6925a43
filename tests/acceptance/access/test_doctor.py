"""`doctor --security` attacks the running server, and sees what does not hold."""

import json
from pathlib import Path

from lineagegraph.neo4j_server import ServerAddress
from tests.acceptance.processes import Commands, shared


def test_the_doctor_attacks_the_running_server(server: ServerAddress, tmp_path: Path) -> None:
    commands = Commands(tmp_path, shared(server, tmp_path / "home"))
    away = json.loads(commands("doctor", "--security", "--json").stdout)
    assert {one["name"] for one in away if not one["ok"]} == {"HTTP"}
    assert commands("up", "--detach").returncode == 0
    try:
        found = {
            one["name"]: one
            for one in json.loads(commands("doctor", "--security", "--json").stdout)
        }
        for name in (
            "Neo4j files",
            "Neo4j requests",
            "Neo4j procedures",
            "Name of another host",
            "Page of another site",
            "Page without an origin",
            "Form of a page",
            "Behind a proxy",
        ):
            assert found[name]["ok"], found[name]
        (tmp_path / "home").chmod(0o755)
        (tmp_path / "home" / "notes.txt").touch()
        open_ = json.loads(commands("doctor", "--security", "--json").stdout)
        assert [one["name"] for one in open_ if not one["ok"]] == ["Files"]
    finally:
        commands("down")
