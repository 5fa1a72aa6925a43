"""`versions`, `diff` and `as-was`, as processes against a real Neo4j."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from lineagegraph.graph import Graph
from lineagegraph.neo4j_server import ServerAddress
from tests.command_line import CommandLine
from tests.definitions import define
from tests.integration.explore.theatre import FRIDAY, HOUR, WEDNESDAY, chain, pipeline

A, B = "a" * 64, "b" * 64


@pytest.fixture
def lineagegraph(graph: Graph, server: ServerAddress) -> CommandLine:
    daily, end_of_week = pipeline(*chain("a", "b")), pipeline(*chain("a", "b", "eow"))
    define(graph, daily, now=WEDNESDAY, hash=A, files={"p.py": "x = 1\n"})
    define(graph, end_of_week, now=FRIDAY, hash=B, files={"p.py": "x = 2\n"})
    return CommandLine(server)


def at(command: CommandLine, *more: str) -> str:
    answer = command("as-was", "p", "--at", (WEDNESDAY + HOUR).isoformat(), *more)
    assert (answer.returncode, answer.stderr) == (0, "")
    return answer.stdout


def test_versions_and_what_is_different_in_them_are_shown(lineagegraph: CommandLine) -> None:
    asked = [("versions", "p"), ("versions", "p", "--json"), ("diff", "aaaa", f"p@{B}")]
    with ThreadPoolExecutor(2) as pool:
        listed, as_json, diff = pool.map(lambda arguments: lineagegraph(*arguments), asked)
    assert "new task eow; code of p.py" in listed.stdout
    newest, _ = json.loads(as_json.stdout)
    assert (newest["version"], newest["is_current"]) == (B, True)
    for said in ("+ eow", "+ b → eow", "-x = 1", "+x = 2"):
        assert said in diff.stdout


def test_a_pipeline_is_shown_as_it_was_in_text_and_as_a_drawing(
    lineagegraph: CommandLine, tmp_path: Path
) -> None:
    picture = tmp_path / "p.svg"
    asked: list[tuple[str, ...]] = [(), ("--format", "mermaid"), ("--svg", str(picture))]
    with ThreadPoolExecutor(2) as pool:
        text, mermaid, _ = pool.map(lambda more: at(lineagegraph, *more), asked)
    assert "└── b  python  after a" in text
    assert "eow" not in text
    assert mermaid.startswith("flowchart LR")
    assert "<svg" in picture.read_text()


def test_what_is_not_there_is_one_line_that_says_what_to_do(lineagegraph: CommandLine) -> None:
    asked = [("as-was", "p"), ("diff", "aaaa", "cccc"), ("as-was", "p", "--at", "2020-01-01")]
    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(lambda arguments: lineagegraph(*arguments), asked))
    assert [answer.returncode for answer in answers] == [1, 1, 1]
    no_run, no_version, too_early = (answer.stderr for answer in answers)
    assert "a job needs a time: `lineagegraph as-was p --at TIME`" in no_run
    assert "no run or version 'cccc'" in no_version
    assert "no version of p was active at 2020-01-01" in too_early
