"""The tutorial and the worked examples about triggers, typed as their pages have them."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lineagegraph.graph import Graph
from lineagegraph.neo4j_server import ServerAddress
from tests.acceptance.processes import Commands, shared
from tests.acceptance.worked_examples.console import Step, is_answer, read_steps
from tests.command_line import run_command

DOCS = Path(__file__).parents[3] / "docs"
# What only looks may be typed again, until what goes on in the background is done.
LOOKS = ("lineagegraph runs", "lineagegraph firings", "lineagegraph trigger why", "cat")


EXAMPLES = pytest.mark.parametrize("name", ["feeds", "golden_dataset", "tutorial"])
RUN_ID = re.compile(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b")
# What a shell does with a line, apart from taking it apart.
SHELL = re.compile(r"[|&;<>$`*?~(){}]")
_CODE = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@EXAMPLES
def test_the_page_shows_the_files_of_the_example(name: str) -> None:
    shown = _CODE.findall((DOCS / f"{name}.md").read_text(encoding="utf-8"))
    files = (DOCS / "examples" / name).glob("*.py")
    # A page says in words what a file's first line says.
    texts = [file.read_text(encoding="utf-8").partition("\n\n")[2] for file in files]
    assert sorted(shown) == sorted(texts)


@EXAMPLES
def test_the_page_tells_what_happens(
    name: str, server: ServerAddress, graph: Graph, tmp_path: Path
) -> None:
    folder = tmp_path / name
    shutil.copytree(DOCS / "examples" / name, folder)
    commands = Commands(folder, shared(server, tmp_path / "home"))
    bin_ = str(Path(sys.executable).parent)
    commands.environment["PATH"] = bin_ + os.pathsep + commands.environment["PATH"]
    ids: dict[str, str] = {}
    try:
        for step in read_steps(DOCS / f"{name}.md"):
            ids |= follow(commands, step._replace(command=with_ids(step.command, ids)))
    finally:
        commands("down")


def with_ids(command: str, ids: dict[str, str]) -> str:
    """Return a command with the ids of runs that were answered in place of those of the page."""
    for shown, answered in ids.items():
        command = command.replace(shown, answered)
    return command


def follow(commands: Commands, step: Step) -> dict[str, str]:
    """Type a command; where the page says what it answers, that must come.

    Return the ids that were answered, by those of the page.
    """
    deadline = time.monotonic() + 240
    while True:
        said = typed(commands, step.command)
        if step.answer is None or is_answer(said, step.answer):
            shown, answered = RUN_ID.findall(step.answer or ""), RUN_ID.findall(said)
            return dict(zip(shown, answered, strict=True)) if len(shown) == len(answered) else {}
        if not step.command.startswith(LOOKS) or time.monotonic() > deadline:
            assert (step.command, said) == (step.command, step.answer)
        time.sleep(1)


def typed(commands: Commands, line: str) -> str:
    """Return the output of a line; a shell runs it if it needs one."""
    if line.startswith("lineagegraph ") and not SHELL.search(line):
        words = tuple(shlex.split(line)[1:])
        where = commands.folder, commands.environment
        return run_command(words, *where, seconds=300, together=True).stdout
    found = subprocess.run(
        ["bash", "-c", line],
        cwd=commands.folder,
        env=commands.environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
        check=False,
    )
    return found.stdout
