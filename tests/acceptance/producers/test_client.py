"""What OpenLineage's own Python client sends."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

import pytest
import requests
from openlineage.client import OpenLineageClient, set_producer
from openlineage.client.event_v2 import (
    DatasetEvent,
    InputDataset,
    Job,
    JobEvent,
    OutputDataset,
    Run,
    RunEvent,
    RunState,
    StaticDataset,
)
from openlineage.client.facet_v2 import (
    column_lineage_dataset,
    error_message_run,
    job_type_job,
    nominal_time_run,
    output_statistics_output_dataset,
    ownership_dataset,
    parent_run,
    schema_dataset,
    sql_job,
    tags_run,
)
from openlineage.client.uuid import generate_new_uuid

from lineagegraph.graph import Graph
from tests.acceptance.producers import truth

set_producer("https://example.org/shop")
TRANSPORTS = [
    {"type": "http"},
    {"type": "http", "compression": "gzip"},
    {"type": "async_http"},
    {"type": "async_http", "compression": "gzip"},
]
DAG, TASK, STEP = (str(generate_new_uuid()) for _ in range(3))
NAMES = {DAG: "shop", TASK: "shop.load", STEP: "write_orders"}


@contextmanager
def sending(endpoint: str, transport: dict[str, str]) -> Iterator[Callable[[Any], None]]:
    client = OpenLineageClient(config={"transport": transport | {"url": endpoint}})
    yield client.emit
    client.close(timeout=30)


def now() -> str:
    return datetime.now(UTC).isoformat()


def run_event(state: RunState, run: str, *above: str, **more: Any) -> RunEvent:
    """An event about a run; `above` are its parent and the root of it all."""
    facets: dict[str, Any] = dict(more.pop("run_facets", {}))
    if above:
        parent, root = above
        facets["parent"] = parent_run.ParentRunFacet(
            run=parent_run.Run(runId=parent),
            job=parent_run.Job(namespace="scheduler", name=NAMES[parent]),
            root=parent_run.Root(
                run=parent_run.RootRun(runId=root),
                job=parent_run.RootJob(namespace="scheduler", name=NAMES[root]),
            ),
        )
    job = Job(namespace="scheduler", name=NAMES[run], facets=more.pop("job_facets", {}))
    return RunEvent(
        eventType=state, eventTime=now(), run=Run(runId=run, facets=facets), job=job, **more
    )


def orders() -> OutputDataset:
    fields = [schema_dataset.SchemaDatasetFacetFields(name=n, type="int") for n in ("id", "total")]
    source = column_lineage_dataset.InputField(namespace="file", name="/raw", field="amount")
    made = column_lineage_dataset.Fields(inputFields=[source])
    facets = {
        "schema": schema_dataset.SchemaDatasetFacet(fields=fields),
        "columnLineage": column_lineage_dataset.ColumnLineageDatasetFacet(fields={"total": made}),
    }
    count = output_statistics_output_dataset.OutputStatisticsOutputDatasetFacet(rowCount=7, size=70)
    return OutputDataset(
        namespace="file", name="/orders", facets=facets, outputFacets={"outputStatistics": count}
    )


@pytest.mark.parametrize("transport", TRANSPORTS, ids=lambda each: "-".join(each.values()))
def test_runs_with_parents_and_roots_become_the_hierarchy(
    transport: dict[str, str], endpoint: str, graph: Graph
) -> None:
    with sending(endpoint, transport) as emit:
        emit(run_event(RunState.START, DAG, job_facets=kind("DAG")))
        emit(run_event(RunState.START, TASK, DAG, DAG, job_facets=kind("TASK")))
        emit(run_event(RunState.START, STEP, TASK, DAG, inputs=[InputDataset("file", "/raw")]))
        emit(run_event(RunState.COMPLETE, STEP, TASK, DAG, outputs=[orders()]))
        error = error_message_run.ErrorMessageRunFacet("out of luck", programmingLanguage="python")
        emit(run_event(RunState.FAIL, TASK, DAG, DAG, run_facets={"errorMessage": error}))
        emit(run_event(RunState.ABORT, DAG))
    assert truth.jobs(graph) == {
        "shop": ("scheduler", "pipeline", "KILLED"),
        "shop.load": ("scheduler", "task", "FAILED"),
        "shop.load.write_orders": ("scheduler", "external", "COMPLETED"),
    }
    assert truth.parents(graph) == {
        "shop": [],
        "shop.load": ["shop"],
        "shop.load.write_orders": ["shop.load"],
    }
    assert "shop > shop.load > write_orders" in truth.run_chains(graph)
    assert truth.flows(graph) == {
        "raw > shop.load.write_orders",
        "shop.load.write_orders > orders",
    }
    assert truth.columns(graph) == {"raw.amount > orders.total"}
    assert truth.row_counts(graph) == {"orders": 7}
    assert error_of(graph, TASK) == "out of luck"


def kind(job_type: str) -> dict[str, Any]:
    return {"jobType": job_type_job.JobTypeJobFacet("BATCH", "SHOP", job_type)}


def error_of(graph: Graph, run: str) -> str:
    (row,) = graph.query("MATCH (r:Run {id: $run}) RETURN r.error AS error", {"run": run})
    return str(row["error"])


def test_job_and_dataset_events_tell_what_exists_apart_from_runs(
    endpoint: str, graph: Graph
) -> None:
    query = sql_job.SQLJobFacet(query="INSERT INTO orders SELECT * FROM raw", dialect="ansi")
    job = Job("scheduler", "nightly", facets={"sql": query})
    owner = ownership_dataset.Owner(name="sales", type="MAINTAINER")
    owned = {"ownership": ownership_dataset.OwnershipDatasetFacet(owners=[owner])}
    with sending(endpoint, {"type": "http"}) as emit:
        raw = InputDataset("file", "/raw")
        emit(JobEvent(eventTime=now(), job=job, inputs=[raw], outputs=[orders()]))
        dataset = StaticDataset("file", "/raw", facets=owned)
        emit(DatasetEvent(eventTime=now(), dataset=dataset))
    assert truth.jobs(graph) == {"nightly": ("scheduler", "external", "")}
    assert truth.flows(graph) == {"raw > nightly", "nightly > orders"}
    assert truth.schema(graph, "orders") == ["id", "total"]
    assert facets_of(graph, "/raw") == ["ownership"]


def test_a_facet_that_the_client_deletes_is_gone(endpoint: str, graph: Graph) -> None:
    owner = ownership_dataset.Owner(name="sales")
    with sending(endpoint, {"type": "http"}) as emit:
        for deleted in (None, True):
            facet = ownership_dataset.OwnershipDatasetFacet(owners=[owner], deleted=deleted)
            dataset = StaticDataset("file", "/raw", facets={"ownership": facet})
            emit(DatasetEvent(eventTime=now(), dataset=dataset))
    assert facets_of(graph, "/raw") == []


def facets_of(graph: Graph, dataset: str) -> list[str]:
    rows = graph.query(
        "MATCH (:Dataset {name: $dataset})-[r:HAS_FACET]->() RETURN r.name AS name ORDER BY name",
        {"dataset": dataset},
    )
    return [row["name"] for row in rows]


def test_an_event_reads_back_as_the_client_sent_it(endpoint: str) -> None:
    facets = {
        "nominalTime": nominal_time_run.NominalTimeRunFacet("2026-01-01T00:00:00Z"),
        "tags": tags_run.TagsRunFacet([tags_run.TagsRunFacetFields("tier", "gold", "SHOP")]),
    }
    sent = run_event(RunState.COMPLETE, STEP, TASK, DAG, outputs=[orders()], run_facets=facets)
    with sending(endpoint, {"type": "http"}) as emit:
        emit(sent)
    answer = requests.get(f"{endpoint}/api/v1/events/lineage", timeout=10).json()
    (found,) = answer["events"]
    assert found["eventTime"] == sent.eventTime
    assert found["job"]["name"] == "write_orders"
    assert set(facets) < set(found["run"]["facets"])
    assert found["outputs"][0]["outputFacets"]["outputStatistics"]["rowCount"] == 7
    assert found["outputs"][0]["facets"]["columnLineage"]["fields"].keys() == {"total"}


def test_the_client_is_told_that_an_event_is_refused(endpoint: str, graph: Graph) -> None:
    nameless = RunEvent(
        eventType=RunState.START,
        eventTime=now(),
        run=Run(runId=str(generate_new_uuid())),
        job=Job(namespace="scheduler", name=""),
    )
    with (
        pytest.raises(requests.HTTPError, match="400"),
        sending(endpoint, {"type": "http"}) as emit,
    ):
        emit(nameless)
    assert truth.jobs(graph) == {}
