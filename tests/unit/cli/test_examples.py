"""Each command has an example in its help, and its words are those of the command."""

import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lineagegraph.cli import program
from lineagegraph.cli.commands import Commands
from lineagegraph.cli.examples import EXAMPLES
from lineagegraph.notebook.analyses import Analyses

COMMANDS = Commands()


def below(command: Any, name: str) -> Iterator[tuple[str, Any]]:
    commands = getattr(command, "commands", {})
    if not commands or command.invoke_without_command:
        yield name, command
    for word, found in commands.items():
        yield from below(found, f"{name} {word}")


ALL = dict(pair for name in COMMANDS for pair in below(COMMANDS[name], name))


def test_no_example_is_of_an_unknown_command() -> None:
    assert set(EXAMPLES) <= set(ALL)


@pytest.mark.parametrize("name", ALL)
def test_the_help_of_a_command_has_an_example_that_it_understands(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for file in ("flows.py", "nightly.yml", "report.json", "events.ndjson"):
        Path(file).touch()
    command, words = ALL[name], shlex.split(EXAMPLES[name])
    assert command.epilog.startswith(f"Example: lineagegraph {name}")
    context = command.make_context(name, words)
    assert not context.args or "schedule" in name


def test_each_analysis_is_a_method_of_the_same_name() -> None:
    for name in COMMANDS["analysis"].commands:  # type: ignore[union-attr]
        assert hasattr(Analyses, name.replace("-", "_")), name


def test_the_help_of_a_group_has_an_example_too() -> None:
    groups = {name: COMMANDS[name] for name in COMMANDS if hasattr(COMMANDS[name], "commands")}
    assert len(groups) > 10
    for name, group in groups.items():
        assert group.epilog.startswith(f"Example: lineagegraph {name}"), name
    assert program.app.info.epilog.startswith("Example: lineagegraph ")


def test_a_shell_completes_commands() -> None:
    asked = {
        "_LINEAGEGRAPH_COMPLETE": "complete_bash",
        "COMP_WORDS": "lineagegraph vers",
        "COMP_CWORD": "1",
    }
    code = "import sys; sys.argv = ['lineagegraph']; from lineagegraph.cli import main; main()"
    found = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | asked,
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.stdout.split() == ["versions"]
