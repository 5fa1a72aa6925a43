"""Batches that are checked before they are synced."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from lineagegraph.cli.program import app
from lineagegraph.cli.run.batch.files import read_files
from lineagegraph.graph import Graph
from lineagegraph.reading.check_files import FileReport, check_files
from lineagegraph.reading.sync import sync_path
from lineagegraph.settings import Settings
from tests.integration.definitions.article import ARTICLE

DO = {"command": ["true"]}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A project."""
    found = tmp_path / "project"
    found.mkdir()
    (found / "lineagegraph.toml").touch()
    return found


def write(folder: Path, name: str, tasks: Any, **more: Any) -> None:
    """Write a batch file."""
    said = {task: DO | of for task, of in tasks.items()}
    (folder / f"{name}.json").write_text(json.dumps({"batch": name, "tasks": said, **more}))


def check(settings: Settings, folder: Path, graph: Graph | None = None) -> dict[str, FileReport]:
    """Return the reports on a folder's files, by file."""
    reports = check_files(read_files(settings, [folder]), graph)
    return {Path(one.file).name: one for one in reports}


def test_files_are_checked_together_and_without_a_graph(settings: Settings, folder: Path) -> None:
    write(folder, "fx", {"rates": {}})
    write(folder, "kpi", {"kpi": {"dependencies": ["fx.rates", "unseen.job"]}})
    write(folder, "bad", {"one": {"dependencies": ["fx.rate"]}})
    found = check(settings, folder)
    assert found["fx.json"].faults == found["kpi.json"].faults == []
    (fault,) = found["bad.json"].faults
    assert "task one depends on fx.rate of namespace default, which is unknown" in fault


def test_a_simple_name_is_resolved_refused_or_left_to_a_graph(
    settings: Settings, folder: Path
) -> None:
    write(folder, "x", {"Task_1": {}, "Task_2": {}})
    write(folder, "y", {"Task_2": {}})
    write(folder, "a", {"one": {"dependencies": ["Task_1"]}})
    write(folder, "b", {"one": {"dependencies": ["Task_2"]}})
    write(folder, "c", {"one": {"dependencies": ["Task_3"]}})
    found = check(settings, folder)
    assert found["a.json"].faults == found["a.json"].warnings == []
    assert "is the name of several: write x.Task_2 or y.Task_2" in found["b.json"].faults[0]
    assert found["c.json"].faults == []
    assert "task one and Task_3: these files have no such task" in found["c.json"].warnings[0]


def test_a_circle_across_files_is_told_for_each_of_them(settings: Settings, folder: Path) -> None:
    write(folder, "a", {"one": {"dependencies": ["b.two"]}})
    write(folder, "b", {"two": {"dependencies": ["a.one"]}})
    write(folder, "c", {"three": {"dependencies": ["a.one"]}})
    found = check(settings, folder)
    for name in ("a.json", "b.json"):
        (fault,) = found[name].faults
        assert "tasks wait for each other in a circle: " in fault
    assert found["c.json"].faults == []


def test_parents_are_looked_up_in_the_graph(graph: Graph, settings: Settings, folder: Path) -> None:
    write(folder, "fx", {"rates": {"dependencies": []}, "old": {}})
    write(folder, "gone", {"one": {}})
    assert sync_path(graph, settings, folder).failures == []
    write(folder, "fx", {"rates": {}})
    (folder / "gone.json").unlink()
    sync_path(graph, settings, folder)
    other = folder / "other"
    other.mkdir()
    needs = ["fx.rates", "fx.old", "gone.one", "nobody.knows"]
    for number, need in enumerate(needs):
        write(other, f"b{number}", {"t": {"dependencies": [need]}})
    found = check(settings, other, graph)
    assert found["b0.json"].faults == []
    assert "which is not a task of fx any more" in found["b1.json"].faults[0]
    assert "which is withdrawn: no file defines gone any more" in found["b2.json"].faults[0]
    assert "which is unknown" in found["b3.json"].faults[0]


def test_a_circle_that_a_file_would_close_in_the_graph_is_told(
    graph: Graph, settings: Settings, folder: Path
) -> None:
    write(folder, "fx", {"rates": {}})
    write(folder, "kpi", {"kpi": {"dependencies": ["fx.rates"]}})
    sync_path(graph, settings, folder)
    write(folder, "fx", {"rates": {"dependencies": ["kpi.kpi"]}})
    reports = check_files(read_files(settings, [folder / "fx.json"]), graph)
    assert "tasks wait for each other in a circle: " in reports[0].faults[0]


def test_terms_that_drift_or_cannot_be_met_are_warned_of(settings: Settings, folder: Path) -> None:
    hours = "freshnessCriteriaInHours"
    write(folder, "fx", {"rates": {hours: 168}, "daily": {}}, schedule="30 2 * * *")
    write(
        folder,
        "kpi",
        {
            "own": {hours: 24},
            "drifts": {"dependenciesWithMeta": {"fx.daily": {hours: 24}}},
            "below": {"dependenciesWithMeta": {"fx.daily": {hours: 12}}},
            "same_day": {"dependencies": ["fx.daily"]},
            "strict": {"dependencies": ["fx.rates"]},
            "waits": {"dependenciesWithMeta": {"fx.daily": {"wait": "1m"}}},
        },
        schedule={"cron": "10 2 * * *"},
    )
    told = check(settings, folder)["kpi.json"].warnings
    assert [one.partition("task ")[2].partition(":")[0] for one in told] == [
        "own",
        "drifts and fx.daily",
        "below and fx.daily",
        "below and fx.daily",
        "strict and fx.rates",
        "waits and fx.daily",
    ]
    assert "the period of its own schedule" in told[0]
    assert "up to an age of 1d, which is the period of its schedule" in told[1]
    assert "use since" in told[1]
    assert "it runs every 1d: it is stale for a part of each period" in told[2]
    assert "is itself fresh by max age 7d" in told[4]
    assert "checks again every 2m" in told[5]


def test_the_sample_of_the_article_is_valid_as_it_is_printed(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    write(folder, "upstream", {f"Task_{number}": {} for number in range(1, 5)})
    text = '{"batch": "kpi", "tasks": {"kpi": {"command": ["true"], ' + ARTICLE + "}}}"
    (folder / "kpi.json").write_text(text)
    found = CliRunner().invoke(app, ["batch", "validate", ".", "--offline", "--json"])
    assert (found.exit_code, json.loads(found.stdout)[0]["faults"]) == (0, []), found.output


def test_a_target_that_is_two_statements_is_a_fault_of_the_file(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    task = {"sql": "SELECT 1 AS x", "target": "a;b"}
    (folder / "kpi.json").write_text(json.dumps({"batch": "kpi", "tasks": {"kpi": task}}))
    found = CliRunner().invoke(app, ["batch", "validate", "kpi.json", "--offline"])
    assert found.exit_code == 1
    assert "tasks.kpi.target: target='a;b' is not the name of a table" in found.output


def test_the_command_ends_with_1_for_faults_and_names_each(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    write(folder, "kpi", {"kpi": {"retrys": 1}})
    found = CliRunner().invoke(app, ["batch", "validate", "kpi.json", "--offline"])
    assert found.exit_code == 1
    assert "tasks.kpi.retrys: is not a known key (did you mean retries?)" in found.output
    write(folder, "kpi", {"kpi": {}})
    found = CliRunner().invoke(app, ["batch", "validate", "kpi.json", "--offline", "--json"])
    assert found.exit_code == 0
    assert json.loads(found.stdout)[0]["batches"] == [
        {"name": "kpi", "namespace": "default", "tasks": 1}
    ]
