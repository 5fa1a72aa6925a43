"""`batch run|restart|status`, typed as a person does, without a daemon."""

import json
from pathlib import Path

import pytest

from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.record import record
from tests.acceptance.batches.yard import Yard
from tests.events import run_event

KPI = {
    "batch": "kpi",
    "params": {"month": 1},
    "tasks": {
        "rides": {"command": ["sh", "-c", "echo rides $1 >> ran.txt", "sh", "{month}"]},
        "daily": {
            "command": ["sh", "-c", "test -e fixed && echo daily $1 >> ran.txt", "sh", "{month}"],
            "dependenciesWithMeta": {"rides": {"freshnessCriteriaInHours": 24}},
        },
    },
}


@pytest.fixture
def file(yard: Yard) -> Path:
    file = yard.commands.folder / "kpi.json"
    file.write_text(json.dumps(KPI))
    return file


def test_a_batch_is_run_looked_at_and_restarted(yard: Yard, file: Path) -> None:
    first = yard.commands("batch", "run", "kpi.json", "-p", "month=7")
    assert first.returncode == 1, first.stderr
    assert yard.ran == ["rides", "7"]
    shown = json.loads(yard.commands("batch", "status", "kpi.json", "--json").stdout)
    assert [(one["name"], one["freshness"], one["state"]) for one in shown] == [
        ("rides", "fresh", "COMPLETED"),
        ("daily", "unknown", "FAILED"),
    ]
    (yard.commands.folder / "fixed").touch()
    again = yard.commands("batch", "restart", "kpi.json")
    assert again.returncode == 0, again.stderr
    assert yard.ran == ["rides", "7", "daily", "7"]
    table = yard.commands("batch", "status", "kpi.json").stdout
    assert "FRESH: fresh: last succeeded" in table
    third = yard.commands("batch", "run", "kpi.json")
    assert third.returncode == 0, third.stderr
    assert "FRESH_SKIP" in third.stdout


def test_to_look_at_a_batch_keeps_its_version_and_does_not_read_it_again(
    yard: Yard, file: Path
) -> None:
    unknown = yard.commands("batch", "status", "kpi.json")
    assert unknown.returncode == 1
    assert yard.graph.query("MATCH (v:JobVersion) RETURN v") == []
    assert yard.commands("sync", "kpi.json").returncode == 0
    stated = file.read_text()
    file.write_text(stated.replace("daily", "nightly"))
    counts = "MATCH (n) WHERE n:JobVersion OR n:AuditEntry RETURN count(n) AS n"
    before = yard.graph.query(counts)
    assert "daily" in yard.commands("batch", "status", "kpi.json").stdout
    assert yard.graph.query(counts) == before
    file.write_text(stated)
    assert yard.commands("sync", "kpi.json", "--forget").returncode == 0
    before = yard.graph.query(counts)
    assert yard.commands("batch", "status", "kpi.json").stdout == ""
    assert yard.graph.query(counts) == before


def test_some_tasks_are_forced(yard: Yard, file: Path) -> None:
    for words in ((), ("--force",)):
        done = yard.commands("batch", "run", "kpi.json", "--only", "rides", *words)
        assert done.returncode == 0, done.stderr
    assert yard.ran == ["rides", "1", "rides", "1"]


def test_a_task_that_is_none_is_named_with_the_nearest(yard: Yard, file: Path) -> None:
    done = yard.commands("batch", "run", "kpi.json", "--only", "dayly")
    assert done.returncode == 1
    assert done.stderr.strip().endswith("kpi has no task 'dayly' (did you mean daily?)")


def test_a_file_that_cannot_be_read_runs_nothing(yard: Yard, file: Path) -> None:
    file.write_text('{"batch": "kpi",\n "tasks": {,}}')
    done = yard.commands("batch", "run", "kpi.json")
    assert done.returncode == 1
    assert "kpi.json:2:" in done.stderr
    missing = yard.commands("batch", "restart", "nothing.json")
    assert (missing.returncode, "no such file" in missing.stderr) == (1, True)


def test_what_never_ran_is_not_restarted(yard: Yard, file: Path) -> None:
    done = yard.commands("batch", "restart", "kpi.json")
    assert done.returncode == 1
    assert "batch kpi has never run" in done.stderr


def test_a_batch_is_found_beside_a_job_of_its_name_elsewhere(yard: Yard, file: Path) -> None:
    yard.graph.write(record, extract([run_event("kpi", namespace="airflow")]))
    done = yard.commands("batch", "run", "kpi.json", "--only", "rides")
    assert done.returncode == 0, done.stderr
