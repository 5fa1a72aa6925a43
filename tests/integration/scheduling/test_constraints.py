"""Constraints, alone and in pairs: what they abort, what they hold and until when."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, time, timedelta
from itertools import combinations, product

from lineagegraph.graph import Graph
from lineagegraph.model.names.keys import job_key
from lineagegraph.model.triggers.constraint import (
    AnyConstraint,
    Concurrency,
    Delay,
    Gap,
    Otherwise,
    Rate,
    TimeRange,
)
from lineagegraph.model.triggers.trigger import Overlap, Trigger
from lineagegraph.triggers.held import release_held
from lineagegraph.triggers.write import delete_trigger, enable_trigger
from tests.integration.scheduling.rules import GO, end, firing_states, say, write_rules

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
ABORT, WAIT = Otherwise.ABORT, Otherwise.WAIT
# When a firing of 12:00:01 may start, where the run before it was queued at 12:00:00 and ends at
# 12:01:40: seconds after noon.
FREE = {"concurrency": 100, "gap": 200, "delay": 301, "rate": 400, "time_range": 600}


def after(seconds: float) -> datetime:
    return NOON + timedelta(seconds=seconds)


def just_after(seconds: float) -> datetime:
    # Cypher puts equal instants in the order of their zones: what is due is due a bit later.
    return after(seconds + 0.001)


def constraint(kind: str, otherwise: Otherwise) -> AnyConstraint:
    match kind:
        case "concurrency":
            return Concurrency(limit=1, otherwise=otherwise)
        case "gap":
            return Gap(seconds=200, otherwise=otherwise)
        case "delay":
            return Delay(seconds=300)
        case "rate":
            return Rate(limit=1, seconds=400, otherwise=otherwise)
    return TimeRange(start=time(12, 10), end=time(13), zone="UTC", otherwise=otherwise)


def combined() -> list[dict[str, Otherwise]]:
    """Every constraint alone and every two, each with `abort` and with `wait`."""
    found = [
        dict(zip(kinds, modes, strict=True))
        for size in (1, 2)
        for kinds in combinations(FREE, size)
        for modes in product((ABORT, WAIT), repeat=size)
    ]
    return [one for one in found if one.get("delay") is not ABORT]


def expected(modes: dict[str, Otherwise]) -> tuple[str, int]:
    """Say what becomes of the firing, and when.

    A delayed firing is asked about the rest once the delay is over.
    """
    asked = FREE["delay"] if "delay" in modes else 1
    if any(mode is ABORT and FREE[kind] > asked for kind, mode in modes.items()):
        return "ABORTED", asked
    return "STARTED", max(asked, *(FREE[kind] for kind in modes))


def test_every_pair_of_constraints_aborts_or_holds_as_it_says(graph: Graph) -> None:
    cases = {" ".join(f"{k}:{m}" for k, m in modes.items()): modes for modes in combined()}
    assert len(cases) == 41
    rules = {name: Trigger(when=GO) for name in cases}
    graph.write(write_rules, rules, NOON - timedelta(hours=1))
    assert len(graph.write(say, "go", NOON)) == len(cases)
    limited = {
        name: Trigger(when=GO, constraints=tuple(constraint(*one) for one in modes.items()))
        for name, modes in cases.items()
    }
    graph.write(write_rules, limited, NOON)
    assert graph.write(say, "go", after(1)) == []
    found: dict[str, tuple[str, int]] = {}
    for seconds in (1, 99, 100, 199, 200, 300, 301, 399, 400, 599, 600):
        if seconds == FREE["concurrency"]:
            free_slots(graph)
        release_held(graph, now=just_after(seconds))
        for name, (_, state) in firing_states(graph).items():
            if state != "HELD":
                found.setdefault(name, (state, seconds))
    assert found == {name: expected(modes) for name, modes in cases.items()}


def free_slots(graph: Graph) -> None:
    graph.query("MATCH (r:Run) WHERE r.launch IS NOT NULL REMOVE r.launch", write=True)


def test_a_firing_that_waits_is_given_up_where_another_constraint_aborts_it_later(
    graph: Graph,
) -> None:
    morning = TimeRange(start=time(11), end=time(12, 5), zone="UTC")
    limits = (Concurrency(limit=1, otherwise=WAIT), morning)
    graph.write(write_rules, {"job": Trigger(when=GO, constraints=limits)}, NOON)
    graph.write(say, "go", NOON)
    graph.write(say, "go", after(1))
    assert firing_states(graph) == {"job": ["STARTED", "HELD"]}
    free_slots(graph)
    release_held(graph, now=after(400))
    assert firing_states(graph) == {"job": ["STARTED", "ABORTED"]}


def test_a_delay_counts_from_the_first_of_what_made_the_condition_true(graph: Graph) -> None:
    rule = Trigger(when=GO.times(2), constraints=(Delay(seconds=300, since="first"),))
    graph.write(write_rules, {"job": rule}, NOON)
    graph.write(say, "go", NOON)
    graph.write(say, "go", after(120))
    assert release_held(graph, now=after(299)) == []
    assert len(release_held(graph, now=just_after(300))) == 1


def test_a_time_range_may_go_over_midnight(graph: Graph) -> None:
    night = TimeRange(start=time(22), end=time(2), zone="Europe/Berlin", otherwise=WAIT)
    graph.write(write_rules, {"job": Trigger(when=GO, constraints=(night,))}, NOON)
    for hour in (20.99, 21, 23, 24.99, 25, 34):  # of the day in UTC: an hour behind Berlin
        graph.write(say, "go", NOON + timedelta(hours=hour - 12))
    started, held = "STARTED", "HELD"
    assert firing_states(graph) == {"job": [held, started, started, started, held, held]}
    assert len(release_held(graph, now=after(9 * 3600 + 1))) == 1
    assert release_held(graph, now=after(33 * 3600 - 1)) == []
    assert len(release_held(graph, now=just_after(33 * 3600))) == 2


def test_a_time_range_may_be_in_a_zone_that_java_has_not(graph: Graph) -> None:
    zones = ("EST", "MST", "HST", "America/Coyhaique")
    ranges = {zone: TimeRange(start=time(12), end=time(13), zone=zone) for zone in zones}
    rules = {zone: Trigger(when=GO, constraints=(one,)) for zone, one in ranges.items()}
    graph.write(write_rules, rules, NOON)
    graph.write(say, "go", after(5.5 * 3600))
    started = {zone for zone, states in firing_states(graph).items() if states == ["STARTED"]}
    assert started == {"EST"}


def test_a_time_range_begins_later_on_the_day_whose_clocks_jump_over_its_start(
    graph: Graph,
) -> None:
    night = TimeRange(start=time(2, 30), end=time(4), zone="Europe/Berlin", otherwise=WAIT)
    graph.write(write_rules, {"job": Trigger(when=GO, constraints=(night,))}, NOON)
    graph.write(say, "go", datetime(2026, 3, 29, 0, 59, tzinfo=UTC))
    rows = graph.query("MATCH (f:Firing) RETURN f.held_until AS until, f.kept_back AS text")
    assert rows == [
        {
            "until": datetime(2026, 3, 29, 1, 30, tzinfo=UTC),
            "text": "it is not between 02:30:00 and 04:00:00 (Europe/Berlin)",
        }
    ]


def test_overlapping_runs_of_a_trigger_are_allowed_held_or_skipped(graph: Graph) -> None:
    rules = {policy.value: Trigger(when=GO, overlap=policy) for policy in Overlap}
    graph.write(write_rules, rules, NOON)
    graph.write(say, "go", NOON)
    graph.write(say, "go", after(1))
    assert firing_states(graph) == {
        "allow": ["STARTED", "STARTED"],
        "wait": ["STARTED", "HELD"],
        "skip": ["STARTED", "ABORTED"],
    }
    assert release_held(graph, now=after(2)) == []
    free_slots(graph)
    (started,) = release_held(graph, now=after(3))
    assert firing_states(graph)["wait"] == ["STARTED", "STARTED"]
    assert started.run_id


def test_a_firing_that_is_held_for_longer_than_its_ttl_expires(graph: Graph) -> None:
    rule = Trigger(when=GO, overlap=Overlap.WAIT, ttl=60)
    graph.write(write_rules, {"job": rule}, NOON)
    graph.write(say, "go", NOON)
    graph.write(say, "go", after(1))
    release_held(graph, now=after(60))
    assert firing_states(graph) == {"job": ["STARTED", "HELD"]}
    free_slots(graph)
    assert release_held(graph, now=just_after(61)) == []
    assert firing_states(graph) == {"job": ["STARTED", "EXPIRED"]}


def test_eight_threads_do_not_exceed_a_concurrency_limit(graph: Graph) -> None:
    limit = Concurrency(limit=3, otherwise=WAIT)
    graph.write(write_rules, {"job": Trigger(when=GO, constraints=(limit,))}, NOON)

    def fire(number: int) -> None:
        graph.write(say, "go", after(number))
        release_held(graph, now=after(60))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(fire, range(16)))
    assert sorted(firing_states(graph)["job"]) == ["HELD"] * 13 + ["STARTED"] * 3
    free_slots(graph)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: release_held(graph, now=after(90)), range(8)))
    assert sorted(firing_states(graph)["job"]) == ["HELD"] * 10 + ["STARTED"] * 6


def test_triggers_that_stay_held_keep_no_other_from_starting(graph: Graph) -> None:
    wait = (Concurrency(limit=1, otherwise=WAIT),)
    rules = {f"job_{n}": Trigger(when=GO, constraints=wait) for n in range(5)}
    graph.write(write_rules, rules, NOON)
    graph.write(say, "go", NOON)
    graph.write(say, "go", after(1))
    for number in range(5):
        free = "MATCH (r:Run {name: $name}) REMOVE r.launch"
        graph.query(free, {"name": f"job_{number}"}, write=True)
        for tick in range(3):
            release_held(graph, most=2, now=after(60 * number + 60 + tick))
        assert firing_states(graph)[f"job_{number}"] == ["STARTED", "STARTED"]


def held_once(graph: Graph) -> str:
    rule = Trigger(when=GO, overlap=Overlap.WAIT)
    id_ = graph.write(write_rules, {"job": rule}, NOON)["job"]
    graph.write(say, "go", NOON)
    graph.write(say, "go", after(1))
    free_slots(graph)
    return id_


def test_what_a_suspended_trigger_fired_stays_held_until_it_is_enabled(graph: Graph) -> None:
    id_ = held_once(graph)
    graph.write(enable_trigger, trigger_id=id_, enabled=False, now=after(10))
    assert release_held(graph, now=after(20)) == []
    graph.write(enable_trigger, trigger_id=id_, enabled=True, now=after(30))
    assert len(release_held(graph, now=after(40))) == 1


def test_what_a_deleted_trigger_fired_and_has_not_started_starts_nothing(graph: Graph) -> None:
    held_once(graph)
    graph.write(delete_trigger, starts=job_key(None, "default", "job"), name="job", now=after(10))
    assert release_held(graph, now=after(20)) == []
    assert firing_states(graph) == {"job": ["STARTED", "ABORTED"]}


def runs_of(graph: Graph) -> list[str]:
    rows = graph.query(
        "MATCH (:Firing)-[:STARTED]->(r:Run) RETURN r.id AS id ORDER BY r.created_at, r.queued_at"
    )
    return [row["id"] for row in rows]


def test_a_run_that_fails_is_started_again_twice_and_no_more(graph: Graph) -> None:
    rule = Trigger(when=GO, reruns=2, rerun_delay=30)
    graph.write(write_rules, {"job": rule}, NOON)
    graph.write(say, "go", NOON)
    for attempt in range(1, 5):
        end(graph, "job", "FAIL", run_id=runs_of(graph)[-1], at=after(60 * attempt))
        assert len(runs_of(graph)) == min(attempt + 1, 3)
    rows = graph.query(
        "MATCH (r:Run)-[:RERUN_OF]->(failed) RETURN r.queued_at - duration('PT30S') AS failed_at, "
        "failed.ended_at AS ended_at, r.rerun_number AS number, r.rerun_policy AS policy "
        "ORDER BY failed_at"
    )
    assert [row["failed_at"] for row in rows] == [row["ended_at"] for row in rows]
    assert [(row["number"], row["policy"]) for row in rows] == [(1, "latest"), (2, "latest")]


def test_a_run_that_was_killed_or_that_a_person_started_is_not_started_again(
    graph: Graph,
) -> None:
    graph.write(write_rules, {"job": Trigger(when=GO, reruns=2)}, NOON)
    graph.write(say, "go", NOON)
    end(graph, "job", "FAIL", at=after(30))
    end(graph, "job", "ABORT", run_id=runs_of(graph)[0], at=after(60))
    assert len(runs_of(graph)) == 1


def test_a_trigger_that_is_suspended_starts_no_run_again(graph: Graph) -> None:
    id_ = graph.write(write_rules, {"job": Trigger(when=GO, reruns=2)}, NOON)["job"]
    graph.write(say, "go", NOON)
    graph.write(enable_trigger, trigger_id=id_, enabled=False, now=after(10))
    end(graph, "job", "FAIL", run_id=runs_of(graph)[0], at=after(60))
    assert len(runs_of(graph)) == 1


def test_the_same_failure_again_starts_no_second_rerun(graph: Graph) -> None:
    graph.write(write_rules, {"job": Trigger(when=GO, reruns=2)}, NOON)
    graph.write(say, "go", NOON)
    (run,) = runs_of(graph)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: end(graph, "job", "FAIL", run_id=run, at=after(60)), range(8)))
    assert len(runs_of(graph)) == 2
