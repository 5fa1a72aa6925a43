"""Lineage in Marquez's shape, of jobs, of datasets, and of a parent as a group."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import httpx2 as httpx

from lineagegraph.model.runs.ids import new_id
from tests.acceptance.marquez.conftest import Serve, Teller
from tests.events import run_event


def lineage(client: httpx.Client, node: str, **parameters: Any) -> dict[str, dict[str, Any]]:
    answer = client.get("/api/v1/lineage", params={"nodeId": node, **parameters})
    assert answer.status_code == 200, answer.text
    body = answer.json()
    assert not body["truncated"]
    ids = [node["id"] for node in body["graph"]]
    assert ids == sorted(set(ids))
    check_edges(body["graph"])
    return {node["id"]: node for node in body["graph"]}


def check_edges(graph: list[dict[str, Any]]) -> None:
    """Every edge is said at both of its ends, and both are there."""
    nodes = {node["id"]: node for node in graph}
    for node in graph:
        for edge in node["outEdges"]:
            assert edge["origin"] == node["id"]
            assert edge in nodes[edge["destination"]]["inEdges"]
        for edge in node["inEdges"]:
            assert edge["destination"] == node["id"]
            assert edge in nodes[edge["origin"]]["outEdges"]


def flows(nodes: dict[str, dict[str, Any]]) -> set[tuple[str, str]]:
    return {
        (short(edge["origin"]), short(edge["destination"]))
        for node in nodes.values()
        for edge in node["outEdges"]
    }


def short(node: str) -> str:
    return node.removeprefix("job:default:").removeprefix("dataset:lake:")


def line_of_jobs(tell: Teller) -> None:
    for number in range(4):
        tell.run(f"j{number}", inputs=(f"d{number}",), outputs=(f"d{number + 1}",))


def test_depth_counts_jobs_and_each_job_has_its_datasets(
    client: httpx.Client, tell: Teller
) -> None:
    line_of_jobs(tell)
    assert flows(lineage(client, "job:default:j1", depth=0)) == {("d1", "j1"), ("j1", "d2")}
    assert {short(n) for n in lineage(client, "job:default:j1", depth=1)} == {
        *("d0", "j0", "d1", "j1", "d2", "j2", "d3")
    }
    assert len(lineage(client, "job:default:j1")) == 9
    assert flows(lineage(client, "dataset:lake:d2", depth=0)) == {
        *(("d1", "j1"), ("j1", "d2"), ("d2", "j2"), ("j2", "d3"))
    }


def test_one_direction_leaves_the_other_out(client: httpx.Client, tell: Teller) -> None:
    line_of_jobs(tell)
    up = lineage(client, "job:default:j1", direction="upstream")
    assert {short(node) for node in up} == {"d0", "j0", "d1", "j1"}
    down = lineage(client, "dataset:lake:d3", direction="downstream")
    assert {short(node) for node in down} == {"d3", "j3", "d4"}


def test_nodes_have_the_data_of_jobs_and_datasets(client: httpx.Client, tell: Teller) -> None:
    dag = tell.run("dag")
    tell.run("load", namespace="spark", under=dag, inputs=("a",))
    nodes = lineage(client, "job:spark:load")
    job = nodes["job:default:dag.load"]
    assert job["type"] == "JOB"
    assert job["data"]["simpleName"] == "load"
    assert job["data"]["latestRun"]["state"] == "COMPLETED"
    dataset = nodes["dataset:lake:a"]
    assert dataset["type"] == "DATASET"
    assert dataset["data"]["physicalName"] == "a"


def test_a_job_without_data_is_a_graph_of_one_node(client: httpx.Client, tell: Teller) -> None:
    tell.run("alone")
    assert list(lineage(client, "job:default:alone")) == ["job:default:alone"]
    assert list(lineage(client, "job:default:alone", view="group")) == ["job:default:alone"]


def workflow(tell: Teller) -> None:
    """A workflow of three tasks, with a neighbour on either side."""
    tell.run("before", outputs=("raw",))
    dag = tell.run("dag")
    tell.run("clean", under=dag, inputs=("raw",), outputs=("clean",))
    task = tell.run("enrich", under=dag)
    tell.run("app", under=task, inputs=("clean", "lookup"), outputs=("enriched", "shared"))
    tell.run("publish", under=dag, inputs=("enriched", "shared"), outputs=("gold",))
    tell.run("after", inputs=("gold", "shared"), outputs=("report",))


def test_a_group_shows_what_goes_in_and_out_and_not_what_stays_inside(
    client: httpx.Client, tell: Teller
) -> None:
    workflow(tell)
    nodes = lineage(client, "job:default:dag", view="group", depth=0)
    assert flows(nodes) == {("raw", "dag"), ("lookup", "dag"), ("dag", "gold"), ("dag", "shared")}
    data = nodes["job:default:dag"]["data"]
    assert [one["name"] for one in data["inputs"]] == ["lookup", "raw"]
    assert [one["name"] for one in data["outputs"]] == ["gold", "shared"]
    around = flows(lineage(client, "job:default:dag", view="group"))
    assert around == flows(nodes) | {
        *(("before", "raw"), ("gold", "after"), ("shared", "after"), ("after", "report"))
    }
    inner = lineage(client, "job:default:dag.enrich", view="group", depth=0)
    assert flows(inner) == {
        *(("clean", "dag.enrich"), ("lookup", "dag.enrich")),
        *(("dag.enrich", "enriched"), ("dag.enrich", "shared")),
    }


def test_a_group_keeps_the_data_of_jobs_that_are_ordered_inside_it(
    client: httpx.Client, tell: Teller
) -> None:
    dag = tell.run("dag")
    for name, before in (("a", None), ("b", "a"), ("c", "b")):
        event = run_event(f"dag.{name}", parent=(dag[0], "dag"))
        event["inputs"] = [{"namespace": "lake", "name": f"in_{name}"}]
        event["outputs"] = [{"namespace": "lake", "name": f"out_{name}"}]
        if before:
            job = {"job": {"namespace": "default", "name": f"dag.{before}"}}
            event["run"]["facets"]["jobDependencies"] = {"upstream": [job]}
        tell.tell(event)
    assert flows(lineage(client, "job:default:dag", view="group", depth=0)) == {
        edge for name in "abc" for edge in ((f"in_{name}", "dag"), ("dag", f"out_{name}"))
    }


def test_without_the_group_view_a_parent_stands_for_all_jobs_below_it(
    client: httpx.Client, tell: Teller
) -> None:
    workflow(tell)
    nodes = lineage(client, "job:default:dag", depth=0)
    assert nodes["job:default:dag"]["outEdges"] == []
    assert {n for n in map(short, nodes) if n.startswith("dag")} == {
        *("dag", "dag.clean", "dag.enrich.app", "dag.publish")
    }


def test_an_ambiguous_node_answers_300_and_each_url_200(client: httpx.Client, tell: Teller) -> None:
    for parent in ("daily", "hourly"):
        tell.run("app", under=tell.run(parent), outputs=("x y&z",))
    answer = client.get("/api/v1/lineage", params={"nodeId": "job:default:app", "depth": 1})
    assert answer.status_code == 300
    urls = answer.json()["jobs"]
    assert len(urls) == 2
    for url in urls:
        assert "depth=1" in url
        assert client.get(url).status_code == 200


def test_jobs_that_meet_have_node_ids_that_tell_them_apart(
    client: httpx.Client, tell: Teller
) -> None:
    for namespace in ("dbt", "spark"):
        dag = tell.run("dag", namespace="airflow")
        tell.run("model", namespace=namespace, under=dag, outputs=("gold",))
    nodes = lineage(client, "dataset:lake:gold")
    jobs = [node for node in nodes if node.startswith("job:")]
    assert len(jobs) == 2
    for job in jobs:
        name, _, uuid = job.partition("#")
        assert name == "job:airflow:dag.model"
        assert nodes[job]["data"]["uuid"] == str(UUID(uuid))
        assert client.get("/api/v1/lineage", params={"nodeId": job}).status_code == 200
    answer = client.get("/api/v1/lineage", params={"nodeId": "job:airflow:dag.model"})
    assert answer.status_code == 300
    assert [client.get(url).status_code for url in answer.json()["jobs"]] == [200, 200]


def test_lineage_at_a_time_is_what_was_known_by_then(client: httpx.Client, tell: Teller) -> None:
    noon = datetime(2026, 3, 1, 12, tzinfo=UTC)
    run = new_id()
    tell.run("load", inputs=("raw",), run_id=run, event_type="START", at=noon)
    tell.run("load", outputs=("gold",), run_id=run, at=noon + timedelta(hours=2))
    one = lineage(client, "job:default:load", at=(noon + timedelta(hours=1)).isoformat())
    assert flows(one) == {("raw", "load")}
    assert one["job:default:load"]["data"]["latestRun"]["state"] == "RUNNING"
    assert one["job:default:load"]["data"]["outputs"] == []
    then = lineage(client, "job:default:load", at="2026-03-01T15:00:00+01:00")
    assert flows(then) == {("raw", "load"), ("load", "gold")}
    assert then["job:default:load"]["data"]["latestRun"]["state"] == "COMPLETED"
    for node in ("job:default:load", "dataset:lake:raw"):
        before = {"nodeId": node, "at": "2026-03-01T11:59:59Z"}
        assert client.get("/api/v1/lineage", params=before).status_code == 404
    bad = client.get("/api/v1/lineage?nodeId=job:default:load&at=noon")
    assert (bad.status_code, bad.json()["path"]) == (400, "at")


def test_a_deleted_facet_is_not_shown_at_a_time(client: httpx.Client, tell: Teller) -> None:
    noon = datetime(2026, 3, 1, 12, tzinfo=UTC)
    for hour, facet in enumerate(({"description": "old"}, {"_deleted": True})):
        event = run_event("load", at=noon + timedelta(hours=hour), outputs=(("lake", "gold"),))
        event["outputs"][0]["facets"] = {"documentation": facet}
        tell.tell(event)
    for hour, known in enumerate(({"documentation"}, set())):
        at = (noon + timedelta(hours=hour, minutes=1)).isoformat()
        gold = lineage(client, "dataset:lake:gold", at=at)["dataset:lake:gold"]["data"]
        assert gold["facets"].keys() == known


def test_what_is_hidden_is_not_shown_and_not_walked_through(
    client: httpx.Client, tell: Teller
) -> None:
    line_of_jobs(tell)
    assert client.delete("/api/v1/namespaces/lake/datasets/d2").status_code == 200
    assert {short(node) for node in lineage(client, "job:default:j1")} == {"d0", "j0", "d1", "j1"}
    assert {short(node) for node in lineage(client, "dataset:lake:d3")} == {
        *("j2", "d3", "j3", "d4")
    }


def test_lineage_of_a_namespace_has_all_its_nodes_and_those_around(
    client: httpx.Client, serve: Serve, tell: Teller
) -> None:
    line_of_jobs(tell)
    dag = tell.run("dag", namespace="s3://airflow")
    tell.run("app", namespace="spark", under=dag, inputs=("d2",), outputs=("gold",))
    tell.run("after", inputs=("gold",), outputs=("report",))
    tell.run("far", inputs=("report",))
    own = {"job:s3://airflow:dag", "job:s3://airflow:dag.app"}
    assert set(lineage(client, "namespace:s3://airflow", depth=0)) == {
        *own,
        *("dataset:lake:d2", "dataset:lake:gold"),
    }
    near = lineage(client, "namespace:s3://airflow", depth=1)
    assert {short(node) for node in set(near) - own} == {
        *("d1", "j1", "d2", "gold", "after", "report")
    }
    up = lineage(client, "namespace:s3://airflow", direction="upstream")
    assert {short(node) for node in set(up) - own} == {"d0", "j0", "d1", "j1", "d2"}
    whole = lineage(client, "namespace:lake", depth=0)
    assert flows(whole) == flows(lineage(client, "namespace:default"))
    assert set(lineage(serve(inherit_namespace=False), "namespace:spark", depth=0)) == {
        *("job:spark:dag.app", "dataset:lake:d2", "dataset:lake:gold")
    }
    before = (datetime.now(UTC) - timedelta(days=9000)).isoformat()
    assert lineage(client, "namespace:s3://airflow", at=before) == {}
    client.delete("/api/v1/namespaces/s3%3A%2F%2Fairflow/jobs/dag.app").raise_for_status()
    assert set(lineage(client, "namespace:s3://airflow")) == {"job:s3://airflow:dag"}
    for node, status in (("namespace:spar", 404), ("namespace:", 404)):
        assert client.get("/api/v1/lineage", params={"nodeId": node}).status_code == status
    refused = client.get("/api/v1/lineage?nodeId=namespace:lake&view=group")
    assert (refused.status_code, "needs a job" in refused.json()["error"]) == (400, True)


def test_each_change_shows_in_the_next_answer(client: httpx.Client, tell: Teller) -> None:
    line_of_jobs(tell)

    def job() -> dict[str, Any]:
        first, again = (lineage(client, "dataset:lake:d2") for _ in range(2))
        assert first == again
        return first["job:default:j1"]["data"]

    assert job()["tags"] == []
    client.post("/api/v1/namespaces/default/jobs/j1/tags/pii").raise_for_status()
    assert job()["tags"] == ["pii"]
    run, _, _ = tell.run("j1", event_type="FAIL", inputs=("d1",), outputs=("d2",))
    assert (job()["latestRun"]["id"], job()["latestRun"]["state"]) == (run, "FAILED")
    client.delete("/api/v1/namespaces/default/jobs/j1").raise_for_status()
    assert "job:default:j1" not in lineage(client, "dataset:lake:d2")


def test_other_questions_about_the_same_nodes_have_answers_of_their_own(
    client: httpx.Client, tell: Teller
) -> None:
    line_of_jobs(tell)
    node = {"nodeId": "dataset:lake:d2", "depth": 9}
    whole = lineage(client, "dataset:lake:d2", depth=9)
    for _ in range(2):
        latest = lineage(client, "dataset:lake:d2", depth=9, runs="latest", groupBy="region")
        assert all("partitions" in one["data"] for one in latest.values())
        drawn = client.get("/api/v1/lineage", params={**node, "format": "dot"}).text
        assert all(f'"{id_}"' in drawn for id_ in whole)
        lines = client.get("/api/v1/lineage", params={**node, "format": "ndjson"}).text
        assert len(lines.splitlines()) == len(whole)
        assert lineage(client, "dataset:lake:d2", depth=9) == whole
        group = lineage(client, "job:default:j1", view="group")
        assert group["job:default:j1"]["data"]["inputs"]
        around = lineage(client, "namespace:default", depth=0)
        assert around == whole
