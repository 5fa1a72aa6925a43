"""A real Airflow reads the DAG files that are made of batches."""

import json
import os
import subprocess
from pathlib import Path

import pytest
from typer.testing import CliRunner

from lineagegraph.cli.program import app
from tests.acceptance.producers.environments import programs_of

LOOK = """
import json, runpy, sys
from airflow.serialization.serialized_objects import DagSerialization
tasks = runpy.run_path(sys.argv[1])["tasks"]
dag = next(iter(tasks.values())).dag
DagSerialization.to_dict(dag)
summary = getattr(dag.timetable, "summary", None)
print(json.dumps({
    "dag": [dag.dag_id, dag.max_active_tasks, summary, dict(dag.params)],
    "tasks": {name: [one.retries, sorted(one.upstream_task_ids)] for name, one in tasks.items()},
}))
"""
DO = {"command": ["true"]}


def look(folder: Path, **stated: object) -> dict[str, object]:
    """Export a batch, and return what Airflow has of it."""
    (folder / "kpi.json").write_text(json.dumps(stated))
    exported = ["batch", "export", "airflow", str(folder / "kpi.json"), "-o", str(folder / "d.py")]
    assert CliRunner().invoke(app, exported).exit_code == 0
    done = subprocess.run(
        [programs_of("airflow") / "python", "-c", LOOK, folder / "d.py"],
        env=os.environ | {"AIRFLOW_HOME": str(folder)},
        capture_output=True,
        check=False,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, object] = json.loads(done.stdout.splitlines()[-1])
    return found


@pytest.mark.soak
def test_airflow_reads_an_exported_batch(tmp_path: Path) -> None:
    """Its tasks, edges, retries, values, and one or several schedules, or none."""
    tasks = {
        "rides": DO,
        "kpi": {**DO, "retries": 2, "dependencies": ["rides"]},
        "other kpi": {**DO, "dependencies": ["kpi", "finance.fx"]},
    }
    said = {"batch": "kpi", "tasks": tasks, "params": {"limit": 5}, "concurrency": 3}
    found = look(tmp_path, **said, schedule={"cron": "0 2 * * *", "zone": "Asia/Dubai"})
    assert found == {
        "dag": ["kpi", 3, "0 2 * * *", {"limit": 5}],
        "tasks": {"rides": [0, []], "kpi": [2, ["rides"]], "other_kpi": [0, ["kpi"]]},
    }
    several = look(tmp_path, **said, schedule=["0 2 * * *", "0 14 * * *"])
    assert "0 14 * * *" in str(several["dag"])
    assert look(tmp_path, **said, schedule={"every": "6h"})["tasks"] == found["tasks"]
    assert look(tmp_path, **said)["tasks"] == found["tasks"]
