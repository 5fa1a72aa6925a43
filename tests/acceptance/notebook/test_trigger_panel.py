"""The trigger panel in JupyterLab: a rule made, tried, fired and suspended by clicks."""

from datetime import UTC, datetime, time, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from lineagegraph import on
from lineagegraph.graph import Graph
from lineagegraph.model.runs.states import RunState
from lineagegraph.model.triggers.condition import (
    And,
    AtLeast,
    Not,
    OnAbsent,
    OnCron,
    OnDataset,
    OnEvent,
    OnFresh,
    OnInterval,
    OnSensor,
    OnStatus,
    OnUpstream,
    Or,
    Sequence,
)
from lineagegraph.model.triggers.constraint import (
    Concurrency,
    Delay,
    Gap,
    Otherwise,
    Rate,
    TimeRange,
)
from lineagegraph.model.triggers.trigger import Argument, CatchUp, Overlap, Pick, Reset, Trigger
from lineagegraph.model.triggers.trigger_json import decode_trigger
from lineagegraph.neo4j_server import ServerAddress
from lineagegraph.queries.find.find import find_job
from lineagegraph.queries.triggers.triggers import find_trigger
from lineagegraph.triggers.write import write_trigger
from tests.acceptance.notebook.lab import Lab, Notebook
from tests.acceptance.processes import Commands, shared, until
from tests.integration.scheduling.rules import end

HOSTILE = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>'"
FILE = """
import lineagegraph as lg
from lineagegraph import on


@lg.task(emits={"rows": int, "region": str})
def read():
    lg.emit(rows=1, region="EU")


@lg.task
def publish(place):
    print(place)


lg.pipeline("load", tasks=[read])
lg.pipeline("report", tasks=[publish], params={"place": "nowhere"})
lg.pipeline("alarm", tasks=[read], trigger=on.failure("load"))
"""

LOADED = OnStatus(job="load", statuses=(RunState.FAILED, RunState.KILLED), namespace="default")
WHOLE = Trigger(
    when=And(
        operands=(
            Or(
                operands=(
                    LOADED.where(on.key("rows") > 0, region="1").times(2).within("6h"),
                    OnUpstream(hops=2, statuses=(RunState.COMPLETED,)),
                    OnDataset(namespace="file", name="/gold"),
                    OnCron(cron="0 6 * * *", zone="Europe/Berlin"),
                    OnInterval(seconds=5400),
                )
            ),
            AtLeast(
                count=1,
                operands=(
                    OnFresh(of=OnDataset(namespace="file", name="/gold"), max_age=86400),
                    OnAbsent(of=OnEvent(name="x"), for_seconds=60),
                ),
            ),
            Sequence(operands=(OnEvent(name="a"), OnEvent(name="b")), within_seconds=0.5),
            Not(operand=OnEvent(name="stop")),
        ),
        within_seconds=604800,
    ),
    description="all that a rule can say",
    pick=Pick.FIRST,
    reset=Reset(cron="0 0 * * *", zone="UTC"),
    constraints=(
        Concurrency(limit=2),
        Delay(seconds=90, since="first"),
        Gap(seconds=60, otherwise=Otherwise.WAIT),
        TimeRange(start=time(22), end=time(6), zone="UTC"),
        Rate(limit=3, seconds=3600),
    ),
    overlap=Overlap.SKIP,
    catch_up=CatchUp.ALL,
    ttl=7200,
    reruns=2,
    rerun_delay=5,
    arguments=(Argument(parameter="place", key="region", job="load", required=False, default="3"),),
    properties={"place": "here"},
    allow_cycle=True,
)


@pytest.fixture
def shop(graph: Graph, server: ServerAddress, tmp_path: Path) -> Path:
    """Three pipelines, a trigger that a file states, and a week of loads."""
    file = tmp_path / "shop.py"
    file.write_text(FILE)
    synced = Commands(tmp_path, shared(server, tmp_path / "home"))("sync", str(file))
    assert synced.returncode == 0, synced.stderr
    now = datetime.now(UTC)
    for days, rows in ((6, 7), (3, 0), (1, 5)):
        said = {"emitted": {"read": {"rows": rows, "region": "EU"}}}
        end(graph, "load", at=now - timedelta(days=days), now=now, own=said)
    end(graph, HOSTILE, at=now)
    return file


def test_a_rule_is_made_tried_fired_and_suspended_by_clicks(
    lab: Lab, page: Page, graph: Graph, shop: Path
) -> None:
    notebook = lab.open(
        page, "from lineagegraph.notebook import connect\nw = connect().trigger_panel()\nw"
    )
    panel = notebook.run(0).locator(".lg-triggers")
    expect(panel.locator("tbody tr")).to_have_count(1)
    make_rule(panel)
    check_rule(graph)
    assert notebook.value("w.selected") == "after load"
    read_why_fire_and_suspend(panel, graph)
    refuse_what_is_stated(panel, notebook, shop)
    make_rule_on_a_sensor(panel, graph)
    assert "owned" not in page.title()


def test_an_edit_that_changes_nothing_keeps_all_of_a_rule_and_keys_do_what_clicks_do(
    lab: Lab, page: Page, graph: Graph, shop: Path
) -> None:
    place = {"starts": find_job(graph, "report").key, "namespace": "default"}
    graph.write(write_trigger, WHOLE, name="whole", origin="request", **place)
    source = "from lineagegraph.notebook import connect\nw = connect().trigger_panel('whole')\nw"
    notebook = lab.open(page, source)
    panel = notebook.run(0).locator(".lg-triggers")
    form = panel.get_by_role("form", name="rule")
    panel.get_by_role("button", name="Edit").click()
    expect(form).to_contain_text("It would")
    form.get_by_role("button", name="Save").click()
    expect(form).to_have_count(0)
    assert decode_trigger(find_trigger(graph, "whole").rule or "") == WHOLE
    panel.get_by_role("button", name="Edit").press("Enter")
    job = form.get_by_role("combobox", name="job", exact=True).first
    job.press("ArrowDown")
    expect(form.get_by_role("listbox").get_by_role("option")).to_have_count(2)
    for key in ("ArrowDown", "Enter"):
        page.keyboard.press(key)
    expect(job).to_be_focused()
    page.keyboard.press("Escape")
    form.get_by_role("button", name="Cancel").press("Enter")
    panel.locator("tbody tr").filter(has_text="whole").press("ArrowUp")
    page.keyboard.press("Enter")
    expect(panel.get_by_role("heading", name="alarm starts alarm")).to_be_visible()
    assert notebook.value("w.selected") == "alarm"


def make_rule(panel: Locator) -> None:
    panel.get_by_role("button", name="New trigger").click()
    form = panel.get_by_role("form", name="rule")
    expect(form).to_contain_text("Choose the pipeline that it starts.")
    expect(form.get_by_role("alert")).to_have_count(0)
    form.get_by_label("name", exact=True).fill("after load")
    choose(form, "starts pipeline", "rep", "report")
    expect(form.get_by_role("alert")).to_have_text("a status needs the name of a job")
    choose(form, "job", "img", HOSTILE)
    choose(form, "job", "loa", "load")
    form.get_by_label("FAILED").check()
    form.get_by_role("button", name="+ where its payload has").click()
    form.get_by_label("key of the payload").fill("rwos")
    form.get_by_label("value").fill("0")
    expect(form.get_by_role("alert")).to_contain_text("declares no 'rwos': the payload has")
    form.get_by_label("key of the payload").fill("rows")
    form.get_by_label("test").select_option(">")
    expect(form).to_contain_text("It would have fired 2 times")
    form.get_by_role("button", name="+ argument from the payload").click()
    form.get_by_label("parameter").fill("place")
    form.get_by_label("key", exact=True).fill("region")
    expect(form).to_contain_text('{"place":"EU"}')
    form.get_by_role("button", name="+ limit").click()
    form.get_by_label("at most").fill("2")
    expect(form).to_contain_text("limits (concurrency) are not applied")
    form.get_by_role("button", name="Create", exact=True).click()
    expect(form).to_have_count(0)


def make_rule_on_a_sensor(panel: Locator, graph: Graph) -> None:
    panel.get_by_role("button", name="New trigger").click()
    form = panel.get_by_role("form", name="rule")
    form.get_by_label("name", exact=True).fill("on a file")
    choose(form, "starts pipeline", "rep", "report")
    form.get_by_label("kind of condition").select_option("sensor")
    form.get_by_label("kind of sensor").select_option("sql")
    expect(form.get_by_label("query", exact=True)).to_be_visible()
    form.get_by_label("kind of sensor").select_option("file")
    form.get_by_label("path", exact=True).fill("/data/done")
    form.get_by_label("min_bytes", exact=True).fill("3")
    form.get_by_role("button", name="Create", exact=True).click()
    expect(form).to_have_count(0, timeout=15_000)
    rule = decode_trigger(find_trigger(graph, "on a file").rule or "")
    assert rule.when == OnSensor(kind="file", fields={"path": "/data/done", "min_bytes": 3})
    panel.get_by_role("button", name="Delete").click()
    panel.get_by_role("button", name="Delete: sure?").click()
    expect(panel.get_by_role("status")).to_have_text("on a file is deleted")


def choose(form: Locator, label: str, text: str, name: str) -> None:
    """Type a part of a name, and click on the one that is meant."""
    form.get_by_role("combobox", name=label, exact=True).fill(text)
    form.get_by_role("option").filter(has_text=name).first.click()


def check_rule(graph: Graph) -> None:
    made = find_trigger(graph, "after load")
    assert (made.starts, made.enabled, made.origin) == ("report", True, "request")
    rule = decode_trigger(made.rule or "")
    assert str(rule.when.where_[0]) == "rows > 0"  # type: ignore[union-attr]
    assert rule.when.statuses == ("COMPLETED", "FAILED")  # type: ignore[union-attr]
    assert [(one.parameter, one.key) for one in rule.arguments] == [("place", "region")]
    assert rule.constraints[0].limit == 2  # type: ignore[union-attr]


def read_why_fire_and_suspend(panel: Locator, graph: Graph) -> None:
    expect(panel.get_by_role("treeitem").first).to_contain_text("nothing has happened yet")
    panel.get_by_label("parameters").fill("size=3")
    panel.get_by_role("button", name="Refresh").click()
    panel.get_by_role("row", name="after load").click()
    expect(panel.get_by_label("parameters")).to_have_value("size=3")
    panel.get_by_role("button", name="Fire", exact=True).click()
    expect(panel.get_by_role("status")).to_contain_text("parameter size of report: unknown")
    panel.get_by_label("parameters").fill("place=here")
    panel.get_by_role("button", name="Fire", exact=True).click()
    expect(panel.get_by_role("status")).to_contain_text("started as run")
    expect(panel).to_contain_text("started by hand")
    (run,) = graph.query("MATCH (:Firing)-[:STARTED]->(r:Run) RETURN r.params AS params")
    assert run["params"] == '{"place":"here"}'
    until(lambda: graph.query("MATCH (r:Run {params: $params, state: 'COMPLETED'}) RETURN r", run))
    panel.get_by_role("button", name="Disable").click()
    expect(panel.get_by_role("status")).to_have_text("after load is suspended")
    assert not find_trigger(graph, "after load").enabled


def refuse_what_is_stated(panel: Locator, notebook: Notebook, shop: Path) -> None:
    assert notebook.value("setattr(w, 'selected', 'alarm')") is None
    expect(panel).to_contain_text(f"It is defined in {shop}:")
    expect(panel.get_by_role("button", name="Edit")).to_have_count(0)
    panel.get_by_role("button", name="Copy").click()
    form = panel.get_by_role("form", name="rule")
    expect(form).to_contain_text("It would not have fired")
    expect(form.get_by_label("name", exact=True)).to_have_value("alarm copy")
    form.get_by_role("button", name="Cancel").click()
