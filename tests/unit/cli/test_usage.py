"""Usage of the command line, for which no server is needed."""

import pytest
from typer.testing import CliRunner

from lineagegraph.cli import app
from lineagegraph.cli.commands import Commands


def test_help_has_one_line_for_each_command() -> None:
    shown = CliRunner().invoke(app, ["--help"], env={"COLUMNS": "140"}).stdout
    for command in Commands():
        assert f" {command} " in shown


@pytest.mark.parametrize(
    "arguments",
    [
        ["bogus"],
        ["runs", "--since", "soon"],
        ["lineage", "x", "--up", "-1"],
        ["runs", "x", "--limit", "0"],
        ["retention", "--older-than", "soon"],
    ],
    ids=" ".join,
)
def test_wrong_usage_is_exit_2(arguments: list[str]) -> None:
    assert CliRunner().invoke(app, arguments).exit_code == 2


def test_the_version_is_shown() -> None:
    assert CliRunner().invoke(app, ["--version"]).stdout.startswith("lineagegraph 0.")
