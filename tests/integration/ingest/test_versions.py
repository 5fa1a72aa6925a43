"""What events say of versions: of the data that a run wrote, and of the job that it ran."""

from typing import Any

from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.record import record
from lineagegraph.model.names.keys import dataset_key
from lineagegraph.model.runs.ids import new_id
from tests.events import run_event

_RUN = "0191c3a8-0000-7000-8000-000000000001"
_IN, _OUT = ("file", "/orders"), ("file", "/report")


def send(graph: Graph, *events: dict[str, Any]) -> None:
    graph.write(record, extract(events))


def ended(run_id: str, url: str = "https://code/a.py", **more: Any) -> dict[str, Any]:
    event = run_event("job", "COMPLETE", run_id=run_id, inputs=(_IN,), **more)
    event["job"]["facets"] = {"sourceCodeLocation": {"type": "git", "url": url}}
    return event


def job_versions(graph: Graph, *ids: str) -> list[str | None]:
    rows = graph.query("MATCH (r:Run) RETURN r.id AS id, r.job_version AS version")
    found = {row["id"]: row["version"] for row in rows}
    return [found[id_] for id_ in ids]


def test_a_version_keeps_the_columns_that_the_writing_run_said_last(graph: Graph) -> None:
    first, last = (run_event("job", run_id=_RUN, outputs=(_OUT,)) for _ in range(2))
    first["outputs"][0]["facets"] = {"schema": {"fields": [{"name": "a"}]}}
    first["eventTime"] = "2026-01-01T00:00:00Z"
    last["outputs"][0]["facets"] = {"schema": {"fields": [{"name": "b"}]}}
    send(graph, last, first)
    (row,) = graph.query(
        "MATCH (:Run)-[w:WRITES]->(v:DatasetVersion), (f:Facet {hash: w.schema}) "
        "RETURN v.dataset_key AS key, f.body AS body"
    )
    assert row == {"key": dataset_key(*_OUT), "body": '{"fields":[{"name":"b"}]}'}


def test_runs_of_the_same_data_and_code_are_of_one_version_of_their_job(graph: Graph) -> None:
    same, again, code, data, running = (new_id() for _ in range(5))
    send(graph, ended(same), ended(again), ended(code, "https://code/b.py"))
    send(graph, ended(data, outputs=(_OUT,)), run_event("job", "START", run_id=running))
    one, two, other_code, other_data, none = job_versions(graph, same, again, code, data, running)
    assert one == two
    assert len({one, other_code, other_data}) == 3
    assert none is None


def test_the_version_that_our_own_facet_names_is_the_version_of_the_job(graph: Graph) -> None:
    known, unknown = new_id(), new_id()
    send(graph, _defined(known, "ab" * 32), _defined(unknown, "v1"))
    assert job_versions(graph, known, unknown) == ["ab" * 32, None]


def _defined(run_id: str, version: str) -> dict[str, Any]:
    event = run_event("job", "START", run_id=run_id)
    event["run"]["facets"]["lineagegraph"] = {"version": version}
    return event
