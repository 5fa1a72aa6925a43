"""Schedules that are changed, and answered in CDAP's words."""

import json
from datetime import time

import pytest

from lineagegraph.http.schedules.answers import constraint_shape
from lineagegraph.model.triggers.constraint import TimeRange
from lineagegraph.queries.triggers.schedules import as_schedule, watched_programs
from lineagegraph.triggers.schedules import SchedulePath, find_schedule, update_schedule
from tests.acceptance.schedules.projects import add_nightly

NIGHTLY = SchedulePath("default", "shop", "nightly")
GAP = {"kind": "gap", "seconds": 60}


def limit(runs):
    return {"constraints": [{"kind": "concurrency", "limit": runs}]}


def test_an_update_keeps_the_constraints_that_it_does_not_name(graph):
    def kinds():
        rule = json.loads(graph.read(find_schedule, NIGHTLY).rule)
        return [(one["kind"], one.get("limit")) for one in rule["constraints"]]

    add_nightly(graph)
    first = {"constraints": [GAP, *limit(1)["constraints"]]}
    graph.write(update_schedule, NIGHTLY, None, first)
    graph.write(update_schedule, NIGHTLY, None, limit(2), adds_constraints=True)
    assert kinds() == [("gap", None), ("concurrency", 2)]
    graph.write(update_schedule, NIGHTLY, None, limit(3))
    assert kinds() == [("concurrency", 3)]


def test_a_program_that_is_gone_is_not_among_those_watched(graph):
    add_nightly(graph)
    found = as_schedule(graph.read(find_schedule, NIGHTLY))
    assert list(watched_programs(graph, [found])) == [("default", "load")]
    graph.query("MATCH (j:Job {name: 'load'}) SET j.hidden_at = datetime()", write=True)
    assert watched_programs(graph, [found]) == {}


@pytest.mark.parametrize(("end", "is_shape"), [(time(23, 59), True), (time(23, 59, 59), False)])
def test_a_time_range_with_seconds_stays_as_stated(end, is_shape):
    constraint = TimeRange(start=time(22), end=end, zone="UTC")
    assert (constraint_shape(constraint) is constraint) is not is_shape
