"""Reads beside writes: Neo4j lets a statement see what others commit while it runs."""

import time
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import msgspec
import pytest

from lineagegraph.errors import GraphBusy
from lineagegraph.graph import Graph, Transaction
from lineagegraph.graph.statements import statement
from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.record import record
from lineagegraph.model.names.keys import dataset_key
from lineagegraph.model.runs.ids import new_id
from lineagegraph.model.typed import convert_value
from lineagegraph.store.jobs import details
from lineagegraph.store.jobs.details import JobDetailRow
from tests.events import run_event

_HALF = "CREATE (:Job {key: 'k', namespace: 'n', fqn: 'j', simple_name: 'j'})"


def test_a_job_that_is_deleted_while_it_is_read_is_left_out(graph: Graph) -> None:
    """Such a job has been found, and has no properties any more."""
    graph.query(_HALF, write=True)
    attempts = []

    def work(tx: Transaction) -> list[JobDetailRow]:
        if attempts:
            graph.query("MATCH (j:Job) DELETE j", write=True)
        attempts.append(1)
        return details.list_jobs(tx, keys=["k"], runs=1)

    assert graph.read(work) == []
    assert len(attempts) == 2


def test_what_is_wrong_and_stays_so_is_an_error(graph: Graph) -> None:
    graph.query(_HALF, write=True)
    with pytest.raises(msgspec.ValidationError):
        graph.read(details.list_jobs, keys=["k"], runs=1)


@pytest.mark.parametrize("write", [False, True])
def test_a_query_that_takes_all_memory_fails_the_first_time(graph: Graph, write: bool) -> None:
    began = time.monotonic()
    with pytest.raises(GraphBusy, match="not enough memory: try again, ask for less"):
        graph.query("UNWIND range(1, 100000000) AS x RETURN size(collect(x)) AS n", write=write)
    assert time.monotonic() - began < 20


def test_queries_together_leave_half_of_the_heap(graph: Graph) -> None:
    (row,) = graph.query("SHOW SETTINGS 'dbms.memory.transaction.total.max' YIELD value")
    assert row["value"] == "256.00MiB"


def rows_as_maps(graph: Graph, name: str, given: dict[str, Any]) -> list[dict[str, object]]:
    """The rows of a statement that returns each as a list, with each item under its own name."""
    text = statement(f"jobs/details/{name}")
    items = text[text.rindex("collect([") :].partition("[")[2].partition("]")[0]
    named = ", ".join(f"{item.strip()}: {item.strip()}" for item in items.split(","))
    before = text[: text.rindex("RETURN collect([")]
    (found,) = graph.query(f"{before} RETURN collect({{{named}}}) AS rows", given)
    return list(found["rows"])


def test_rows_that_are_lists_have_each_value_in_the_field_of_its_name(graph: Graph) -> None:
    parent, child = new_id(), new_id()
    above = run_event("dag", "START", run_id=parent)
    below = run_event(
        "dag.task",
        "COMPLETE",
        run_id=child,
        parent=(parent, "dag"),
        inputs=(("file", "/in"),),
        outputs=(("file", "/out"),),
    )
    below["run"]["facets"]["nominalTime"] = {"nominalStartTime": "2026-03-02T10:00:00Z"}
    below["job"]["facets"] = {"sql": {"query": "SELECT 1"}}
    below["outputs"][0]["facets"] = {"documentation": {"description": "made"}}
    for event in (above, below):
        graph.write(record, extract([event]))
    ids = sorted((parent, child))
    keys = [row["key"] for row in graph.query("MATCH (j:Job) RETURN j.key AS key")]
    datasets = [dataset_key("file", "/in"), dataset_key("file", "/out")]

    asked: dict[str, dict[str, Any]] = {
        "list_runs": {"ids": ids},
        "list_jobs": {"keys": keys, "runs": 10},
        "list_datasets": {"keys": datasets},
        "list_job_facets": {"keys": keys, "name": None},
        "list_run_facets": {"ids": ids, "scope": "run"},
        "list_reads": {"ids": ids},
        "list_writes": {"ids": ids},
    }
    for name, given in asked.items():
        rows = graph.read(getattr(details, name), **given)
        maps = rows_as_maps(graph, name, given)
        assert rows
        assert len(rows) == len(maps)
        for row, named in zip(rows, maps, strict=True):
            values = [named[field] for field in row.__struct_fields__]
            assert convert_value(values, type(row), strict=False) == row


def test_a_job_has_its_runs_as_they_are_read_by_id(graph: Graph) -> None:
    parent, child = new_id(), new_id()
    below = run_event("dag.task", run_id=child, parent=(parent, "dag"))
    below["run"]["facets"]["nominalTime"] = {"nominalStartTime": "2026-03-02T10:00:00Z"}
    graph.write(record, extract([below]))
    (key,) = (r["k"] for r in graph.query("MATCH (j:Job) WHERE j.name <> 'dag' RETURN j.key AS k"))
    (job,) = graph.read(details.list_jobs, keys=[key], runs=10)
    assert job.runs == tuple(graph.read(details.list_runs, ids=[child]))
    (run,) = job.runs
    assert (run.id, run.name, run.state) == (child, job.name, "COMPLETED")
    assert run.parent is not None
    assert (run.parent.id, run.parent.name) == (parent, "dag")
    assert [above.name for above in job.ancestors] == ["dag"]


def test_a_time_with_a_zone_of_python_is_sent(graph: Graph) -> None:
    """Neo4j's driver reads beyond a time of its own if its zone is a `ZoneInfo`, and may crash."""
    again = datetime(2026, 10, 25, 2, 30, fold=1, tzinfo=ZoneInfo("Europe/Berlin"))
    (row,) = graph.query("RETURN $given.at AS at", {"given": {"at": again}})
    assert row == {"at": datetime(2026, 10, 25, 1, 30, tzinfo=UTC)}
