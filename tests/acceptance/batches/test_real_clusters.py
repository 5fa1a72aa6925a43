"""Batches that need each other's tasks, on two real standalone clusters at the same time."""

import json
from pathlib import Path

import pandas as pd

from tests.acceptance.batches.yard import Yard
from tests.acceptance.standalone import on_cluster, standalone_cluster

RIDES = {
    "raw": {"sql": "SELECT id, id % 3 AS city FROM range(99)", "target": "gold.raw"},
    "report": {
        "sql": "SELECT max(fares) AS most FROM gold.kpi",
        "target": "gold.report",
        "dependencies": ["kpi.daily"],
    },
}
FINANCE = {"fx": {"sql": "SELECT 2 AS rate", "target": "gold.fx"}}
KPI = {
    "daily": {
        "sql": "SELECT city, count(*) * max(rate) AS fares FROM gold.raw, gold.fx GROUP BY city",
        "target": "gold.kpi",
        "dependencies": ["rides.raw", "finance.fx"],
    }
}


def test_three_batches_that_need_each_other_run_on_two_clusters_at_once(
    yard: Yard, tmp_path: Path
) -> None:
    with (
        standalone_cluster(tmp_path / "one") as one,
        standalone_cluster(tmp_path / "two") as two,
    ):
        masters = {"rides": one, "finance": two, "kpi": two}
        tasks = {"rides": RIDES, "finance": FINANCE, "kpi": KPI}
        (tmp_path / "batches").mkdir()
        for name, master in masters.items():
            stated = {"batch": name, "spark": {"conf": on_cluster(master)}, "tasks": tasks[name]}
            (tmp_path / "batches" / f"{name}.json").write_text(json.dumps(stated))
        assert yard.commands("sync", "batches").returncode == 0
        yard.up()
        for name in masters:
            yard.submit(name)
        for name in masters:
            yard.until(name, "COMPLETED", seconds=240)
    assert pd.read_parquet(tmp_path / "home/tables/gold/report")["most"].tolist() == [66]
    each = {name: json.loads(yard.cost(name))["applications"] for name in masters}
    assert {name: [app["master"] for app in apps] for name, apps in each.items()} == {
        name: [master] for name, master in masters.items()
    }
    for task in ("rides.raw", "rides.report", "finance.fx", "kpi.daily"):
        assert yard.states(task) == ["COMPLETED"]
    assert yard.together("rides.raw", "finance.fx")
