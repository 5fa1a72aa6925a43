"""`variable`, as processes."""

import json
from pathlib import Path

from lineagegraph.admin.variables import get_variable, list_changes, set_variable
from lineagegraph.graph import Graph
from lineagegraph.neo4j_server import ServerAddress
from tests.command_line import CommandLine


def test_variables_are_set_shown_and_unset(graph: Graph, server: ServerAddress) -> None:
    command = CommandLine(server)

    def variable(*words: str, text: str = "", code: int = 0) -> str:
        done = command("variable", *words, text=text)
        assert done.returncode == code, done.stderr
        return done.stdout if code == 0 else done.stderr

    variable("set", "clients", '["acme", 7]')
    assert get_variable(graph, "clients").value == ["acme", 7]
    variable("set", "clients", "7", "--text")
    assert get_variable(graph, "clients").value == "7"
    variable("set", "clients", "NaN")
    assert get_variable(graph, "clients").value == "NaN"
    variable("set", "clients", "[1, 1e999]")
    assert get_variable(graph, "clients").value == "[1, 1e999]"
    variable("set", "clients", "-", text="two\nlines")
    assert variable("get", "clients") == "two\nlines\n"
    assert json.loads(variable("get", "clients", "--json")) == "two\nlines"
    [listed] = json.loads(variable("list", "--json"))
    assert (listed["name"], listed["value"]) == ("clients", "two\nlines")
    assert '"two\\nlines"' in variable("list")
    variable("unset", "clients")
    assert "clients" in variable("get", "clients", code=1)
    assert "unset" in variable("history", "clients")
    assert "@" in list_changes(graph, "clients")[0].changed_by
    assert "null is not a value" in variable("set", "clients", "null", code=1)


def test_a_drawn_batch_has_the_values_of_variables(
    graph: Graph, server: ServerAddress, tmp_path: Path
) -> None:
    (tmp_path / "lineagegraph.toml").touch()
    (tmp_path / "kpi.py").write_text(
        "import lineagegraph as lg\n"
        "loads = [lg.command(name, ['true']) for name in lg.variable('clients')]\n"
        "lg.batch('kpi', tasks=loads)\n"
    )
    set_variable(graph, "clients", ["acme"])
    done = CommandLine(server, tmp_path)("batch", "graph", "kpi.py")
    assert "acme" in done.stdout, done.stderr
