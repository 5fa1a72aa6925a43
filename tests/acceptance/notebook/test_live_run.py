"""Runs that are driven from cells in JupyterLab, and looked at while they go on."""

from pathlib import Path

from playwright.sync_api import Page, expect

from lineagegraph.graph import Graph
from tests.acceptance.notebook.lab import Lab

HOSTILE = "<img src=x onerror=\"document.title='owned'\">"
SESSION = """
import lineagegraph as lg
from pyspark.sql import SparkSession, functions as F
session = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
spark = session.getOrCreate()
spark.range(3).count()
"""
SLOW = """
@lg.task
def naps(spark):
    print("it naps")
    nap = F.expr("reflect('java.lang.Thread', 'sleep', cast(id * 0 + 3000 as bigint))")
    spark.range(0, 60, 1, 60).select(nap).collect()

slow = lg.pipeline("slow", tasks=[naps])
end = await slow.run(spark=spark)
"""
FAULTY = f"""
@lg.task
def breaks():
    print("it begins")
    raise ValueError({HOSTILE!r})

run = lg.pipeline("faulty", tasks=[breaks]).run()
run
"""
STATES = "MATCH (:Job {fqn: $job})-[:HAS_RUN]->(r) RETURN r.state AS state"


def test_a_run_is_looked_at_and_stopped_while_its_cell_runs(
    lab: Lab, page: Page, graph: Graph, tmp_path: Path
) -> None:
    notebook = lab.open(page, SESSION, SLOW, FAULTY)
    notebook.run(0, seconds=300)
    notebook.start(1)
    live = page.locator(".lg-live").first
    expect(live.locator(".lg-stage progress").first).to_be_visible(timeout=150_000)
    expect(live.locator(".lg-step")).to_contain_text(["slow", "naps", "spark"])
    live.locator(".lg-step", has_text="naps").first.click()
    expect(live.locator(".lg-tail")).to_contain_text("it naps")
    live.get_by_role("button", name="Stop").click()
    expect(live.locator(".lg-bar .lg-state")).to_have_text("KILLED", timeout=60_000)
    expect(notebook.cells.nth(1)).to_contain_text("RunKilled", timeout=60_000)
    assert [*graph.query(STATES, {"job": "slow"})] == [{"state": "KILLED"}]
    failed = notebook.run(2).locator(".lg-live")
    expect(failed.locator(".lg-bar .lg-state")).to_have_text("FAILED", timeout=90_000)
    expect(failed.locator(".lg-why")).to_contain_text(HOSTILE)
    expect(failed.locator(".lg-where")).to_contain_text("run.log")
    assert "owned" not in page.title()
