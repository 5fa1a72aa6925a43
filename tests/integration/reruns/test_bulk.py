"""Many old runs again: each once, whoever dies in the midst of it."""

from datetime import UTC, datetime

import pytest

from lineagegraph.backfills.advance import advance_backfills
from lineagegraph.backfills.of_reruns import BulkRequest, plan_bulk, start_bulk
from lineagegraph.errors import BackfillConflict, RerunAsks, RerunRefused
from lineagegraph.model.runs.rerun import RerunRequest
from lineagegraph.queries.find.find import find_job

COUNTING = """
note = lg.command("a", ["sh", "-c", COMMAND, "sh", "{day}"])
lg.pipeline("daily", tasks=[note], params={"day": int})
"""


@pytest.fixture
def daily(project):
    """Four runs, of which those of days 2 and 3 failed."""
    log = project.folder.parent / "log"
    command = f"echo $1 >> {log}; test ! -e {log}.$1"
    for day in (2, 3):
        log.with_name(f"log.{day}").touch()
    project.state(COUNTING.replace("COMMAND", repr(command)))
    runs = [project.run("daily", day=day) for day in range(1, 5)]
    assert log.read_text().split() == ["1", "2", "3", "4"]
    log.unlink()
    return project, log, runs


def asking(project, **request):
    each = RerunRequest(run="", policy=request.pop("policy", "as_was"))
    key = find_job(project.graph, "daily").key
    return BulkRequest(job_key=key, each=each, **request)


def carry_out_all(project, named):
    while advance_backfills(project.graph):
        for row in project.graph.query(
            "MATCH (:Backfill {id: $id})-[:COVERS]->()-[:STARTED]->(r:Run {launch: 'QUEUED'}) "
            "RETURN r.id AS id",
            {"id": named},
        ):
            project.carry_out(row["id"])


def test_a_range_is_run_again_and_the_same_request_is_done_once(daily):
    project, log, runs = daily
    log.with_name("log.2").unlink()
    request = asking(project, states=("FAILED",), until=datetime.now(UTC))
    assert [one.run for one in plan_bulk(project.graph, project.settings, request)] == runs[1:3]
    started = start_bulk(project.graph, project.settings, request)
    assert (started.is_new, started.total, started.to_run) == (True, 2, 2)
    again = start_bulk(project.graph, project.settings, request)
    assert (again.id, again.is_new, again.total) == (started.id, False, 2)
    carry_out_all(project, started.id)
    assert log.read_text().split() == ["2", "3"]
    start_bulk(project.graph, project.settings, request)
    carry_out_all(project, started.id)
    assert log.read_text().split() == ["2", "3"], "what is done is not repeated"
    links = project.graph.query(
        "MATCH (r:Run)-[:RERUN_OF]->(o) RETURN o.id AS of, r.rerun_policy AS policy, "
        "r.rerun_number AS number, r.state AS state ORDER BY r.created_at"
    )
    assert [tuple(row.values()) for row in links] == [
        (runs[1], "as_was", 1, "COMPLETED"),
        (runs[2], "as_was", 1, "FAILED"),
    ]
    once_more = asking(project, states=("FAILED",))
    found = plan_bulk(project.graph, project.settings, once_more)
    assert [one.plan.params for one in found] == [{"day": 3}], "of a run and its reruns the newest"


def test_what_cannot_run_again_is_left_out_with_the_reason(daily):
    project, _, runs = daily
    project.graph.query(
        "MATCH (r:Run {id: $id})-[e:RAN_IN]->() DELETE e", {"id": runs[0]}, write=True
    )
    started = start_bulk(project.graph, project.settings, asking(project, concurrency=3))
    assert (started.total, started.to_run) == (4, 3)
    (left_out,) = project.graph.query(
        "MATCH (p:BackfillPartition {state: 'SKIPPED'}) RETURN p.reason AS reason"
    )
    assert "the packages that it ran with were not recorded" in left_out["reason"]
    assert advance_backfills(project.graph) == 3, "as many at a time as was asked for"


def test_somebody_has_to_say_the_policy(daily):
    project, _, _ = daily
    with pytest.raises(RerunAsks):
        start_bulk(project.graph, project.settings, asking(project, policy=None))


def test_a_run_that_is_deleted_before_its_turn_is_left_out_with_the_reason(daily):
    project, log, runs = daily
    started = start_bulk(project.graph, project.settings, asking(project))
    project.graph.query("MATCH (r:Run {id: $id}) DETACH DELETE r", {"id": runs[1]}, write=True)
    carry_out_all(project, started.id)
    assert log.read_text().split() == ["1", "3", "4"]
    (left_out,) = project.graph.query(
        "MATCH (p:BackfillPartition {state: 'SKIPPED'}) RETURN p.reason AS reason"
    )
    assert left_out["reason"] == f"run {runs[1]} was deleted"


def test_an_id_of_another_request_is_refused(daily):
    project, _, _ = daily
    start_bulk(project.graph, project.settings, asking(project, id="march", states=("FAILED",)))
    again = asking(project, id="march", states=("FAILED",), concurrency=2)
    assert not start_bulk(project.graph, project.settings, again).is_new
    with pytest.raises(BackfillConflict, match="backfill march exists already with other options"):
        start_bulk(project.graph, project.settings, asking(project, id="march"))


def test_a_misspelled_state_is_refused(daily):
    project, _, _ = daily
    with pytest.raises(RerunRefused, match="'FALIED' is not a state of ended runs: use COMPLETED"):
        start_bulk(project.graph, project.settings, asking(project, states=("FALIED",)))
    assert project.graph.query("MATCH (b:Backfill) RETURN count(b) AS n") == [{"n": 0}]


def test_two_reruns_of_a_partition_run_one_after_the_other(project):
    project.state(
        'lg.pipeline("daily", tasks=[lg.command("a", ["false"])], params={"day": int}, '
        'partition_by=("day",))'
    )
    for day in (1, 1, 2):
        project.run("daily", day=day)
    request = asking(project, policy="latest", concurrency=3)
    started = start_bulk(project.graph, project.settings, request)
    assert (started.to_run, advance_backfills(project.graph)) == (3, 2)
    for row in project.graph.query("MATCH (r:Run {launch: 'QUEUED'}) RETURN r.id AS id"):
        project.carry_out(row["id"])
    carry_out_all(project, started.id)
    assert project.graph.query("MATCH (r:Run)-[:RERUN_OF]->() RETURN count(r) AS n") == [{"n": 3}]
