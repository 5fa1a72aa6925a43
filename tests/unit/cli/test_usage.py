"""Usage of the command line, for which no server is needed."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from lineagegraph.cli.commands import Commands, Outlines
from lineagegraph.cli.program import app


def test_help_has_one_line_for_each_command() -> None:
    shown = CliRunner().invoke(app, ["--help"], env={"COLUMNS": "140"}).stdout
    for command in Commands():
        assert f" {command} " in shown


@pytest.mark.parametrize("name", Commands())
def test_a_command_is_summarised_as_its_own_help_begins(name: str) -> None:
    whole, outline = Commands()[name], Outlines()[name]
    begin, _, _ = (whole.help or "").partition("\n\n")
    assert outline.help == begin
    assert vars(outline)["rich_help_panel"] == vars(whole)["rich_help_panel"]


def test_more_days_than_there_are_are_refused() -> None:
    refused = CliRunner().invoke(app, ["analysis", "unused-columns", "--days", "1000000"])
    assert (refused.exit_code, "36500" in refused.stderr) == (2, True)


_LISTED = """
import sys
from lineagegraph.cli.program import app
try:
    app(prog_name="lineagegraph")
finally:
    print(*(name for name in sys.modules if name.startswith("lineagegraph.cli.")))
"""


@pytest.mark.parametrize(
    ("arguments", "environment"),
    [
        (["--help"], {}),
        (
            [],
            {
                "_LINEAGEGRAPH_COMPLETE": "complete_bash",
                "COMP_WORDS": "lineagegraph ",
                "COMP_CWORD": "1",
            },
        ),
    ],
    ids=["help", "completion"],
)
def test_commands_are_listed_without_an_import_of_one(
    arguments: list[str], environment: dict[str, str]
) -> None:
    *listed, imported = subprocess.run(
        [sys.executable, "-c", _LISTED, *arguments],
        env=os.environ | environment,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.splitlines()
    assert any("spark-submit" in line for line in listed)
    assert not {"lineagegraph.cli.run.sync", "lineagegraph.cli.operate.up"} & {*imported.split()}


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


_NO_SPACE = "error: No space left on device\n"


@pytest.mark.parametrize(
    ("shell", "error"),
    [
        ("cypher >/dev/full", _NO_SPACE),
        ("emits --help >/dev/full", _NO_SPACE),
        ("cypher >&-", ""),
        ("cypher <&- >&- 2>&-", ""),
        ("cypher | head -0", ""),
        ("status # in a home that is a file", "error: /dev/null: Not a directory\n"),
    ],
)
def test_output_that_is_full_or_closed_and_a_home_that_cannot_be_have_one_line_at_most(
    shell: str, error: str
) -> None:
    command = f"{sys.executable} -m lineagegraph.cli {shell}"
    home = {"LINEAGEGRAPH_HOME": "/dev/null"}
    ended = subprocess.run(
        ["sh", "-c", command], env=os.environ | home, capture_output=True, text=True, check=False
    )
    assert ended.stderr == error
    assert ended.returncode == bool(error)


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_characters_that_the_terminal_lacks_are_escaped_as_json_reads_them(
    encoding: str, tmp_path: Path
) -> None:
    file = tmp_path / "hör ✓ 𝄞.json"
    file.write_text("{}")
    command = [sys.executable, "-m", "lineagegraph.cli", "batch", "validate", "--offline", "--json"]
    environment = os.environ | {"PYTHONIOENCODING": encoding, "LINEAGEGRAPH_HOME": str(tmp_path)}
    ended = subprocess.run(
        [*command, str(file)], env=environment, capture_output=True, cwd=tmp_path, check=False
    )
    (report,) = json.loads(ended.stdout.decode(encoding))
    assert Path(report["file"]).name == file.name


def test_an_interrupt_while_the_program_is_imported_prints_no_traceback() -> None:
    command = [sys.executable, "-X", "importtime", "-m", "lineagegraph.cli", "status"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    while "| typer" not in process.stderr.readline():
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    _, rest = process.communicate(timeout=30)
    assert "Traceback" not in rest
    assert process.returncode in (-signal.SIGINT, 128 + signal.SIGINT)
