"""Statements about jobs and datasets of others are their author's claims, until rights change."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest

from lineagegraph.admin.tokens import add_token, revoke_token
from lineagegraph.errors import NameTaken
from lineagegraph.graph import Graph
from lineagegraph.http import HttpServer, bind, make_application
from lineagegraph.http.ingest.decoding import decode_json
from lineagegraph.http.ingest.facet_check import FacetCheck
from lineagegraph.http.ingest.received import receive, receive_line
from lineagegraph.ingest.extract import extract
from lineagegraph.model.access import Role
from lineagegraph.model.names.keys import job_key
from lineagegraph.model.pipelines.definition import CommandTask, Pipeline, Task
from lineagegraph.model.runs.ids import new_id
from lineagegraph.model.triggers.condition import OnDataset
from lineagegraph.model.triggers.trigger import Trigger
from lineagegraph.queries.jobs.one import read_dataset_detail
from lineagegraph.reactions.commit import commit
from lineagegraph.settings import Settings
from lineagegraph.triggers.write import write_trigger
from tests.acceptance.processes import until
from tests.definitions import define
from tests.events import run_event

EVENT, BATCH = "/api/v1/lineage", "/api/v1/lineage/batch"
GOLD = ("secret", "gold")
LAKE = ("s3://lake", "gold")
Client = Callable[..., httpx.Client]


@pytest.fixture
def served(graph: Graph, settings: Settings, tmp_path: Path) -> Iterator[HttpServer]:
    own = settings.model_copy(update={"home": tmp_path, "host": "0.0.0.0"})
    server = HttpServer(make_application(graph, own), bind("127.0.0.1", 0))
    server.start()
    yield server
    server.stop()


@pytest.fixture
def client(graph: Graph, served: HttpServer) -> Iterator[Client]:
    with ExitStack() as open_until_the_end:

        def connect(name: str, *datasets: str, **covers: str) -> httpx.Client:
            roles = {Role(role): frozenset(names.split()) for role, names in covers.items()}
            token = add_token(graph, name, roles, datasets=datasets, take_over=True)
            headers = {"Authorization": f"Bearer {token}"}
            client = httpx.Client(base_url=served.url, timeout=60, headers=headers)
            return open_until_the_end.enter_context(client)

        yield connect


@pytest.fixture
def secret(graph: Graph) -> Graph:
    """A pipeline `secret.pipe` that starts when its tables are written, and one known schema."""
    work = Task(name="work", work=CommandTask(command=("true",)))
    define(graph, Pipeline(name="pipe", namespace="secret", tasks=(work,)), "secret")
    before = datetime.now(UTC) - timedelta(hours=1)
    for namespace, name in (GOLD, LAKE):
        rule = Trigger(when=OnDataset(namespace=namespace, name=name))
        starts = job_key(None, "secret", "pipe")
        trigger = f"{namespace} written"
        graph.write(
            write_trigger, rule, starts=starts, name=trigger, namespace="secret", now=before
        )
    event = run_event("owner", namespace="secret", outputs=(GOLD, LAKE), at=before)
    for output in event["outputs"]:
        output["facets"] = schema("honest")
    graph.write(commit, extract([event]), now=before)
    return graph


def schema(*columns: str) -> dict[str, Any]:
    fields = [{"name": name, "type": "int"} for name in columns]
    return {"schema": {"_producer": "p", "_schemaURL": "s", "fields": fields}}


def forged(*outputs: tuple[str, str], **terms: Any) -> dict[str, Any]:
    event = run_event("x", namespace="mine", outputs=outputs, **terms)
    for output in event["outputs"]:
        output["facets"] = schema("forged")
    return event


def columns(graph: Graph, dataset: tuple[str, str]) -> list[str]:
    rows = graph.query(
        "MATCH (:Dataset {namespace: $ns, name: $name})-[:HAS_FIELD]->(f:Field) "
        "WHERE coalesce(f.current, true) RETURN f.name AS name ORDER BY name",
        {"ns": dataset[0], "name": dataset[1]},
    )
    return [row["name"] for row in rows]


def firings(graph: Graph) -> int:
    (row,) = graph.query("MATCH (f:Firing) RETURN count(f) AS n")
    return int(row["n"])


def test_an_output_in_the_namespace_of_others_jobs_neither_fires_nor_changes_its_schema(
    client: Client, secret: Graph
) -> None:
    mine = client("mine", write="mine")
    fired = firings(secret)
    sent = mine.post(EVENT, json=forged(GOLD, ("s3://own", "t")))
    assert (sent.status_code, sent.json()["claims"]) == (201, ["$.outputs[0]"])
    (batch,) = mine.post(BATCH, json=[forged(GOLD)]).json()["claims"]
    assert batch == {"index": 0, "path": "$.outputs[0]"}
    put = mine.put(
        "/api/v1/namespaces/mine/jobs/y",
        json={"type": "BATCH", "inputs": [], "outputs": [{"namespace": "secret", "name": "gold"}]},
    )
    assert put.status_code in {200, 403}
    assert columns(secret, GOLD) == ["honest"]
    assert columns(secret, ("s3://own", "t")) == ["forged"]
    assert firings(secret) == fired
    writers = secret.query(
        "MATCH (j:Job)-[:PRODUCES]->(:Dataset {name: 'gold', namespace: 'secret'}) "
        "RETURN j.fqn AS name"
    )
    assert [row["name"] for row in writers] == ["owner"]
    authors = secret.query("MATCH (e:Event) WHERE e.claims IS NOT NULL RETURN e.author AS author")
    assert {row["author"] for row in authors} == {"mine"}


def test_a_mark_of_a_producer_without_operate_is_a_claim_also_if_it_writes_everywhere(
    client: Client, secret: Graph
) -> None:
    run, marked = new_id(), {"state": "COMPLETED", "reason": "x", "author": "ann"}
    states = "MATCH (r:Run {id: $id}) RETURN r.state AS state"
    now = datetime.now(UTC)
    failed = run_event("x", "FAIL", namespace="mine", run_id=run, at=now - timedelta(minutes=2))
    other = run_event("x", "OTHER", namespace="mine", run_id=run, at=now - timedelta(minutes=1))
    other["run"]["facets"]["lineagegraph"] = {
        "_producer": "p",
        "_schemaURL": "s",
        "mark": marked,
    }
    # A server knows a new token soon.
    producer, operator = client("producer", write="*"), client("operator", write="*", operate="*")
    assert producer.post(EVENT, json=failed).json().get("claims", []) == []
    assert producer.post(EVENT, json=other).json()["claims"] == ["$.run.facets.lineagegraph.mark"]
    (batch,) = producer.post(BATCH, json=[other]).json()["claims"]
    assert batch["path"] == "$.run.facets.lineagegraph.mark"
    assert secret.query(states, {"id": run}) == [{"state": "FAILED"}]
    other["run"]["facets"]["lineagegraph"]["mark"] = marked | {"reason": "seen"}
    sent = operator.post(EVENT, json=other)
    assert (sent.status_code, sent.json().get("claims", [])) == (201, [])
    assert secret.query(states, {"id": run}) == [{"state": "COMPLETED"}]


def test_a_storage_belongs_to_everyone_until_a_token_owns_it(client: Client, secret: Graph) -> None:
    fired = firings(secret)
    mine = client("mine", write="mine")
    assert mine.post(EVENT, json=forged(LAKE)).json()["claims"] == []
    assert firings(secret) == fired + 1
    client("lake", "s3://lake*", write="secret")
    until(lambda: mine.post(EVENT, json=forged(LAKE)).json()["claims"] == ["$.outputs[0]"])


def test_parents_aliases_and_dependencies_of_others_are_claims(
    client: Client, secret: Graph
) -> None:
    theirs = new_id()
    know = run_event("owner", "START", namespace="secret", run_id=theirs)
    secret.write(commit, extract([know]))
    event = run_event("x", namespace="mine", inputs=(GOLD,), outputs=(("s3://own", "t"),))
    links = {"identifiers": [{"namespace": "secret", "name": "gold", "type": "TABLE"}]}
    change = {"lifecycleStateChange": "RENAME", "previousIdentifier": links["identifiers"][0]}
    event["outputs"][0]["facets"] = {"symlinks": links, "lifecycleStateChange": change}
    event["inputs"][0]["facets"] = schema("forged")
    event["inputs"][0]["inputFacets"] = {
        "dataQualityAssertions": {"assertions": []},
        "inputStatistics": {"rowCount": 3},
    }
    there = {"run": {"runId": theirs}, "job": {"namespace": "secret", "name": "made.up"}}
    disguised = {"run": {"runId": theirs.upper()}, "job": {"namespace": "mine", "name": "x"}}
    event["run"]["facets"] = {
        "parent": there | {"root": there},
        "jobDependencies": {"upstream": [there, disguised], "downstream": [disguised]},
    }
    sent = client("mine", write="mine").post(EVENT, json=event)
    assert sorted(sent.json()["claims"]) == [
        "$.inputs[0].facets",
        "$.inputs[0].inputFacets.dataQualityAssertions",
        "$.outputs[0].facets.lifecycleStateChange",
        "$.outputs[0].facets.symlinks",
        "$.run.facets.jobDependencies.downstream[0]",
        "$.run.facets.jobDependencies.upstream[0]",
        "$.run.facets.jobDependencies.upstream[1]",
        "$.run.facets.parent",
        "$.run.facets.parent.root",
    ]
    jobs = secret.query("MATCH (j:Job {namespace: 'secret'}) RETURN j.fqn AS name ORDER BY name")
    assert "made.up" not in str(jobs)
    assert secret.query("MATCH (:Run {namespace: 'mine'})-[r]-(:Run) RETURN type(r) AS t") == []
    assert secret.query("MATCH ()-[r:HAS_NAME|SAME_AS]->() RETURN r") == []
    assert columns(secret, GOLD) == ["honest"]
    assert "dataQualityAssertions" not in read_dataset_detail(secret, *GOLD).facets


def test_a_run_of_others_by_an_id_that_is_no_uuid_is_a_claim(client: Client, secret: Graph) -> None:
    sent = "manual__2024-01-01"
    secret.write(commit, extract([run_event("owner", namespace="secret", run_id=sent)]))
    (theirs,) = secret.query("MATCH (r:Run {external_id: $id}) RETURN r.id AS id", {"id": sent})
    named = {"run": {"runId": sent}, "job": {"namespace": "secret", "name": "owner"}}
    spelled = {"run": {"runId": theirs["id"]}, "job": {"namespace": "mine", "name": "x"}}
    mine = client("mine", write="mine")
    for parent in (named, spelled):
        event = run_event("x", namespace="mine", run_id="run 7")
        event["run"]["facets"] = {"parent": parent}
        answer = mine.post(EVENT, json=event)
        assert (answer.status_code, answer.json()["claims"]) == (201, ["$.run.facets.parent"])
    taken = run_event("owner", namespace="secret", run_id=sent)
    assert mine.post(EVENT, json=taken).status_code == 403
    assert secret.query("MATCH (:Run {namespace: 'mine'})-[r]-(:Run) RETURN type(r) AS t") == []


def test_claims_become_facts_and_fire_once_rights_allow_them(client: Client, secret: Graph) -> None:
    fired = firings(secret)
    mine = client("mine", write="mine")
    event = forged(GOLD)
    assert mine.post(EVENT, json=event).json()["claims"] == ["$.outputs[0]"]
    revoke_token(secret, "mine")
    client("mine", "secret", write="mine")
    until(lambda: columns(secret, GOLD) == ["forged"])
    assert firings(secret) == fired + 1
    assert secret.query("MATCH (e:Event) WHERE e.claims IS NOT NULL RETURN e.id AS id") == []


def test_claims_are_not_left_to_another_token_of_the_same_name(
    client: Client, secret: Graph
) -> None:
    mine = client("mine", write="mine")
    assert mine.post(EVENT, json=forged(GOLD)).json()["claims"] == ["$.outputs[0]"]
    revoke_token(secret, "mine")
    with pytest.raises(NameTaken, match="a revoked token named 'mine' left claims: choose"):
        add_token(secret, "mine", {Role.WRITE: frozenset({"*"})})
    add_token(secret, "mine", {Role.WRITE: frozenset({"mine"})}, take_over=True)


def test_a_claim_that_waits_in_the_spool_stays_a_claim() -> None:
    check = FacetCheck()
    taken = receive(forged(GOLD), check, author="mine").claiming(["$.outputs[0]"])
    again = receive_line(decode_json(taken.line), check)
    assert (again.author, again.claims, again.event) == ("mine", ("$.outputs[0]",), taken.event)
    assert again.batch.events == taken.batch.events
    assert again.batch.datasets == {}
