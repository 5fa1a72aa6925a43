"""`trigger next`: what all schedules start until a time."""

import json
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from lineagegraph.cli.options import read_until
from lineagegraph.graph import Graph
from lineagegraph.neo4j_server import ServerAddress
from tests.command_line import CommandLine
from tests.project import Project

FLOWS = """
from lineagegraph import on

def state(name, trigger):
    lg.pipeline(name, tasks=[lg.command("a", ["true"])], trigger=trigger)

state("often", on.every("1h"))
state("minutes", on.cron("*/30 * * * *", zone="UTC"))
state("late", on.every("3d"))
state("never", on.success("often"))
"""


def test_the_times_of_all_triggers_come_in_order_until_a_time(
    graph: Graph, server: ServerAddress, tmp_path: Path
) -> None:
    Project(tmp_path / "project", graph, tmp_path / "home").state(FLOWS)
    said = CommandLine(server)
    rows = json.loads(said("trigger", "next", "--until", "3h", "--json").stdout)
    times = [datetime.fromisoformat(row["at"]) for row in rows]
    assert times == sorted(times)
    assert times[-1] <= datetime.now(UTC) + timedelta(hours=3)
    jobs = [row["job"] for row in rows]
    assert (jobs.count("minutes"), set(jobs)) == (6, {"often", "minutes"})
    assert jobs.count("often") in (2, 3)
    table = said("trigger", "next", "--until", "3h", "--limit", "2").stdout.splitlines()
    assert len(table) == 3
    assert re.match(r"\d{4}-\d\d-\d\d \d\d:\d\d \S+ +(often|minutes)", table[1])
    assert "late" in said("trigger", "next", "--until", "4d", "--limit", "1000").stdout
    assert said("trigger", "next", "often", "--until", "3h").returncode == 2


@pytest.mark.parametrize("text", ["06:00", "6:00", "23:59", "00:00"])
def test_a_time_of_day_is_the_next_one(text: str) -> None:
    at, now = read_until(text), datetime.now().astimezone()
    assert now < at <= now + timedelta(hours=25)
    assert f"{at:%H:%M}" == text.zfill(5)
