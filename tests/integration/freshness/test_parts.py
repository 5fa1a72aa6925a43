"""Terms for each value of a partition key: each region is judged, shown and reported by itself."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import SecretStr

from lineagegraph.admin.freshness import set_terms, unset_terms
from lineagegraph.daemon.freshness import notify_freshness
from lineagegraph.errors import InvalidFreshness
from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.record import record
from lineagegraph.model.freshness.standing import FreshState, Terms
from lineagegraph.model.freshness.terms import Counts, Freshness
from lineagegraph.model.names.keys import canonical_json
from lineagegraph.model.outbox.routes import Occasion, Route
from lineagegraph.model.runs.ids import new_id
from lineagegraph.queries.find.find import find_node
from lineagegraph.queries.freshness.freshness import describe_staleness, read_standings
from lineagegraph.queries.jobs.outbox import read_notifications
from lineagegraph.settings import Settings
from tests.events import run_event
from tests.integration.freshness.test_standings import HOUR, NOON, look

TOLD = Route(on=(Occasion.STALE, Occasion.FRESH), to=SecretStr("log:"))
ONE_HOUR = Freshness(max_age=3600)


def write(graph: Graph, dataset: str, at: datetime, *partitions: dict[str, Any]) -> None:
    """Tell of a write of partitions of a dataset, or of the whole."""
    event = run_event(f"{dataset}.load", at=at, outputs=(("lake", dataset),))
    if partitions:
        listed = {"type": "partition", "partitions": [{"dimensions": one} for one in partitions]}
        event["outputs"][0]["outputFacets"] = {"subset": {"outputCondition": listed}}
    graph.write(record, extract([event]))


def run(graph: Graph, job: str, at: datetime, **partition: str) -> None:
    """Tell of a successful run of a partition of a job."""
    event = run_event(job, at=at)
    if partition:
        event["run"]["facets"]["lineagegraph"] = {"partition": partition}
    graph.write(record, extract([event]))


def expect_each(
    graph: Graph, node: str, expected: Sequence[str] = (), freshness: Freshness = ONE_HOUR
) -> None:
    terms = Terms(freshness=freshness, per="region", expected=tuple(expected))
    set_terms(graph, find_node(graph, node).key, terms, by="ann", now=NOON)


def states(graph: Graph, node: str, now: datetime) -> dict[str | None, str]:
    return {part.part: part.state.value for part in look(graph, now)[node].parts}


def told(graph: Graph) -> list[tuple[str, str]]:
    found = reversed(read_notifications(graph, 100))
    return [(one.type, (one.message or "").partition(":")[0]) for one in found]


@pytest.fixture
def watching(settings: Settings) -> Settings:
    return settings.model_copy(update={"notify": (TOLD,)})


def test_a_region_whose_success_is_dated_far_in_the_future_does_not_stay_fresh(
    graph: Graph,
) -> None:
    for at in (NOON, NOON + 100 * 24 * HOUR):
        write(graph, "sales", at, {"region": "eu"})
        run(graph, "report", at, region="eu")
    for node in ("sales", "report"):
        expect_each(graph, node)
        assert states(graph, node, NOON + 2 * HOUR) == {"eu": "stale"}


def test_each_region_stands_by_its_newest_success_and_the_node_like_the_worst(graph: Graph) -> None:
    write(graph, "sales", NOON, {"region": "us", "day": "5"}, {"region": "jp", "day": "5"})
    write(graph, "sales", NOON - 3 * HOUR, {"region": "eu", "day": "5"})
    write(graph, "sales", NOON - 4 * HOUR, {"region": "us", "day": "4"})
    expect_each(graph, "sales")
    found = look(graph, NOON)["sales"]
    assert [(part.part, part.state.value) for part in found.parts] == [
        ("eu", "stale"),
        ("jp", "fresh"),
        ("us", "fresh"),
    ]
    assert (found.state, found.judged.age, found.part) == (FreshState.STALE, 3 * 3600, None)
    assert found.about.last_at == NOON - 3 * HOUR
    assert describe_staleness(found).startswith("eu: 3h ago, jp, us fresh; ")


def test_a_region_that_was_never_seen_is_stale_after_the_grace_if_it_is_expected(
    graph: Graph,
) -> None:
    write(graph, "sales", NOON + HOUR, {"region": "us"})
    expect_each(graph, "sales", ["eu"])
    early = NOON + timedelta(minutes=29)
    assert states(graph, "sales", early) == {"eu": "unknown", "us": "fresh"}
    assert states(graph, "sales", NOON + HOUR) == {"eu": "stale", "us": "fresh"}
    assert describe_staleness(look(graph, NOON + HOUR)["sales"]).startswith("eu: never, us fresh")


def test_regions_that_appear_are_taken_up_and_a_success_without_a_region_counts_for_all(
    graph: Graph,
) -> None:
    write(graph, "sales", NOON, {"day": "5"})
    expect_each(graph, "sales")
    assert look(graph, NOON)["sales"].parts == ()
    assert look(graph, NOON)["sales"].state is FreshState.FRESH
    write(graph, "sales", NOON, {"region": "br"})
    write(graph, "sales", NOON - 9 * HOUR, {"region": "eu"})
    assert states(graph, "sales", NOON + HOUR / 2) == {"br": "fresh", "eu": "fresh"}
    write(graph, "sales", NOON + HOUR, {"region": "br"})
    assert states(graph, "sales", NOON + 2 * HOUR) == {"br": "fresh", "eu": "stale"}


def test_runs_of_a_job_are_told_apart_by_their_partition(graph: Graph) -> None:
    for region, hours in (("eu", 5), ("eu", 2), ("us", 0)):
        run(graph, "daily", NOON - hours * HOUR, region=region, day="5")
    expect_each(graph, "job:default:daily")
    assert states(graph, "daily", NOON) == {"eu": "stale", "us": "fresh"}
    failed = run_event("daily", "FAIL", at=NOON)
    failed["run"]["facets"]["lineagegraph"] = {"partition": {"region": "eu"}}
    graph.write(record, extract([failed]))
    assert states(graph, "daily", NOON) == {"eu": "stale", "us": "fresh"}


def test_the_end_of_its_data_counts_for_each_region_too(graph: Graph) -> None:
    event = run_event("daily", at=NOON)
    event["run"]["facets"]["nominalTime"] = {
        "nominalStartTime": (NOON - 25 * HOUR).isoformat(),
        "nominalEndTime": (NOON - HOUR).isoformat(),
    }
    event["run"]["facets"]["lineagegraph"] = {"partition": {"region": "eu"}}
    graph.write(record, extract([event]))
    freshness = Freshness(max_age=7200, counts=Counts.DATA_END)
    expect_each(graph, "job:default:daily", freshness=freshness)
    assert look(graph, NOON)["daily"].parts[0].judged.age == 3600


@pytest.mark.parametrize(
    "value",
    ['a","b', 'x\\","region":"y', "", "}", ",", "é\n", "null", '{"region":"eu"}', "a,", 7, None],
)
def test_any_value_is_a_region(graph: Graph, value: object) -> None:
    write(graph, "sales", NOON, {"a": "}", "region": value, "z": '","region":"no"'})
    write(graph, "sales", NOON, {'x","region': "no", 'y"region': "no", "z": ',"region":"no"'})
    write(graph, "sales", NOON - 9 * HOUR, {"region": "other"})
    expect_each(graph, "sales")
    text = value if isinstance(value, str) else canonical_json(value)
    assert {part.part for part in look(graph, NOON)["sales"].parts} == {text, "other"}


def test_an_alert_names_its_region_and_each_region_is_told_once(
    graph: Graph, watching: Settings
) -> None:
    write(graph, "sales", NOON, {"region": "eu"}, {"region": "us"})
    expect_each(graph, "sales")
    write(graph, "sales", NOON + 2 * HOUR, {"region": "us"})
    for _ in range(2):
        notify_freshness(graph, watching, NOON + 2 * HOUR)
    (one,) = read_notifications(graph, 10)
    assert (one.type, one.job) == ("dataset.stale", "sales")
    assert one.message == (
        "region eu: last success at 2026-01-05T12:00:00Z, terms: max age 1h per region; "
        "no cause found upstream"
    )
    notify_freshness(graph, watching, NOON + 4 * HOUR)
    write(graph, "sales", NOON + 4 * HOUR, {"region": "eu"})
    notify_freshness(graph, watching, NOON + 4 * HOUR + timedelta(seconds=1))
    assert told(graph) == [
        ("dataset.stale", "region eu"),
        ("dataset.stale", "region us"),
        ("dataset.fresh", "region eu"),
    ]
    key = find_node(graph, "sales").key
    unset_terms(graph, key, "sales")
    assert graph.query("MATCH (p:TermsPart) RETURN p") == []


def test_new_terms_begin_without_reported_regions(graph: Graph, watching: Settings) -> None:
    write(graph, "sales", NOON, {"region": "eu"})
    for _ in range(2):
        expect_each(graph, "sales")
        notify_freshness(graph, watching, NOON + 2 * HOUR)
        assert len(graph.query("MATCH (p:TermsPart) RETURN p")) == 1


def test_terms_per_region_go_with_a_job_that_gets_another_parent(
    graph: Graph, watching: Settings
) -> None:
    event = run_event("load", at=NOON)
    event["run"]["facets"]["lineagegraph"] = {"partition": {"region": "eu"}}
    graph.write(record, extract([event]))
    expect_each(graph, "job:default:load", ["us"])
    notify_freshness(graph, watching, NOON + 9 * HOUR)
    parent = new_id()
    again = run_event("load", run_id=event["run"]["runId"], at=NOON, parent=(parent, "etl"))
    graph.write(record, extract([again, run_event("etl", run_id=parent, at=NOON)]))
    assert states(graph, "etl.load", NOON + 9 * HOUR) == {"eu": "stale", "us": "stale"}
    before = told(graph)
    notify_freshness(graph, watching, NOON + 10 * HOUR)
    assert told(graph) == before
    assert graph.query("MATCH (p:TermsPart) WHERE NOT (p)<-[:HAS_PART]-() RETURN p") == []


@pytest.mark.parametrize(
    "wrong",
    [
        {"per": ""},
        {"expected": ("eu",)},
        {"per": "region", "expected": tuple(map(str, range(1001)))},
    ],
)
def test_parts_that_mean_nothing_are_refused(graph: Graph, wrong: dict[str, Any]) -> None:
    write(graph, "sales", NOON)
    terms = Terms(freshness=ONE_HOUR, **wrong)
    with pytest.raises(InvalidFreshness, match=r"^[^\n]+$"):
        set_terms(graph, find_node(graph, "sales").key, terms)


REGIONS = ("eu", "us", 'o"dd')
steps = st.lists(
    st.tuples(
        st.sampled_from([0, 10, 40, 100]),
        st.sets(st.sampled_from(REGIONS), max_size=2),
        st.sampled_from([0, 30, 200]),
    ),
    min_size=2,
    max_size=8,
)


@settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(script=steps)
def test_the_decisions_are_those_of_one_dataset_per_region(
    graph: Graph, watching: Settings, script: list[tuple[int, set[str], int]]
) -> None:
    """Minutes pass, then some regions are written, or all, with some minutes of delay."""
    graph.query("MATCH (n) WHERE NOT n:Migration DETACH DELETE n", write=True)
    write(graph, "all", NOON, {"region": "eu"})
    expect_each(graph, "all", ["eu"])
    known: set[str] = set()

    def write_apart(regions: set[str], at: datetime) -> None:
        for region in regions:
            write(graph, region, at)
        for region in regions - known:
            key = find_node(graph, f"dataset:lake:{region}").key
            set_terms(graph, key, Terms(freshness=ONE_HOUR), now=NOON)
        known.update(regions)

    whole: list[datetime] = []
    write_apart({"eu"}, NOON)
    now = NOON
    for minutes, regions, delay in script:
        now += timedelta(minutes=minutes)
        at = now - timedelta(minutes=delay)
        write(graph, "all", at, *({"region": region, "n": minutes} for region in sorted(regions)))
        if regions:
            new = regions - known
            write_apart(regions, at)
            for earlier in whole:
                write_apart(new, earlier)
        else:
            whole.append(at)
            write_apart(set(known), at)
        notify_freshness(graph, watching, now)
        found = {one.about.name: one for one in read_standings(graph, "UTC", now=now)}
        parts = {part.part: part.judged for part in found.pop("all").parts}
        assert parts == {name: one.judged for name, one in found.items()}
    alerts = read_notifications(graph, 1000)
    of_parts = [
        (one.type, (one.message or "").partition(":")[0].removeprefix("region "), one.at)
        for one in alerts
        if one.job == "all"
    ]
    apart = [(one.type, one.job, one.at) for one in alerts if one.job != "all"]
    assert sorted(of_parts) == sorted(apart)
