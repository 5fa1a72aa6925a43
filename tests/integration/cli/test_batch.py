"""`batch graph` and `batch export airflow`."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from lineagegraph.cli.program import app

STATED = {
    "batch": "kpi daily",
    "concurrency": 3,
    "schedule": {"cron": "0 2 * * *", "zone": "Asia/Dubai"},
    "trigger": {"on": "event", "name": "go"},
    "params": {"day": {"type": "date"}, "region": "it's $HOME", "limit": 5},
    "clusters": {"emr": {"master": "yarn"}},
    "tasks": {
        "rides & co": {"command": ["true"], "cluster": "emr"},
        "rides_&_co": {"command": ["true"], "retries": 2, "retryDelay": "5s"},
        "{{ kpi }}.sh": {
            "command": ["true"],
            "dependencies": ["rides & co"],
            "dependenciesWithMeta": {
                "finance.fx": {"maxAge": "1d", "wait": "1h", "whenSkipped": "ignore"},
                "dag": {"namespace": "airflow", "external": True},
            },
        },
    },
}
STANDS_IN = """
import sys, types
from datetime import datetime, timedelta, UTC

made = {}

class DAG:
    def __init__(self, **said): made["dag"] = {k: repr(v) for k, v in said.items()}
    def __enter__(self): return self
    def __exit__(self, *_): pass

class BashOperator:
    def __init__(self, **said): self.id = said["task_id"]; made[self.id] = {k: repr(v) for k, v in said.items()}
    def __rshift__(self, other): made.setdefault("edges", []).append([self.id, other.id])

def module(name, **has):
    made_module = types.ModuleType(name)
    made_module.__dict__.update(has)
    sys.modules[name] = made_module

class Table:
    def __init__(self, *said, **named): self.said = (said, named)
    def __repr__(self): return repr(self.said)

module("pendulum", datetime=lambda *said, tz: datetime(*said, tzinfo=UTC))
for name in ("airflow", "airflow.providers", "airflow.providers.standard", "airflow.timetables",
             "airflow.providers.standard.operators"):
    module(name)
module("airflow.providers.standard.operators.bash", BashOperator=BashOperator)
module("airflow.sdk", DAG=DAG)
module("airflow.timetables.trigger", CronTriggerTimetable=Table)
exec(compile(open(sys.argv[1]).read(), sys.argv[1], "exec"), {})
import json
print(json.dumps(made))
"""  # noqa: E501


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A batch file in the current folder."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "kpi.json"
    path.write_text(json.dumps(STATED))
    return path


def batch(*words: str) -> str:
    """Return what the command writes."""
    found = CliRunner().invoke(app, ["batch", *words])
    assert found.exit_code == 0, found.output
    return found.stdout


def test_a_batch_is_drawn_with_the_terms_of_its_edges(file: Path) -> None:
    tree = batch("graph", "kpi.json")
    assert "kpi daily (3 tasks)" in tree
    assert "rides & co  command, fresh since day, on emr" in tree
    assert "needs finance.fx  max age 1d, when skipped: ignore, waits 1h" in tree
    assert "needs dag of airflow  since day, external" in tree
    mermaid = batch("graph", "kpi.json", "--format", "mermaid")
    assert 'subgraph f1["finance"]' in mermaid
    assert '-->|"max age 1d, when skipped: ignore, waits 1h"|' in mermaid
    assert '[label="since day"]' in batch("graph", "kpi.json", "--format", "dot")
    assert batch("graph", "kpi.json", "--svg", "x.svg") == "x.svg\n"
    assert "finance.fx → kpi daily.{{ kpi }}.sh: max age 1d" in Path("x.svg").read_text()
    layers = json.loads(batch("graph", "kpi.json", "--json"))
    assert [[row["task"] for row in layer] for layer in layers] == [
        ["rides & co", "rides_&_co"],
        ["{{ kpi }}.sh"],
    ]


def test_an_exported_dag_has_the_tasks_edges_schedule_and_values(
    file: Path, tmp_path: Path
) -> None:
    text = batch("export", "airflow", "kpi.json", "--path", "/batches/kpi.json")
    assert text == batch("export", "airflow", "kpi.json", "--path", "/batches/kpi.json")
    assert "# Not started here by: " in text
    (tmp_path / "dag.py").write_text(text)
    made = json.loads(
        subprocess.run(
            [sys.executable, "-c", STANDS_IN, "dag.py"], capture_output=True, check=True, text=True
        ).stdout
    )
    assert made["dag"]["dag_id"] == "'kpi_daily'"
    assert made["dag"]["schedule"] == "(('0 2 * * *',), {'timezone': 'Asia/Dubai'})"
    assert made["dag"]["max_active_tasks"] == "3"
    assert made["edges"] == [["rides___co", "___kpi___.sh"]]
    assert made["rides___co_2"]["retries"] == "2"
    command = made["___kpi___.sh"]["bash_command"]
    assert r"batch run /batches/kpi.json --batch \'kpi daily\' --only {% raw %}" in command
    assert '--param "region=$PARAM_region"' in command
    assert "{{ ds }}" in made["___kpi___.sh"]["env"]


def test_a_parameter_that_airflow_cannot_know_is_refused(file: Path) -> None:
    stated = STATED | {"params": {"region": {"type": "str"}}}
    del stated["schedule"]
    file.write_text(json.dumps(stated))
    found = CliRunner().invoke(app, ["batch", "export", "airflow", "kpi.json"])
    assert found.exit_code == 1
    assert "parameter region has no default" in str(found.exception)
