"""The life cycle of a task, branch by branch (Optimus: dynamic dependency management)."""

from dataclasses import dataclass
from datetime import timedelta

import pytest

from lineagegraph.errors import RunError
from lineagegraph.freshness.candidate import Entering
from lineagegraph.graph import Graph
from lineagegraph.model.freshness.terms import (
    TODAY,
    Counts,
    Dependency,
    Freshness,
    WhenNewer,
    WhenSkipped,
)
from lineagegraph.model.names.keys import job_key
from lineagegraph.model.pipelines.entry import End, Ended, Skipped, Start, Waits
from lineagegraph.model.runs.ids import new_id
from lineagegraph.model.runs.states import RunState
from lineagegraph.store.jobs import jobs
from lineagegraph.store.runs import launches
from lineagegraph.text import with_ages
from tests.events import run_event
from tests.integration.freshness.theatre import NOON, Theatre

HOUR = 3600.0


@pytest.fixture
def stage(graph: Graph) -> Theatre:
    return Theatre(graph)


def key(name: str) -> str:
    return job_key(None, "default", name)


def test_a_task_without_parents_that_is_not_fresh_starts(stage: Theatre) -> None:
    assert isinstance(stage.enter(stage.task("kpi")), Start)


def test_a_task_on_the_skip_list_is_skipped_before_anything_else_is_asked(stage: Theatre) -> None:
    stage.end("kpi")
    skips = {key("kpi"): Skipped("source is wrong", "ana")}
    assert stage.enter(stage.task("kpi", skips=skips)) == End(
        RunState.SKIPPED, "SKIP_LIST", "on the skip list by ana: source is wrong"
    )


def test_a_fresh_task_is_not_executed_and_says_which_run_made_it_fresh(stage: Theatre) -> None:
    run_id = stage.end("kpi", at=NOON - timedelta(hours=2, minutes=5))
    entry = stage.enter(stage.task("kpi"))
    assert isinstance(entry, End)
    assert (entry.state, entry.reason) == (RunState.FRESH_SKIP, "FRESH")
    assert f"at 2026-11-22T09:55:00Z in run {run_id}" in entry.message
    assert f"2h 7m ago in run {run_id}" in with_ages(entry.message, NOON + timedelta(minutes=2))


@pytest.mark.parametrize("kind", ["FAIL", "ABORT", "START"])
def test_what_did_not_complete_makes_nothing_fresh(stage: Theatre, kind: str) -> None:
    stage.end("kpi", kind)
    assert isinstance(stage.enter(stage.task("kpi")), Start)


def test_yesterdays_success_is_not_todays(stage: Theatre) -> None:
    stage.end("kpi", at=NOON - timedelta(hours=13))
    assert isinstance(stage.enter(stage.task("kpi")), Start)


def test_a_task_is_fresh_by_terms_of_its_own(stage: Theatre) -> None:
    stage.end("kpi", at=NOON - timedelta(hours=13))
    day = stage.enter(stage.task("kpi", freshness=Freshness(max_age=24 * HOUR)))
    assert isinstance(day, End)
    assert day.state is RunState.FRESH_SKIP


def test_an_age_of_none_executes_unless_it_was_executed_since(stage: Theatre) -> None:
    stage.end("kpi")
    stage.go(minutes=1)
    now = Freshness(max_age=0)
    waiting = stage.task("kpi", freshness=now)
    first = stage.task("kpi", freshness=now)
    assert isinstance(stage.enter(first), Start)
    stage.go(minutes=1)
    stage.end("kpi", run_id=first.run_id)
    entry = stage.enter(waiting)
    assert isinstance(entry, End)
    assert entry.state is RunState.FRESH_SKIP


def test_what_is_forced_starts_however_fresh_it_is(stage: Theatre) -> None:
    stage.end("kpi")
    assert isinstance(stage.enter(stage.task("kpi", force=True)), Start)


def test_parents_that_are_fresh_by_their_edge_are_no_parents(stage: Theatre) -> None:
    stage.end("rides", at=NOON - timedelta(hours=100))
    stage.end("fx")
    needs = Dependency(job="rides", freshness=Freshness(max_age=168 * HOUR)), Dependency(job="fx")
    assert isinstance(stage.enter(stage.task("kpi", *needs)), Start)


def test_a_stale_parent_elsewhere_is_waited_for_and_named_with_its_age(stage: Theatre) -> None:
    stage.end("fx", at=NOON - timedelta(hours=26))
    entry = stage.enter(stage.task("kpi", Dependency(job="fx")))
    assert isinstance(entry, Waits)
    assert entry.reason == "WAITS_FOR_PARENTS"
    needed = "needed: since day in UTC"
    assert entry.message == f"fx last succeeded at 2026-11-21T10:00:00Z ({needed})"
    assert "1d 4h ago" in with_ages(entry.message, NOON + timedelta(hours=2))


def test_a_parent_that_completes_wakes_the_task_at_once(stage: Theatre) -> None:
    stage.know("fx")
    task = stage.task("kpi", Dependency(job="fx"))
    assert isinstance(stage.enter(task), Waits)
    stage.go(seconds=2)
    assert stage.settle() == set()
    stage.go(seconds=5)
    stage.end("fx")
    assert stage.settle() == {task.root_id}
    assert stage.is_settled(task)
    assert isinstance(stage.enter(task), Start)


def test_a_wait_that_was_met_does_not_wake_a_task_that_has_its_turn(stage: Theatre) -> None:
    stage.know("fx")
    task = stage.task("kpi", Dependency(job="fx"))
    assert isinstance(stage.enter(task), Waits)
    stage.go(seconds=5)
    stage.end("fx")
    stage.settle()
    assert isinstance(stage.enter(task), Start)
    # It may wait for a sensor or a pool now.
    assert not stage.is_settled(task)


@pytest.mark.parametrize("ahead", [timedelta(minutes=3), timedelta(hours=5)])
def test_a_parent_whose_host_is_ahead_of_the_clock_is_fresh(
    stage: Theatre, ahead: timedelta
) -> None:
    stage.know("fx")
    task = stage.task("kpi", Dependency(job="fx"))
    assert isinstance(stage.enter(task), Waits)
    stage.go(seconds=5)
    stage.end("fx", at=stage.now + ahead)
    assert stage.settle() == {task.root_id}
    assert isinstance(stage.enter(task), Start)


def test_a_parent_whose_time_is_too_far_ahead_makes_nothing_fresh(stage: Theatre) -> None:
    stage.end("fx", at=NOON + timedelta(days=400))
    assert isinstance(stage.enter(stage.task("kpi", Dependency(job="fx"))), Waits)


def test_a_parent_that_was_skipped_as_unchanged_wakes_the_task_at_once(stage: Theatre) -> None:
    stage.end("fx", at=NOON - timedelta(hours=40))
    task = stage.task("kpi", Dependency(job="fx"))
    assert isinstance(stage.enter(task), Waits)
    stage.go(seconds=5)
    stage.settle()
    event = run_event("fx", at=stage.now)
    skip = {"state": "FRESH_SKIP", "reason": "UNCHANGED", "message": "the same inputs"}
    event["run"]["facets"]["lineagegraph"] = skip
    stage.commit(event)
    assert stage.settle() == {task.root_id}
    assert isinstance(stage.enter(task), Start)


def test_a_parent_that_fails_elsewhere_wakes_nobody(stage: Theatre) -> None:
    stage.know("fx")
    task = stage.task("kpi", Dependency(job="fx"))
    stage.enter(task)
    stage.go(seconds=5)
    stage.end("fx", "FAIL")
    assert stage.settle() == set()
    assert not stage.is_settled(task)


def test_after_its_time_a_wait_ends_and_names_the_parents_and_their_ages(stage: Theatre) -> None:
    stage.know("raw")
    stage.end("fx", at=NOON - timedelta(hours=30))
    needs = Dependency(job="raw"), Dependency(job="fx", freshness=Freshness(max_age=24 * HOUR))
    task = stage.task("kpi", *needs)
    stage.enter(task)
    stage.go(minutes=29)
    assert stage.settle() == set()
    stage.go(minutes=2)
    assert stage.settle() == {task.root_id}
    entry = stage.enter(task)
    assert isinstance(entry, End)
    assert (entry.state, entry.reason) == (RunState.FAILED, "PARENT_NOT_FRESH")
    assert "waited 31m: raw never succeeded" in entry.message
    assert "fx last succeeded at 2026-11-21T06:00:00Z (needed: max age 1d)" in entry.message


def a_task_that_waits_for_a_stub(stage: Theatre) -> Entering:
    """Let a task wait for up to an hour for a job that is known by its full name only."""
    stage.know("vendor.load")
    task = stage.task("kpi", Dependency(job="vendor.load", wait=HOUR, external=True))
    assert isinstance(stage.enter(task), Waits)
    stage.go(seconds=5)
    assert stage.settle() == set()
    return task


def report_below_its_parent(stage: Theatre, kind: str) -> None:
    """Let the job report itself by its own name and its parent."""
    top = stage.end("vendor", "START")
    stage.end("load", kind, parent=(top, "vendor"))
    stage.names[job_key(job_key(None, "default", "vendor"), "default", "load")] = "vendor.load"


def test_a_task_that_waits_for_a_stub_waits_for_the_job_that_takes_its_place(
    stage: Theatre,
) -> None:
    task = a_task_that_waits_for_a_stub(stage)
    report_below_its_parent(stage, "COMPLETE")
    assert stage.settle() == {task.root_id}
    assert stage.is_settled(task)


def test_a_wait_for_a_stub_keeps_its_end_when_another_job_takes_its_place(stage: Theatre) -> None:
    task = a_task_that_waits_for_a_stub(stage)
    report_below_its_parent(stage, "START")
    assert stage.settle() == set()
    stage.go(hours=2)
    assert stage.settle() == {task.root_id}
    # It has not asked again yet: that its time is over stays known.
    late = "MATCH (:Run {id: $id})-[w:WAITS_ON]->(j:Job) RETURN w.outcome AS ended, j.fqn AS job"
    assert stage.graph.query(late, {"id": task.run_id}) == [{"ended": "LATE", "job": "vendor.load"}]


def test_a_job_that_a_task_waits_for_stays_though_nothing_else_is_known_of_it(
    stage: Theatre,
) -> None:
    task = a_task_that_waits_for_a_stub(stage)
    stage.graph.write(jobs.delete_empty, keys=[key("vendor.load")])
    stage.go(hours=2)
    assert stage.settle() == {task.root_id}


def test_one_of_two_parents_is_not_enough_and_the_time_goes_on(stage: Theatre) -> None:
    stage.know("raw", "fx")
    task = stage.task("kpi", Dependency(job="raw"), Dependency(job="fx"))
    stage.enter(task)
    stage.go(minutes=20)
    stage.end("raw")
    assert stage.settle() == {task.root_id}
    assert isinstance(stage.enter(task), Waits)
    stage.go(minutes=11)
    assert stage.settle() == {task.root_id}
    assert isinstance(stage.enter(task), End)


def test_a_parent_beside_it_that_failed_fails_it_at_once(stage: Theatre) -> None:
    stage.know("rides")
    failed = {"rides": Ended(RunState.FAILED, "USER_CODE")}
    task = stage.task("kpi", Dependency(job="rides"), inside=("rides",), ended=failed)
    assert stage.enter(task) == End(
        RunState.FAILED, "UPSTREAM_FAILED", "not run: rides ended FAILED"
    )


def test_a_parent_beside_it_that_failed_and_is_still_fresh_by_its_edge_does_no_harm(
    stage: Theatre,
) -> None:
    stage.end("rides", at=NOON - timedelta(hours=3))
    failed = {"rides": Ended(RunState.FAILED, "USER_CODE")}
    task = stage.task("kpi", Dependency(job="rides"), inside=("rides",), ended=failed)
    assert isinstance(stage.enter(task), Start)


def test_a_parent_beside_it_that_is_fresh_by_its_own_terms_may_be_too_old_for_it(
    stage: Theatre,
) -> None:
    """At 02:10 the run of 02:30 yesterday is less than 24 hours old, and not of the same day."""
    stage.now = NOON.replace(hour=2, minute=10)
    stage.end("rides", at=stage.now - timedelta(hours=23, minutes=40))
    fresh = {"rides": Ended(RunState.FRESH_SKIP, "FRESH")}
    task = stage.task("kpi", Dependency(job="rides"), inside=("rides",), ended=fresh)
    assert isinstance(stage.enter(task), Waits)
    stage.go(minutes=20)
    stage.end("rides")
    assert isinstance(stage.enter(task), Start)


@pytest.mark.parametrize(
    ("when_skipped", "state"),
    [
        (WhenSkipped.BLOCK, RunState.FAILED),
        (WhenSkipped.SKIP_CHILD, RunState.SKIPPED),
        (WhenSkipped.IGNORE, None),
    ],
)
@pytest.mark.parametrize("is_inside", [True, False])
def test_a_skipped_parent_counts_as_its_edge_says(
    stage: Theatre, when_skipped: WhenSkipped, state: RunState | None, *, is_inside: bool
) -> None:
    stage.know("rides")
    need = Dependency(job="rides", when_skipped=when_skipped)
    said: dict[str, object] = {"skips": {key("rides"): Skipped("broken", "ana")}}
    if is_inside:
        ended = {"rides": Ended(RunState.SKIPPED, "SKIP_LIST")}
        said |= {"inside": ("rides",), "ended": ended}
    entry = stage.enter(stage.task("kpi", need, **said))
    if state is None:
        assert isinstance(entry, Start)
        return
    assert isinstance(entry, End)
    assert entry.state is state
    assert "is on the skip list by ana: broken" in entry.message


def test_a_skipped_parent_that_is_fresh_by_its_edge_blocks_nothing(stage: Theatre) -> None:
    stage.end("rides")
    skips = {key("rides"): Skipped("broken", "ana")}
    assert isinstance(stage.enter(stage.task("kpi", Dependency(job="rides"), skips=skips)), Start)


def test_a_parent_that_nobody_has_heard_of_is_no_reason_to_wait(stage: Theatre) -> None:
    entry = stage.enter(stage.task("kpi", Dependency(job="nonsense")))
    assert isinstance(entry, End)
    assert entry.message == "not run: unknown parents: nonsense"


def test_who_ignores_what_is_upstream_waits_for_nothing(stage: Theatre) -> None:
    stage.know("fx")
    assert isinstance(
        stage.enter(stage.task("kpi", Dependency(job="fx"), ignore_parents=True)), Start
    )


def test_who_ignores_what_is_upstream_does_not_start_after_a_failure_beside_it(
    stage: Theatre,
) -> None:
    stage.know("rides")
    failed = {"rides": Ended(RunState.FAILED, "USER_CODE")}
    said: dict[str, object] = {"inside": ("rides",), "ended": failed, "ignore_parents": True}
    entry = stage.enter(stage.task("kpi", Dependency(job="rides"), Dependency(job="fx"), **said))
    assert entry == End(RunState.FAILED, "UPSTREAM_FAILED", "not run: rides ended FAILED")


@pytest.mark.parametrize("by_trigger", [True, False])
def test_a_rerun_by_a_trigger_waits_for_parents_and_one_by_hand_repeats_the_run(
    stage: Theatre, *, by_trigger: bool
) -> None:
    first, again = stage.queued(), stage.queued()
    text = "MATCH (a:Run {id: $again}), (b:Run {id: $first}) CREATE (a)-[:RERUN_OF]->(b) "
    text += "SET a.queued_at = datetime() "
    text += "CREATE (:Firing {key: 'f'})-[:STARTED]->(a)" if by_trigger else ""
    stage.graph.query(text, {"first": first, "again": again}, write=True)
    options = stage.graph.write(launches.claim_batch, id=again)
    assert (options.force, options.ignore_upstream) == (True, not by_trigger)


def test_an_edge_of_no_age_asks_for_a_success_after_the_submission(stage: Theatre) -> None:
    stage.end("fx")
    stage.go(minutes=1)
    need = Dependency(job="fx", freshness=Freshness(max_age=0))
    task = stage.task("kpi", need)
    assert isinstance(stage.enter(task), Waits)
    stage.go(minutes=1)
    stage.end("fx")
    assert isinstance(stage.enter(task), Start)


def test_the_same_task_elsewhere_is_waited_for_and_its_success_is_enough(stage: Theatre) -> None:
    first, second = stage.task("kpi"), stage.task("kpi")
    assert isinstance(stage.enter(first), Start)
    entry = stage.enter(second)
    assert isinstance(entry, Waits)
    assert (entry.reason, entry.message) == (
        "WAITS_FOR_SAME_TASK",
        f"run {first.run_id} executes it now",
    )
    stage.go(seconds=5)
    assert stage.settle() == set()
    stage.end("kpi", run_id=first.run_id)
    assert stage.settle() == {second.root_id}
    entry = stage.enter(second)
    assert isinstance(entry, End)
    assert entry.state is RunState.FRESH_SKIP


def test_where_the_same_task_fails_elsewhere_one_of_those_who_wait_executes_it(
    stage: Theatre,
) -> None:
    first, second, third = (stage.task("kpi") for _ in range(3))
    for task in (first, second, third):
        stage.enter(task)
    stage.go(seconds=5)
    stage.end("kpi", "FAIL", run_id=first.run_id)
    assert stage.settle() == {second.root_id, third.root_id}
    assert isinstance(stage.enter(second), Start)
    assert isinstance(stage.enter(third), Waits)


def test_a_worker_that_lost_its_run_gets_no_lease(stage: Theatre) -> None:
    task = stage.task("kpi")
    stage.relaunch(task)
    with pytest.raises(RunError, match="now has another worker"):
        stage.enter(task)
    assert isinstance(stage.enter(stage.task("kpi")), Start)


def test_a_lease_is_free_when_its_holder_is_another_launch_or_none(stage: Theatre) -> None:
    first, second = stage.task("kpi"), stage.task("kpi")
    stage.enter(first)
    assert isinstance(stage.enter(second), Waits)
    stage.relaunch(first)
    stage.go(minutes=3)
    assert stage.settle() == {second.root_id}
    assert stage.enter(second) == Start(2)


def test_a_task_that_has_the_lease_and_asks_again_starts(stage: Theatre) -> None:
    task = stage.task("kpi")
    assert stage.enter(task) == stage.enter(task) == Start(1)


def test_each_execution_has_a_higher_epoch(stage: Theatre) -> None:
    first = stage.task("kpi")
    assert stage.enter(first) == Start(1)
    stage.end("kpi", "FAIL", run_id=first.run_id)
    assert stage.enter(stage.task("kpi")) == Start(2)


@dataclass
class Partitioned:
    stage: Theatre

    def end(self, name: str, **dimensions: str) -> None:
        run_id = self.stage.end(name)
        text = ",".join(f'"{name}":"{value}"' for name, value in sorted(dimensions.items()))
        self.stage.graph.query(
            "MATCH (r:Run {id: $id}) SET r.partition = $partition",
            {"id": run_id, "partition": f"{{{text}}}"},
            write=True,
        )


def test_only_successes_of_the_same_partition_count(stage: Theatre) -> None:
    Partitioned(stage).end("fx", region="US", day="2026-11-22")
    Partitioned(stage).end("kpi", region="USA")
    need = Dependency(job="fx")
    assert isinstance(stage.enter(stage.task("kpi", need, parts=('"region":"US"',))), Start)
    assert isinstance(stage.enter(stage.task("kpi", need, parts=('"region":"UK"',))), Waits)


def test_dimensions_that_a_parent_does_not_have_are_none_of_its_business(stage: Theatre) -> None:
    stage.end("fx")
    task = stage.task("kpi", Dependency(job="fx"), parts=('"region":"US"',))
    assert isinstance(stage.enter(task), Start)


def test_any_partition_counts_where_the_edge_says_so(stage: Theatre) -> None:
    Partitioned(stage).end("fx", region="UK")
    need = Dependency(job="fx", freshness=Freshness(since="day", any_partition=True))
    assert isinstance(stage.enter(stage.task("kpi", need, parts=('"region":"US"',))), Start)


def test_partitions_of_a_task_are_executed_beside_each_other(stage: Theatre) -> None:
    assert isinstance(stage.enter(stage.task("kpi", parts=('"region":"US"',))), Start)
    assert isinstance(stage.enter(stage.task("kpi", parts=('"region":"UK"',))), Start)


def test_the_end_of_the_data_may_count_instead_of_the_end_of_the_run(stage: Theatre) -> None:
    run_id = stage.end("fx")
    stage.graph.query(
        "MATCH (r:Run {id: $id}) SET r.nominal_end = $end",
        {"id": run_id, "end": NOON - timedelta(days=1)},
        write=True,
    )
    assert isinstance(stage.enter(stage.task("kpi", Dependency(job="fx"))), Start)
    by_data = Dependency(job="fx", freshness=Freshness(since="day", counts=Counts.DATA_END))
    assert isinstance(stage.enter(stage.task("gold", by_data)), Waits)
    assert isinstance(
        stage.enter(stage.task("bronze", Dependency(job="fx"), counts=Counts.DATA_END)), Waits
    )


def test_a_data_end_after_the_run_makes_no_success_newer(stage: Theatre) -> None:
    run_id = stage.end("fx")
    stage.graph.query(
        "MATCH (r:Run {id: $id}) SET r.nominal_end = $end",
        {"id": run_id, "end": NOON + timedelta(days=20)},
        write=True,
    )
    by_data = Dependency(job="fx", freshness=Freshness(max_age=1800, counts=Counts.DATA_END))
    assert isinstance(stage.enter(stage.task("kpi", by_data)), Start)
    stage.go(seconds=3600)
    assert isinstance(stage.enter(stage.task("gold", by_data)), Waits)


def test_a_run_of_some_tasks_of_a_pipeline_is_no_success_of_the_pipeline(stage: Theatre) -> None:
    run_id = stage.end("finance")
    stage.graph.query("MATCH (r:Run {id: $id}) SET r.only = ['fx']", {"id": run_id}, write=True)
    assert isinstance(stage.enter(stage.task("kpi", Dependency(job="finance"))), Waits)


def test_five_thousand_waits_on_fifty_parents_are_answered_by_one_query(stage: Theatre) -> None:
    parents = [f"parent{number}" for number in range(50)]
    stage.know(*parents)
    roots = stage.wait_in_bulk(parents, each=100)
    stage.go(seconds=5)
    stage.end("parent0")
    stage.end("parent3")
    woken, statements = stage.settle_counting()
    assert woken == {*roots["parent0"], *roots["parent3"]}
    assert statements == [
        "// Waits that are due for a check, grouped by kind and awaited job.",
        "// The latest success of each job in a partition, by the partition keys of its runs.",
        "// Delay waits to a later check, or end them; parked runs are queued again.",
    ]
    assert stage.settle() == set()


RERUN = Dependency(job="rides", freshness=TODAY, when_newer=WhenNewer.RERUN)


def test_a_fresh_task_runs_again_after_a_newer_success_of_a_parent_whose_edge_says_so(
    stage: Theatre,
) -> None:
    stage.end("rides")
    stage.go(minutes=1)
    stage.end("kpi")
    stage.go(minutes=1)
    assert isinstance(stage.enter(stage.task("kpi", RERUN)), End)
    stage.end("rides")
    assert isinstance(stage.enter(stage.task("kpi", Dependency(job="rides"))), End)
    first = stage.task("kpi", RERUN)
    stage.go(minutes=1)
    stage.execute(first, "kpi")
    assert isinstance(stage.enter(stage.task("kpi", RERUN)), End)


def test_a_parent_that_ended_while_the_task_ran_is_newer(stage: Theatre) -> None:
    run_id = stage.end("kpi", "START")
    stage.go(minutes=1)
    stage.end("rides")
    stage.go(minutes=1)
    stage.end("kpi", run_id=run_id)
    assert isinstance(stage.enter(stage.task("kpi", RERUN)), Start)


UNCHANGED = Freshness(since="day", unchanged=True)


@pytest.mark.parametrize("is_written", [False, True])
def test_an_old_task_is_skipped_while_the_datasets_that_it_read_are_the_same(
    stage: Theatre, *, is_written: bool
) -> None:
    stage.end("land", at=NOON - timedelta(hours=50), outputs=(("lake", "raw"),))
    stage.end("kpi", at=NOON - timedelta(hours=40), inputs=(("lake", "raw"),))
    if is_written:
        stage.end("land", at=NOON - timedelta(hours=30), outputs=(("lake", "raw"),))
    entry = stage.enter(stage.task("kpi", freshness=UNCHANGED))
    if is_written:
        assert isinstance(entry, Start)
        return
    assert isinstance(entry, End)
    assert (entry.state, entry.reason) == (RunState.FRESH_SKIP, "UNCHANGED")
    assert isinstance(stage.enter(stage.task("kpi", freshness=UNCHANGED, force=True)), Start)


def test_a_task_that_read_nothing_known_is_never_unchanged(stage: Theatre) -> None:
    stage.end("kpi", at=NOON - timedelta(hours=40))
    assert isinstance(stage.enter(stage.task("kpi", freshness=UNCHANGED)), Start)


def test_an_unchanged_task_waits_for_its_parents_first(stage: Theatre) -> None:
    stage.end("land", at=NOON - timedelta(hours=50), outputs=(("lake", "raw"),))
    stage.end("kpi", at=NOON - timedelta(hours=40), inputs=(("lake", "raw"),))
    task = stage.task("kpi", Dependency(job="land"), freshness=UNCHANGED)
    assert isinstance(stage.enter(task), Waits)


def test_a_skip_of_unchanged_inputs_makes_a_parent_fresh_for_others(stage: Theatre) -> None:
    run_id = stage.end("fx", at=NOON - timedelta(hours=40))
    assert isinstance(stage.enter(stage.task("kpi", Dependency(job="fx"))), Waits)
    skipped = stage.end("fx")
    stage.graph.query(
        "MATCH (r:Run {id: $id}) SET r.state = 'FRESH_SKIP', r.reason = 'UNCHANGED'",
        {"id": skipped},
        write=True,
    )
    assert isinstance(stage.enter(stage.task("kpi", Dependency(job="fx"))), Start)
    assert isinstance(
        stage.enter(stage.task("other", Dependency(job="fx", when_newer=WhenNewer.RERUN))), Start
    )
    assert run_id != skipped


def test_a_wait_over_midnight_keeps_the_parents_of_its_day(stage: Theatre) -> None:
    stage.now = NOON.replace(hour=23, minute=50)
    stage.know("slow")
    stage.end("fx")
    task = stage.task("kpi", Dependency(job="fx"), Dependency(job="slow"))
    assert isinstance(stage.enter(task), Waits)
    stage.go(minutes=15)
    stage.end("slow")
    assert stage.settle() == {task.root_id}
    assert isinstance(stage.enter(task), Start)


def test_a_simple_name_that_one_task_has_is_that_task(stage: Theatre) -> None:
    stage.know("etl", "other")
    stage.nest("Task_1", "etl")
    need = Dependency(job="Task_1", freshness=Freshness(max_age=24 * HOUR))
    assert isinstance(stage.enter(stage.task("kpi", need)), Waits)
    stage.end("Task_1", parent=(new_id(), "etl"))
    assert isinstance(stage.enter(stage.task("kpi", need)), Start)
    stage.nest("Task_1", "other")
    entry = stage.enter(stage.task("kpi", need))
    assert isinstance(entry, End)
    assert entry.message == "not run: unknown parents: Task_1"


def test_a_parent_in_another_namespace_is_not_the_sibling_of_its_name(stage: Theatre) -> None:
    stage.know("rides")
    stage.end("rides")
    vendor = Dependency(job="rides", namespace="vendor", external=True)
    task = stage.task("kpi", vendor, inside=("rides",), ended={"rides": Ended(RunState.COMPLETED)})
    assert stage.enter(task) == End(
        RunState.FAILED, "PARENT_NOT_FRESH", "not run: unknown parents: rides"
    )
