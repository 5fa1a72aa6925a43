"""Sensors on the page: what they look for, who waits, and a wait that is settled by hand."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from lineagegraph.graph import Graph
from lineagegraph.neo4j_server import ServerAddress
from lineagegraph.reading.sync import sync_path
from lineagegraph.settings import Settings
from tests.acceptance.daemon.looks import state, status
from tests.acceptance.processes import Commands, shared, until

PIPELINES = """
import lineagegraph as lg

landed = lg.sensor("file", "landed", path="{flag}", poke_interval="1s")
broken = lg.sensor("http", "broken", url="http://127.0.0.1:9/x", poke_interval="1s")
lg.pipeline("kpi", tasks=[landed, lg.command("sum", ["true"], after=landed)])
lg.pipeline("asks", tasks=[broken])
"""
AUDITED = "MATCH (e:AuditEntry {action: 'wait.settle'}) RETURN e.after AS after"


@pytest.fixture
def commands(server: ServerAddress, graph: Graph, tmp_path: Path) -> Iterator[Commands]:
    found = Commands(tmp_path, shared(server, tmp_path / "home"))
    (tmp_path / "pipes.py").write_text(PIPELINES.format(flag=tmp_path / "flag"))
    sync_path(graph, Settings(home=tmp_path / "home"), tmp_path / "pipes.py")
    started = found("up", "--detach")
    assert started.returncode == 0, started.stderr
    yield found
    found("down")


def run(commands: Commands, graph: Graph, task: str) -> None:
    """Run the pipeline of a task, and wait until the task waits."""
    started = commands("run", task.partition(".")[0])
    assert started.returncode == 0, started.stderr
    until(lambda: state(graph, task) == "WAITING", 120)


def test_a_wait_is_seen_and_settled_by_hand_and_the_run_goes_on(
    commands: Commands, graph: Graph, page: Page, tmp_path: Path
) -> None:
    run(commands, graph, "asks.broken")
    run(commands, graph, "kpi.landed")
    page.goto(status(commands)["http"])
    page.get_by_role("link", name="Sensors").click()
    listed = page.get_by_role("region", name="Sensors").last
    row = listed.get_by_role("row").filter(has_text=str(tmp_path / "flag"))
    expect(row).to_contain_text("not yet", timeout=30_000)
    expect(listed.get_by_role("row").filter(has_text="127.0.0.1:9")).to_contain_text("fault")
    row.get_by_role("link").click()

    waits = page.get_by_role("region", name="Waits")
    expect(waits).to_contain_text("poked every1s")
    expect(waits).to_contain_text("poked byprocess")
    page.get_by_label("Reason", exact=True).fill("the file came by mail")
    page.get_by_role("button", name="Settle by hand").click()
    expect(waits).to_contain_text("the file came by mail")
    expect(page.get_by_role("button", name="Settle by hand")).to_have_count(0)
    until(lambda: state(graph, "kpi") == "COMPLETED", 120)
    assert "the file came by mail" in graph.query(AUDITED)[0]["after"]
    waits.get_by_role("link", name="kpi.landed").click()
    expect(page.locator("#view")).to_contain_text("COMPLETED")


def test_what_is_typed_outlives_the_regular_load(
    commands: Commands, graph: Graph, page: Page
) -> None:
    run(commands, graph, "kpi.landed")
    page.goto(f"{status(commands)['http']}/#/sensors")
    page.get_by_role("region", name="Sensors").last.get_by_role("link").first.click()
    reason = page.get_by_label("Reason", exact=True)
    reason.fill("no trading today")
    page.get_by_label("Outcome").select_option("skipped")
    # Longer than two regular loads.
    page.wait_for_timeout(7000)
    expect(reason).to_have_value("no trading today")
    page.get_by_role("button", name="Settle by hand").click()
    expect(page.get_by_role("region", name="Waits")).to_contain_text("skipped")
    until(lambda: state(graph, "kpi.landed") == "SKIPPED", 120)
