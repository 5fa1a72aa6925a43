"""As it was, or not at all: everything that is missing is named, and nothing else is run."""

from datetime import UTC, datetime, timedelta

import pytest

from lineagegraph.errors import InvalidParameter, NotFound, RerunRefused
from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.record import record
from lineagegraph.model.runs.rerun import Allow, RerunRequest
from lineagegraph.reruns.installed import installed_environment
from lineagegraph.reruns.plan import plan_rerun
from tests.events import run_event

TABLE = "table"
ONE = """
lg.pipeline("one", tasks=[lg.command("a", ["true"])], params={"day": 1, "size": int})
"""
GROUPED = """
tables = lg.group("tables", tasks=[lg.command("a", ["sh", "-c", "sh load.sh"])])
lg.pipeline("two", tasks=[tables, lg.command("b", ["true"])])
"""
EXPANDING = """
@lg.task
def find():
    lg.expand(lg.command("load", ["sh", "-c", "sh load.sh $1", "sh", "{n}"]), n=[1, 2])

first = lg.command("first", ["sh", "-c", "sh load.sh"])
lg.pipeline("growing", tasks=[first, find])
"""


@pytest.fixture
def run(project):
    project.state(ONE)
    return project.run("one", size=5)


def plan(project, run, **request):
    asked = RerunRequest(run=run, **{"policy": "as_was", **request})
    return plan_rerun(project.graph, project.settings, asked)


def write(project, text, **parameters):
    project.graph.query(text, parameters, write=True)


def test_all_that_is_missing_is_named_at_once(project, run):
    write(project, "MATCH (s:Source) SET s.archive = null")
    write(project, "MATCH (r:Run {id: $id})-[:RAN_IN]->(e) SET e.python = '2.7.18'", id=run)
    with pytest.raises(RerunRefused, match="cannot run again as it was: the archived") as refused:
        project.rerun(run, policy="as_was")
    assert len(refused.value.missing) == 2
    assert "no longer kept" in refused.value.missing[0]
    assert refused.value.missing[1].startswith("Python was 2.7.18 and is 3.")
    assert project.graph.query("MATCH (r:Run) WHERE NOT ()-[:PARENT_OF]->(r) RETURN r.id") == [
        {"r.id": run}
    ]


def test_a_damaged_archive_is_refused_for_every_old_version(project, run):
    write(project, "MATCH (s:Source) SET s.archive = $bytes", bytes=b"nonsense")
    version = plan(project, run).version
    for policy in ("as_was", f"pinned:{version}"):
        (missing,) = plan(project, run, policy=policy).missing
        assert "is damaged" in missing


def test_other_packages_are_refused_unless_allowed(project, run):
    write(
        project,
        "MATCH (e:Environment) SET e.packages = replace(e.packages, $now, $then)",
        now='"name":"msgspec","version":"',
        then='"name":"msgspec","version":"0.',
    )
    (missing,) = plan(project, run).missing
    assert missing.startswith("msgspec was 0.")
    assert "(--allow packages, or --isolated)" in missing
    allowed = plan(project, run, allow=frozenset({Allow.PACKAGES}))
    assert not allowed.missing
    assert [one.name for one in allowed.differences] == ["msgspec"]
    assert not plan(project, run, policy="latest").missing


def test_a_worker_refuses_too_where_it_has_other_packages(project, run, monkeypatch):
    here = installed_environment()
    other = type(here)("9.9.9", here.platform, here.packages)
    monkeypatch.setattr("lineagegraph.worker.environment.installed_environment", lambda: other)
    again = project.rerun(run, policy="as_was")
    (row,) = project.graph.query(
        "MATCH (r:Run {id: $id}) RETURN r.state AS state, r.reason AS reason, r.error AS error",
        {"id": again},
    )
    assert (row["state"], row["reason"]) == ("FAILED", "NOT_STARTED")
    assert "Python was 3." in row["error"]
    assert "is 9.9.9" in row["error"]


def say(project, *events):
    project.graph.write(record, extract(events))


def written(job, name, ago):
    return run_event(job, at=datetime.now(UTC) - timedelta(minutes=ago), outputs=((TABLE, name),))


def reading(run, namespace, name):
    """What a Spark application below a run says that it read."""
    return run_event("app", parent=(run, "one"), inputs=((namespace, name),))


def test_an_input_that_was_written_again_is_gone(project, run):
    say(project, written("load", "t", ago=60), reading(run, TABLE, "t"))
    assert not plan(project, run).missing
    say(project, written("load", "t", ago=0), written("load", "other", ago=0))
    (missing,) = plan(project, run).missing
    assert missing.startswith("table:t was written again since by run ")
    allowed = plan(project, run, allow=frozenset({Allow.INPUTS}))
    assert not allowed.missing
    assert [(one.what, one.name) for one in allowed.differences] == [("input", "table:t")]


def test_a_file_that_is_gone_or_was_changed_is_named(project, run, tmp_path):
    file = tmp_path / "in.csv"
    say(project, reading(run, "file", str(file)))
    assert plan(project, run).missing == (f"file:{file} no longer exists (--allow inputs)",)
    file.write_text("1,2")
    assert plan(project, run).missing == (
        f"file:{file} was changed since the run began (--allow inputs)",
    )


def test_a_program_inside_a_selected_group_counts(project):
    program = project.folder / "load.sh"
    program.write_text("true")
    project.state(GROUPED)
    run = project.run("two")
    program.write_text("false")
    for tasks in ((), ("tables",), ("tables.a",)):
        (missing,) = plan(project, run, tasks=tasks).missing
        assert missing.startswith("task tables.a: ")
    assert plan(project, run, tasks=("b",)).missing == ()


def test_a_program_of_a_task_that_a_run_added_counts_if_that_task_is_selected(project):
    program = project.folder / "load.sh"
    program.write_text("true")
    project.state(EXPANDING)
    run = project.run("growing")
    program.write_text("false")
    for tasks in (("load.1",), ("load",)):
        missing = plan(project, run, tasks=tasks).missing
        assert missing
        assert all(one.startswith("task load.") for one in missing)
    assert plan(project, run, tasks=("find",)).missing == ()


def test_parameters_are_checked_one_by_one(project, run):
    assert plan(project, run, params={"day": "7"}).params == {"day": 7, "size": 5}
    with pytest.raises(InvalidParameter, match="parameter month of one: unknown; it has day, size"):
        plan(project, run, params={"month": 1})
    with pytest.raises(InvalidParameter, match="parameter day of one: expected int, got 'x'"):
        plan(project, run, params={"day": "x"})


def test_only_whole_runs_of_ours_that_have_ended_run_again(project, run):
    with pytest.raises(NotFound, match="no run 'nobody'"):
        plan(project, "nobody")
    (child,) = project.graph.query(
        "MATCH (:Run {id: $id})-[:PARENT_OF]->(c) RETURN c.id AS id", {"id": run}
    )
    with pytest.raises(RerunRefused, match=f"is a part of run {run}"):
        plan(project, child["id"])
    write(project, "MATCH (r:Run {id: $id}) SET r.state = 'RUNNING'", id=run)
    with pytest.raises(RerunRefused, match="is RUNNING: wait for its end, or cancel it"):
        plan(project, run)
