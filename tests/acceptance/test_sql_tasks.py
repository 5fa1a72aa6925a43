"""SQL as tasks of a run that a worker carries out."""

from datetime import timedelta

import pandas as pd
import pytest

from lineagegraph.execution.cancellation import Cancellation
from lineagegraph.model.pipelines.definition import Parameter, Pipeline, SqlTask, Task
from lineagegraph.model.runs.ids import new_id
from lineagegraph.settings import Settings
from lineagegraph.store.runs import launches
from lineagegraph.worker.held_run import run_claimed
from lineagegraph.worker.run_claim import RunClaim
from lineagegraph.worker.worker import WorkerProcessEnvironment
from tests.definitions import define

RIDES = "SELECT explode(sequence(1, 10)) AS id; SELECT id, {day} AS day, '{day}!' AS said FROM x"
CHECKED = "SHOW TABLES; SELECT raise_error('no rides') FROM range(1); SELECT 1 AS n"
SPARK = {"spark.master": "local[1]", "spark.sql.shuffle.partitions": "1"}
LEASE = timedelta(minutes=5)


@pytest.fixture
def run(graph, settings, tmp_path):
    def carry_out(*tasks, spark=SPARK):
        day = Parameter(name="day", type="date", default="2026-01-01")
        pipeline = Pipeline(
            name="kpi", namespace="default", tasks=tasks, spark=spark, parameters=(day,)
        )
        key, id_ = define(graph, pipeline, files={"kpi.py": ""}), new_id()
        asked = {"job_key": key, "params": None, "only": [], "now": None}
        graph.write(launches.merge_queued, run_id=id_, **asked)
        claim = graph.write(
            launches.claim_run, id=id_, owner="t", lease=LEASE, claim=None, now=None
        )
        home = Settings(home=tmp_path)
        run = RunClaim(graph, home, id_, claim.fence)
        run_claimed(run, WorkerProcessEnvironment(home), Cancellation())
        return id_

    return carry_out


def states(graph, run_id):
    rows = graph.query(
        "MATCH (:Run {id: $id})-[:PARENT_OF]->(r:Run)<-[:HAS_RUN]-(j) "
        "RETURN j.simple_name AS name, r.state AS state, r.error AS error",
        {"id": run_id},
    )
    return {row["name"]: (row["state"], row["error"]) for row in rows}


def test_a_query_is_published_and_read_by_the_next_with_its_lineage(graph, run, tmp_path):
    rides = "CREATE TEMP VIEW x AS SELECT explode(sequence(1, 10)) AS id;" + RIDES.split(";")[1]
    id_ = run(
        Task(name="rides", work=SqlTask(sql=rides, target="gold.rides")),
        Task(
            name="more",
            work=SqlTask(sql="SELECT * FROM gold.rides", target="gold.rides", mode="append"),
            after=("rides",),
        ),
        Task(name="check", work=SqlTask(sql="SELECT day FROM gold.rides"), after=("more",)),
        Task(name="bad", work=SqlTask(sql="SELECT raise_error('no') FROM gold.rides")),
        Task(name="checked", work=SqlTask(sql=CHECKED, target="gold.checked")),
    )
    found = states(graph, id_)
    assert {name: state for name, (state, _) in found.items()} == {
        "rides": "COMPLETED",
        "more": "COMPLETED",
        "check": "COMPLETED",
        "bad": "FAILED",
        "checked": "FAILED",
    }, found
    assert "no rides" in found["checked"][1]
    assert not (tmp_path / "tables" / "gold" / "checked").exists()
    table = tmp_path / "tables" / "gold" / "rides"
    rows = pd.read_parquet(table)
    assert (len(rows), set(rows.said), str(rows.day[0])) == (20, {"2026-01-01!"}, "2026-01-01")
    assert "20 rows" in (tmp_path / "logs" / id_ / "check.log").read_text()
    written = graph.query(
        "MATCH (d:Dataset {name: $name})-[:HAS_VERSION]->(v)<-[:WRITES]-(:Run) RETURN v",
        {"name": str(table)},
    )
    assert len(written) == 2
