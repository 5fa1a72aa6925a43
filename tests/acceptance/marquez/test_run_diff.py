"""What is different between two runs, over HTTP."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import httpx2 as httpx

from tests.acceptance.marquez.conftest import Teller
from tests.events import run_event

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def diff(client: httpx.Client, before: str, after: str) -> Any:
    answer = client.get(f"/api/v1/jobs/runs/{before}/diff/{after}")
    assert answer.status_code == 200, answer.text
    return answer.json()


def table(name: str, rows: int | None = None, **columns: str) -> dict[str, Any]:
    fields = [{"name": column, "type": kind} for column, kind in columns.items()]
    facets = {"schema": {"fields": fields}} if fields else {}
    counts = {"outputStatistics": {"rowCount": rows}} if rows is not None else {}
    return {"namespace": "lake", "name": name, "facets": facets, "outputFacets": counts}


def report(
    tell: Teller,
    hour: int,
    *,
    inputs: tuple[str, ...],
    outputs: list[dict[str, Any]],
    seconds: int = 60,
    kind: str = "COMPLETE",
    params: dict[str, Any] | None = None,
) -> str:
    """Tell of a run of `report` that begins at an hour; return its id."""
    at = NOON + timedelta(hours=hour)
    start = run_event("report", "START", at=at)
    start["run"]["facets"]["lineagegraph"] = {"params": params or {}}
    start["inputs"] = [{"namespace": "lake", "name": name} for name in inputs]
    run_id: str = start["run"]["runId"]
    end = run_event("report", kind, run_id=run_id, at=at + timedelta(seconds=seconds))
    end["outputs"] = outputs
    tell.tell(start)
    tell.tell(end)
    return run_id


def changes(uses: list[dict[str, Any]]) -> dict[str, str]:
    return {use["name"]: use["change"] for use in uses}


def test_two_runs_differ_in_state_length_parameters_data_and_columns(
    client: httpx.Client, tell: Teller
) -> None:
    tell.run("load", outputs=("orders", "rates"), at=NOON)
    before = report(
        tell,
        1,
        inputs=("orders", "rates"),
        outputs=[table("sales", 5, id="int", day="date"), table("log")],
        params={"day": 1, "mode": "full"},
    )
    tell.run("load", outputs=("orders",), at=NOON + timedelta(hours=2))
    after = report(
        tell,
        3,
        inputs=("orders", "rates", "clicks"),
        outputs=[table("sales", 7, id="bigint", price="int")],
        seconds=90,
        kind="FAIL",
        params={"day": 2, "mode": "full", "dry": True},
    )
    found = diff(client, before, after)
    assert (found["before"]["state"], found["after"]["state"]) == ("COMPLETED", "FAILED")
    assert found["changed"] == ["state", "jobVersion"]
    assert found["durationChangeMs"] == 30_000
    assert found["args"] == [
        {"name": "day", "before": 1, "after": 2},
        {"name": "dry", "before": None, "after": True},
    ]
    assert changes(found["inputs"]) == {"orders": "CHANGED", "rates": "SAME", "clicks": "ADDED"}
    assert changes(found["outputs"]) == {"sales": "CHANGED", "log": "REMOVED"}
    sales = next(use for use in found["outputs"] if use["name"] == "sales")
    assert (sales["before"]["rowCount"], sales["after"]["rowCount"]) == (5, 7)
    assert sales["columns"] == [
        {"name": "id", "change": "CHANGED", "before": "int", "after": "bigint"},
        {"name": "day", "change": "REMOVED", "before": "date", "after": None},
        {"name": "price", "change": "ADDED", "before": None, "after": "int"},
    ]


def test_a_run_that_did_the_same_again_differs_in_nothing(
    client: httpx.Client, tell: Teller
) -> None:
    tell.run("load", outputs=("orders",), at=NOON)
    one, other = (
        report(tell, hour, inputs=("orders",), outputs=[table("sales", 5, id="int")])
        for hour in (1, 2)
    )
    found = diff(client, one, other)
    assert (found["changed"], found["args"], found["durationChangeMs"]) == ([], [], 0)
    assert changes(found["inputs"] + found["outputs"]) == {"orders": "SAME", "sales": "SAME"}
    (sales,) = found["outputs"]
    assert sales["before"]["versions"] != sales["after"]["versions"]


def test_columns_of_an_input_are_the_writer_s_where_the_reader_says_none(
    client: httpx.Client, tell: Teller
) -> None:
    runs = []
    for hour, kind in ((1, "int"), (3, "bigint")):
        event = run_event("load", at=NOON + timedelta(hours=hour - 1))
        event["outputs"] = [table("orders", id=kind)]
        tell.tell(event)
        runs.append(report(tell, hour, inputs=("orders",), outputs=[]))
    (orders,) = diff(client, *runs)["inputs"]
    assert [column["name"] for column in orders["columns"]] == ["id"]


def test_what_runs_below_pass_to_each_other_is_no_input(client: httpx.Client, tell: Teller) -> None:
    days = []
    for day in range(2):
        at = NOON + timedelta(days=day)
        dag = tell.run("dag", at=at + timedelta(minutes=3))
        tell.run("a", under=dag, inputs=("raw",), outputs=("tmp",), at=at + timedelta(minutes=1))
        tell.run("b", under=dag, inputs=("tmp",), outputs=("gold",), at=at + timedelta(minutes=2))
        days.append(dag[0])
    found = diff(client, *days)
    assert changes(found["inputs"]) == {"raw": "SAME"}
    assert changes(found["outputs"]) == {"tmp": "SAME", "gold": "SAME"}


def test_what_is_no_run_is_not_compared(client: httpx.Client, tell: Teller) -> None:
    run = tell.run("job")[0]
    assert client.get(f"/api/v1/jobs/runs/{run}/diff/{UUID(int=0)}").status_code == 404
    assert client.get(f"/api/v1/jobs/runs/{UUID(int=0)}/diff/{run}").status_code == 404
    assert client.get(f"/api/v1/jobs/runs/{run}/diff/x").status_code == 400


def test_all_of_thousands_of_runs_below_a_run_are_compared(
    client: httpx.Client, tell: Teller
) -> None:
    before, after = (tell.run("dag", at=NOON + timedelta(hours=hour)) for hour in range(2))
    tell.run("task", run_id="f" * 8 + "-0000-4000-8000-" + "f" * 12, under=before, outputs=("t",))
    below = (
        "MATCH (r:Run {id: $id}) UNWIND range(1, $most) AS n "
        "CREATE (r)-[:PARENT_OF]->(:Run {id: toString(n)})"
    )
    tell.graph.query(below, {"id": before[0], "most": 3_000}, write=True)
    found = diff(client, before[0], after[0])
    assert (changes(found["outputs"]), found["truncated"]) == ({"t": "REMOVED"}, False)
    tell.graph.query(
        below.replace("range(1", "range(3001"), {"id": before[0], "most": 20_000}, write=True
    )
    assert diff(client, before[0], after[0])["truncated"]
