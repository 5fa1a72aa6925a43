"""The twenty daily tasks on the page, each in at most four clicks."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from lineagegraph.graph import Graph
from lineagegraph.neo4j_server import ServerAddress
from tests.acceptance.daemon.looks import state, status
from tests.acceptance.daily import seed
from tests.acceptance.processes import Commands, shared, until
from tests.acceptance.test_daily_tasks import TASKS

SLOW = """
lg.pipeline("slow", tasks=[lg.command("sleeps", ["sleep", "300"])])
"""
NOTIFY = """
[[notify]]
on = ["stale"]
to = "http://127.0.0.1:9/"
name = "slack"
"""
JOB, RAW, GOLD = "#/job/report/default", "dataset:lake:raw", "dataset:lake:gold"
# A task, the address where it begins, its steps, and what is then shown. A step is what is
# clicked, as `ROLE NAME`, or a field and what is typed or chosen in it.
CLICKS: dict[str, tuple[str, tuple[str | tuple[str, str], ...], str]] = {
    "sources of a column": (f"#/lineage/{GOLD}", ("button total",), "made from (1)raw#price"),
    "impact of a column": (f"#/lineage/{RAW}", ("button price",), "goes into (1)gold#total"),
    "a job that did not run": ("#/now", ("link Triggers", "cell report"), "lake:raw written"),
    "stop a job": ("#/now", ("link slow", "link Live run", "button Stop"), "KILLED"),
    "run with another parameter": (
        JOB,
        ("tab Start a run", ("code", "1"), "button Start"),
        "FAILED",
    ),
    "rerun of a day's run": (
        JOB,
        ("option COMPLETED", "tab Run again", "button With today's code", "button Start"),
        "is rerun 1",
    ),
    "compare two runs": (JOB, ("tab Compare",), "BeforeAfter"),
    "create a trigger": (
        "#/triggers",
        (
            "button New trigger",
            ("name", "nightly"),
            ("starts pipeline", "report"),
            ("job", "load"),
            "button Create",
        ),
        "nightly starts report",
    ),
    "stale data and its cause": ("#/now", ("link dataset:lake:gold",), "the disk is full"),
    "critical path of a day": ("#/now", ("link Days",), "of work"),
    "what failed tonight": ("#/now", (), "the disk is full"),
    "why the dashboard is stale": (
        "#/freshness",
        ("cell dataset:lake:gold",),
        "load_raw is FAILED",
    ),
    "what runs at six": ("#/now", (("What runs around", "06:00"),), "06:00:00load"),
    "rerun March for one region": (
        "#/job/sales/default",
        (
            "link Backfill",
            ("day from", "2026-03-01"),
            ("day to", "2026-03-31"),
            ("region", "EU"),
            "button Start backfill",
        ),
        "of 31 done",
    ),
    "tables with PII, and who reads them": ("#/now", ("link Tags", "button PII"), "dashboard"),
    "drop a column safely": (
        f"#/lineage/{RAW}",
        ("button price",),
        "goes into (1)gold#totalread by (1)sum_up: makes columns",
    ),
    "tell Slack when a table is late": (
        "#/freshness",
        (("Job or dataset", "raw"), ("Not older than", "2h"), "button Set"),
        "max age 2h",
    ),
    "last night's run and the one before": ("#/now", ("link Days",), "sum_up"),
    "a token for a team": (
        "#/now",
        ("link Tokens", ("Name", "team"), ("Namespace", "sales"), "button Make token"),
        "shown only now: lg_",
    ),
    "pause for the weekend": (
        "#/now",
        (
            "text Pause all triggers",
            ("Reason", "weekend"),
            ("Until (UTC)", "2036-01-01T06:00"),
            "button Pause",
        ),
        "All triggers are paused until 1 Jan, Tue 2036-01-01 06:00:00",
    ),
}


@pytest.fixture
def url(server: ServerAddress, graph: Graph, tmp_path: Path) -> Iterator[str]:
    """The address of `lineagegraph up`, with something for each task."""
    seed(graph, tmp_path, SLOW)
    (tmp_path / "lineagegraph.toml").write_text(NOTIFY)
    commands = Commands(tmp_path, shared(server, tmp_path / "home"))
    try:
        for words in (("up", "--detach"), ("run", "report"), ("run", "slow")):
            done = commands(*words)
            assert done.returncode == 0, done.stderr
        until(lambda: state(graph, "slow.sleeps") == "RUNNING", 120)
        until(lambda: state(graph, "report") == "COMPLETED", 120)
        yield status(commands)["http"]
    finally:
        commands("down")


def test_each_task_takes_at_most_four_clicks(url: str, page: Page) -> None:
    assert CLICKS.keys() == TASKS.keys()
    for task, (address, steps, text) in CLICKS.items():
        assert sum(isinstance(step, str) for step in steps) <= 4, task
        page.goto("about:blank")
        page.goto(f"{url}/{address}")
        for step in steps:
            take(page, step)
        expect(page.locator("#view"), task).to_contain_text(text, ignore_case=True)


def take(page: Page, step: str | tuple[str, str]) -> None:
    """Click, type or choose."""
    if isinstance(step, tuple):
        name, value = step
        page.get_by_label(name, exact=True).first.fill(value)
        return
    role, name = step.split(" ", 1)
    found(page, role, name).click()


def found(page: Page, role: str, name: str) -> Locator:
    if role == "text":
        return page.get_by_text(name)
    where = page if role == "link" else page.locator("#view")
    exact = role not in ("tab", "option")
    return where.get_by_role(role, name=name, exact=exact).first  # type: ignore[arg-type]
