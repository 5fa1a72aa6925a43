"""What may fire and what may not: what happened, when, and when it was heard of."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from msgspec.structs import replace

from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.record import NO_NEWS, record
from lineagegraph.model.runs.ids import new_id
from lineagegraph.model.runs.states import RunState
from lineagegraph.model.triggers.condition import (
    And,
    AnyCondition,
    OnAbsent,
    OnDataset,
    OnEvent,
    OnFresh,
    OnInterval,
    OnStatus,
    OnUpstream,
    Sequence,
)
from lineagegraph.model.triggers.predicate import Key
from lineagegraph.model.triggers.trigger import Pick, Reset, Trigger
from lineagegraph.queries.triggers.why import read_why
from lineagegraph.reactions.commit import commit
from lineagegraph.triggers.react import react_to_missed, react_to_times
from lineagegraph.triggers.reset import reset_due
from lineagegraph.triggers.write import enable_trigger
from tests.events import run_event
from tests.integration.scheduling.rules import end, say, write_rules

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
MIDNIGHT = NOON + timedelta(hours=12)
HOUR = timedelta(hours=1)
DAILY = Reset(cron="0 0 * * *", zone="UTC")
A = OnStatus(job="a", statuses=(RunState.COMPLETED,))
B = OnStatus(job="b", statuses=(RunState.COMPLETED,))
ENDED = OnStatus(job="a", statuses=(RunState.COMPLETED, RunState.FAILED, RunState.KILLED))
GOLD = OnDataset(namespace="file", name="/gold")
WRITES = (("file", "/gold"),)


def after(seconds: float, since: datetime = NOON) -> datetime:
    return since + timedelta(seconds=seconds)


def rule(graph: Graph, condition: AnyCondition, now: datetime = NOON, **terms: Any) -> str:
    found = graph.write(write_rules, {"job": Trigger(when=condition, **terms)}, now)
    return found["job"]


def tick(graph: Graph, now: datetime) -> list[str]:
    graph.write(reset_due, now=now)
    return [one.reason for one in graph.write(react_to_times, now=now)]


def test_what_is_held_for_one_job_counts_for_no_namesake_after_an_edit(graph: Graph) -> None:
    eu, us = (replace(A, namespace=name) for name in ("eu", "us"))
    rule(graph, And(operands=(eu, us)))
    assert end(graph, "a", at=after(1), namespace="eu") == []
    rule(graph, And(operands=(us, eu)), after(2))
    assert end(graph, "a", at=after(3), namespace="eu") == []
    assert len(end(graph, "a", at=after(4), namespace="us")) == 1
    rule(graph, And(operands=(us, B)), after(5))
    assert end(graph, "a", at=after(6), namespace="us") == []
    rule(graph, And(operands=(eu, B)), after(7))
    assert end(graph, "b", at=after(8)) == [], "eu has not run again"


# What came late, or was corrected


def test_what_is_heard_late_is_judged_by_its_own_time(graph: Graph) -> None:
    rule(graph, Sequence(operands=(A, B)).within("10m"))
    assert end(graph, "b", at=after(300), now=after(301)) == []
    assert len(end(graph, "a", at=after(200), now=after(900))) == 1


def test_what_is_heard_late_and_did_not_come_first_completes_no_sequence(graph: Graph) -> None:
    rule(graph, Sequence(operands=(A, B)))
    assert end(graph, "a", at=after(300), now=after(301)) == []
    assert end(graph, "b", at=after(200), now=after(900)) == []


def test_old_history_fires_nothing_until_it_is_called_news(graph: Graph) -> None:
    rule(graph, A)
    assert end(graph, "a", at=after(10), now=after(10 + 3601)) == []
    assert len(end(graph, "a", at=after(10), now=after(10 + 3600))) == 1
    assert len(end(graph, "a", at=after(10), now=after(9000), max_event_age=timedelta(days=1))) == 1


@pytest.mark.parametrize("condition", [A, GOLD, OnFresh(of=A, max_age=60)])
def test_what_is_far_in_the_future_fires_nothing_and_says_so(
    graph: Graph, condition: AnyCondition
) -> None:
    rule(graph, condition)
    assert end(graph, "a", at=after(3601), now=NOON, outputs=WRITES) == []
    (one,) = read_why(graph, "job").refused
    assert "its time is in the future: correct the clock of its producer" in str(one.text)
    assert len(end(graph, "a", at=after(3600), now=NOON, outputs=WRITES)) == 1


def test_nominal_times_count_as_partitions_of_what_a_run_wrote(graph: Graph) -> None:
    rule(graph, GOLD.times(2))

    def write(day: str, seconds: float) -> int:
        event = run_event("a", at=after(seconds), outputs=WRITES)
        event["run"]["facets"]["nominalTime"] = {
            "_producer": "https://example.org/test",
            "_schemaURL": "https://openlineage.io/spec/facets/1-0-1/NominalTimeRunFacet.json",
            "nominalStartTime": f"2026-02-{day}T00:00:00Z",
        }
        return len(graph.write(commit, extract([event]), now=after(seconds), max_event_age=HOUR))

    assert [write("01", 1), write("01", 2), write("02", 3)] == [0, 0, 1]


def test_an_event_far_in_the_future_fires_nothing(graph: Graph) -> None:
    rule(graph, OnEvent(name="go"))
    assert graph.write(say, "go", NOON, at=after(3601)) == []
    assert len(graph.write(say, "go", NOON, at=after(3600))) == 1


def test_what_was_imported_fires_nothing(graph: Graph) -> None:
    rule(graph, A)
    graph.write(record, extract([run_event("a", at=after(10))]), NO_NEWS)
    assert react_to_missed(graph, now=after(20)) == []


def test_each_status_that_a_run_is_corrected_to_fires_once(graph: Graph) -> None:
    rule(graph, ENDED)
    run = new_id()
    assert len(end(graph, "a", run_id=run, at=after(10))) == 1
    assert len(end(graph, "a", "FAIL", run_id=run, at=after(20))) == 1
    assert len(end(graph, "a", "ABORT", run_id=run, at=after(30))) == 1
    assert end(graph, "a", "FAIL", run_id=run, at=after(25), now=after(40)) == []
    assert len(end(graph, "b", at=after(50))) == 0


def test_a_dataset_that_is_named_after_the_completion_fires_still(graph: Graph) -> None:
    rule(graph, GOLD)
    run = new_id()
    assert end(graph, "writer", run_id=run, at=after(10)) == []
    written = {"run_id": run, "at": after(9), "now": after(11), "outputs": WRITES}
    assert len(end(graph, "writer", "RUNNING", **written)) == 1
    assert end(graph, "writer", "RUNNING", **written) == []


def test_what_happened_while_a_trigger_was_suspended_fires_nothing_later(graph: Graph) -> None:
    id_ = rule(graph, A & B)
    end(graph, "a", at=after(10))
    graph.write(enable_trigger, trigger_id=id_, enabled=False, now=after(20))
    assert end(graph, "b", at=after(30)) == []
    graph.write(enable_trigger, trigger_id=id_, enabled=True, now=after(40))
    assert end(graph, "b", at=after(30), now=after(50)) == []
    assert len(end(graph, "b", at=after(60))) == 1


# What is half met


def test_a_trigger_that_is_edited_keeps_what_it_still_says(graph: Graph) -> None:
    rule(graph, A & B)
    end(graph, "a", at=after(10))
    end(graph, "a", at=after(20))
    rule(graph, A & OnEvent(name="go"), after(30))
    assert end(graph, "b", at=after(40)) == []
    assert [len(graph.write(say, "go", after(at))) for at in (50, 60, 70)] == [1, 1, 0]


@pytest.mark.parametrize("terms", [{"reset": DAILY}, {"within": "6h"}])
def test_an_a_of_today_and_a_b_of_tomorrow_fire_nothing(
    graph: Graph, terms: dict[str, Any]
) -> None:
    within = terms.pop("within", None)
    rule(graph, (A & B).within(within) if within else A & B, **terms)
    end(graph, "a", at=after(60))
    tick(graph, after(1, MIDNIGHT))
    assert end(graph, "b", at=after(60, MIDNIGHT)) == []
    assert len(end(graph, "a", at=after(90, MIDNIGHT))) == 1


def test_a_reset_does_not_wait_for_somebody_to_look_at_the_clock(graph: Graph) -> None:
    rule(graph, A & B, reset=DAILY)
    end(graph, "a", at=after(60))
    assert end(graph, "b", at=after(60, MIDNIGHT)) == []
    tick(graph, after(70, MIDNIGHT))
    assert len(end(graph, "a", at=after(90, MIDNIGHT))) == 1


def test_what_came_before_a_reset_and_is_heard_after_it_counts_with_what_came_before(
    graph: Graph,
) -> None:
    rule(graph, A & B, reset=DAILY)
    end(graph, "a", at=after(60))
    assert len(end(graph, "b", at=after(-5, MIDNIGHT), now=after(5, MIDNIGHT))) == 1
    end(graph, "a", at=after(-4, MIDNIGHT), now=after(6, MIDNIGHT))
    assert end(graph, "b", at=after(60, MIDNIGHT)) == []


def test_of_choices_that_end_together_the_first_takes_the_one_that_begins_first(
    graph: Graph,
) -> None:
    d, y, z, w = (OnEvent(name=name) for name in "dyzw")
    rule(graph, And(operands=(w, And(operands=((d & y).within("12s"), z)))), pick=Pick.FIRST)
    for name, seconds in (("z", 1), ("d", 14), ("z", 15), ("y", 18)):
        assert graph.write(say, name, after(seconds)) == []
    (reason,) = graph.write(say, "w", after(20), at=after(15))
    assert "event z at 2026-03-02 12:00:01" in reason


# What lasts


def test_absence_begins_once_ends_when_the_thing_comes_and_begins_again(graph: Graph) -> None:
    rule(graph, OnAbsent(of=A, for_seconds=100))
    assert tick(graph, after(99)) == []
    assert len(tick(graph, after(101))) == 1
    assert tick(graph, after(500)) == []
    end(graph, "a", at=after(600))
    end(graph, "a", at=after(650))
    assert tick(graph, after(749)) == []
    assert len(tick(graph, after(751))) == 1


def test_absence_that_ended_counts_no_more(graph: Graph) -> None:
    rule(graph, OnAbsent(of=A, for_seconds=100) & B)
    assert tick(graph, after(101)) == []
    end(graph, "a", at=after(150))
    assert end(graph, "b", at=after(160)) == []
    assert len(tick(graph, after(251))) == 1


@pytest.mark.parametrize("of", [A, GOLD])
def test_freshness_fires_each_time_that_it_begins(graph: Graph, of: OnStatus | OnDataset) -> None:
    rule(graph, OnFresh(of=of, max_age=60))
    times = [10, 50, 100, 200, 230]
    fired = [end(graph, "a", at=after(seconds), outputs=WRITES) for seconds in times]
    assert [len(one) for one in fired] == [1, 0, 0, 1, 0]


def test_what_is_fresh_no_more_counts_no_more(graph: Graph) -> None:
    rule(graph, OnFresh(of=A, max_age=60) & B)
    end(graph, "a", at=after(10))
    end(graph, "a", at=after(40))
    assert end(graph, "b", at=after(101)) == []
    assert len(end(graph, "a", at=after(110))) == 1


def test_an_interval_counts_from_when_the_trigger_was_enabled(graph: Graph) -> None:
    id_ = rule(graph, OnInterval(seconds=60))
    fired = [len(tick(graph, after(seconds))) for seconds in (59, 61, 119, 121, 122)]
    assert fired == [0, 1, 0, 1, 0]
    graph.write(enable_trigger, trigger_id=id_, enabled=False, now=after(130))
    assert tick(graph, after(300)) == []
    graph.write(enable_trigger, trigger_id=id_, enabled=True, now=after(310))
    assert [len(tick(graph, after(seconds))) for seconds in (369, 371)] == [0, 1]


# What it happened to


def test_upstream_looks_as_many_hops_back_as_it_says_and_no_further(graph: Graph) -> None:
    hops = ["far", "near", "next"]
    for number, job in enumerate([*hops, "job"]):
        reads = (("file", f"/{number - 1}"),) if number else ()
        end(graph, job, at=after(number), inputs=reads, outputs=(("file", f"/{number}"),))
    rule(graph, OnUpstream(hops=2, statuses=(RunState.COMPLETED,)), after(10))
    assert [len(end(graph, job, at=after(20))) for job in [*hops, "job"]] == [0, 1, 1, 0]
    assert end(graph, "next", "FAIL", at=after(30)) == []


def write(graph: Graph, seconds: float, *days: int) -> int:
    partitions = tuple({"day": str(day)} for day in days)
    at = after(seconds)
    return len(end(graph, "writer", at=at, outputs=WRITES, partitions=partitions))


def test_partitions_count_once_however_often_they_are_written(graph: Graph) -> None:
    rule(graph, GOLD.times(3))
    assert [write(graph, n, day) for n, day in enumerate((1, 2, 2, 1, 3, 3, 1), 10)] == [
        *[0, 0, 0, 0, 1, 0, 0]
    ]


def test_a_run_that_writes_several_partitions_counts_for_each(graph: Graph) -> None:
    rule(graph, GOLD.times(3))
    assert write(graph, 10, 1, 2) == 0
    assert write(graph, 20, 2, 3) == 1
    assert write(graph, 30, 1, 2) == 0
    assert write(graph, 40, 1, 2, 3) == 1


def test_a_dataset_without_partitions_counts_its_versions(graph: Graph) -> None:
    rule(graph, GOLD.times(2))
    assert [write(graph, seconds) for seconds in (10, 20, 30, 40)] == [0, 1, 0, 1]


def test_an_external_event_fires_once_by_its_name(graph: Graph) -> None:
    rule(graph, OnEvent(name="arrived"))
    assert graph.write(say, "left", after(10)) == []
    assert len(graph.write(say, "arrived", after(20))) == 1
    assert graph.write(say, "arrived", after(30), at=after(-1)) == []


# What it brings with it

KEY = Key("n")


@pytest.mark.parametrize(
    ("predicate", "passes", "fails"),
    [
        (KEY.exists(), [0, None, ""], []),
        (KEY.not_empty(), [0, "x", [0]], [None, "", [], {}]),
        (KEY == 1, [1, 1.0], [True, "1", 2, None, [1]]),
        (KEY != 1, [2, "1", True, None], [1, 1.0]),
        (KEY < 2, [1, -1.5], [2, "1", True, None, [1]]),
        (KEY >= "b", ["b", "c"], ["a", 3, None]),
        (KEY.matches("a.c"), ["abc"], ["abcd", 1, None]),
    ],
    ids=str,
)
def test_a_predicate_passes_values_of_its_type_only(
    graph: Graph, predicate: Any, passes: list[Any], fails: list[Any]
) -> None:
    rule(graph, OnEvent(name="go").where(predicate))
    assert [len(graph.write(say, "go", after(10), n=value)) for value in passes] == [1] * len(
        passes
    )
    assert [len(graph.write(say, "go", after(20), n=value)) for value in fails] == [0] * len(fails)
    assert graph.write(say, "go", after(30), other=1) == []


def test_a_predicate_looks_at_arguments_and_at_what_was_emitted(graph: Graph) -> None:
    rule(graph, A.where(region="EU").where(Key("files").not_empty()))
    said = {"params": {"region": "EU"}}
    assert end(graph, "a", at=after(10), own=said) == []
    assert end(graph, "a", at=after(20), own=said | {"emitted": {"load": {"files": []}}}) == []
    assert (
        len(end(graph, "a", at=after(30), own=said | {"emitted": {"load": {"files": ["x"]}}})) == 1
    )


def test_each_region_fires_on_its_own(graph: Graph) -> None:
    rule(graph, A & B, correlate_by="region")
    sent = [("a", "EU"), ("b", "US"), ("a", None), ("b", "EU"), ("b", "EU"), ("a", "US")]
    fired = [
        end(graph, job, at=after(n), own={"params": {"region": region} if region else {}})
        for n, (job, region) in enumerate(sent, 1)
    ]
    assert [len(one) for one in fired] == [0, 0, 0, 1, 0, 1]


def test_each_partition_fires_on_its_own(graph: Graph) -> None:
    rule(graph, A & GOLD, correlate_by="partition")
    assert end(graph, "a", at=after(10), own={"partition": {"day": "1"}}) == []
    assert write(graph, 20, 2) == 0
    assert write(graph, 30, 1) == 1
    assert len(end(graph, "a", at=after(40), own={"partition": {"day": "2"}})) == 1
    assert write(graph, 50, 3, 4) == 0
    assert len(end(graph, "a", at=after(60), own={"partition": {"day": "4"}})) == 1
