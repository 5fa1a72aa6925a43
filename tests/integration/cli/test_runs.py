"""Runs of all jobs on the command line."""

import json
from pathlib import Path

import pytest

from lineagegraph.graph import Graph
from lineagegraph.neo4j_server import ServerAddress
from tests.command_line import CommandLine
from tests.project import Project

FLOWS = """
lg.pipeline("good", tasks=[lg.command("a", ["true"])], params={"day": str, "n": 1},
    partition_by="day")
lg.pipeline("bad", tasks=[lg.command("a", ["false"])])
"""


@pytest.fixture
def project(graph: Graph, tmp_path: Path) -> Project:
    project = Project(tmp_path / "project", graph, tmp_path / "home")
    project.state(FLOWS)
    return project


def test_runs_of_all_jobs_have_their_partition_and_parameters(
    project: Project, server: ServerAddress
) -> None:
    good, bad = project.run("good", day="2026-03-01", n=2), project.run("bad")
    said = CommandLine(server)
    everything = said("runs").stdout
    assert everything.index(bad) < everything.index(good)
    (line,) = [line for line in everything.splitlines() if good in line]
    assert line.split()[1:3] == ["good", "COMPLETED"]
    assert ("day=2026-03-01" in line, "n=2" in line, line.count("day=")) == (True, True, 1)
    assert "good.a" not in everything
    failed = said("runs", "--failed", "--since", "12h").stdout
    assert (bad in failed, good in failed) == (True, False)
    rows = json.loads(said("runs", "--json").stdout)
    assert [(row["job"], row["partition"], row["params"]) for row in rows] == [
        ("bad", {}, {}),
        ("good", {"day": "2026-03-01"}, {"day": "2026-03-01", "n": 2}),
    ]
    (line,) = [line for line in said("runs", "good").stdout.splitlines() if good in line]
    assert ("day=2026-03-01" in line, "n=2" in line, line.count("day=")) == (True, True, 1)
    (row,) = json.loads(said("runs", "good", "--json").stdout)
    assert (row["partition"], row["params"]) == (rows[1]["partition"], rows[1]["params"])
    assert bad not in said("runs", "--namespace", "other").stdout
    assert good not in said("runs", "good", "--failed").stdout
    assert said("runs", "good", "--failed").stderr == "no such runs\n"
    assert said("jobs", "--namespace", "other").stderr == "no jobs in namespace other\n"
    assert bad in said("runs", "bad", "--failed", "--since", "1h").stdout


def test_acknowledged_failures_are_left_out_of_the_runs_of_all_jobs(
    project: Project, server: ServerAddress
) -> None:
    first, second = project.run("bad"), project.run("bad")
    said = CommandLine(server)
    said("ack", first, "--note", "seen")
    listed = said("runs", "--unacknowledged").stdout
    assert (first in listed, second in listed) == (False, True)
