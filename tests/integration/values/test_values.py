"""Values that tasks return, and that later tasks take."""

import json
from textwrap import indent

import pytest

from lineagegraph.model.runs.values import read_value
from lineagegraph.queries.runs.run_facts import list_facts
from lineagegraph.queries.runs.runs import read_run
from lineagegraph.queries.versions.run_diff import diff_runs

FLOW = """
from dataclasses import dataclass
from datetime import date
from pathlib import Path
import pyarrow as pa

OUT = Path("FOLDER")

@dataclass
class Clean:
    day: date
    rows: int
    db_password: str = "hunter2"

@lg.task
def clean(rows: int):
    with (OUT / "log").open("a") as log:
        log.write("clean ")
    return Clean(date(2026, 11, 23), rows)

@lg.task(takes={"clean": clean.output})
def table(clean: "Clean"):
    assert isinstance(clean, Clean) and clean.day == date(2026, 11, 23), clean
    return pa.table({"n": list(range(clean.rows)), "at": [clean.day] * clean.rows})

@lg.task(takes={"clean": clean.output, "made": table.output})
def report(clean: "Clean", made: "pa.Table"):
    if (OUT / "bad").exists():
        raise ValueError("bad")
    kind = made.schema.field("at").type
    (OUT / "result").write_text(f"{clean.db_password} {made.num_rows} {kind}")

lg.pipeline("flow", tasks=[report, table, clean], params={"rows": 3})
"""


@pytest.fixture
def out(tmp_path):
    folder = tmp_path / "out"
    folder.mkdir()
    return folder


def output_of(graph, run, task):
    [row] = graph.query(
        "MATCH (:Run {id: $id})-[:PARENT_OF]->(r:Run)<-[:HAS_RUN]-(:Job {simple_name: $task}) "
        "RETURN r.id AS id, r.output AS output",
        {"id": run, "task": task},
    )
    return row["id"], read_value(row["output"])


def test_a_task_takes_what_others_returned_in_its_type_also_after_a_rerun_from_the_failed_one(
    project, out
):
    project.state(FLOW.replace("FOLDER", str(out)))
    (out / "bad").touch()
    run = project.run("flow", rows=6000)
    assert project.tasks(run) == {"clean": "COMPLETED", "table": "COMPLETED", "report": "FAILED"}

    id_, value = output_of(project.graph, run, "clean")
    assert json.loads(value.text)["rows"] == 6000
    shown = dict(list_facts(read_run(project.graph, id_)))["returned"]
    assert "2026-11-23" in shown
    assert "***" in shown
    assert "hunter2" not in shown
    assert "hunter2" not in repr(read_run(project.graph, id_))

    _, large = output_of(project.graph, run, "table")
    assert large.text is None
    assert large.size > 65536
    assert "6,000 rows (n: int64" in large.shape
    file = project.settings.home / "logs" / large.file
    assert file.stat().st_size == large.size
    assert file.stat().st_mode & 0o077 == 0

    (out / "bad").unlink()
    again = project.rerun(run, policy="as_was", from_failed=True)
    assert project.tasks(again) == {"report": "COMPLETED"}
    assert (out / "result").read_text() == "hunter2 6000 date32[day]"
    assert (out / "log").read_text() == "clean "

    whole = project.run("flow", rows=2)
    found = {one.name: one for one in diff_runs(project.graph, run, whole, False).values}
    assert found["clean"].before["rows"] == 6000
    assert found["clean"].after["rows"] == 2
    assert found["clean"].after["db_password"] == "***"
    assert found["table"].before.startswith("Arrow table of 6,000 rows")
    same = project.run("flow", rows=2)
    assert diff_runs(project.graph, whole, same, False).values == ()

    file.write_bytes(b"x")
    broken = project.rerun(run, policy="as_was", tasks=("report",))
    assert project.tasks(broken) == {"report": "FAILED"}
    assert "task table returned is damaged: run table again" in error_of(project.graph, broken)


def error_of(graph, run):
    [row] = graph.query(
        "MATCH (:Run {id: $id})-[:PARENT_OF]->(r:Run {state: 'FAILED'}) RETURN r.error AS error",
        {"id": run},
    )
    return row["error"]


REFUSED = """
import threading

@lg.task
def lock():
    return threading.Lock()

@lg.task(takes={"it": lock.output})
def uses(it): ...

@lg.task
def text():
    return "many"

@lg.task(takes={"rows": text.output}, after=[])
def counts(rows: int): ...

lg.pipeline("locks", tasks=[lock, uses])
lg.pipeline("counts", tasks=[text, counts])
lg.pipeline("alone", tasks=[lock])
"""


def test_a_value_that_cannot_be_kept_or_does_not_fit_fails_its_task_with_one_line(project):
    project.state(REFUSED)
    run = project.run("locks")
    assert project.tasks(run) == {"lock": "FAILED", "uses": "FAILED"}
    [kept, _] = project.graph.query(
        "MATCH (:Run {id: $id})-[:PARENT_OF]->(r:Run) RETURN r.error AS error ORDER BY r.name",
        {"id": run},
    )
    assert kept["error"].startswith("the returned lock is neither JSON nor an Arrow table (")
    assert "\n" not in kept["error"]
    assert "does not fit: Expected `int`, got `str`" in error_of(
        project.graph, project.run("counts")
    )
    assert project.tasks(project.run("alone")) == {"lock": "COMPLETED"}, "no task takes it"


CLASSES = """
import enum
from dataclasses import dataclass
from typing import ClassVar, NamedTuple, TypedDict
import msgspec

class Size(msgspec.Struct, frozen=True):
    rows: int
    parts: list[int] = []
    checked: bool = False

    def __post_init__(self):
        if self.rows < 0:
            raise ValueError("negative")

class Named(msgspec.Struct, kw_only=True, rename="camel", tag="named"):
    UNIT: ClassVar[str] = "rows"
    file_name: str
    size: Size = msgspec.field(default_factory=lambda: Size(7))

class Clean(Named):
    level: "Level | None" = None

    def total(self):
        return f"{self.size.rows} {Clean.UNIT} of {self.file_name}"

class Level(enum.Enum):
    GOOD = "good"

@dataclass
class Counted:
    clean: Clean
    by_level: dict[Level, int]

class Pair(NamedTuple):
    left: int
    right: Level

class Row(TypedDict):
    count: int
"""
OF_CLASSES = """
@lg.task
def clean():
    return Counted(Clean(Level.GOOD, file_name="a.csv"), {Level.GOOD: 3})

@lg.task
def pair():
    return Pair(1, Level.GOOD)

@lg.task(takes={"found": clean.output, "pair": pair.output})
def report(found: Counted, pair: Pair) -> Row:
    assert type(found.clean) is Clean and found.clean.level is Level.GOOD, found
    assert found.clean.total() == "7 rows of a.csv" and found.clean.size.parts == []
    assert found.by_level == {Level.GOOD: 3} and pair.right is Level.GOOD
    assert b'"type":"named"' in msgspec.json.encode(found.clean)
    assert b'"fileName":"a.csv"' in msgspec.json.encode(found.clean)
    try:
        Size(-1)
    except ValueError:
        return {"count": 1}

@lg.task(takes={"row": report.output})
def count(row: Row):
    assert row == {"count": 1}
"""
NESTED = "def make():\n{}\n    return [clean, pair, report, count]\ntasks = make()"


@pytest.mark.parametrize("nested", [False, True])
def test_classes_of_the_definition_file_are_values_whether_functions_are_named_or_not(
    project, nested
):
    text = NESTED.format(indent(OF_CLASSES, "    ")) if nested else OF_CLASSES
    tasks = "tasks" if nested else "[clean, pair, report, count]"
    project.state(f"{CLASSES}\n{text}\nlg.pipeline('classes', tasks={tasks})")
    run = project.run("classes")
    errors = project.graph.query("MATCH (r:Run) WHERE r.error IS NOT NULL RETURN r.error")
    assert set(project.tasks(run).values()) == {"COMPLETED"}, errors
    # None runs from its file.
    [row] = project.graph.query("MATCH (c:TaskCode) RETURN c.left_out AS left_out")
    assert not row["left_out"]
