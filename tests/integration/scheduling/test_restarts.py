"""The request that repeats the last run of a batch."""

from lineagegraph.model.runs.ids import new_id
from lineagegraph.queries.find.find import find_job
from lineagegraph.runs.queue import QueueRequest, last_request, queue_run
from lineagegraph.store.runs import launches
from lineagegraph.store.runs.launches import Options
from tests.acceptance.schedules.projects import pipeline
from tests.definitions import NOTHING, define


def test_a_restart_repeats_the_last_submission_but_not_its_force(graph):
    define(graph, pipeline("kpi", NOTHING, batch=True))
    key = find_job(graph, "kpi").key
    options = Options(force=True, ignore_upstream=True)
    asked = QueueRequest(job_key=key, fqn="kpi", only=["nothing"], options=options)
    first = queue_run(graph, asked)
    other = {"params": "{}", "only": [], "asked_by": first.run_id, "now": None}
    graph.write(launches.merge_queued, run_id=new_id(), job_key=key, **other)
    request, last = last_request(graph, key, "kpi")
    assert last.id == first.run_id
    assert request.only == ["nothing"]
    assert request.options == Options(ignore_upstream=True)
