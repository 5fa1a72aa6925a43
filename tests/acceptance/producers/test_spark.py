"""What OpenLineage's Spark listener sends."""

import re
from pathlib import Path

from openlineage.client.event_v2 import RunState

from lineagegraph.graph import Graph
from tests.acceptance.producers import truth
from tests.acceptance.producers.spark_submit import spark_submit
from tests.acceptance.producers.test_client import DAG, TASK, kind, run_event, sending

WRITE = "execute_insert_into_hadoop_fs_relation_command"
PARENT = {
    "spark.app.name": "nightly",
    "spark.openlineage.namespace": "spark",
    "spark.openlineage.transport.type": "http",
    "spark.openlineage.parentJobNamespace": "scheduler",
    "spark.openlineage.parentJobName": "shop.load",
    "spark.openlineage.parentRunId": TASK,
    "spark.openlineage.rootParentJobNamespace": "scheduler",
    "spark.openlineage.rootParentJobName": "shop",
    "spark.openlineage.rootParentRunId": DAG,
}


def test_actions_belong_to_the_application_of_the_task_of_the_dag(
    endpoint: str, graph: Graph, tmp_path: Path
) -> None:
    with sending(endpoint, {"type": "http"}) as emit:
        emit(run_event(RunState.START, DAG, job_facets=kind("DAG")))
        emit(run_event(RunState.START, TASK, DAG, DAG, job_facets=kind("TASK")))
        transport = {"spark.openlineage.transport.url": endpoint}
        done = spark_submit(tmp_path, PARENT | transport, "fail")
        assert "no luck" in done.stderr, done.stderr
        emit(run_event(RunState.FAIL, TASK, DAG, DAG))
        emit(run_event(RunState.FAIL, DAG))
    app = "shop.load.nightly"
    folder = re.sub(r"\W+", "_", tmp_path.name)
    orders, broken = (f"{app}.{WRITE}.{folder}_{name}" for name in ("orders", "broken"))
    totals = f"{app}.adaptive_spark_plan.{folder}_totals"
    schema_read = f"{app}.map_partitions_parallel_collection"
    found = truth.jobs(graph)
    assert found.pop(schema_read)[:2] == ("spark", "action")
    assert found == {
        "shop": ("scheduler", "pipeline", "FAILED"),
        "shop.load": ("scheduler", "task", "FAILED"),
        app: ("spark", "application", "COMPLETED"),
        orders: ("spark", "action", "COMPLETED"),
        totals: ("spark", "action", "COMPLETED"),
        broken: ("spark", "action", "FAILED"),
    }
    assert truth.parents(graph) == {
        "shop": [],
        "shop.load": ["shop"],
        app: ["shop.load"],
        **{action: [app] for action in (orders, totals, broken, schema_read)},
    }
    chain = f"shop > shop.load > nightly > nightly.adaptive_spark_plan.{folder}_totals"
    assert chain in truth.run_chains(graph)
    assert truth.flows(graph) >= {f"{orders} > orders", f"orders > {totals}", f"{totals} > totals"}
    assert truth.columns(graph) == {
        "orders.region > totals.region",
        "orders.amount > totals.total",
    }
    assert truth.row_counts(graph) == {"orders": 3, "totals": 2, "broken": None}
    assert truth.schema(graph, "totals") == ["region", "total"]
