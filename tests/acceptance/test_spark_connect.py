"""Lineage of Spark Connect: the driver is a server's, and no listener of ours is there."""

import json
import os
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest
from pyspark import SparkContext
from pyspark.sql import SparkSession

from lineagegraph.execution.cancellation import Cancellation
from lineagegraph.model.pipelines.definition import Pipeline, PythonTask, SqlTask, Task
from lineagegraph.model.runs.ids import new_id
from lineagegraph.settings import Settings
from lineagegraph.store.runs import launches
from lineagegraph.worker.held_run import run_claimed
from lineagegraph.worker.run_claim import RunClaim
from lineagegraph.worker.worker import WorkerProcessEnvironment
from tests.acceptance.captured import Task as Told
from tests.acceptance.captured import names, output, partitions
from tests.acceptance.connect_server import connect_server
from tests.definitions import define


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    return tmp_path_factory.mktemp("connect")


@pytest.fixture(scope="module")
def spark_server(home):
    with connect_server(home) as url:
        yield url


@pytest.fixture(scope="module")
def told(spark_server, home):
    """What a client's tasks told, by their names."""
    result = home / "events.json"
    client = [sys.executable, "-m", "tests.acceptance.connect_client", spark_server, home, result]
    subprocess.run(client, check=True, timeout=400)
    found = json.loads(result.read_text())
    return {name: Told(None, events, error) for name, (events, error) in found.items()}


def opaque(event):
    facet = event["run"]["facets"].get("extractionError", {"errors": []})
    return [each["errorMessage"].removesuffix(" is not understood") for each in facet["errors"]]


def table(home, name):
    """The dataset of a table, as a session in the driver names it."""
    return str(home / "spark-warehouse" / name)


def schema(dataset):
    return {each["name"]: each["type"] for each in dataset["facets"]["schema"]["fields"]}


def lifecycle(event):
    return output(event)["facets"]["lifecycleStateChange"]["lifecycleStateChange"]


def test_files_have_the_paths_of_the_server_and_the_schema_that_it_tells(told, home):
    done = told["files"]
    assert done.error == ""
    raw, days = done.named("spark.write_raw"), done.named("spark.write_days")
    assert names(raw["outputs"]) == names(days["inputs"]) == [str(home / "raw")]
    assert (output(days)["namespace"], output(days)["name"]) == ("file", str(home / "days"))
    assert partitions(days) == [{"date": "2026-11-22"}]
    assert schema(output(days)) == schema(days["inputs"][0]) == {"id": "long"}
    assert done.application["eventType"] == "COMPLETE"
    assert opaque(done.application) == []


def test_tables_are_those_of_the_catalog_and_views_are_what_they_read(told, home):
    done = told["tables"]
    assert done.error == ""
    copy = done.named("spark.write_copy")
    assert names(copy["inputs"]) == [table(home, "numbers")]
    assert output(copy)["name"] == table(home, "copy")
    [symlink] = output(copy)["facets"]["symlinks"]["identifiers"]
    assert (symlink["namespace"], symlink["name"]) == (
        f"file:{home}/spark-warehouse",
        "default.copy",
    )
    assert schema(output(copy)) == {"id": "long"}
    assert copy["job"]["facets"]["sql"]["query"].startswith("CREATE TABLE copy")
    assert len(done.actions) == 2, "a view is no action"


def test_a_view_of_a_frame_is_what_its_names_were_when_it_was_made(told, home):
    found = [(names(each["inputs"]), opaque(each)) for each in told["replaced_views"].actions]
    assert found == [([table(home, "numbers")], [])] * 2


def test_a_session_that_a_task_stops_is_opened_again_for_the_next(told):
    assert [told[name].error for name in ("stopped", "tables")] == ["", ""]


def test_tables_in_expressions_and_behind_names_of_a_query_are_inputs(told, home):
    shadowed, filtered, given = told["hidden"].actions
    numbers, copy = table(home, "numbers"), table(home, "copy")
    assert names(shadowed["inputs"]) == [numbers]
    assert names(filtered["inputs"]) == sorted([copy, numbers])
    assert names(given["inputs"]) == sorted([copy, str(home / "raw")])
    assert {opaque_kind for each in told["hidden"].actions for opaque_kind in opaque(each)} == set()


def test_statements_change_tables_and_those_that_change_nothing_are_no_actions(told, home):
    done = told["changes"]
    assert done.error == ""
    found = [(e["job"]["name"], lifecycle(e), output(e)["name"]) for e in done.actions]
    copied = table(home, "copied")
    assert found == [
        ("spark.write_copy", "OVERWRITE", table(home, "copy")),
        ("spark.rename_copied", "RENAME", copied),
        ("spark.alter_copied", "ALTER", copied),
        ("spark.write_copied", "TRUNCATE", copied),
        ("spark.drop_copied", "DROP", copied),
    ]
    assert schema(output(done.actions[2])) == {"id": "long", "more": "integer"}


def test_what_is_not_understood_is_marked_on_the_action_and_the_application(told):
    done = told["not_understood"]
    assert opaque(done.actions[0]) == ["statement"]
    assert opaque(done.actions[1]) == ["function python_rows"]
    assert opaque(done.application) == ["statement", "function python_rows"]
    [unknown] = told["unknown_format"].actions
    assert opaque(unknown) == ["output sometimes"]


def test_a_failure_ends_the_action_without_a_table_that_was_never_made(told):
    done = told["failing"]
    assert "no" in done.error
    assert done.action["eventType"] == done.application["eventType"] == "FAIL"
    assert done.action["outputs"] == []
    assert "no" in done.action["run"]["facets"]["errorMessage"]["message"]


def test_threads_and_pools_work_for_the_task_that_starts_them(told):
    done = {each["job"]["name"] for each in told["threads"].actions}
    assert done == {"spark.write_thread1", "spark.write_thread2", "spark.write_thread3"}


def test_a_stream_is_an_action_until_it_ends_and_is_marked_if_its_task_ends_first(told, home):
    ended, left = told["streams"].actions
    assert (names(ended["inputs"]), names(ended["outputs"])) == (
        [str(home / "raw")],
        [str(home / "streamed")],
    )
    assert opaque(ended) == []
    assert opaque(left) == ["stream after its task"]


def test_a_cancelled_task_is_interrupted_on_the_server(told):
    done = told["cancelled"]
    assert "OPERATION_CANCELED" in done.error
    assert done.action["eventType"] == done.application["eventType"] == "ABORT"


def test_a_session_that_a_task_opens_itself_is_captured_too(told, home):
    done = told["own_session"]
    assert names(done.action["inputs"]) == [table(home, "numbers")]
    assert done.application["run"]["facets"]["spark_properties"]["properties"][
        "spark.app.id"
    ].startswith("local-")


@pytest.fixture
def without_driver():
    """A process without a session in it, as the worker of a run is."""
    if SparkContext._active_spark_context is not None:
        SparkSession.builder.getOrCreate().stop()
    yield
    os.environ.pop("SPARK_CONNECT_MODE_ENABLED", None)


CODE = """
from pyspark.sql import functions as F
from shop_rules import twice

def double(spark):
    spark.range(3).select(F.udf(twice, "long")("id").alias("n")).write.parquet("doubled")
"""


def test_a_pipeline_with_a_remote_session_has_lineage_and_the_server_its_code(
    graph, settings, tmp_path, spark_server, home, without_driver
):
    tasks = (
        Task(
            name="double", work=PythonTask(module="shop", qualname="double", arguments=("spark",))
        ),
        Task(
            name="keep",
            work=SqlTask(sql="CREATE TABLE kept USING parquet AS SELECT n FROM parquet.`doubled`"),
            after=("double",),
        ),
        Task(name="count", work=SqlTask(sql="SELECT * FROM kept"), after=("keep",)),
        Task(
            name="publish", work=SqlTask(sql="SELECT * FROM kept", target="gold.n"), after=("keep",)
        ),
    )
    pipeline = Pipeline(
        name="shop", namespace="default", tasks=tasks, spark={"spark.remote": spark_server}
    )
    code = {"shop.py": CODE, "shop_rules.py": "def twice(n):\n    return 2 * n\n"}
    key, id_ = define(graph, pipeline, files=code), new_id()
    graph.write(launches.merge_queued, run_id=id_, job_key=key, params=None, only=[], now=None)
    lease = timedelta(minutes=5)
    claim = graph.write(launches.claim_run, id=id_, owner="t", lease=lease, claim=None, now=None)
    local = Settings(home=tmp_path)
    run = RunClaim(graph, local, id_, claim.fence)
    run_claimed(run, WorkerProcessEnvironment(local), Cancellation())
    rows = graph.query(
        "MATCH (:Run {id: $id})-[:PARENT_OF]->(r:Run)<-[:HAS_RUN]-(j) "
        "RETURN j.simple_name AS name, r.state AS state, r.error AS error",
        {"id": id_},
    )
    found = {row["name"]: (row["state"], row["error"]) for row in rows}
    assert [found[name][0] for name in ("double", "keep", "count")] == ["COMPLETED"] * 3, found
    assert "3 rows" in (tmp_path / "logs" / id_ / "count.log").read_text()
    assert found["publish"][0] == "FAILED"
    assert "server a catalog of Delta" in found["publish"][1]
    written = graph.query(
        "MATCH (d:Dataset {name: $name})-[:HAS_VERSION]->()<-[:WRITES]-(:Run) RETURN d",
        {"name": table(home, "kept")},
    )
    assert len(written) == 1


def test_packages_that_are_missing_are_told_in_one_line(tmp_path):
    program = tmp_path / "asks.py"
    program.write_text(
        "import sys; sys.modules['grpc'] = None\n"
        "from lineagegraph.spark.connect.sessions import open_remote\n"
        "open_remote({'spark.remote': 'sc://127.0.0.1:1'})\n"
    )
    env = os.environ | {"PYTHONPATH": str(Path.cwd())}
    done = subprocess.run(
        [sys.executable, program], env=env, capture_output=True, text=True, timeout=120
    )
    last = done.stderr.strip().splitlines()[-1]
    assert 'needs more packages: pip install "lineagegraph[connect]"' in last
