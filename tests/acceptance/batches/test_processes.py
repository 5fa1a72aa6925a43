"""Batches that many processes submit, carry out, lose and go on with."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.acceptance.batches.yard import Yard
from tests.acceptance.processes import until


@pytest.mark.parametrize("each", [2, pytest.param(5, marks=pytest.mark.soak)])
def test_submissions_from_four_processes_are_one_execution_a_task(yard: Yard, each: int) -> None:
    yard.sync("""
    rides = work("rides", 2)
    lg.batch("kpi", tasks=[rides, work("drivers", 1), work("daily", 1, after=[rides])])
    """)
    yard.up()

    def submit(number: int) -> None:
        for _ in range(each):
            yard.submit("kpi")

    with ThreadPoolExecutor(4) as processes:
        list(processes.map(submit, range(4)))
    until(lambda: len(yard.ended("kpi")) == 4 * each, 240)
    assert sorted(yard.ran) == ["daily", "drivers", "rides"]
    assert {"COMPLETED", "FRESH_SKIP"} >= set(yard.ended("kpi"))
    assert yard.states("kpi.daily").count("COMPLETED") == 1


def test_tasks_that_wait_keep_no_slot_from_what_they_wait_for(yard: Yard) -> None:
    yard.sync("""
    lg.batch("finance", tasks=[work("fx")])
    lg.batch("kpi", tasks=[work("daily", dependencies=["finance.fx"])])
    lg.batch("gold", tasks=[work("daily", dependencies=["kpi.daily"])])
    """)
    yard.commands.environment["LINEAGEGRAPH_WORKER_SLOTS"] = "1"
    yard.up()
    yard.submit("gold")
    yard.submit("kpi")
    yard.until("kpi.daily", "WAITING")
    yard.until("gold.daily", "WAITING")
    assert "finance.fx never succeeded" in yard.message("kpi.daily")
    yard.submit("finance")
    yard.until("gold", "COMPLETED")
    assert yard.ran == ["fx", "daily", "daily"]


def test_a_run_that_only_waits_is_left_by_its_process_and_carried_on_by_another(yard: Yard) -> None:
    yard.sync("""
    lg.batch("finance", tasks=[work("fx")])
    first = work("first")
    need = lg.depends("finance.fx", wait="10m")
    lg.batch("kpi", tasks=[first, work("daily", after=[first], dependencies=[need])])
    """)
    yard.commands.environment["LINEAGEGRAPH_RESTING_WORKERS"] = "0"
    yard.up()
    yard.submit("kpi")
    until(lambda: yard.launch("kpi") == "PARKED", 90)
    deadline = yard.deadline("kpi.daily")
    yard.submit("finance")
    yard.until("kpi", "COMPLETED")
    assert yard.states("kpi.first") == ["COMPLETED"]
    assert yard.states("kpi.daily") == ["COMPLETED"]
    assert yard.deadline("kpi.daily") == deadline
    assert yard.ran == ["first", "fx", "daily"]


def test_a_parked_run_is_cancelled(yard: Yard) -> None:
    yard.sync("""
    lg.batch("finance", tasks=[work("fx")])
    lg.batch("kpi", tasks=[work("daily", dependencies=["finance.fx"])])
    """)
    yard.commands.environment["LINEAGEGRAPH_RESTING_WORKERS"] = "0"
    yard.up()
    yard.submit("kpi")
    until(lambda: yard.launch("kpi") == "PARKED", 90)
    assert yard.commands("cancel", yard.run_id("kpi")).returncode == 0
    yard.until("kpi", "KILLED")
    assert yard.ran == []


def test_after_everything_was_killed_nothing_that_ended_runs_again(yard: Yard) -> None:
    yard.sync("""
    lg.batch("finance", tasks=[work("fx")])
    rides = work("rides")
    slow = work("slow", 8, after=[rides])
    need = lg.depends("finance.fx", wait="10m")
    lg.batch("kpi", tasks=[rides, slow, work("daily", after=[slow], dependencies=[need])])
    """)
    yard.up()
    yard.submit("kpi")
    until(lambda: yard.ran == ["rides", "slow"], 90)
    yard.kill_all()
    yard.up()
    yard.until("kpi.daily", "WAITING", seconds=150)
    assert yard.ran == ["rides", "slow", "slow"]
    assert yard.states("kpi.rides") == ["COMPLETED"]
    assert yard.states("kpi.slow") == ["FAILED", "COMPLETED"]
    yard.submit("finance")
    yard.until("kpi", "COMPLETED")
    assert yard.ran == ["rides", "slow", "slow", "fx", "daily"]


def test_what_is_upstream_is_submitted_too_where_this_is_asked_for(yard: Yard) -> None:
    yard.sync("""
    raw = work("raw")
    lg.batch("finance", tasks=[raw, work("fx", after=[raw]), work("other")])
    lg.batch("kpi", tasks=[work("daily", dependencies=["finance.raw"])])
    """)
    yard.up()
    yard.submit("kpi", "--with-upstream")
    yard.until("kpi", "COMPLETED")
    assert yard.ran == ["raw", "daily"]
