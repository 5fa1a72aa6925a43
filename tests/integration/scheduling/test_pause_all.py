"""A pause of all triggers: nothing starts by a trigger until its end."""

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest

from lineagegraph.admin.audit import AuditFilter, list_entries
from lineagegraph.errors import InvalidPause, NotFound
from lineagegraph.graph import Graph
from lineagegraph.model.triggers.condition import And, OnCron, OnEvent, OnInterval
from lineagegraph.model.triggers.constraint import Delay
from lineagegraph.model.triggers.trigger import CatchUp, Trigger
from lineagegraph.neo4j_server import ServerAddress
from lineagegraph.queries.triggers.upcoming import read_upcoming
from lineagegraph.settings import Settings
from lineagegraph.store.triggers.pauses import get_pause
from lineagegraph.triggers.held import release_held
from lineagegraph.triggers.pause import pause_all, resume_all, resume_due
from lineagegraph.triggers.react import react_to_times
from lineagegraph.triggers.write import enable_trigger
from lineagegraph.views.now import NowView
from lineagegraph.views.trigger_panel import TriggerPanelView
from tests.command_line import CommandLine
from tests.integration.scheduling.rules import GO, end, firing_states, say, write_rules

NOW = datetime(2026, 3, 6, 18, tzinfo=UTC)
HOUR = timedelta(hours=1)
END = NOW + 60 * HOUR
BOTH = And(operands=(GO, OnEvent(name="also")))


def pause(graph: Graph, until: datetime | None = END, now: datetime = NOW) -> None:
    graph.write(pause_all, "weekend", until, author="ann", now=now)


def test_a_trigger_starts_nothing_in_a_pause_and_again_after_its_end(graph: Graph) -> None:
    graph.write(write_rules, {"go": Trigger(when=GO)}, NOW - HOUR)
    pause(graph)
    assert graph.write(say, "go", NOW + HOUR) == []
    assert not graph.write(resume_due, now=END - HOUR)
    assert graph.write(resume_due, now=END + HOUR)
    assert graph.write(say, "go", END + HOUR, at=END - timedelta(minutes=1)) == [], "a late event"
    assert len(graph.write(say, "go", END + 2 * HOUR)) == 1


def test_events_after_the_end_count_before_a_daemon_has_ended_the_pause(graph: Graph) -> None:
    graph.write(write_rules, {"go": Trigger(when=GO)}, NOW - HOUR)
    pause(graph)
    late = END + timedelta(minutes=5)
    assert graph.write(say, "go", late, at=END - timedelta(minutes=1)) == []
    assert len(graph.write(say, "go", late)) == 1


def test_times_of_the_pause_are_not_made_up_for_but_those_after_its_end_are(graph: Graph) -> None:
    rule = Trigger(when=OnInterval(seconds=3600), catch_up=CatchUp.ALL)
    graph.write(write_rules, {"hourly": rule}, NOW - HOUR / 2)
    pause(graph)
    assert graph.write(react_to_times, now=NOW + HOUR) == []
    late = END + 2.5 * HOUR
    assert graph.write(react_to_times, now=late) == [], "the pause has to be ended first"
    assert graph.write(resume_due, now=late)
    assert len(graph.write(react_to_times, now=late)) == 2


def test_a_pause_keeps_and_drops_the_same_occurrences_as_suspending_each_trigger(
    graph: Graph,
) -> None:
    """Half-met conditions stay; what comes in the pause does not count."""
    ids = graph.write(
        write_rules, {"all": Trigger(when=BOTH), "single": Trigger(when=BOTH)}, NOW - HOUR
    )
    graph.write(say, "go", NOW - HOUR / 2)
    single = {"trigger_id": ids["single"]}
    graph.write(enable_trigger, enabled=False, now=NOW, **single)
    pause(graph)
    for minutes in (10, 20):
        graph.write(say, "also", NOW + timedelta(minutes=minutes))
    graph.write(enable_trigger, enabled=True, now=END, **single)
    graph.write(resume_due, now=END)
    assert firing_states(graph) == {}
    assert len(graph.write(say, "also", END + HOUR)) == 2


def test_held_firings_wait_and_start_after_the_pause(graph: Graph) -> None:
    held = Delay(seconds=600)
    graph.write(write_rules, {"slow": Trigger(when=GO, constraints=(held,))}, NOW - HOUR)
    graph.write(say, "go", NOW - HOUR / 60)
    pause(graph)
    assert release_held(graph, now=NOW + HOUR) == []
    graph.write(resume_all, now=NOW + 2 * HOUR)
    assert len(release_held(graph, now=NOW + 2 * HOUR)) == 1


def test_failed_runs_are_not_rerun(graph: Graph) -> None:
    graph.write(write_rules, {"go": Trigger(when=GO, reruns=3)}, NOW - HOUR)
    graph.write(say, "go", NOW - HOUR / 2)
    (run,) = graph.query("MATCH (r:Run) RETURN r.id AS id")
    pause(graph)
    end(graph, "go", "FAIL", at=NOW + HOUR, run_id=run["id"])
    (row,) = graph.query("MATCH (r:Run) RETURN count(r) AS runs")
    assert row["runs"] == 1


def test_a_trigger_that_is_enabled_in_the_pause_waits_for_its_end(graph: Graph) -> None:
    (id_,) = graph.write(write_rules, {"go": Trigger(when=GO)}, NOW - HOUR).values()
    graph.write(enable_trigger, trigger_id=id_, enabled=False, now=NOW - HOUR / 2)
    pause(graph)
    graph.write(enable_trigger, trigger_id=id_, enabled=True, now=NOW + HOUR)
    graph.write(write_rules, {"new": Trigger(when=GO)}, NOW + HOUR)
    assert graph.write(say, "go", NOW + 2 * HOUR) == []
    graph.write(resume_due, now=END)
    assert len(graph.write(say, "go", END + HOUR)) == 2


def test_what_was_suspended_before_the_pause_stays_suspended(graph: Graph) -> None:
    (id_,) = graph.write(write_rules, {"go": Trigger(when=GO)}, NOW - HOUR).values()
    graph.write(enable_trigger, trigger_id=id_, enabled=False, now=NOW - HOUR / 2)
    pause(graph)
    graph.write(resume_due, now=END)
    assert graph.write(say, "go", END + HOUR) == []


def test_daemons_that_end_a_pause_at_once_end_it_once(graph: Graph) -> None:
    graph.write(write_rules, {"hourly": Trigger(when=OnInterval(seconds=3600))}, NOW - HOUR)
    for _ in range(5):
        pause(graph)
        with ThreadPoolExecutor(8) as pool:
            ended = list(pool.map(lambda _: graph.write(resume_due, now=END), range(8)))
        assert sum(ended) == 1
        assert graph.read(get_pause, now=END) is None
    entries = list_entries(graph, AuditFilter(action="triggers.expire"), limit=9)
    assert [json.loads(one.before or "")["reason"] for one in entries] == ["weekend"] * 5


def test_a_pause_needs_a_reason_and_an_end_in_the_future(graph: Graph) -> None:
    with pytest.raises(InvalidPause, match="give a reason"):
        graph.write(pause_all, " ", END, now=NOW)
    with pytest.raises(InvalidPause, match="must end in the future"):
        pause(graph, NOW - HOUR)
    assert graph.read(get_pause, now=NOW) is None
    with pytest.raises(NotFound, match="not paused"):
        graph.write(resume_all, now=NOW)


def test_the_reason_of_a_pause_has_no_secrets(graph: Graph) -> None:
    graph.write(pause_all, "postgres://ann:s3cr3t@db is down", END, now=NOW)
    assert "s3cr3t" not in str(graph.query("MATCH (n) RETURN properties(n) AS p"))


def test_a_pause_until_the_end_of_all_dates_goes_with_schedules(
    graph: Graph, settings: Settings
) -> None:
    cron, every = OnCron(cron="* * * * *", zone="UTC"), OnInterval(seconds=60)
    now = datetime.now(UTC)
    pause(graph, datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC), now)
    ids = graph.write(write_rules, {"a": Trigger(when=cron), "b": Trigger(when=every)}, now)
    assert NowView(graph, settings).answer_now().next == []
    for id_ in ids.values():
        graph.write(enable_trigger, trigger_id=id_, enabled=False, now=now)
        graph.write(enable_trigger, trigger_id=id_, enabled=True, now=now)
    assert graph.write(react_to_times, now=now + HOUR) == []
    graph.write(resume_all, now=now + HOUR)
    assert len(graph.write(react_to_times, now=now + 2 * HOUR)) == 2


def test_a_new_pause_replaces_reason_and_end_and_keeps_the_start(graph: Graph) -> None:
    pause(graph, None)
    graph.write(pause_all, "longer", END, author="bob", now=NOW + HOUR)
    found = graph.read(get_pause, now=NOW + 2 * HOUR)
    assert found
    assert (found.reason, found.author, found.since, found.until) == ("longer", "bob", NOW, END)


def test_the_command_line_the_page_and_the_next_times_show_the_pause(
    graph: Graph, settings: Settings, server: ServerAddress
) -> None:
    now = datetime.now(UTC)
    graph.write(write_rules, {"hourly": Trigger(when=OnInterval(seconds=3600))}, now)
    said = CommandLine(server)
    assert said("pause", "--reason", "weekend").returncode == 2
    paused = said("pause", "--all", "--reason", "weekend", "--until", "3h", "--author", "ann")
    assert "all triggers are paused until" in paused.stdout
    (line,) = json.loads(said("status", "--json").stdout)["paused"]
    assert line["text"].endswith("by ann: weekend")
    assert "by ann: weekend" in said("trigger", "why", "hourly").stdout
    assert "by ann: weekend" in said("trigger", "list").stdout
    assert len(json.loads(said("trigger", "list", "--json").stdout)) == 1
    panel = TriggerPanelView(graph, settings).answer_paused()
    assert panel
    assert panel.reason == "weekend"
    shown = NowView(graph, settings).answer_now()
    assert shown.paused
    assert shown.paused.reason == "weekend"
    (first, *_) = graph.read(read_upcoming, now + 9 * HOUR, 10)
    assert first.at > now + 3.9 * HOUR
    assert "start runs again" in said("resume", "--all").stdout
    assert json.loads(said("status", "--json").stdout)["paused"] == []
    assert said("pause", "--all", "--reason", "stop").returncode == 0
    assert graph.read(read_upcoming, now + 9 * HOUR, 10) == []


def test_a_trigger_that_is_new_after_the_end_of_a_pause_fires_at_no_time_before(
    graph: Graph,
) -> None:
    pause(graph)
    late = END + 3 * HOUR
    rule = Trigger(when=OnCron(cron=f"0 {(END + HOUR).hour} * * *", zone="UTC"))
    graph.write(write_rules, {"daily": rule}, late)
    assert graph.write(resume_due, now=late + HOUR / 60)
    assert graph.write(react_to_times, now=late + HOUR / 30) == []
    assert len(graph.write(react_to_times, now=END + 25 * HOUR)) == 1


def test_a_rule_that_is_back_after_the_end_of_a_pause_fires_at_no_time_before(
    graph: Graph,
) -> None:
    hourly = Trigger(when=OnInterval(seconds=3600), catch_up=CatchUp.ALL)
    graph.write(write_rules, {"hourly": hourly}, NOW - 2 * HOUR)
    assert graph.write(react_to_times, now=NOW - HOUR)
    graph.write(write_rules, {"hourly": Trigger(when=GO)}, NOW - HOUR / 2)
    pause(graph)
    late = END + 3 * HOUR
    graph.write(write_rules, {"hourly": hourly}, late)
    assert graph.write(resume_due, now=late + HOUR / 60)
    assert graph.write(react_to_times, now=late + HOUR / 30) == []
    assert len(graph.write(react_to_times, now=late + HOUR)) == 1


def test_no_time_outside_of_the_dates_of_a_pipeline_comes_next(graph: Graph) -> None:
    now = datetime.now(UTC)
    graph.write(write_rules, {"hourly": Trigger(when=OnInterval(seconds=3600))}, now)
    dates = {"first": now + 2.5 * HOUR, "last": now + 4.5 * HOUR}
    graph.query(
        "MATCH (j:Job {fqn: 'hourly'}) SET j.current_version = 'v' "
        "CREATE (:JobVersion {hash: 'v', job_key: j.key, start_date: $first, end_date: $last})",
        dates,
        write=True,
    )
    found = [one.at for one in graph.read(read_upcoming, now + 9 * HOUR, 10)]
    assert found == [now + 3 * HOUR, now + 4 * HOUR]
