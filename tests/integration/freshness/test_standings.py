"""How fresh jobs and datasets are, and what is to blame where they are not."""

from datetime import UTC, datetime, timedelta

import pytest
from msgspec.structs import replace

from lineagegraph.admin.freshness import set_terms, unset_terms
from lineagegraph.errors import NotFound
from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.record import record
from lineagegraph.model.freshness.standing import FreshState, Terms
from lineagegraph.model.freshness.terms import TODAY, Counts, Dependency, Freshness, WhenNewer
from lineagegraph.model.pipelines.definition import CommandTask, Pipeline, Task
from lineagegraph.model.runs.ids import new_id
from lineagegraph.queries.find.find import find_node
from lineagegraph.queries.freshness.freshness import (
    Standing,
    describe_staleness,
    read_standings,
    with_causes,
)
from tests.definitions import define
from tests.events import run_event

NOON = datetime(2026, 1, 5, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


def tell(
    graph: Graph,
    job: str,
    reads: str = "",
    writes: str = "",
    at: datetime = NOON,
    kind: str = "COMPLETE",
) -> None:
    """Tell of a run that read and wrote some tables."""
    inputs, outputs = (tuple(("lake", n) for n in names.split()) for names in (reads, writes))
    event = run_event(job, kind, at=at, inputs=inputs, outputs=outputs)
    graph.write(record, extract([event]))


def expect(
    graph: Graph, node: str, hours: float = 1, grace: float = 1800, now: datetime | None = None
) -> None:
    """Expect a node to be at most so old."""
    terms = Terms(freshness=Freshness(max_age=hours * 3600), grace=grace)
    set_terms(graph, find_node(graph, node).key, terms, by="ann", now=now)


def look(graph: Graph, now: datetime) -> dict[str, Standing]:
    """What is how fresh, by name."""
    found = with_causes(graph, "UTC", read_standings(graph, "UTC", now=now), now)
    return {one.about.name: one for one in found}


def path(one: Standing) -> list[str]:
    return [step.name for step in one.path]


def test_a_job_is_as_old_as_the_end_of_its_last_success_and_a_dataset_as_its_newest_version(
    graph: Graph,
) -> None:
    tell(graph, "load", writes="rides", at=NOON)
    tell(graph, "load", at=NOON + HOUR, kind="FAIL")
    tell(graph, "load", writes="rides", at=NOON - HOUR)
    for node in ("load", "rides"):
        expect(graph, node)
    for minutes, state in ((60, FreshState.FRESH), (61, FreshState.DUE), (91, FreshState.STALE)):
        found = look(graph, NOON + timedelta(minutes=minutes))
        assert {name: one.state for name, one in found.items()} == {"load": state, "rides": state}
        assert {one.judged.age for one in found.values()} == {minutes * 60}


def test_a_success_that_is_dated_far_in_the_future_does_not_keep_a_node_fresh(
    graph: Graph,
) -> None:
    tell(graph, "load", writes="rides", at=NOON)
    tell(graph, "load", writes="rides", at=NOON + 365 * 24 * HOUR)
    for node in ("load", "rides"):
        expect(graph, node)
    found = look(graph, NOON + 2 * HOUR)
    assert {name: (one.state, one.judged.age) for name, one in found.items()} == {
        "load": (FreshState.STALE, 7200),
        "rides": (FreshState.STALE, 7200),
    }
    # A clock that is some hours ahead counts as the time of now.
    tell(graph, "load", writes="rides", at=NOON + 8 * HOUR)
    assert {one.state for one in look(graph, NOON + HOUR).values()} == {FreshState.FRESH}


def test_what_never_succeeded_is_unknown_during_the_grace_and_then_stale(graph: Graph) -> None:
    tell(graph, "load", reads="raw", kind="FAIL")
    expect(graph, "load", now=NOON)
    expect(graph, "raw", now=NOON)
    found = look(graph, NOON)
    assert {one.state for one in found.values()} == {FreshState.UNKNOWN}
    assert describe_staleness(found["load"]) == "raw has never succeeded: load ← raw"
    assert found["raw"].judged.until == NOON + timedelta(minutes=30)
    found = look(graph, NOON + HOUR)
    assert {one.state for one in found.values()} == {FreshState.STALE}
    assert describe_staleness(found["raw"]) == "it was never written"
    assert describe_staleness(found["load"]) == "raw is stale: load ← raw"
    assert path(found["raw"]) == []


def test_the_end_of_its_data_counts_where_the_terms_say_so(graph: Graph) -> None:
    of_data(graph, "load", NOON, until=NOON - HOUR)
    assert look(graph, NOON)["load"].judged.age == 3600


def test_no_data_is_newer_than_the_run_that_made_it(graph: Graph) -> None:
    """A month to date ends with the month, long after the run."""
    of_data(graph, "load", NOON - 9 * HOUR, until=NOON + 480 * HOUR)
    found = look(graph, NOON)["load"]
    assert (found.judged.age, found.judged.state) == (9 * 3600, "stale")


def of_data(graph: Graph, job: str, at: datetime, *, until: datetime) -> None:
    """Say that a job ran for data up to a time, which is what has to be new."""
    event = run_event(job, at=at)
    times = {"nominalStartTime": (NOON - 25 * HOUR).isoformat()}
    event["run"]["facets"]["nominalTime"] = times | {"nominalEndTime": until.isoformat()}
    graph.write(record, extract([event]))
    terms = Terms(freshness=Freshness(max_age=7200, counts=Counts.DATA_END))
    set_terms(graph, find_node(graph, job).key, terms)


def test_the_cause_is_the_furthest_that_is_not_fresh_without_a_gap(graph: Graph) -> None:
    """The raw table is late, so the clean one is; a table beside it is fresh."""
    tell(graph, "land", writes="raw", at=NOON - 9 * HOUR)
    tell(graph, "clean", reads="raw", writes="clean_rides", at=NOON - 8 * HOUR)
    tell(graph, "drivers", writes="people", at=NOON)
    tell(graph, "kpi", reads="clean_rides people", writes="gold", at=NOON - 7 * HOUR)
    for node in ("raw", "clean_rides", "people", "gold"):
        expect(graph, node)
    found = look(graph, NOON)
    assert path(found["gold"]) == ["gold", "kpi", "clean_rides", "clean", "raw"]
    assert (
        describe_staleness(found["gold"]) == "raw is stale: gold ← kpi ← clean_rides ← clean ← raw"
    )
    assert (path(found["raw"]), path(found["people"])) == ([], [])
    assert describe_staleness(found["raw"]) == "no cause found upstream"


def test_a_run_that_failed_is_to_blame_though_nobody_set_terms_for_its_job(graph: Graph) -> None:
    tell(graph, "land", writes="raw", at=NOON - 9 * HOUR)
    tell(graph, "land", at=NOON - HOUR, kind="FAIL")
    tell(graph, "kpi", reads="raw", writes="gold", at=NOON - 8 * HOUR)
    expect(graph, "gold")
    one = look(graph, NOON)["gold"]
    assert path(one) == ["gold", "kpi", "raw", "land"]
    assert one.cause is not None
    assert one.cause.run_state == "FAILED"
    assert describe_staleness(one).startswith("land is FAILED")


def test_what_is_fresh_hides_what_is_behind_it(graph: Graph) -> None:
    tell(graph, "land", writes="raw", at=NOON - 9 * HOUR, kind="FAIL")
    tell(graph, "clean", reads="raw", writes="clean_rides", at=NOON)
    tell(graph, "kpi", reads="clean_rides", writes="gold", at=NOON - 8 * HOUR)
    for node in ("clean_rides", "gold"):
        expect(graph, node)
    assert path(look(graph, NOON)["gold"]) == []


def test_data_that_goes_round_in_a_circle_has_an_end(graph: Graph) -> None:
    for job in ("a", "b"):
        tell(graph, job, reads="x y", writes="x y", at=NOON - 9 * HOUR)
    for node in ("x", "y", "a"):
        expect(graph, node)
    found = look(graph, NOON)
    assert all(len(set(path(one))) == len(path(one)) for one in found.values())
    assert found["x"].cause is not None


def test_a_task_waits_for_tasks_of_other_batches_and_what_its_spark_application_wrote_is_its(
    graph: Graph,
) -> None:
    task = Task(name="fx", work=CommandTask(command=("true",)), freshness=TODAY)
    for batch in ("finance", "kpi"):
        define(
            graph,
            Pipeline(name=batch, namespace="default", tasks=(task,), batch=True),
        )
    graph.query(
        "MATCH (k:Job {fqn: 'kpi.fx'}), (f:Job {fqn: 'finance.fx'}) CREATE (k)-[:DEPENDS_ON]->(f)",
        write=True,
    )
    top, run, app = new_id(), new_id(), new_id()
    events = [
        run_event("finance", "FAIL", run_id=top, at=NOON),
        run_event("finance.fx", "FAIL", run_id=run, at=NOON, parent=(top, "finance")),
        run_event("app", run_id=app, at=NOON, parent=(run, "finance.fx")),
    ]
    events[2]["run"]["facets"]["x"] = {}
    events[2]["outputs"] = [{"namespace": "lake", "name": "rates"}]
    events[2]["job"]["facets"]["jobType"] = {
        "processingType": "BATCH",
        "integration": "SPARK",
        "jobType": "APPLICATION",
    }
    graph.write(record, extract(events))
    expect(graph, "rates")
    found = look(graph, NOON + 5 * HOUR)
    assert path(found["kpi.fx"]) == ["kpi.fx", "finance.fx"]
    assert path(found["rates"]) == ["rates", "finance.fx"]


def test_terms_of_a_definition_hold_while_it_is_in_force_and_peoples_come_first(
    graph: Graph,
) -> None:
    def task(name: str, freshness: Freshness | None) -> Task:
        return Task(name=name, work=CommandTask(command=("true",)), freshness=freshness)

    fx, tax = task("fx", TODAY), task("tax", Freshness(max_age=60))
    batch = Pipeline(name="finance", namespace="default", tasks=(fx, tax), batch=True)
    define(graph, batch)
    found = look(graph, NOON)
    assert [(name, one.about.stated) for name, one in found.items()] == [
        ("finance.fx", True),
        ("finance.tax", True),
    ]
    expect(graph, "finance.fx", hours=7)
    assert look(graph, NOON)["finance.fx"].about.max_age == 7 * 3600
    key = find_node(graph, "finance.fx").key
    unset_terms(graph, key, "finance.fx")
    assert look(graph, NOON)["finance.fx"].about.since == "day"
    with pytest.raises(NotFound, match="definition"):
        unset_terms(graph, key, "finance.fx")
    forced = task("fx", Freshness(max_age=0))
    define(graph, replace(batch, tasks=(forced,)))
    assert look(graph, NOON) == {}
    with pytest.raises(NotFound, match="has no freshness terms"):
        unset_terms(graph, key, "finance.fx")


def test_terms_go_with_a_job_that_gets_another_parent(graph: Graph) -> None:
    load, parent = run_event("load", at=NOON), new_id()
    graph.write(record, extract([load]))
    expect(graph, "load")
    again = run_event("load", run_id=load["run"]["runId"], at=NOON, parent=(parent, "etl"))
    graph.write(record, extract([again, run_event("etl", run_id=parent, at=NOON)]))
    found = look(graph, NOON)
    assert [(name, one.state) for name, one in found.items()] == [("etl.load", FreshState.FRESH)]


def test_a_fresh_task_is_outdated_by_a_newer_parent_that_makes_it_run_again(graph: Graph) -> None:
    newer = Dependency(job="fx", when_newer=WhenNewer.RERUN)
    work, fresh = CommandTask(command=("x",)), Freshness(max_age=86400)
    fx = Task(name="fx", work=work, freshness=fresh)
    kpi = Task(name="kpi", work=work, freshness=fresh, dependencies=(newer,), after=("fx",))
    define(graph, Pipeline(name="daily", namespace="default", tasks=(fx, kpi), batch=True))
    tell(graph, "daily.fx", at=NOON)
    tell(graph, "daily.kpi", at=NOON + HOUR)
    assert describe_staleness(look(graph, NOON + 2 * HOUR)["daily.kpi"]) == ""
    tell(graph, "daily.fx", at=NOON + 2 * HOUR)
    found = look(graph, NOON + 3 * HOUR)["daily.kpi"]
    assert found.state is FreshState.FRESH
    assert describe_staleness(found) == "outdated by daily.fx"
    tell(graph, "daily.kpi", at=NOON + 3 * HOUR)
    assert describe_staleness(look(graph, NOON + 4 * HOUR)["daily.kpi"]) == ""


def test_a_skip_for_unchanged_inputs_keeps_a_task_fresh_on_the_board(graph: Graph) -> None:
    tell(graph, "load", at=NOON)
    terms = Terms(freshness=Freshness(max_age=3600, unchanged=True))
    set_terms(graph, find_node(graph, "load").key, terms, by="ann", now=NOON)
    tell(graph, "load", at=NOON + 2 * HOUR)
    text = "MATCH (r:Run) WHERE r.ended_at > $at SET r.state = 'FRESH_SKIP', r.reason = 'UNCHANGED'"
    graph.query(text, {"at": NOON + HOUR}, write=True)
    found = look(graph, NOON + 2 * HOUR + timedelta(minutes=30))["load"]
    assert found.state is FreshState.FRESH
