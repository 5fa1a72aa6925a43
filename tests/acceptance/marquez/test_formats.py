"""Lists and lineage in other formats than one JSON text."""

import json
from xml.etree import ElementTree

import httpx2 as httpx

from tests.acceptance.marquez.conftest import Teller


def test_lineage_comes_as_drawings_with_the_names_that_jobs_are_served_under(
    client: httpx.Client, tell: Teller
) -> None:
    dag = tell.run("dag", namespace="airflow")
    tell.run("load", namespace="spark", under=dag, inputs=("raw <1>",), outputs=("gold",))
    node = {"nodeId": "dataset:lake:gold"}
    dot = client.get("/api/v1/lineage", params=node, headers={"Accept": "text/vnd.graphviz"})
    assert dot.headers["Content-Type"].startswith("text/vnd.graphviz")
    assert dot.headers["Vary"] == "Accept"
    assert '"job:airflow:dag.load" -> "dataset:lake:gold";' in dot.text
    mermaid = client.get("/api/v1/lineage", params={**node, "format": "mermaid"})
    assert mermaid.text.startswith("flowchart LR")
    svg = client.get("/api/v1/lineage", params=node, headers={"Accept": "image/*"})
    titles = {one.text for one in ElementTree.fromstring(svg.text).iter() if one.text}
    assert {"job:airflow:dag.load", "dataset:lake:raw <1>", "dataset:lake:gold"} <= titles


def test_jobs_that_meet_are_two_nodes_of_a_drawing(client: httpx.Client, tell: Teller) -> None:
    for namespace in ("dbt", "spark"):
        dag = tell.run("dag", namespace="airflow")
        tell.run("model", namespace=namespace, under=dag, outputs=("gold",))
    answer = client.get("/api/v1/lineage?nodeId=dataset:lake:gold&format=dot")
    assert answer.text.count("job:airflow:dag.model#") == 4


def test_a_node_or_an_item_a_line(client: httpx.Client, tell: Teller) -> None:
    tell.run("load", inputs=("raw",), outputs=("gold",))
    lines = {"Accept": "application/x-ndjson"}
    answer = client.get("/api/v1/lineage?nodeId=dataset:lake:gold", headers=lines)
    nodes = [json.loads(line) for line in answer.text.splitlines()]
    assert [node["id"] for node in nodes] == [
        *("dataset:lake:gold", "dataset:lake:raw", "job:default:load")
    ]
    jobs = client.get("/api/v1/jobs", headers=lines)
    assert jobs.headers["Content-Type"] == "application/x-ndjson"
    assert [json.loads(line)["name"] for line in jobs.text.splitlines()] == ["load"]


def test_what_nobody_serves_is_406_with_the_list_of_what_is(
    client: httpx.Client, tell: Teller
) -> None:
    tell.run("load")
    for path in ("/api/v1/jobs", "/api/v1/lineage?nodeId=job:default:load"):
        answer = client.get(path, headers={"Accept": "application/pdf"})
        assert answer.status_code == 406
        assert "application/x-ndjson" in answer.json()["error"]
