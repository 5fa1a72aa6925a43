"""Whole runs of batches, carried out one after the other in this process."""

import pytest

from lineagegraph.admin.skips import add_skip
from lineagegraph.model.freshness.standing import FreshState
from lineagegraph.queries.find.find import find_job
from lineagegraph.queries.freshness.freshness import read_standings, with_causes
from tests.project import Project

WORK = """
def work(name, **rest):
    return lg.command(name, ["sh", "-c", f"echo {name} >> ran.txt"], **rest)
"""

KPI = f"""{WORK}
rides = work("rides")
drivers = work("drivers", freshness=lg.freshness("24h"))
kpi = work("kpi", after=[rides], dependencies=[lg.depends(drivers, max_age="168h")])
lg.batch("kpi_daily", tasks=[rides, drivers, kpi])
"""


def ran(project: Project) -> list[str]:
    file = project.folder / "ran.txt"
    return file.read_text().split() if file.exists() else []


def state(project: Project, run_id: str) -> str:
    (row,) = project.graph.query("MATCH (r:Run {id: $id}) RETURN r.state AS state", {"id": run_id})
    return str(row["state"])


def test_the_second_submission_of_the_day_finds_all_of_it_fresh(project: Project) -> None:
    project.state(KPI)
    first, second = project.run("kpi_daily"), project.run("kpi_daily")
    assert sorted(ran(project)) == ["drivers", "kpi", "rides"]
    assert state(project, first) == "COMPLETED"
    assert state(project, second) == "FRESH_SKIP"
    fresh = dict.fromkeys(["drivers", "kpi", "rides"], "FRESH_SKIP")
    assert project.tasks(second) == fresh


def test_a_restart_does_again_only_what_is_not_fresh(project: Project) -> None:
    broken = KPI.replace("echo {name}", "test -e fixed || test {name} != kpi && echo {name}")
    project.state(broken)
    first = project.run("kpi_daily")
    assert project.tasks(first) == {"drivers": "COMPLETED", "kpi": "FAILED", "rides": "COMPLETED"}
    (project.folder / "fixed").touch()
    second = project.run("kpi_daily")
    assert project.tasks(second) == {
        "drivers": "FRESH_SKIP",
        "kpi": "COMPLETED",
        "rides": "FRESH_SKIP",
    }
    assert state(project, second) == "COMPLETED"
    assert sorted(ran(project)) == ["drivers", "kpi", "rides"]


def test_what_a_failed_task_is_needed_for_fails_with_it(project: Project) -> None:
    project.state(KPI.replace("echo {name}", "test {name} != rides && echo {name}"))
    run_id = project.run("kpi_daily")
    assert project.tasks(run_id) == {"drivers": "COMPLETED", "kpi": "FAILED", "rides": "FAILED"}
    (row,) = project.graph.query(
        "MATCH (:Job {simple_name: 'kpi'})-[:HAS_RUN]->(r) RETURN r.reason AS why, r.error AS text"
    )
    assert row == {"why": "UPSTREAM_FAILED", "text": "not run: rides ended FAILED"}


def test_parents_elsewhere_that_are_fresh_hold_nothing_back(project: Project) -> None:
    project.state(f"""{WORK}
lg.batch("finance", tasks=[work("fx")])
lg.batch("kpi", tasks=[work("daily", dependencies=["finance.fx"])])
""")
    project.run("finance")
    run_id = project.run("kpi")
    assert project.tasks(run_id) == {"daily": "COMPLETED"}


def test_after_its_time_a_task_fails_and_names_the_parent_and_its_age(project: Project) -> None:
    project.state(f"""{WORK}
lg.batch("finance", tasks=[work("fx")])
need = lg.depends("finance.fx", wait="2s", recheck="1s")
lg.batch("kpi", tasks=[work("daily", dependencies=[need])])
""")
    run_id = project.run("kpi")
    assert project.tasks(run_id) == {"daily": "FAILED"}
    (row,) = project.graph.query(
        "MATCH (:Job {fqn: 'kpi.daily'})-[:HAS_RUN]->(r) RETURN r.reason AS why, r.error AS text"
    )
    assert row["why"] == "PARENT_NOT_FRESH"
    assert "finance.fx never succeeded (needed: since day in UTC)" in row["text"]


@pytest.mark.parametrize(
    ("tasks", "fate"),
    [
        ('lg.batch("finance", tasks=[work("fees")])', "is not a task of finance any more"),
        ("", "is withdrawn: no file defines finance any more"),
    ],
)
def test_a_task_that_waits_for_a_removed_one_fails_and_says_that_it_was_removed(
    project: Project, tasks: str, fate: str
) -> None:
    project.state(f'{WORK}\nlg.batch("finance", tasks=[work("fx"), work("fees")])', "finance.py")
    project.state(f"""{WORK}
need = lg.depends("finance.fx", wait="1s", recheck="1s")
lg.batch("kpi", tasks=[work("daily", dependencies=[need])])
""")
    project.state(f"{WORK}\n{tasks}", "finance.py")
    project.run("kpi")
    (row,) = project.graph.query(
        "MATCH (:Job {fqn: 'kpi.daily'})-[:HAS_RUN]->(r) RETURN r.error AS text"
    )
    assert f"finance.fx never succeeded (needed: since day in UTC) and {fate}" in row["text"]


def test_tasks_on_the_skip_list_are_skipped_and_their_edges_say_what_that_means(
    project: Project,
) -> None:
    project.state(f"""{WORK}
rides, drivers = work("rides"), work("drivers")
ignore = lg.depends(rides, when_skipped="ignore")
follow = lg.depends(rides, when_skipped="skip_child")
lg.batch("kpi", tasks=[
    rides, drivers,
    work("blocked", after=[rides]),
    work("careless", dependencies=[ignore]),
    work("follower", dependencies=[follow]),
])
""")
    key = find_job(project.graph, "kpi.rides").key
    add_skip(project.graph, key, "source is wrong", author="ana")
    run_id = project.run("kpi")
    assert project.tasks(run_id) == {
        "blocked": "FAILED",
        "careless": "COMPLETED",
        "drivers": "COMPLETED",
        "follower": "SKIPPED",
        "rides": "SKIPPED",
    }


def test_partitions_are_fresh_each_for_itself(project: Project) -> None:
    project.state(f"""{WORK}
lg.batch("kpi", tasks=[work("daily")], params={{"region": str}}, partition_by="region")
""")
    runs = [project.run("kpi", region=region) for region in ("US", "UK", "US")]
    assert [state(project, one) for one in runs] == ["COMPLETED", "COMPLETED", "FRESH_SKIP"]


def test_a_rerun_runs_again_what_is_fresh(project: Project) -> None:
    project.state(KPI)
    again = project.rerun(project.run("kpi_daily"), policy="latest")
    assert set(project.tasks(again).values()) == {"COMPLETED"}
    assert len(ran(project)) == 6


def test_a_group_in_a_batch_is_one_task_of_it(project: Project) -> None:
    project.state(f"""{WORK}
both = lg.group("both", tasks=[work("a"), work("b")])
lg.batch("kpi", tasks=[both, work("c", after=[both])])
""")
    assert state(project, project.run("kpi")) == "COMPLETED"
    assert state(project, project.run("kpi")) == "FRESH_SKIP"
    assert sorted(ran(project)) == ["a", "b", "c"]


def test_what_a_batch_waits_for_in_vain_is_to_blame_and_a_success_clears_it(
    project: Project,
) -> None:
    project.state(f"""{WORK}
lg.batch("finance", tasks=[work("raw"), work("fx", dependencies=["finance.raw"])])
lg.batch("kpi", tasks=[work("daily", dependencies=["finance.fx"])])
""")
    assert standings(project)["kpi.daily"] == (FreshState.UNKNOWN, "finance.raw")
    project.run("finance")
    assert standings(project)["kpi.daily"] == (FreshState.UNKNOWN, None)
    project.run("kpi")
    assert set(standings(project).values()) == {(FreshState.FRESH, None)}


def standings(project: Project) -> dict[str, tuple[FreshState, str | None]]:
    found = with_causes(project.graph, "UTC", read_standings(project.graph, "UTC"))
    return {one.about.name: (one.state, one.cause and one.cause.name) for one in found}


def test_a_task_inside_a_group_of_a_batch_is_skipped(project: Project) -> None:
    project.state(f"""{WORK}
inner = [lg.command("a", ["true"]), lg.command("b", ["true"])]
lg.batch("kpi", tasks=[lg.group("g", tasks=inner)])
""")
    add_skip(project.graph, find_job(project.graph, "kpi.g.a").key, "broken")
    run_id = project.run("kpi")
    rows = project.graph.query(
        "MATCH (:Run {id: $id})-[:PARENT_OF*]->(r:Run) RETURN r.name AS name, r.state AS state",
        {"id": run_id},
    )
    states = {row["name"]: row["state"] for row in rows}
    assert (states["kpi.g.a"], states["kpi.g.b"]) == ("SKIPPED", "COMPLETED")
