"""Tasks of one run with a real Spark session."""

from pathlib import Path
from threading import Barrier, Lock, Timer

import pytest

from lineagegraph.execution.cancellation import Cancellation
from lineagegraph.execution.request import RunRequest
from lineagegraph.execution.run import RunServices, run_pipeline
from lineagegraph.model.pipelines.definition import Pipeline, PipelineVersion, PythonTask, Task
from lineagegraph.model.runs.ids import new_id
from lineagegraph.model.runs.states import RunState
from lineagegraph.spark.sessions import SparkSessions

CONF = {
    "spark.master": "local[2]",
    "spark.ui.enabled": "false",
    "spark.sql.shuffle.partitions": "2",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
}


class Collected:
    def __init__(self):
        self.events, self._lock = [], Lock()

    def report(self, events):
        with self._lock:
            self.events.extend(events)


@pytest.fixture
def execute(tmp_path: Path):
    def run(functions, cancellation=None):
        tasks = tuple(
            Task(name=name, work=PythonTask(module="m", qualname=name, arguments=("spark",)))
            for name in functions
        )
        pipeline = Pipeline(name="p", namespace="ns", tasks=tasks, spark=CONF)
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
            RunRequest(new_id(), version, {}, tmp_path, tmp_path / "logs"),
            RunServices(
                reporter=reporter,
                sessions=lambda conf, emit: SparkSessions(conf, emit, None),
                load=lambda task, code: functions[task.qualname],
                cancellation=cancellation or Cancellation(),
            ),
        )
        return state, reporter.events

    return run


def run_ids(events, job):
    return {e["run"]["runId"] for e in events if e["job"]["name"] == job}


def parent_id(event):
    return event["run"]["facets"]["parent"]["run"]["runId"]


def test_two_tasks_share_a_session_at_the_same_time_and_keep_their_own_lineage(execute, tmp_path):
    barrier = Barrier(2, timeout=120)
    sessions = []

    def write(spark, name):
        sessions.append(spark)
        barrier.wait()
        spark.range(10).write.parquet(str(tmp_path / name))

    state, events = execute({n: lambda spark, n=n: write(spark, n) for n in ("a", "b")})
    assert state is RunState.COMPLETED
    assert sessions[0] is sessions[1]
    assert events[-1]["job"]["name"] == "p"
    assert events[-1]["eventType"] == "COMPLETE"
    applications = {e["run"]["runId"]: e for e in events if _kind(e) == "APPLICATION"}
    for name in ("a", "b"):
        [writing] = [
            e
            for e in events
            if any(d["name"] == str(tmp_path / name) for d in e.get("outputs", []))
            and e["eventType"] == "COMPLETE"
        ]
        application = applications[parent_id(writing)]
        assert {parent_id(application)} == run_ids(events, f"p.{name}")


def test_a_cancellation_ends_the_spark_job_of_a_running_task(execute):
    cancellation = Cancellation()

    def endless(spark):
        spark.range(2).count()
        Timer(0.5, cancellation.request).start()
        spark.range(0, 10**13, 1, 2).selectExpr("sum(id % 7)").collect()

    state, events = execute({"endless": endless}, cancellation)
    assert state is RunState.KILLED
    assert cancellation.abandoned == []
    assert events[-1]["eventType"] == "ABORT"


def _kind(event):
    return event["job"]["facets"].get("jobType", {}).get("jobType")
