"""A schedule fills the dates and times of a pipeline's partition."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from lineagegraph.backfills.start import preview_backfill
from lineagegraph.errors import BackfillRefused
from lineagegraph.graph import Graph
from lineagegraph.model.runs.states import RunState
from lineagegraph.model.triggers.backfill import BackfillSpan, NominalRange
from lineagegraph.model.triggers.condition import OnCron
from lineagegraph.model.triggers.trigger import Trigger
from lineagegraph.neo4j_server import ServerAddress
from lineagegraph.queries.find.find import find_job
from lineagegraph.reading.sync import sync_path
from lineagegraph.settings import Settings
from lineagegraph.triggers.preview.preview import preview_trigger
from lineagegraph.triggers.react import react_to_times
from tests.command_line import CommandLine
from tests.project import Project

TASK = """
from datetime import date, datetime
from lineagegraph import on

lg.pipeline("p", tasks=[lg.command("load", ["true"])], {options})
"""


def fire(project: Project, options: str) -> dict[str, Any]:
    """Sync a pipeline, let its schedule come once, and return the run with its parameters."""
    project.state(TASK.format(options=options))
    graph = project.graph
    (due,) = graph.query("MATCH (c:Condition) RETURN c.next_at AS at")
    at: datetime = due["at"]
    (started,) = graph.write(react_to_times, now=at + timedelta(seconds=1))
    assert started.run_id is not None
    project.carry_out(started.run_id)
    (run,) = graph.query(
        "MATCH (r:Run {id: $id}) RETURN r.state AS state, r.params AS params, r.partition AS part",
        {"id": started.run_id},
    )
    return run | {"at": at}


@pytest.fixture
def project(graph: Graph, settings: Settings, tmp_path: Path) -> Project:
    return Project(tmp_path / "etl", graph, settings.home)


def test_a_date_takes_the_day_of_the_scheduled_time_in_the_zone_of_the_schedule(
    project: Project,
) -> None:
    run = fire(
        project,
        'params={"day": date, "region": "EU"}, partition_by=["region", "day"], '
        'trigger=on.cron("30 0 * * *", zone="Pacific/Auckland")',
    )
    assert run["state"] == "COMPLETED"
    # Half past midnight in Auckland is the day before in UTC.
    day = run["at"].astimezone(ZoneInfo("Pacific/Auckland")).date()
    assert f'"day":"{day}"' in str(run["params"]).replace(" ", "")
    assert str(day) in str(run["part"])


def test_a_datetime_takes_the_scheduled_time_and_defaults_of_a_partition_give_way(
    project: Project,
) -> None:
    run = fire(
        project,
        'params={"hour": datetime(2026, 1, 1)}, partition_by="hour", trigger=on.every("1h")',
    )
    assert run["at"].astimezone(UTC).isoformat() in str(run["params"])


def test_a_backfill_in_another_zone_knows_the_hours_that_a_schedule_ran(project: Project) -> None:
    run = fire(
        project,
        'params={"hour": datetime}, partition_by="hour", trigger=on.cron("0 * * * *", zone="UTC")',
    )
    hour = run["at"].astimezone(ZoneInfo("Asia/Tokyo")).isoformat(timespec="minutes")[:16]
    span = BackfillSpan(times=NominalRange(hour, hour, "1h", "Asia/Tokyo"))
    (planned,) = preview_backfill(project.graph, find_job(project.graph, "p").key, span)
    assert planned.params["hour"] == f"{hour}:00+09:00"
    assert (planned.latest_state, planned.will_run) == (RunState.COMPLETED, False)
    both = {"hour": [f"{hour}:00+09:00", run["at"].astimezone(UTC).isoformat()]}
    with pytest.raises(BackfillRefused, match="two runs with different parameters"):
        preview_backfill(project.graph, find_job(project.graph, "p").key, BackfillSpan(values=both))


def test_properties_of_the_trigger_go_before_the_scheduled_time(project: Project) -> None:
    run = fire(
        project,
        'params={"day": date}, partition_by="day", '
        'trigger=lg.trigger(on.every("1d"), properties={"day": "2026-02-03"})',
    )
    assert "2026-02-03" in str(run["params"])


def test_a_preview_shows_the_scheduled_day(project: Project) -> None:
    options = 'params={"day": date}, trigger=on.cron("30 0 * * *", zone="Pacific/Auckland")'
    project.state(TASK.format(options=options))
    (pipeline,) = project.sync().pipelines
    assert pipeline.pipeline == "p"
    rule = Trigger(when=OnCron(cron="30 0 * * *", zone="Pacific/Auckland"))
    job = find_job(project.graph, "p")
    now = datetime(2026, 3, 2, 12, tzinfo=UTC)
    found = project.graph.read(
        preview_trigger, rule, starts=job.key, namespace="default", span=timedelta(days=1), now=now
    )
    assert [(one.parameters, one.trouble) for one in found.firings] == [
        ({"day": "2026-03-03"}, None)
    ]


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ('params={"region": str}, trigger=on.cron("0 6 * * *", zone="UTC")', "region"),
        ('params={"first": date, "last": date}, trigger=on.every("1d")', "first"),
        ('params={"n": int}, trigger=on.success("a") | on.every("1d")', "n"),
        (
            'params={"n": int}, trigger=lg.trigger(on.every("1d"), arguments={"n": "count"})',
            "n",
        ),
    ],
)
def test_a_schedule_that_leaves_a_parameter_without_a_value_is_refused_in_one_line(
    project: Project, options: str, name: str
) -> None:
    text = "import lineagegraph as lg\n" + TASK.format(options=options)
    (project.folder / "flows.py").write_text(text)
    (failure,) = sync_path(project.graph, project.settings, project.folder).failures
    assert failure.startswith("flows.py:6: ")
    assert f"parameter {name} (" in failure
    assert "\n" not in failure
    assert "properties=" in failure


@pytest.mark.parametrize(
    "options",
    [
        'params={"n": int}, trigger=on.success("a") & on.every("1d")',
        'params={"n": int}, trigger=lg.trigger(on.every("1d"), properties={"n": 1})',
        'params={"n": int}, trigger=lg.trigger(on.every("1d"), '
        'arguments={"n": lg.payload("n", default=1)})',
    ],
)
def test_a_schedule_whose_runs_get_all_values_is_accepted(project: Project, options: str) -> None:
    project.state(TASK.format(options=options))


def test_status_counts_dead_letters_with_the_command_that_starts_them(
    project: Project, server: ServerAddress
) -> None:
    project.state(TASK.format(options='params={"n": int}, trigger=on.event("go")'))
    graph = project.graph
    graph.query(
        "MATCH (t:Trigger)-[:STARTS]->(:Job {fqn: 'p'}) UNWIND range(1, 2) AS n "
        "CREATE (t)-[:FIRED]->(:Firing {key: toString(n), trigger_id: t.id, state: 'DEAD_LETTER',"
        " fired_at: datetime()})",
        write=True,
    )
    said = CommandLine(server)("status").stdout
    assert "dead     2 dead letters of p: " in said
    assert "trigger redrive p" in said
