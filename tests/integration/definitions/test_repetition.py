"""Reading again, and being killed in the middle of it."""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

from lineagegraph.graph import Graph
from lineagegraph.model.pipelines.definition import Pipeline
from lineagegraph.neo4j_server import ServerAddress
from lineagegraph.reading.reader import Reader
from lineagegraph.reading.sync import read_path, sync_path
from lineagegraph.settings import Settings
from tests.acceptance.processes import shared

DYNAMIC = """
import lineagegraph as lg
lg.file(dynamic=True)
@lg.task
def clean(spark, names=frozenset("abcdef")): ...
lg.pipeline("p", tasks=[clean, lg.task(lambda: {"b", "a"}, name="l")])
"""


@pytest.mark.parametrize("times", [20, pytest.param(10_000, marks=pytest.mark.soak)])
def test_a_file_that_is_read_many_times_has_one_version(
    graph: Graph, settings: Settings, tmp_path: Path, times: int
):
    (tmp_path / "a.py").write_text(DYNAMIC)
    with Reader(graph) as reader:
        for _ in range(times):
            read_path(reader, settings, tmp_path)
    counted = graph.query("""
        MATCH (f:DefinitionFile)
        RETURN f.turn AS turn,
          COUNT { (:JobVersion) } AS versions, COUNT { (:TaskCode) } AS codes""")
    assert counted == [{"turn": times, "versions": 1, "codes": 1}]


FIRST = """
import lineagegraph as lg
from lineagegraph import on
lg.pipeline("{0}", tasks=[lg.command("a", ["true"])], trigger=on.success("zero"))
lg.pipeline("{0}.gone", tasks=[lg.command("a", ["true"])], trigger=on.success("zero"))
"""
SECOND = """
import lineagegraph as lg
from lineagegraph import on
lg.pipeline("{0}", tasks=[lg.command("a", ["true"]), lg.command("b", ["true"], after="a")],
            trigger=[lg.trigger(on.success("one"), name="{0}.1"), on.success("two")])
"""
SYNC = """
import sys
from pathlib import Path
from lineagegraph.reading.sync import sync_path
from lineagegraph.settings import load_settings
from lineagegraph.store.connect import open_graph
root = Path(sys.argv[1])
with open_graph(load_settings()) as graph:
    while True:
        for text in sys.argv[2:]:
            for name in "xyz":
                (root / f"{name}.py").write_text(text.format(name))
            sync_path(graph, load_settings(), root)
            print("synced", flush=True)
"""
STATE = """
MATCH (j:Job) WHERE j.kind = 'pipeline' AND j.defined
MATCH (v:JobVersion {hash: j.current_version})
RETURN j.fqn AS name, j.withdrawn_at IS NOT NULL AS withdrawn, v.definition AS definition,
  COUNT { (v)-[:CONTAINS]->(:TaskVersion) } AS tasks,
  COLLECT {
    MATCH (t:Trigger {enabled: true})-[:STARTS]->(j) RETURN t.name ORDER BY t.name
  } AS triggers,
  EXISTS { (:DefinitionFile)-[:DECLARES]->(j) } AS declared
ORDER BY name
"""


def check_whole(row: Mapping[str, Any]) -> None:
    """A pipeline's version, triggers and file are of one reading."""
    pipeline = msgspec.json.decode(row["definition"], type=Pipeline)
    stated = sorted(rule.name or pipeline.name for rule in pipeline.triggers)
    assert row["triggers"] == ([] if row["withdrawn"] else stated)
    assert row["declared"] is not row["withdrawn"]
    assert row["tasks"] == len(pipeline.tasks)


@pytest.mark.parametrize("kills", [4, pytest.param(200, marks=pytest.mark.soak)])
def test_a_sync_that_is_killed_leaves_each_pipeline_as_it_was_or_as_it_is_to_be(
    graph: Graph, settings: Settings, server: ServerAddress, tmp_path: Path, kills: int
):
    (tmp_path / "pyproject.toml").touch()
    draw = random.Random(1)
    environment = os.environ | shared(server, tmp_path / "home")
    for _ in range(kills):
        process = subprocess.Popen(
            [sys.executable, "-c", SYNC, str(tmp_path), FIRST, SECOND],
            env=environment,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(draw.random())
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        for row in graph.query(STATE):
            check_whole(row)
    for name in "xyz":
        (tmp_path / f"{name}.py").write_text(FIRST.format(name))
    assert not sync_path(graph, settings, tmp_path).failures
    rows = graph.query(STATE)
    for row in rows:
        check_whole(row)
    assert [row["name"] for row in rows if not row["withdrawn"]] == [
        "x",
        "x.gone",
        "y",
        "y.gone",
        "z",
        "z.gone",
    ]
