"""Twenty daily tasks at the command line, each in at most two commands."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from lineagegraph.cli.demo.steps import queue
from lineagegraph.graph import Graph
from lineagegraph.neo4j_server import ServerAddress
from tests.acceptance.daily import seed
from tests.acceptance.processes import Commands, shared

HOOK = "https://hooks.example.org/T0/B1"
NOTIFY = f'[[notify]]\non = ["stale", "late"]\nto = "{HOOK}"\n'
RULE = '{"when": {"on": "status", "job": "load", "statuses": ["COMPLETED"]}}'
# A task, the commands that do it, and what the last of them says.
TASKS: dict[str, tuple[tuple[str, ...], str]] = {
    "sources of a column": (("lineage gold#total --down 0",), "raw.price"),
    "impact of a column": (("impact raw#price",), "total"),
    "a job that did not run": (("trigger why report",), "lake:raw written"),
    "stop a job": (("cancel {queued}", "runs load"), "KILLED"),
    "run with another parameter": (("run report -p code=0",), "COMPLETED"),
    "rerun of a day's run": (("runs report --json", "rerun {run} --policy latest"), "is rerun 1"),
    "compare two runs": (("runs report --json", "diff {run} {before}"), "BEFORE"),
    "create a trigger": (("trigger put report nightly rule.json",), ""),
    "stale data and its cause": (("freshness why gold",), "the disk is full"),
    "critical path of a day": (("analysis critical-path",), "report.write"),
    "what failed tonight": (("runs --failed --since 12h",), "the disk is full"),
    "why the dashboard is stale": (("freshness --stale",), "load_raw is FAILED"),
    "what runs at six": (("forecast --until 06:01",), "load"),
    "rerun March for one region": (
        ("backfill start sales --from 2026-03-01 --to 2026-03-31 --values region=EU --id march",),
        "march",
    ),
    "tables with PII, and who reads them": (("tags flow PII", "readers gold#total"), "dashboard"),
    "drop a column safely": (("impact raw#price", "readers raw#price"), "makes columns"),
    # The route to Slack is in the settings.
    "tell Slack when a table is late": (("freshness set gold --max-age 2h",), "max age 2h"),
    "last night's run and the one before": (("analysis days {yesterday} {today}",), "sum_up"),
    "a token for a team": (("token add team --role read --namespace sales",), "lg"),
    "pause for the weekend": (
        ("pause --all --reason weekend --until 2d", "trigger list"),
        "weekend",
    ),
}


@pytest.fixture
def seeded(graph: Graph, server: ServerAddress, tmp_path: Path) -> tuple[Commands, dict[str, str]]:
    """A graph that has something for each task, and the values that commands name."""
    seed(graph, tmp_path)
    now = datetime.now(UTC)
    (tmp_path / "rule.json").write_text(RULE)
    (tmp_path / "lineagegraph.toml").write_text(NOTIFY)
    today = now.date()
    days = {"today": str(today), "yesterday": str(today - timedelta(days=1))}
    commands = Commands(tmp_path, shared(server, tmp_path / "home"))
    return commands, days | {"queued": queue(graph, "load")}


def test_each_task_is_done_in_at_most_two_commands(
    seeded: tuple[Commands, dict[str, str]],
) -> None:
    commands, values = seeded
    wrong = []
    assert len(TASKS) == 20
    for task, (words, expected) in TASKS.items():
        assert len(words) <= 2, task
        said = None
        for line in words:
            said = commands(*line.format(**values).split(), COLUMNS="200")
            if line.endswith("--json"):
                values |= ids(said.stdout)
        assert said is not None
        if said.returncode or expected.format(**values) not in said.stdout + said.stderr:
            wrong.append(f"{task}: {said.returncode} {said.stdout[-600:]} {said.stderr[-600:]}")
    assert not wrong, "\n".join(wrong)


def ids(text: str) -> dict[str, str]:
    runs = json.loads(text)
    return {"run": runs[0]["id"], "before": runs[-1]["id"]} if runs else {}
