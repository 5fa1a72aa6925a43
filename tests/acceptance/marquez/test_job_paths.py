"""301, 308 and 300 over every path of a job, by a real client of the served application."""

from urllib.parse import quote

import httpx2 as httpx
import pytest

from tests.acceptance.marquez.conftest import Serve, Teller

TAILS = ("", "/runs", "/partitions", "/children", "/descendants")
WRITES = ("POST", "PUT", "PATCH", "DELETE")
ALLOWED = {"": ["PUT", "DELETE"], "/runs": ["POST"]}
LONG = (
    "hourly_experiment_metrics_workflow.calculate_current_hourly_customer_experiment_metrics"
    ".customer_experiment_metrics_job.execute_insert_into_datasource"
)
ODD = [
    ("a.b", "c.d"),
    ("s3://bucket:9000", "path/to/job"),
    ("with space", "job with space"),
    ("ns+plus", "100% ü—日本"),
    ("ns", "a?b#c&d=e;f"),
    ("ns", "%2F"),
    ("ns", "runs"),
]


def path(namespace: str, job: str, tail: str = "") -> str:
    return f"/api/v1/namespaces/{quote(namespace, safe='')}/jobs/{quote(job, safe='')}{tail}"


@pytest.mark.parametrize("tail", TAILS)
def test_reads_under_another_name_answer_301_and_writes_308(
    client: httpx.Client, tell: Teller, tail: str
) -> None:
    dag = tell.run("dag", namespace="airflow")
    tell.run("app", namespace="spark", under=dag)
    canonical = path("airflow", "dag.app", tail)
    for namespace, name in [("spark", "app"), ("airflow", "app"), ("spark", "dag.app")]:
        for method in ("GET", "HEAD", *WRITES):
            answer = client.request(method, path(namespace, name, tail) + "?limit=1&x=%C3%BC")
            assert answer.status_code == (301 if method in ("GET", "HEAD") else 308)
            assert answer.headers["location"] == f"{canonical}?limit=1&x=%C3%BC"
            assert answer.headers["cache-control"] == "no-store"
    assert client.get(canonical).status_code == 200
    assert client.head(canonical).status_code == 200
    allowed = ALLOWED.get(tail, [])
    for method in set(WRITES) - set(allowed):
        refused = client.request(method, canonical)
        assert refused.status_code == 405
        assert refused.headers["allow"] == ", ".join(["GET", "HEAD", *allowed])


@pytest.mark.parametrize("tail", TAILS)
def test_two_jobs_with_one_simple_name_answer_300_and_each_url_200(
    client: httpx.Client, tell: Teller, tail: str
) -> None:
    for workflow in ("daily", "hourly"):
        tell.run("app", under=tell.run(workflow))
    for method in ("GET", *WRITES):
        answer = client.request(method, path("default", "app", tail))
        assert answer.status_code == 300
        assert answer.headers["cache-control"] == "no-store"
        urls = answer.json()["jobs"]
        assert [url.removeprefix(str(client.base_url).rstrip("/")) for url in urls] == [
            path("default", f"{workflow}.app", tail) for workflow in ("daily", "hourly")
        ]
        assert [client.get(url).status_code for url in urls] == [200, 200]


@pytest.mark.parametrize("tail", TAILS)
def test_jobs_that_inheritance_makes_meet_answer_300_with_urls_that_tell_them_apart(
    client: httpx.Client, tell: Teller, tail: str
) -> None:
    for namespace in ("dbt", "spark"):
        tell.run("model", namespace=namespace, under=tell.run("dag", namespace="airflow"))
    answer = client.get(path("airflow", "dag.model", tail) + ("?limit=5" if tail else ""))
    assert answer.status_code == 300
    urls = answer.json()["jobs"]
    assert len(set(urls)) == 2
    assert [client.get(url).status_code for url in urls] == [200, 200]
    led = client.get(path("dbt", "model", tail))
    assert led.status_code == 301
    landed = client.get(led.headers["location"])
    assert landed.status_code == 200
    if not tail:
        assert landed.json()["own"] == {"namespace": "dbt", "name": "model"}
        assert {client.get(url).json()["own"]["namespace"] for url in urls} == {"dbt", "spark"}


@pytest.mark.parametrize(("namespace", "name"), ODD)
def test_names_of_any_characters_are_found_and_led_to(
    client: httpx.Client, tell: Teller, namespace: str, name: str
) -> None:
    tell.run(name, namespace=namespace)
    tell.run(name, namespace="other " + namespace, under=tell.run("top", namespace=namespace))
    for tail in TAILS:
        assert client.get(path(namespace, name, tail)).status_code == 200
    assert client.get(path(namespace, name)).json()["name"] == name
    answer = client.get(path("other " + namespace, name, "/runs"))
    assert answer.status_code == 301
    assert answer.headers["location"] == path(namespace, f"top.{name}", "/runs")
    assert client.get(answer.headers["location"]).json()["totalCount"] == 1


def test_an_encoded_slash_is_part_of_the_name_and_a_plain_one_is_not(
    client: httpx.Client, tell: Teller
) -> None:
    tell.run("a/runs")
    tell.run("a")
    assert client.get(path("default", "a/runs")).json()["name"] == "a/runs"
    assert "runs" in client.get("/api/v1/namespaces/default/jobs/a/runs").json()


@pytest.mark.parametrize("prefixed", [True, False])
def test_the_long_name_is_served_whether_own_names_have_their_parents_in_front_or_not(
    client: httpx.Client, tell: Teller, prefixed: bool
) -> None:
    parts = LONG.split(".")
    above = None
    for n, part in enumerate(parts):
        above = tell.run(".".join(parts[: n + 1]) if prefixed else part, under=above)
    job = client.get(path("default", LONG)).json()
    assert job["name"] == LONG
    assert job["simpleName"] == parts[-1]
    assert job["parentJobName"] == ".".join(parts[:-1])
    assert job["parentHierarchy"] == parts[:-1]


def test_without_inheritance_the_own_namespace_is_served_and_the_inherited_one_leads_there(
    serve: Serve, tell: Teller
) -> None:
    tell.run("app", namespace="spark", under=tell.run("dag", namespace="airflow"))
    client = serve(inherit_namespace=False)
    assert client.get(path("spark", "dag.app")).json()["namespace"] == "spark"
    led = client.get(path("airflow", "dag.app"))
    assert led.status_code == 301
    assert led.headers["location"] == path("spark", "dag.app")
    assert serve().get(path("airflow", "dag.app")).status_code == 200


def test_what_nobody_has_or_can_have_is_refused_in_one_line(
    client: httpx.Client, tell: Teller
) -> None:
    tell.run("job")
    answers = {
        path("default", "nothing"): 404,
        path("nowhere", "job"): 404,
        path("default", "job") + "?uuid=x": 400,
        path("default", "job") + "?uuid=11111111-1111-1111-1111-111111111111": 404,
        path("default", "job", "/runs?limit=-1"): 400,
        path("default", "job", "/runs?limit=99999999999999999999"): 400,
        path("default", "job", "/runs?offset=1.5"): 400,
        "/api/v1/namespaces/default/jobs/%FF": 400,
        "/api/v1/namespaces/%00/jobs/%00": 404,
        path("default", "x" * 8000): 404,
    }
    for url, status in answers.items():
        answer = client.get(url)
        assert answer.status_code == status, url
        assert "\n" not in answer.json()["error"]
