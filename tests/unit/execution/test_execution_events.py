import datetime

from lineagegraph.model.names.keys import name_job
from lineagegraph.model.pipelines.definition import Parameter, Pipeline
from lineagegraph.model.runs.ids import derived_id
from lineagegraph.model.runs.states import RunState


def parent(event):
    return event["run"]["facets"]["parent"]


def test_the_pipelines_events_are_the_first_and_the_last(bench):
    bench.run(bench.group("g", bench.task(lambda: None, name="t")))
    assert bench.story == [
        "p START",
        "p.g START",
        "p.g.t START",
        "p.g.t COMPLETE",
        "p.g COMPLETE",
        "p COMPLETE",
    ]


def test_each_run_names_its_container_and_the_pipeline_as_root(bench):
    bench.run(bench.group("g", bench.task(lambda: None, name="t")))
    facet = parent(bench.event("p.g.t", "START"))
    group = bench.event("p.g", "START")
    assert facet["run"]["runId"] == group["run"]["runId"]
    assert facet["job"] == {"namespace": "ns", "name": "p.g"}
    assert facet["root"]["run"]["runId"] == bench.run_id
    assert facet["root"]["job"] == {"namespace": "ns", "name": "p"}
    assert "parent" not in bench.event("p", "START")["run"]["facets"]


def test_the_ids_of_tasks_follow_from_the_run_their_path_and_the_launch(bench):
    bench.run(bench.group("g", bench.task(lambda: None, name="t")))
    expected = derived_id(bench.run_id, "g.t", "1")
    assert bench.event("p.g.t", "START")["run"]["runId"] == expected


def test_a_pipeline_inside_a_pipeline_keeps_its_name_and_gets_its_own_parameters(bench):
    seen = []
    inner = Pipeline(
        name="p.inner",
        namespace="other",
        tasks=(bench.task(lambda **kw: seen.append(kw), name="t", arguments=("a", "b", "top")),),
        parameters=(Parameter(name="a", type="int", default=1), Parameter(name="b", type="int")),
    )
    bench.run(bench.nested("step", inner, b=2), params={"top": 9})
    assert seen == [{"a": 1, "b": 2}]
    event = bench.event("p.inner", "START")
    assert event["job"]["namespace"] == "other"
    assert event["job"]["facets"]["jobType"]["jobType"] == "PIPELINE"
    assert event["run"]["runId"] == derived_id(bench.run_id, "step", "1")
    assert parent(event)["run"]["runId"] == bench.run_id
    top = name_job("ns", "p")
    assert name_job("other", "p.inner.t", name_job("other", "p.inner", top)).fqn == "p.inner.t"
    assert parent(bench.event("p.inner.t", "START"))["job"]["name"] == "p.inner"


def test_the_last_event_has_all_that_a_trigger_may_ask_for(bench):
    bench.run(bench.task(lambda: None, name="t"), params={"month": 1})
    own = bench.own("p", "COMPLETE")
    assert (own["version"], own["params"], own["attempt"]) == ("v1", {"month": 1}, 1)
    assert own["emitted"] == {}
    assert own["log"].endswith("run.log")


def test_dates_reach_functions_as_dates(bench):
    seen = []
    parameters = (
        Parameter(name="day", type="date"),
        Parameter(name="at", type="datetime"),
        Parameter(name="text", type="str"),
    )
    task = bench.task(lambda **kw: seen.append(kw), name="t", arguments=("day", "at", "text"))
    params = {"day": "2026-02-03", "at": "2026-02-03T04:05:06+00:00", "text": "2026-02-03"}
    bench.run(task, params=params, parameters=parameters)
    at = datetime.datetime(2026, 2, 3, 4, 5, 6, tzinfo=datetime.UTC)
    assert seen == [{"day": datetime.date(2026, 2, 3), "at": at, "text": "2026-02-03"}]


def test_only_a_task_that_takes_spark_asks_for_a_session(bench):
    bench.run(bench.task(lambda: None, name="plain"))
    assert bench.sessions.asked == ["task p.plain of p", "stop"]


def test_a_task_that_takes_spark_gets_the_session(bench):
    seen = []
    bench.run(bench.task(lambda spark: seen.append(spark), name="t", arguments=("spark",)))
    assert seen == ["the session"]


def test_a_pipeline_without_tasks_completes(bench):
    assert bench.run() is RunState.COMPLETED
    assert bench.story == ["p START", "p COMPLETE"]
