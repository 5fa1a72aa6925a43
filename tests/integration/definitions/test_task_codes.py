"""The functions of tasks in the graph: a version's newest, and those that a run began with."""

from lineagegraph.graph import Graph
from lineagegraph.model.pipelines.definition import Pipeline, PipelineVersion
from lineagegraph.model.pipelines.task_code import TaskCode, task_code
from lineagegraph.store.pipelines import task_codes
from lineagegraph.store.runs import launches
from tests.definitions import daily, define, put_in_force


def keep(graph: Graph, content: bytes) -> TaskCode:
    code = task_code(content, ["a: global LOCK cannot be pickled"], ["b"])
    put_in_force(graph, version_of(daily()), code=code)
    return code


def version_of(pipeline: Pipeline) -> PipelineVersion:
    return PipelineVersion(
        hash="v", structure_hash="s", code_hash="c", pipeline=pipeline, source_sha256="0" * 64,
        file="daily.py", root="/",
    )  # fmt: skip


def begin(graph: Graph, run_id: str) -> TaskCode | None:
    job = define(graph, daily("other"))
    graph.write(launches.merge_queued, run_id=run_id, job_key=job, params=None, only=[], now=None)
    graph.query("MATCH (r:Run {id: $id}) SET r.wanted_version = 'v'", {"id": run_id}, write=True)
    return graph.write(task_codes.claim_task_code, id=run_id)


def test_a_run_keeps_the_functions_that_it_began_with_and_the_next_gets_the_newest(
    graph: Graph,
) -> None:
    first = keep(graph, b"first")
    assert begin(graph, "r1") == first
    second = keep(graph, b"second")
    assert graph.write(task_codes.claim_task_code, id="r1") == first
    assert begin(graph, "r2") == second
    (row,) = graph.query("MATCH (:JobVersion {hash: 'v'})-[:HAS_CODE]->(c) RETURN c.sha256 AS sha")
    assert row["sha"] == second.sha256


def test_a_version_without_functions_has_none(graph: Graph) -> None:
    define(graph, daily())
    assert begin(graph, "r1") is None


def test_a_version_that_is_put_in_force_brings_back_a_pipeline_that_was_withdrawn(
    graph: Graph,
) -> None:
    key = define(graph, daily())
    graph.query(
        "MATCH (j:Job {key: $key}) SET j.withdrawn_at = datetime()", {"key": key}, write=True
    )
    define(graph, daily())
    assert graph.query("MATCH (j:Job {key: $key}) RETURN j.withdrawn_at AS at", {"key": key}) == [
        {"at": None}
    ]
