"""Notebooks as tasks: their own process, their parameters, what they emit and do with Spark."""

import json
from contextlib import suppress
from threading import Event, Thread

import nbformat
import psutil
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from lineagegraph.execution.cancellation import Cancellation
from lineagegraph.execution.request import RunRequest
from lineagegraph.execution.run import RunServices, run_pipeline
from lineagegraph.execution.stages_file import read_stages_files
from lineagegraph.model.pipelines.definition import (
    NotebookTask,
    Parameter,
    Pipeline,
    PipelineVersion,
    Task,
)
from lineagegraph.model.runs.ids import derived_id, new_id
from lineagegraph.model.runs.states import RunState
from lineagegraph.spark.sessions import SparkSessions
from tests.acceptance.processes import Commands, shared, until
from tests.project import Project

PROGRAM = "lineagegraph.execution.kinds.notebook_program"
CONF = {"spark.master": "local[1]", "spark.sql.shuffle.partitions": "1"}


class Collected:
    def __init__(self):
        self.events = []

    def report(self, events):
        self.events.extend(events)


@pytest.fixture
def execute(tmp_path):
    def run(*cells, cancellation=None, **task):
        made = [new_code_cell(source, metadata={"tags": tags}) for source, tags in cells]
        nbformat.write(new_notebook(cells=made), tmp_path / "kpi.ipynb")
        pipeline = Pipeline(
            name="p",
            namespace="ns",
            tasks=(Task(name="kpi", work=NotebookTask(file="kpi.ipynb"), **task),),
            parameters=(Parameter(name="rows", type="int", default=3),),
            spark=CONF,
        )
        version = PipelineVersion(
            hash="v",
            structure_hash="s",
            code_hash="c",
            pipeline=pipeline,
            source_sha256="0" * 64,
            file="p.py",
            root=".",
        )
        reporter = Collected()
        state = run_pipeline(
            RunRequest(new_id(), version, {"rows": 3}, tmp_path, tmp_path / "logs"),
            RunServices(
                reporter=reporter,
                sessions=lambda conf, emit: SparkSessions(conf, emit, None),
                load=lambda task, code: None,
                cancellation=cancellation or Cancellation(),
            ),
        )
        return state, reporter.events

    return run


def test_a_notebook_gets_parameters_emits_and_has_its_lineage_under_the_task(execute, tmp_path):
    state, events = execute(
        ("rows, out = 1, 'x'", ["parameters"]),
        ("from pyspark.sql import SparkSession\nimport lineagegraph as lg", []),
        ("spark = SparkSession.builder.appName('kpi').getOrCreate()", []),
        (f"spark.range(rows).write.parquet({str(tmp_path / 'out')!r})", []),
        ("lg.emit(rows=rows); print('rows are', rows)", []),
    )
    log = (tmp_path / "logs" / "kpi.log").read_text()
    assert state is RunState.COMPLETED, log
    assert "rows are 3" in log
    ended = {e["job"]["name"]: e for e in events if e["eventType"] == "COMPLETE"}
    assert ended["p.kpi"]["run"]["facets"]["lineagegraph"]["emitted"] == {"rows": 3}
    [writing] = [e for e in ended.values() if e.get("outputs")]
    assert writing["outputs"][0]["name"] == str(tmp_path / "out")
    applications = {e["run"]["runId"]: e for e in ended.values()}
    application = applications[writing["run"]["facets"]["parent"]["run"]["runId"]]
    above = application["run"]["facets"]["parent"]["run"]["runId"]
    assert above == ended["p.kpi"]["run"]["runId"]
    shown = json.loads((tmp_path / "logs" / "kpi.ipynb").read_text())
    assert [c["metadata"].get("tags") for c in shown["cells"]][:2] == [
        ["parameters"],
        ["injected-parameters"],
    ]
    assert len(shown["cells"]) == 6


def test_any_thread_of_a_notebook_may_ask_for_sessions_and_each_time_with_options(
    execute, tmp_path
):
    state, events = execute(
        ("from concurrent.futures import ThreadPoolExecutor", []),
        ("from pyspark.sql import SparkSession\nbuilder = SparkSession.builder", []),
        ("zone = builder.config('spark.sql.session.timeZone', 'Asia/Tokyo')", []),
        ("with ThreadPoolExecutor(1) as pool: first = pool.submit(zone.getOrCreate).result()", []),
        ("assert first.conf.get('spark.sql.session.timeZone') == 'Asia/Tokyo'", []),
        ("assert first.sparkContext.master == 'local[1]'", []),
        ("SparkSession.builder.config('spark.sql.shuffle.partitions', 7).getOrCreate()", []),
        ("assert first.conf.get('spark.sql.shuffle.partitions') == '7'", []),
        (f"first.range(3).write.parquet({str(tmp_path / 'out')!r})", []),
    )
    assert state is RunState.COMPLETED, (tmp_path / "logs" / "kpi.log").read_text()
    written = [e for e in events if e["eventType"] == "COMPLETE" and e.get("outputs")]
    assert [e["outputs"][0]["name"] for e in written] == [str(tmp_path / "out")]


def test_a_notebook_whose_lineage_or_output_a_full_disk_does_not_take_fails_with_one_line(
    execute, tmp_path
):
    module = "lineagegraph.execution.kinds.kernel_start"
    state, events = execute(
        (f"from pathlib import Path\nfrom {module} import _open", []),
        ("kept = _open[-1]._events; kept._file = Path('/no/such/events'); kept.keep([{}])", []),
    )
    assert state is RunState.FAILED
    line = "lineagegraph: the lineage of this program is incomplete: /no/such/events: "
    assert fault(events) == f"kpi.ipynb: {line}No such file or directory; free some space there"
    assert "Traceback" not in (tmp_path / "logs" / "kpi.log").read_text()
    (tmp_path / "logs" / "kpi.ipynb").unlink()
    (tmp_path / "logs" / "kpi.ipynb").mkdir()
    _, events = execute(("1", []))
    assert fault(events) == "./logs/kpi.ipynb: Is a directory"
    assert "Traceback" not in (tmp_path / "logs" / "kpi.log").read_text()


def fault(events):
    [failed] = [e for e in events if (e["job"]["name"], e["eventType"]) == ("p.kpi", "FAIL")]
    return failed["run"]["facets"]["errorMessage"]["message"]


def test_how_far_spark_is_in_a_notebook_can_be_read_meanwhile(execute, tmp_path):
    seen, over = [], Event()

    def look():
        while not over.wait(0.2):
            seen.extend(read_stages_files(tmp_path / "logs").values())

    Thread(target=look, daemon=True).start()
    nap = "reflect('java.lang.Thread', 'sleep', cast(id * 0 + 2000 as bigint))"
    state, _ = execute(
        ("from pyspark.sql import SparkSession, functions as F", []),
        ("spark = SparkSession.builder.getOrCreate()", []),
        (f'spark.range(0, 2, 1, 2).select(F.expr("{nap}")).collect()', []),
    )
    over.set()
    assert state is RunState.COMPLETED
    assert any(stage.tasks == 2 for stages in seen for stage in stages)
    assert read_stages_files(tmp_path / "logs") == {}


def test_a_failure_names_its_cell(execute, tmp_path):
    state, events = execute(("1 + 1", []), ("{}['missing']", []), ("1 / 0", []))
    assert state is RunState.FAILED
    [fault] = [e for e in events if e["job"]["name"] == "p.kpi" and e["eventType"] == "FAIL"]
    message = fault["run"]["facets"]["errorMessage"]["message"]
    assert "cell 3 of kpi.ipynb: KeyError: 'missing'" in message
    assert (tmp_path / "logs" / "kpi.ipynb").exists()


def test_a_kernel_that_dies_leaves_its_notebook_and_names_the_cell(execute, tmp_path):
    _, events = execute(("print('begin')", []), ("import os; os.kill(os.getpid(), 9)", []))
    message = events[-1]["run"]["facets"]["errorMessage"]["message"]
    assert "cell 3 of kpi.ipynb: the kernel died" in message
    assert "begin" in (tmp_path / "logs" / "kpi.ipynb").read_text()


def test_a_notebook_prints_and_fails_in_any_language(execute, tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    state, events = execute(("print('größer ✓')", []), ("raise ValueError('größer ✗')", []))
    assert state is RunState.FAILED
    assert "größer ✓" in (tmp_path / "logs" / "kpi.log").read_text()
    [fault] = [e for e in events if e["job"]["name"] == "p.kpi" and e["eventType"] == "FAIL"]
    assert "ValueError: größer ✗" in fault["run"]["facets"]["errorMessage"]["message"]


def test_a_cancellation_ends_the_kernel(execute, tmp_path):
    cancellation, found = Cancellation(), []

    def cancel():
        log = tmp_path / "logs" / "kpi.log"
        try:
            until(lambda: log.exists() and "begun" in log.read_text(), 120)
            found.extend(filter(_is_of_the_notebook, psutil.Process().children(recursive=True)))
        finally:
            cancellation.request()

    Thread(target=cancel).start()
    cell = ("print('begun', flush=True); import time; time.sleep(600)", [])
    state, _ = execute(cell, cancellation=cancellation)
    assert state is RunState.KILLED
    assert len(found) == 2, "the program and its kernel"
    until(lambda: not any(_lives(one) for one in found), 20)


def _is_of_the_notebook(process):
    with suppress(psutil.NoSuchProcess):
        return not {"ipykernel_launcher", PROGRAM}.isdisjoint(process.cmdline())
    return False


def _lives(process):
    return process.is_running() and process.status() != psutil.STATUS_ZOMBIE


def test_a_notebooks_own_parameters_and_its_copy_are_shown_with_the_run(graph, server, tmp_path):
    project = Project(tmp_path / "project", graph, tmp_path / "home")
    made = new_notebook(cells=[new_code_cell("f'{rows + 1} {top} {day}'")])
    nbformat.write(made, project.folder / "report.ipynb")
    project.state(
        "own = {'rows': 7, 'top': '{rows}', 'day': 'the {rows}th'}\n"
        "report = lg.notebook_task('report.ipynb', params=own)\n"
        "lg.pipeline('reports', tasks=[report], params={'rows': 3})"
    )
    run = project.run("reports", rows=4)
    assert project.tasks(run) == {"report": "COMPLETED"}
    command = Commands(tmp_path, shared(server, tmp_path / "home"))
    shown = command("show", run).stdout
    (line,) = [line for line in shown.splitlines() if line.startswith("notebook ")]
    kept = nbformat.read(line.split()[-1], as_version=4)
    assert kept.cells[-1].outputs[0].data["text/plain"] == "'8 4 the 4th'"
    task = command("show", derived_id(run, "report", "1")).stdout
    assert 'parameters  day="the 4th", rows=7, top=4' in task
    assert "parameters  rows=4" in shown
