"""What comes: rules replayed forward, dead letters, and what will be stale."""

import json
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from lineagegraph.admin.freshness import set_terms
from lineagegraph.graph import Graph, Transaction
from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.record import record
from lineagegraph.model.freshness.standing import Terms
from lineagegraph.model.freshness.terms import Freshness
from lineagegraph.model.names.keys import dataset_key
from lineagegraph.model.triggers.trigger_json import decode_trigger
from lineagegraph.neo4j_server import ServerAddress
from lineagegraph.queries.find.find import find_job
from lineagegraph.settings import Settings
from lineagegraph.triggers.edit import edit_trigger
from lineagegraph.triggers.pause import pause_all
from lineagegraph.views.forecast import Forecast, read_forecast
from lineagegraph.views.now import NowView
from tests.command_line import CommandLine
from tests.events import run_event
from tests.integration.freshness.theatre import CountedTransaction
from tests.project import Project

FLOWS = """
from datetime import date
from lineagegraph import on

def state(name, trigger=None, **options):
    lg.pipeline(name, tasks=[lg.command("a", ["true"])], trigger=trigger, **options)

state("load", on.every("1h"))
state("sum", on.success("load"))
state("report", on.dataset("lake", "gold") & on.success("sum"))
state("asked", on.event("bell") & on.success("load"))
state("day", on.cron("*/30 * * * *", zone="UTC"), params={"day": date}, partition_by=["day"])
state("needy", params={"edition": str})
"""
PIPELINE = """
lg.pipeline("p{}", tasks=[lg.command("a", ["true"])], trigger=lg.on.every("1h"))
"""


@pytest.fixture(autouse=True)
def flows(graph: Graph, tmp_path: Path) -> None:
    """`load` every hour, `sum` after it, `report` after what `sum` writes; each takes 5 minutes."""
    Project(tmp_path / "project", graph, tmp_path / "home").state(FLOWS)
    end = datetime.now(UTC) - timedelta(hours=5)
    events = []
    for job in ("load", "sum", "report"):
        outputs = (("lake", "gold"),) if job == "sum" else ()
        start = run_event(job, "START", at=end - timedelta(minutes=5))
        ended = run_event(job, run_id=start["run"]["runId"], at=end, outputs=outputs)
        events += [start, ended]
    graph.write(record, extract(events))


def look(graph: Graph, hours: float) -> Forecast:
    return read_forecast(graph, "UTC", datetime.now(UTC) + timedelta(hours=hours))


def test_a_time_of_day_that_has_just_passed_is_that_of_tomorrow(
    graph: Graph, settings: Settings
) -> None:
    now = datetime.now(UTC)
    asked = now - timedelta(minutes=10)
    utc = settings.model_copy(update={"zone": "UTC"})
    found = NowView(graph, utc).answer_forecast(f"{asked:%H:%M}")
    times = [run.at for run in found.runs if run.job == "day"]
    assert len(times) >= 2
    assert all(timedelta(hours=23) < at - now < timedelta(hours=25) for at in times)


def test_around_a_time_a_trigger_of_each_minute_has_all_its_runs_and_data_is_judged_at_that_time(
    graph: Graph, settings: Settings, tmp_path: Path
) -> None:
    Project(tmp_path / "minutes", graph, tmp_path / "home").state(
        'lg.pipeline("each", tasks=[lg.command("a", ["true"])], '
        'trigger=lg.on.cron("* * * * *", zone="UTC"))'
    )
    view = NowView(graph, settings.model_copy(update={"zone": "UTC"}))
    asked = (datetime.now(UTC) + timedelta(hours=22)).replace(second=0, microsecond=0)
    # It is late ten minutes after the time that is asked for.
    lapses = asked - datetime.now(UTC) + timedelta(minutes=10)
    terms = Terms(freshness=Freshness(max_age=lapses.total_seconds()), grace=0.0)
    graph.write(record, extract([run_event("once", outputs=(("lake", "late"),))]))
    set_terms(graph, dataset_key("lake", "late"), terms)
    found = view.answer_forecast(f"{asked:%H:%M}")
    runs = [run for run in found.runs if run.job == "each"]
    assert any(run.at == asked for run in runs)
    assert len(runs) >= 60
    assert found.total >= len(found.runs)
    assert [one.node for one in found.stale if one.node.endswith("late")] == []
    later = view.answer_forecast(f"{asked + timedelta(minutes=20):%H:%M}")
    assert [one.node for one in later.stale if one.node.endswith("late")] == ["dataset:lake:late"]


def test_rules_are_replayed_forward_through_what_they_start(graph: Graph) -> None:
    found = look(graph, 2.5)
    times = {
        job: [run.at for run in found.runs if run.job == job] for job in ("load", "sum", "report")
    }
    assert [len(at) for at in times.values()] == [2, 2, 2]
    for before, after in (("load", "sum"), ("sum", "report")):
        for first, then in zip(times[before], times[after], strict=True):
            assert then - first == timedelta(minutes=5)
    assert [run for run in found.runs if run.job == "asked"] == []
    assert all(run.trouble is None for run in found.runs)
    assert [run.at for run in found.runs] == sorted(run.at for run in found.runs)


def test_a_run_is_never_foreseen_before_what_starts_it(graph: Graph) -> None:
    # The clock of the machine that reports ends is five hours behind.
    begin, events = datetime.now(UTC) - timedelta(hours=4), []
    for _ in range(3):
        start = run_event("load", "START", at=begin)
        ended = run_event("load", run_id=start["run"]["runId"], at=begin - timedelta(hours=5))
        events += [start, ended]
    graph.write(record, extract(events))
    found = look(graph, 2.5).runs
    loads, sums = ([run.at for run in found if run.job == job] for job in ("load", "sum"))
    assert [then - first for first, then in zip(loads, sums, strict=True)] == [
        timedelta(minutes=5)
    ] * 2


def test_a_firing_that_cannot_start_is_told_before(graph: Graph) -> None:
    rule = decode_trigger({"when": {"on": "cron", "cron": "*/30 * * * *", "zone": "UTC"}})
    key = find_job(graph, "needy").key
    graph.write(
        edit_trigger, rule, starts=key, name="often", namespace="default", is_new=True, enabled=True
    )
    runs = [run for run in look(graph, 1).runs if run.job == "needy"]
    assert len(runs) == 2
    assert all("parameter edition of needy: missing" in str(run.trouble) for run in runs)
    assert all(run.trouble is None for run in look(graph, 1).runs if run.job == "day")


def test_a_pause_of_all_triggers_leaves_out_what_is_before_its_end(graph: Graph) -> None:
    until = datetime.now(UTC) + timedelta(hours=1, minutes=10)
    graph.write(pause_all, "weekend", until, author="ann")
    runs = look(graph, 2.5).runs
    assert runs
    assert all(run.at >= until for run in runs)
    graph.write(pause_all, "for ever", None, author="ann")
    assert look(graph, 2.5).runs == ()


def test_what_will_be_stale_is_told_with_the_reason(graph: Graph) -> None:
    graph.write(record, extract([run_event("vendor", outputs=(("lake", "fares"),))]))
    for name, age in (("gold", 6.0), ("fares", 2.0)):
        terms = Terms(freshness=Freshness(max_age=age * 3600), grace=0.0)
        set_terms(graph, dataset_key("lake", name), terms)
    # `sum` writes gold again before it lapses.
    (stale,) = look(graph, 4).stale
    assert stale.node == "dataset:lake:fares"
    assert abs(stale.at - datetime.now(UTC) - timedelta(hours=2)) < timedelta(minutes=1)
    assert stale.why == "no trigger here starts vendor; owner unknown"
    graph.write(pause_all, "for ever", None, author="ann")
    reasons = {one.node: one.why for one in look(graph, 4).stale}
    assert reasons["dataset:lake:gold"].startswith("sum is not foreseen to run: load COMPLETED")


def test_the_end_of_a_foreseen_run_is_told_in_the_zone(graph: Graph) -> None:
    terms = Terms(freshness=Freshness(max_age=3600.0), grace=0.0)
    set_terms(graph, dataset_key("lake", "gold"), terms)
    starts = next(run.at for run in look(graph, 2.5).runs if run.job == "sum")
    (stale,) = read_forecast(graph, "Asia/Tokyo", starts + timedelta(minutes=2)).stale
    ends = (starts + timedelta(minutes=5)).astimezone(ZoneInfo("Asia/Tokyo"))
    assert stale.why == f"the next run that makes it fresh ends about {ends:%Y-%m-%d %H:%M} JST"


def test_many_stale_tables_and_schedules_take_as_many_statements_as_a_few(
    graph: Graph, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    project = Project(tmp_path / "more", graph, tmp_path / "home")

    def state_more(first: int, last: int) -> None:
        for number in range(first, last):
            table = ("lake", f"table_{number}")
            writer = run_event(f"writer_{number}", inputs=(("lake", "gold"),), outputs=(table,))
            graph.write(record, extract([writer]))
            set_terms(graph, dataset_key(*table), Terms(freshness=Freshness(max_age=0.1), grace=0))
        project.state("".join(PIPELINE.format(one) for one in range(last)))

    counts = []
    for first, last in ((0, 2), (2, 12)):
        state_more(first, last)
        time.sleep(0.2)
        statements: list[str] = []
        with monkeypatch.context() as patch:
            patch.setattr(graph, "read", counted(graph.read, statements))
            found = look(graph, 4)
        assert len(found.stale) == last
        assert {one.why for one in found.stale} == {
            f"no trigger here starts writer_{number}; owner unknown" for number in range(last)
        }
        assert {f"p{number}" for number in range(last)} < {run.job for run in found.runs}
        counts.append(len(statements))
    assert counts[0] == counts[1]


def counted(read: Callable[..., Any], statements: list[str]) -> Callable[..., Any]:
    """Return `read` that notes the first line of each statement."""

    def read_counted(work: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        def counted_work(tx: Transaction) -> Any:
            return work(CountedTransaction(tx, statements), *args, **kwargs)

        return read(counted_work)

    return read_counted


def test_the_command_counts_and_lists_them(graph: Graph, server: ServerAddress) -> None:
    said = CommandLine(server)("forecast", "--until", "150m").stdout
    assert ": 11 runs, 0 stale" in said
    assert "load COMPLETED" in said
    assert "+0000" not in said
    rows = json.loads(CommandLine(server)("forecast", "--until", "150m", "--json").stdout)
    assert {run["job"] for run in rows["runs"]} == {"load", "sum", "report", "day"}
