"""Pipelines that are stated in notebooks, at prompts and in scripts."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from lineagegraph.graph import Graph
from lineagegraph.neo4j_server import ServerAddress
from tests.acceptance.processes import Commands, shared

NOTEBOOK = """
import json, sys
from IPython.core.interactiveshell import InteractiveShell

shell = InteractiveShell.instance()
for cell in json.loads(sys.argv[1]):
    shell.run_cell(cell).raise_error()
"""
PIPELINE = """
import lineagegraph as lg
{comment}
def make(client):
    @lg.task(name=f"load_{{client}}")
    def load(month):
        from etl.lib import scaled
        with open("out.txt", "a") as out:
            out.write(f"{{client}} {{scaled(month)}} {{RATE}}\\n")
    return load
"""
STATE = """
pipe = lg.pipeline("typed", tasks=[make("a"), make("b")], params={"month": 3})
synced = lg.sync(pipe)
print("synced", synced.version, synced.is_new)
"""
SCRIPT = """
import lineagegraph as lg

@lg.task
def note(month, client="q"):
    with open("out.txt", "a") as out:
        out.write(f"{month} {client}\\n")

pipe = lg.pipeline("scripted", tasks=[note], params={"month": 3})
synced = lg.sync(pipe)
if synced:
    print("synced", synced.version, synced.is_new)
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    (folder / "etl").mkdir(parents=True)
    (folder / "lineagegraph.toml").touch()
    (folder / "etl/lib.py").write_text("def scaled(x): return x * 10\n")
    return folder


@pytest.fixture
def commands(graph: Graph, server: ServerAddress, project: Path, tmp_path: Path) -> Commands:
    return Commands(project, shared(server, tmp_path / "home"))


Synced = tuple[str, bool]
Python = Callable[..., Synced]


@pytest.fixture
def python(commands: Commands) -> Python:
    """Run Python in the project, and return the version that it synced, and whether it is new."""

    def run(*words: str) -> Synced:
        done = subprocess.run(
            [sys.executable, *words],
            cwd=commands.folder,
            env=commands.environment | {"HOME": str(commands.folder)},
            check=False,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, (done.stdout, done.stderr)
        version, is_new = done.stdout.rpartition("synced ")[2].split()
        return version, is_new == "True"

    return run


def cells(*, rate: int, comment: str = "", before: str = "x = 1") -> tuple[str, ...]:
    stated = [before, PIPELINE.format(comment=comment), f"RATE = {rate}", STATE]
    return "-c", NOTEBOOK, json.dumps(stated)


def test_a_notebook_keeps_its_functions_and_their_cells_and_a_worker_runs_them(
    python: Python, commands: Commands, project: Path, graph: Graph
) -> None:
    first = python(*cells(rate=7))
    assert first[1]
    assert python(*cells(rate=8, before="y = 2")) == (first[0], False)
    assert python(*cells(rate=7, comment="# other")) != first
    python(*cells(rate=9))
    (project / "etl/lib.py").unlink()
    done = commands("run", "typed", "--wait")
    assert done.returncode == 0, (done.stdout, done.stderr)
    assert sorted((project / "out.txt").read_text().splitlines()) == ["a 30 9", "b 30 9"]
    (row,) = graph.query("""
        MATCH (:Job {fqn: 'typed'})-[:HAS_RUN]->(r) MATCH (v:JobVersion {hash: r.wanted_version})
        MATCH (v)-[:BUILT_FROM]->(s) RETURN v.hash AS version, v.file AS file, s.files AS files""")
    assert (row["version"], row["file"]) == (first[0], "__main__")
    assert [path.partition("/")[0] for path in row["files"]] == ["cells", "etl"]


def test_a_script_makes_the_version_that_reading_its_file_makes(
    python: Python, commands: Commands, project: Path
) -> None:
    (project / "script.py").write_text(SCRIPT)
    version, is_new = python("script.py")
    assert is_new
    done = commands("sync", "script.py", "--json")
    (synced,) = json.loads(done.stdout)["pipelines"]
    assert (synced["version"], synced["is_new"]) == (version, False)
    python("script.py")
    done = commands("run", "scripted", "--wait")
    assert done.returncode == 0, (done.stdout, done.stderr)
    assert (project / "out.txt").read_text() == "3 q\n"
