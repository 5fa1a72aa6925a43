"""Pipelines without Spark have lineage: pandas in one, DuckDB in the next, a trigger between."""

from pathlib import Path

from lineagegraph.graph import Graph
from lineagegraph.reading.sync import sync_path
from lineagegraph.settings import Settings
from tests.acceptance.daemon.looks import state
from tests.acceptance.processes import Commands, until

TASKS = """
import duckdb
import lineagegraph as lg
import pandas as pd
from lineagegraph import on
from pandas import read_csv

@lg.task
def clean():
    orders = read_csv("{data}/orders.csv")
    orders.dropna().to_parquet("{data}/clean.parquet")

@lg.task
def total():
    with duckdb.connect("{data}/shop.duckdb") as shop:
        shop.execute(
            "CREATE OR REPLACE TABLE totals AS"
            " SELECT region, sum(amount) AS amount FROM '{data}/clean.parquet' GROUP BY region"
        )

lg.pipeline("cleaning", tasks=[clean])
lg.pipeline("totalling", tasks=[total], trigger=on.dataset("file", "{data}/clean.parquet"))
"""
UPSTREAM = """
MATCH (:Dataset {name: 'totals'})<-[:PRODUCES]-(b:Job)<-[:FEEDS]-(d:Dataset)<-[:PRODUCES]-(a:Job)
      <-[:FEEDS]-(source:Dataset)
RETURN b.fqn AS reader, a.fqn AS writer, source.name AS source
"""
ORIGIN = """
MATCH (:Dataset {name: 'totals'})-[:HAS_FIELD]->(f:Field {name: 'amount'})
MATCH (f)-[:IN_SET*0..1]->()-[d:DERIVED_FROM]->(s:Field)<-[:HAS_FIELD]-(from:Dataset)
RETURN from.name AS name, s.name AS column, d.subtype AS subtype
"""


def test_what_pandas_writes_starts_what_reads_it_and_both_are_in_the_lineage(
    commands: Commands, graph: Graph, tmp_path: Path
) -> None:
    (tmp_path / "orders.csv").write_text("region,amount\neu,1\neu,2\nuk,\n")
    (tmp_path / "shop.py").write_text(TASKS.replace("{data}", str(tmp_path)))
    sync_path(graph, Settings(home=tmp_path / "home"), tmp_path / "shop.py")
    commands("up", "--detach", "--only", "daemon")
    commands("run", "cleaning")
    until(lambda: state(graph, "totalling") == "COMPLETED", 120)
    [row] = graph.query(UPSTREAM)
    assert (row["reader"], row["writer"]) == ("totalling.total", "cleaning.clean")
    assert row["source"] == f"{tmp_path}/orders.csv"
    [origin] = graph.query(ORIGIN)
    assert origin == {
        "name": f"{tmp_path}/clean.parquet",
        "column": "amount",
        "subtype": "AGGREGATION",
    }
