"""Backfills: each partition once, so many at a time, whoever starts them."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
import pytest

from lineagegraph.backfills.advance import advance_backfills
from lineagegraph.backfills.change import cancel_backfill, pause_backfill, resume_backfill
from lineagegraph.backfills.start import preview_backfill, start_backfill
from lineagegraph.errors import BackfillConflict, BackfillRefused, InvalidParameter, NotFound
from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.model.names.keys import canonical_json
from lineagegraph.model.triggers.backfill import BackfillSpan, NominalRange, PartitionOrder, Which
from lineagegraph.queries.jobs.pages import Cut
from lineagegraph.queries.runs.runs import read_run, read_runs
from lineagegraph.queries.triggers.backfills import page_backfills, page_partitions, read_backfill
from lineagegraph.reactions.commit import commit
from lineagegraph.runs.cancel import cancel_run
from lineagegraph.store.admin.retention import delete_runs
from lineagegraph.store.runs import launches
from tests.definitions import daily, define
from tests.events import run_event

WEEK = BackfillSpan(times=NominalRange("2026-01-01", "2026-01-07"))


@pytest.fixture
def job(graph: Graph) -> str:
    return define(graph, daily())


def in_progress(graph: Graph) -> list[dict[str, Any]]:
    """The runs that are queued or claimed, with the day of each."""
    rows = graph.query(
        "MATCH (r:Run) WHERE r.launch IS NOT NULL "
        "RETURN r.id AS id, r.params AS params, r.partition AS partition, r.launch AS launch, "
        "r.cancel_requested AS cancel_requested ORDER BY r.created_at, params"
    )
    return [row | {"day": msgspec.json.decode(row["params"])["day"]} for row in rows]


def days(graph: Graph) -> list[str]:
    return [run["day"][-2:] for run in in_progress(graph)]


def end(graph: Graph, run: dict[str, Any], event_type: str = "COMPLETE") -> None:
    """End a run as a worker does: the events, and the lease with them."""
    said = {"_producer": "https://x.org", "_schemaURL": "https://x.org/1", "partition": None}
    said |= {"partition": msgspec.json.decode(run["partition"])} if run["partition"] else {}
    events = [run_event("daily", kind, run_id=run["id"]) for kind in ("START", event_type)]
    for event in events:
        event["run"]["facets"]["lineagegraph"] = said
    graph.write(commit, extract(events))
    graph.write(launches.release_run, id=run["id"])


def end_all(graph: Graph, event_type: str = "COMPLETE") -> None:
    for run in in_progress(graph):
        end(graph, run, event_type)


def ran(graph: Graph, day: str, event_type: str = "COMPLETE") -> None:
    """Tell of a run for a day that no backfill started."""
    event = run_event("daily", event_type)
    own = {"_producer": "https://x.org", "_schemaURL": "https://x.org/1", "partition": {"day": day}}
    event["run"]["facets"]["lineagegraph"] = own
    graph.write(commit, extract([event]))


def states(graph: Graph, backfill: str) -> dict[str, int]:
    return {c.state: c.partitions for c in read_backfill(graph, backfill).about.counts}


def test_a_preview_says_what_would_run_and_stores_nothing(graph: Graph, job: str) -> None:
    ran(graph, "2026-01-02")
    ran(graph, "2026-01-03", "FAIL")
    plan = preview_backfill(graph, job, WEEK)
    assert [one.params["day"][-1] for one in plan] == list("1234567")
    assert [one.will_run for one in plan] == [True, False, True, True, True, True, True]
    assert (plan[1].latest_state, plan[2].latest_state) == ("COMPLETED", "FAILED")
    assert plan[0].params == {"day": "2026-01-01", "region": "EU", "limit": 10}
    assert graph.query("MATCH (n:Backfill|BackfillPartition) RETURN count(n) AS n") == [{"n": 0}]


@pytest.mark.parametrize(
    ("which", "expected"),
    [
        (Which.INCOMPLETE, "134567"),
        (Which.MISSING, "4567"),
        (Which.FAILED, "3"),
        (Which.ALL, "1234567"),
    ],
)
def test_which_partitions_run_is_told_by_the_runs_that_they_had(
    graph: Graph, job: str, which: Which, expected: str
) -> None:
    ran(graph, "2026-01-02")
    ran(graph, "2026-01-02", "FAIL")
    ran(graph, "2026-01-02")
    ran(graph, "2026-01-03", "FAIL")
    ran(graph, "2026-01-01", "START")
    plan = preview_backfill(graph, job, msgspec.structs.replace(WEEK, which=which))
    assert "".join(one.params["day"][-1] for one in plan if one.will_run) == expected


def test_runs_start_in_order_and_never_more_than_allowed(graph: Graph, job: str) -> None:
    started = start_backfill(graph, job, WEEK, concurrency=2)
    assert (started.is_new, started.total, started.to_run) == (True, 7, 7)
    assert advance_backfills(graph) == 2
    assert advance_backfills(graph) == 0
    assert days(graph) == ["01", "02"]
    end(graph, in_progress(graph)[1])
    assert advance_backfills(graph) == 1
    assert days(graph) == ["01", "03"]
    for _ in range(7):
        end_all(graph)
        advance_backfills(graph)
    assert states(graph, started.id) == {"COMPLETED": 7}
    found = read_backfill(graph, started.id)
    assert found.about.state == "COMPLETED"
    assert (found.progress.done, found.progress.waiting, found.progress.rest_seconds) == (7, 0, 0)


def test_the_newest_come_first_where_that_is_asked_for(graph: Graph, job: str) -> None:
    span = msgspec.structs.replace(WEEK, order=PartitionOrder.NEWEST)
    start_backfill(graph, job, span, concurrency=2)
    advance_backfills(graph)
    assert sorted(days(graph)) == ["06", "07"]


def test_a_partition_that_completed_is_left_out_also_where_it_did_so_meanwhile(
    graph: Graph, job: str
) -> None:
    ran(graph, "2026-01-01")
    started = start_backfill(graph, job, WEEK)
    assert started.to_run == 6
    ran(graph, "2026-01-02")
    advance_backfills(graph)
    assert days(graph) == ["03"]
    assert states(graph, started.id) == {"SKIPPED": 2, "PENDING": 1, "UNSTARTED": 4}


def test_two_backfills_never_run_a_partition_at_once(graph: Graph, job: str) -> None:
    for _ in range(2):
        start_backfill(graph, job, WEEK, concurrency=4)
    assert advance_backfills(graph) == 7
    assert sorted(days(graph)) == ["01", "02", "03", "04", "05", "06", "07"]
    end_all(graph)
    assert advance_backfills(graph) == 0
    found = page_backfills(graph, job, Cut()).items
    assert [one.about.state for one in found] == ["COMPLETED", "COMPLETED"]


def test_several_dimensions_are_each_with_each_in_the_order_of_time(graph: Graph) -> None:
    job = define(graph, daily(partition_by=("day", "region")))
    span = BackfillSpan(
        times=NominalRange("2026-01-31", "2026-02-28", "1mo"),
        values={"region": ["EU", "US"]},
        rows=[{"limit": 5}],
    )
    plan = preview_backfill(graph, job, span)
    assert [(one.params["day"], one.params["region"]) for one in plan] == [
        ("2026-01-31", "EU"),
        ("2026-01-31", "US"),
        ("2026-02-28", "EU"),
        ("2026-02-28", "US"),
    ]
    assert plan[0].partition == '{"day":"2026-01-31","region":"EU"}'
    assert {one.params["limit"] for one in plan} == {5}


def test_a_run_gets_its_parameters_and_its_partition_at_once(graph: Graph, job: str) -> None:
    start_backfill(graph, job, BackfillSpan(values={"day": ["2026-01-05"], "limit": ["3"]}))
    advance_backfills(graph)
    (run,) = in_progress(graph)
    assert run["params"] == canonical_json({"day": "2026-01-05", "region": "EU", "limit": 3})
    assert run["partition"] == '{"day":"2026-01-05"}'


def test_a_partition_whose_run_is_cancelled_before_it_begins_has_failed(
    graph: Graph, job: str
) -> None:
    start_backfill(graph, job, WEEK, concurrency=1)
    advance_backfills(graph)
    (queued,) = in_progress(graph)
    graph.write(cancel_run, queued["id"])
    plan = preview_backfill(graph, job, msgspec.structs.replace(WEEK, which=Which.FAILED))
    assert [one.params["day"] for one in plan if one.will_run] == ["2026-01-01"]


def test_a_run_tells_which_backfill_started_it(graph: Graph, job: str) -> None:
    start_backfill(graph, job, WEEK, backfill_id="january")
    advance_backfills(graph)
    (run,) = read_runs(graph, "daily")
    assert run.fired_by == "backfill january"
    assert read_run(graph, run.id).run.backfill == "january"


def test_without_partition_by_all_that_is_asked_for_runs(graph: Graph) -> None:
    job = define(graph, daily(partition_by=()))
    ran(graph, "2026-01-01")
    assert all(one.will_run for one in preview_backfill(graph, job, WEEK))
    with pytest.raises(BackfillRefused, match="give it partition_by"):
        preview_backfill(graph, job, msgspec.structs.replace(WEEK, which=Which.FAILED))


def test_the_same_start_again_is_the_same_backfill_and_another_is_refused(
    graph: Graph, job: str
) -> None:
    start_backfill(graph, job, WEEK, backfill_id="january")
    advance_backfills(graph)
    again = start_backfill(graph, job, WEEK, backfill_id="january")
    assert not again.is_new
    assert page_partitions(graph, "january", Cut()).total == 7
    with pytest.raises(BackfillConflict, match="january exists already"):
        start_backfill(graph, job, WEEK, backfill_id="january", concurrency=2)
    other = define(graph, daily("other"))
    with pytest.raises(BackfillConflict):
        start_backfill(graph, other, WEEK, backfill_id="january")
    assert states(graph, "january") == {"PENDING": 1, "UNSTARTED": 6}


def test_eight_that_start_the_same_backfill_at_once_start_one(graph: Graph, job: str) -> None:
    with ThreadPoolExecutor(8) as pool:
        started = list(
            pool.map(lambda _: start_backfill(graph, job, WEEK, backfill_id="w"), range(8))
        )
    assert sum(one.is_new for one in started) == 1
    assert states(graph, "w") == {"UNSTARTED": 7}


@pytest.mark.parametrize(("which", "force"), [(Which.ALL, True), (Which.INCOMPLETE, None)])
def test_only_a_backfill_of_all_partitions_runs_what_is_fresh(
    graph: Graph, job: str, which: Which, force: bool | None
) -> None:
    start_backfill(graph, job, msgspec.structs.replace(WEEK, which=which))
    advance_backfills(graph)
    assert graph.query("MATCH (r:Run) RETURN r.force AS force") == [{"force": force}]


def test_while_it_is_paused_nothing_starts_and_what_runs_goes_on(graph: Graph, job: str) -> None:
    backfill = start_backfill(graph, job, WEEK).id
    advance_backfills(graph)
    pause_backfill(graph, backfill)
    pause_backfill(graph, backfill)
    end_all(graph)
    assert advance_backfills(graph) == 0
    assert states(graph, backfill) == {"COMPLETED": 1, "UNSTARTED": 6}
    resume_backfill(graph, backfill)
    assert advance_backfills(graph) == 1
    assert days(graph) == ["02"]


def test_it_goes_on_after_failures_and_says_at_its_end_that_there_were_some(
    graph: Graph, job: str
) -> None:
    backfill = start_backfill(graph, job, WEEK, concurrency=7).id
    advance_backfills(graph)
    end(graph, in_progress(graph)[0], "FAIL")
    end_all(graph)
    advance_backfills(graph)
    found = read_backfill(graph, backfill)
    assert (found.about.state, found.progress.failed) == ("FAILED", 1)
    again = msgspec.structs.replace(WEEK, which=Which.FAILED)
    assert start_backfill(graph, job, again).to_run == 1


def test_it_pauses_after_so_many_failures_and_counts_anew_when_resumed(
    graph: Graph, job: str
) -> None:
    backfill = start_backfill(graph, job, WEEK, concurrency=2, stop_after=2).id
    advance_backfills(graph)
    end_all(graph, "FAIL")
    assert advance_backfills(graph) == 0
    row = read_backfill(graph, backfill).about
    assert (row.state, row.reason) == ("PAUSED", "2 of its runs failed")
    resume_backfill(graph, backfill)
    assert advance_backfills(graph) == 2
    end(graph, in_progress(graph)[0], "FAIL")
    assert advance_backfills(graph) == 1
    assert read_backfill(graph, backfill).about.reason is None


def test_cancelling_gives_up_what_waits_and_kills_what_is_queued_or_all_if_asked(
    graph: Graph, job: str
) -> None:
    backfill = start_backfill(graph, job, WEEK, concurrency=2).id
    advance_backfills(graph)
    claimed = in_progress(graph)[0]["id"]
    lease = timedelta(seconds=20)
    graph.write(launches.claim_run, id=claimed, owner="me", lease=lease, claim=None, now=None)
    cancel_backfill(graph, backfill)
    asked = {run["launch"]: run["cancel_requested"] for run in in_progress(graph)}
    assert asked == {"CLAIMED": None, "QUEUED": True}
    cancel_backfill(graph, backfill, running=True)
    assert all(run["cancel_requested"] for run in in_progress(graph))
    end_all(graph, "ABORT")
    assert advance_backfills(graph) == 0
    assert states(graph, backfill) == {"KILLED": 2, "CANCELLED": 5}
    with pytest.raises(BackfillConflict, match="is CANCELLED"):
        resume_backfill(graph, backfill)


def test_a_backfill_of_what_is_all_done_ends_at_once(graph: Graph, job: str) -> None:
    ran(graph, "2026-01-01")
    span = BackfillSpan(times=NominalRange("2026-01-01", "2026-01-01"))
    started = start_backfill(graph, job, span)
    assert started.to_run == 0
    assert read_backfill(graph, started.id).about.state == "COMPLETED"


def test_a_backfill_whose_runs_were_skipped_says_so(graph: Graph, job: str) -> None:
    ran(graph, "2026-01-01")
    started = start_backfill(graph, job, WEEK, concurrency=2)
    advance_backfills(graph)
    for run in in_progress(graph):
        own = {"_producer": "https://x.org", "_schemaURL": "https://x.org/1", "state": "SKIPPED"}
        event = run_event("daily", "ABORT", run_id=run["id"])
        event["run"]["facets"]["lineagegraph"] = own
        graph.write(commit, extract([event]))
        graph.write(launches.release_run, id=run["id"])
    while advance_backfills(graph):
        end_all(graph)
    advance_backfills(graph)
    about = read_backfill(graph, started.id).about
    assert (about.state, about.reason) == ("COMPLETED", "2 of its runs were skipped")
    assert states(graph, started.id) == {"SKIPPED": 3, "COMPLETED": 4}


def test_eight_daemons_start_two_hundred_partitions_once_each_and_five_at_a_time(
    graph: Graph, job: str
) -> None:
    span = BackfillSpan(times=NominalRange("2026-01-01", "2026-07-19"))
    backfill = start_backfill(graph, job, span, concurrency=5)
    assert backfill.total == 200
    most = 0
    with ThreadPoolExecutor(8) as pool:
        for _ in range(12):
            list(pool.map(lambda _: advance_backfills(graph), range(8)))
            most = max(most, len(in_progress(graph)))
            graph.query(
                "MATCH (r:Run) WHERE r.launch IS NOT NULL SET r.state = 'COMPLETED' "
                "REMOVE r.launch",
                write=True,
            )
    assert most == 5
    started = graph.query(
        "MATCH (p:BackfillPartition)-[:STARTED]->(r:Run) RETURN p.number AS number, count(r) AS n"
    )
    assert Counter(row["n"] for row in started) == {1: 60}
    assert {row["number"] for row in started} == set(range(60))


def test_ten_thousand_partitions_are_started_and_advanced_in_bounded_steps(
    graph: Graph, job: str
) -> None:
    first = datetime(2000, 1, 1, tzinfo=UTC)
    last = first + timedelta(days=9_999)
    span = BackfillSpan(times=NominalRange(f"{first:%F}", f"{last:%F}"))
    backfill = start_backfill(graph, job, span, concurrency=3)
    assert (backfill.total, backfill.to_run) == (10_000, 10_000)
    assert advance_backfills(graph) == 3
    assert states(graph, backfill.id) == {"PENDING": 3, "UNSTARTED": 9_997}
    page = page_partitions(graph, backfill.id, Cut(2, 9_998))
    assert [one.number for one in page.items] == [9_998, 9_999]


@pytest.mark.parametrize(
    ("span", "said"),
    [
        (BackfillSpan(), "the backfill has no partitions"),
        (BackfillSpan(values={"day": []}), "has no values"),
        (BackfillSpan(values={"day": ["2026-01-01"], "moon": ["full"]}), "moon of daily: unknown"),
        (BackfillSpan(values={"day": ["yesterday"]}), "expected date, got 'yesterday'"),
        (BackfillSpan(values={"region": ["EU"]}), "day of daily: missing"),
        (BackfillSpan(values={"day": ["2026-01-01", "2026-01-01"]}), "given twice"),
        (BackfillSpan(times=NominalRange("2026-01-02", "2026-01-01")), "swap them"),
        (
            BackfillSpan(times=NominalRange("2026-01-01", "2026-01-01", "1h")),
            "the parameter is a date",
        ),
        (
            BackfillSpan(times=NominalRange("1900-01-01", "2026-01-01")),
            "more than 20,000 partitions",
        ),
        (
            BackfillSpan(times=NominalRange("2026-01-01", "2026-01-02", parameter="moon")),
            "moon of daily",
        ),
        (
            BackfillSpan(
                times=NominalRange("2026-01-01", "2026-01-02"), rows=[{"day": "2026-01-01"}]
            ),
            "given in two ways",
        ),
        (
            BackfillSpan(values={"day": ["2026-01-01"], "region": ["EU", "US"]}),
            "partitioned by day only",
        ),
        (BackfillSpan(values={"day": ["2026-01-01"], "region": ["x" * 200_000]}), "too long"),
    ],
)
def test_what_cannot_be_told_is_refused_and_nothing_is_stored(
    graph: Graph, job: str, span: BackfillSpan, said: str
) -> None:
    with pytest.raises((BackfillRefused, InvalidParameter), match=said):
        start_backfill(graph, job, span)
    assert graph.query("MATCH (n:Backfill|BackfillPartition) RETURN count(n) AS n") == [{"n": 0}]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"concurrency": 0}, "concurrency 0"),
        ({"stop_after": 0}, "from 1 to 20,000"),
        ({"backfill_id": "a/b"}, "id 'a/b'"),
        ({"backfill_id": ""}, "id ''"),
    ],
)
def test_limits_and_ids_are_checked(
    graph: Graph, job: str, given: dict[str, Any], said: str
) -> None:
    with pytest.raises(BackfillRefused, match=said):
        start_backfill(graph, job, WEEK, **given)


def test_what_is_no_pipeline_or_no_backfill_is_said_so(graph: Graph) -> None:
    with pytest.raises(NotFound, match="sync PATH"):
        preview_backfill(graph, "0" * 32, WEEK)
    with pytest.raises(NotFound, match="no backfill 'x'"):
        pause_backfill(graph, "x")
    with pytest.raises(NotFound, match="no backfill 'x'"):
        read_backfill(graph, "x")


def test_a_run_that_retention_deletes_while_its_backfill_is_paused_has_counted(
    graph: Graph, job: str
) -> None:
    backfill = start_backfill(graph, job, WEEK, concurrency=2).id
    advance_backfills(graph)
    pause_backfill(graph, backfill)
    first, second = in_progress(graph)
    end(graph, first)
    end(graph, second, "FAIL")
    graph.write(delete_runs, ids=[first["id"], second["id"]])
    resume_backfill(graph, backfill)
    assert states(graph, backfill) == {"COMPLETED": 1, "FAILED": 1, "UNSTARTED": 5}
    assert graph.query("MATCH (b:Backfill) RETURN b.failures AS n") == [{"n": 1}]


def test_the_same_start_again_tells_of_the_first_one_whatever_ran_since(
    graph: Graph, job: str
) -> None:
    first = start_backfill(graph, job, WEEK, backfill_id="january")
    advance_backfills(graph)
    end_all(graph)
    graph.query("MATCH (j:Job) SET j.withdrawn_at = datetime()", write=True)
    again = start_backfill(graph, job, WEEK, backfill_id="january")
    assert again == msgspec.structs.replace(first, is_new=False)
