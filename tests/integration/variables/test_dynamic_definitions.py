"""Pipelines that follow from variables and files: what changes with them, and what runs keep."""

from collections.abc import Callable
from pathlib import Path
from queue import Queue
from textwrap import dedent
from threading import Event, Thread
from typing import Any

import msgspec
import pytest

from lineagegraph.admin.variables import set_variable, unset_variable
from lineagegraph.graph import Graph
from lineagegraph.model.pipelines.definition import Pipeline, Task
from lineagegraph.model.pipelines.hierarchy import tasks_in
from lineagegraph.model.runs.ids import new_id
from lineagegraph.reading.parsed_files import SyncResult
from lineagegraph.reading.sync import sync_path
from lineagegraph.reading.watch import Watch
from lineagegraph.settings import Settings
from lineagegraph.store.runs import launches
from lineagegraph.worker.load_run import pin_version
from lineagegraph.worker.run_variables import RunVariables

SHARED = """
import lineagegraph as lg

def satisfaction(client):
    return lg.pipeline(f"csat of {client}", tasks=[lg.command("ask", ["true"])])

def orders(client):
    return lg.pipeline(f"orders of {client}", tasks=[lg.command("load", ["true"])])
"""
CLIENTS = """
import lineagegraph as lg
from shared import orders, satisfaction

for client in lg.variable("clients", default=["acme", "zeta"]):
    parts = [orders(client)]
    if lg.variable(f"csat/{client}", default=False):
        parts.append(satisfaction(client))
    lg.pipeline(client, tasks=[part.as_task(name=part.name.split()[0]) for part in parts])
"""
Write = Callable[[str, str], None]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "lineagegraph.toml").touch()
    return tmp_path


@pytest.fixture
def write(root: Path) -> Write:
    return lambda name, text: (root / name).write_text(dedent(text)) and None


@pytest.fixture
def sync(graph: Graph, settings: Settings, root: Path) -> Callable[[], list[str]]:
    """Read the project, and return what is wrong with it."""
    return lambda: sync_path(graph, settings, root).failures


def begin(graph: Graph, settings: Settings, pipeline: str) -> str:
    """Let a run of a pipeline take its version, as a worker does first."""
    (job,) = graph.query("MATCH (j:Job {fqn: $name}) RETURN j.key AS key", {"name": pipeline})
    said = {"job_key": job["key"], "params": None, "only": [], "now": None}
    graph.write(launches.merge_queued, run_id=(run_id := new_id()), **said)
    pin_version(graph, settings, run_id)
    return run_id


def tasks_of(graph: Graph, run_id: str) -> list[str]:
    launch = graph.read(launches.get_launch, id=run_id)
    assert launch is not None
    assert launch.definition is not None
    pipeline = msgspec.json.decode(launch.definition, type=Pipeline)
    return list(_paths(pipeline.tasks))


def _paths(tasks: tuple[Task, ...], above: str = "") -> list[str]:
    found = []
    for task in tasks:
        inside = _paths(tasks_in(task.work), f"{above}{task.name}.")
        found += inside or [f"{above}{task.name}"]
    return found


def seen(graph: Graph, run_id: str) -> Any:
    (row,) = graph.query("MATCH (r:Run {id: $id}) RETURN r.variables AS text", {"id": run_id})
    return None if row["text"] is None else msgspec.json.decode(row["text"])


def test_a_tweaked_variable_gives_a_client_its_tasks_and_old_runs_keep_theirs(
    graph: Graph, settings: Settings, write: Write, sync: Callable[[], list[str]]
) -> None:
    write("shared.py", SHARED)
    write("clients.py", CLIENTS)
    set_variable(graph, "csat/acme", True)
    assert sync() == []
    acme, zeta = begin(graph, settings, "acme"), begin(graph, settings, "zeta")
    assert tasks_of(graph, acme) == ["orders.load", "csat.ask"]
    assert tasks_of(graph, zeta) == ["orders.load"]
    set_variable(graph, "csat/zeta", True)
    later = begin(graph, settings, "zeta")
    assert tasks_of(graph, later) == ["orders.load", "csat.ask"]
    assert tasks_of(graph, zeta) == ["orders.load"]
    unset_variable(graph, "csat/zeta")
    assert tasks_of(graph, begin(graph, settings, "zeta")) == ["orders.load"]
    (count,) = graph.query(
        "MATCH (:Job {fqn: 'zeta'})-[:HAS_VERSION]->(v) RETURN count(v) AS versions"
    )
    assert count["versions"] == 2
    assert seen(graph, later) == {"clients": None, "csat/acme": True, "csat/zeta": True}


def test_a_new_client_is_a_new_pipeline_and_one_that_left_is_withdrawn(
    graph: Graph, settings: Settings, write: Write, sync: Callable[[], list[str]]
) -> None:
    write("shared.py", SHARED)
    write("clients.py", CLIENTS)
    sync()
    set_variable(graph, "clients", ["zeta", "wayne"])
    sync()
    rows = graph.query(
        "MATCH (j:Job)-[:HAS_VERSION]->() WHERE NOT j.fqn CONTAINS ' ' "
        "RETURN DISTINCT j.fqn AS name, j.withdrawn_at IS NULL AS is_there ORDER BY name"
    )
    assert [(row["name"], row["is_there"]) for row in rows] == [
        ("acme", False),
        ("wayne", True),
        ("zeta", True),
    ]


def test_a_shared_pipeline_that_changes_makes_new_versions_of_all_its_parents(
    graph: Graph, settings: Settings, write: Write, sync: Callable[[], list[str]]
) -> None:
    write("shared.py", SHARED)
    write("clients.py", CLIENTS)
    sync()
    before = [begin(graph, settings, name) for name in ("acme", "zeta")]
    write("shared.py", SHARED.replace('"load"', '"fetch"'))
    for name, old in zip(("acme", "zeta"), before, strict=True):
        assert tasks_of(graph, begin(graph, settings, name)) == ["orders.fetch"]
        assert tasks_of(graph, old) == ["orders.load"]


def test_a_task_finds_the_value_that_its_definition_was_read_with(
    graph: Graph, settings: Settings, write: Write, sync: Callable[[], list[str]]
) -> None:
    write(
        "p.py",
        """
        import lineagegraph as lg
        rate = lg.variable("rate")
        lg.pipeline("p", tasks=[lg.command("a", ["echo", str(rate)])])
        """,
    )
    (fault,) = sync()
    assert "'rate' is not set" in fault
    set_variable(graph, "rate", 1)
    assert sync() == []
    run_id = begin(graph, settings, "p")
    set_variable(graph, "rate", 2)
    assert RunVariables(graph, run_id)("rate") == 1
    assert RunVariables(graph, begin(graph, settings, "p"))("rate") == 2
    # What is in force was read with 2, whatever a reading that fails found since.
    write("p.py", 'import lineagegraph as lg\nlg.variable("rate") / 0\n')
    set_variable(graph, "rate", 3)
    assert RunVariables(graph, begin(graph, settings, "p"))("rate") == 2


def test_tasks_follow_from_a_file_a_day_and_the_default_of_a_parameter(
    graph: Graph, settings: Settings, write: Write, sync: Callable[[], list[str]], root: Path
) -> None:
    write(
        "p.py",
        """
        import json
        from pathlib import Path
        import lineagegraph as lg
        said = json.loads((Path(__file__).parent / "tables.json").read_text())
        DEFAULTS = {"parts": said["parts"]}
        tables = [lg.command(name, ["echo", "{parts}"]) for name in said["tables"]]
        parts = [lg.command(f"part-{n}", ["true"], after=tables) for n in range(DEFAULTS["parts"])]
        weekly = [lg.command("eow", ["true"], after=parts)] if said["friday"] else []
        lg.pipeline("p", tasks=[*tables, *parts, *weekly], params=DEFAULTS)
        """,
    )
    write("tables.json", '{"tables": ["a", "b"], "parts": 1, "friday": false}')
    assert sync() == []
    wednesday = begin(graph, settings, "p")
    write("tables.json", '{"tables": ["a"], "parts": 2, "friday": true}')
    friday = begin(graph, settings, "p")
    assert tasks_of(graph, friday) == ["a", "part-0", "part-1", "eow"]
    (root / "tables.json").unlink()
    assert tasks_of(graph, wednesday) == ["a", "b", "part-0"]
    # A file that cannot be read any more leaves the last good version in force.
    assert tasks_of(graph, begin(graph, settings, "p")) == tasks_of(graph, friday)


def test_a_changed_variable_is_heard_of_by_who_watches(
    graph: Graph,
    settings: Settings,
    write: Write,
    sync: Callable[[], list[str]],
    root: Path,
) -> None:
    write("shared.py", SHARED)
    write("clients.py", CLIENTS)
    sync()
    over, heard = Event(), Queue[SyncResult]()
    watch = Watch(graph, settings, heard.put, paths=(root,))
    thread = Thread(target=watch.run, args=[over])
    thread.start()
    try:
        set_variable(graph, "csat/acme", True)
        new = set[str]()
        while "acme" not in new:
            new |= {one.pipeline for one in heard.get(timeout=60).pipelines if one.is_new}
    finally:
        over.set()
        thread.join()
