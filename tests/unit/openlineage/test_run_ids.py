"""Every mention of a run by an id that is no UUID gives one UUID."""

from copy import deepcopy
from typing import Any
from uuid import UUID

from lineagegraph.openlineage import identify_runs
from tests.events import run_event

SENT = "manual__2024-01-01T00:00:00+00:00"
DAG = {"run": {"runId": SENT}, "job": {"namespace": "airflow", "name": "dag"}}


def ids(event: dict[str, Any]) -> list[str]:
    return [run.id for run in identify_runs(event).named]


def test_a_run_has_one_uuid_wherever_it_is_named() -> None:
    own = run_event("dag", run_id=SENT, namespace="airflow")
    child = run_event("dag.task")
    facets = child["run"]["facets"]
    facets["parent"] = DAG | {"root": DAG}
    facets["jobDependencies"] = {"upstream": [5, DAG], "downstream": [DAG]}
    before = deepcopy(child)
    (expected,) = ids(own)
    assert str(UUID(expected)) == expected
    assert ids(child) == [expected] * 4
    assert child == before
    found = identify_runs(child)
    assert [run.path for run in found.named] == [
        "$.run.facets.parent.run.runId",
        "$.run.facets.parent.root.run.runId",
        "$.run.facets.jobDependencies.upstream[1].run.runId",
        "$.run.facets.jobDependencies.downstream[0].run.runId",
    ]
    assert SENT not in str(found.event)
    assert ids(found.event) == []


def test_the_same_id_of_two_jobs_is_two_runs() -> None:
    assert ids(run_event("a", run_id=SENT)) != ids(run_event("b", run_id=SENT))
    assert ids(run_event("a.b", run_id=SENT, namespace="c")) != ids(
        run_event("b", run_id=SENT, namespace="c.a")
    )


def test_a_uuid_in_another_spelling_is_the_same_run_and_no_other_id() -> None:
    plain = "0199aaaa-0000-7000-8000-00000000000a"
    for text in (plain.upper(), plain.replace("-", ""), f"urn:uuid:{plain}", f"{{{plain}}}"):
        event, named = identify_runs(run_event("a", run_id=text))
        assert (event["run"]["runId"], named) == (plain, [])


def test_what_is_no_id_and_what_has_no_job_stays_as_it_is() -> None:
    for event in (
        None,
        [],
        {},
        {"run": 5},
        {"run": {"runId": 5}, "job": {}},
        {"run": {"runId": "x"}},
    ):
        assert identify_runs(event) == (event, [])
    for sent in (5, None, "", "x" * 2001):
        event = run_event("a") | {"run": {"runId": sent}}
        assert identify_runs(event) == (event, [])
