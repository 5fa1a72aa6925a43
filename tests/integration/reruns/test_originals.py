"""A rerun is a new run: its original stays as it is, and what it was given is given again."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from lineagegraph.errors import KeyReused, RerunRefused
from lineagegraph.model.runs.rerun import RerunRequest
from lineagegraph.reruns.plan import plan_rerun
from lineagegraph.reruns.start import start_rerun
from lineagegraph.runs.cancel import cancel_run
from lineagegraph.triggers.external_event import record_event

FLOW = """
from lineagegraph import on

@lg.task
def load(day: str):
    (event,) = lg.upstream()
    print("given", day, event.payload["region"])
    raise SystemExit(1)

lg.pipeline("flow", tasks=[load], params={"day": "monday"}, trigger=on.event("go"))
"""
EVERYTHING = (
    "MATCH (:Run {id: $id})-[:PARENT_OF*0..]->(r:Run) "
    "RETURN r.id AS id, properties(r) AS properties, "
    "COLLECT { MATCH (r)-[e]->(other) RETURN type(e) + elementId(other) AS to ORDER BY to } AS to "
    "ORDER BY id"
)


def test_the_original_does_not_change_when_its_reruns_fail_and_are_cancelled_at_once(project):
    project.state('lg.pipeline("flow", tasks=[lg.command("fails", ["false"])])')
    run = project.run("flow")
    before = project.graph.query(EVERYTHING, {"id": run})
    asked = RerunRequest(run=run, policy="latest")

    def again(_):
        return start_rerun(project.graph, project.settings, asked).run

    with ThreadPoolExecutor(8) as pool:
        runs = list(pool.map(again, range(8)))
    for one in runs[:2]:
        project.carry_out(one)
    for one in runs[2:]:
        project.graph.write(cancel_run, one, max_event_age=project.settings.max_event_age)
    assert project.graph.query(EVERYTHING, {"id": run}) == before
    numbers = project.graph.query(
        "MATCH (r:Run)-[:RERUN_OF]->(:Run {id: $id}) RETURN r.rerun_number AS n ORDER BY n",
        {"id": run},
    )
    assert [row["n"] for row in numbers] == list(range(1, 9))


def test_a_rerun_of_later_code_has_the_parameters_and_the_events_of_its_original(project):
    project.state(FLOW)
    graph = project.graph
    (started,) = graph.write(record_event, "go", payload={"region": "EU"}).started
    project.carry_out(started.run_id)
    project.state(FLOW.replace('"monday"', '"tuesday"').replace("SystemExit(1)", "SystemExit(2)"))
    graph.write(record_event, "go", payload={"region": "US"})
    again = project.rerun(started.run_id, policy="latest")
    log = project.settings.home / "logs" / again / "load.log"
    assert "given monday EU" in log.read_text()
    assert "SystemExit: 2" in log.read_text()


@pytest.mark.parametrize("is_cancelled", [True, False])
def test_a_run_that_ended_before_it_began_keeps_what_it_was_given_and_has_no_version(
    project, is_cancelled
):
    project.state(
        'lg.pipeline("flow", tasks=[lg.command("load", ["true"])], params={"day": "monday"})'
    )
    run = project.queue("flow", day="friday")
    if is_cancelled:
        project.graph.write(cancel_run, run)
        missing = "its version is unknown: use --policy latest"
    else:
        project.graph.query("MATCH (s:Source) SET s.archive = null", write=True)
        project.carry_out(run)
        missing = "the archived code"
    assert project.graph.query(
        "MATCH (r:Run {id: $id}) RETURN r.params AS params, r.job_version AS version", {"id": run}
    ) == [{"params": '{"day":"friday"}', "version": None}]
    plan = plan_rerun(project.graph, project.settings, RerunRequest(run=run, policy="latest"))
    assert plan.params == {"day": "friday"}
    exact = plan_rerun(project.graph, project.settings, RerunRequest(run=run, policy="as_was"))
    assert exact.missing[0].startswith(missing)


def test_a_rerun_that_is_asked_for_again_with_its_key_is_queued_once(project):
    project.state('lg.pipeline("flow", tasks=[lg.command("fails", ["false"])])')
    run = project.run("flow")
    asked = RerunRequest(run=run, policy="latest")

    def again(_):
        started = start_rerun(project.graph, project.settings, asked, "one click")
        return started.run, started.number

    with ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(again, range(4)))) == 1
    other = RerunRequest(run=run, policy="latest", from_failed=True)
    with pytest.raises(KeyReused, match=r"'one click' started run .* of flow with another request"):
        start_rerun(project.graph, project.settings, other, "one click")


def test_a_rerun_that_is_asked_for_again_after_its_pipeline_is_gone_is_the_first(project):
    project.state('lg.pipeline("flow", tasks=[lg.command("fails", ["false"])])')
    run = project.run("flow")
    asked = RerunRequest(run=run, policy="latest", from_failed=True)
    first = start_rerun(project.graph, project.settings, asked, "one click")
    project.graph.query("MATCH (j:Job {fqn: 'flow'}) SET j.withdrawn_at = datetime()", write=True)
    again = start_rerun(project.graph, project.settings, asked, "one click")
    assert (again.run, again.number, again.plan.tasks) == (first.run, 1, ("fails",))
    with pytest.raises(RerunRefused):
        start_rerun(project.graph, project.settings, asked, "another click")
