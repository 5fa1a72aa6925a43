"""A planted secret reaches the process that needs it, and nothing else."""

import json
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest

from lineagegraph.graph import Graph
from lineagegraph.http import HttpServer, bind, make_application
from lineagegraph.http.ingest.facet_check import FacetCheck
from lineagegraph.http.ingest.received import receive
from lineagegraph.http.openapi import make_document
from lineagegraph.neo4j_server import ServerAddress
from lineagegraph.settings import Settings
from tests.acceptance.processes import Commands, shared
from tests.events import run_event

CANARY = "c4nary-9f3b77"
DEFINITION = """
import os
import lineagegraph as lg

secret = os.environ["PLANTED"]
database = f"jdbc:postgresql://u:{secret}@h/db"
own = {"DB_PASSWORD": secret, "DATABASE": database, "REGION": "eu"}
check = 'echo "$DB_PASSWORD $DATABASE $REGION" > "$OUT/environment"; umask > "$OUT/umask"; exit 0'
load = lg.command("load", ["sh", "-c", check], environment=own)
fail = lg.command("fail", ["false", "--password", secret, database], after=load)
wait = lg.sensor("leaky", "wait", mode="exclusive", timeout="0.5s", poke_interval="0.2s")

@lg.task
def configured(spark):
    got = spark.sparkContext.getConf().get("spark.hadoop.fs.s3a.secret.key")
    with open(os.environ["OUT"] + "/spark", "w") as file:
        file.write(got)
    spark.range(1).collect()
    raise ValueError(f"no login at {database}: password={secret}")

spark = {"spark.master": "local[1]", "spark.hadoop.fs.s3a.secret.key": secret}
lg.pipeline("p", tasks=[load, fail, wait, configured], spark=spark)
"""
KIND = """
import os
from typing import ClassVar

from lineagegraph.sensors import Sensor

class Leaky(Sensor, frozen=True):
    kind: ClassVar[str] = "leaky"

    async def poke(self, context):
        raise OSError(f"cannot connect: host=h password={os.environ['PLANTED']}")
"""


@pytest.fixture
def commands(server: ServerAddress, graph: Graph, tmp_path: Path) -> Commands:
    project, out = tmp_path / "project", tmp_path / "out"
    project.mkdir()
    out.mkdir()
    (project / "lineagegraph.toml").touch()
    (project / "flows.py").write_text(DEFINITION)
    (tmp_path / "kinds").mkdir()
    (tmp_path / "kinds" / "leaky.py").write_text(KIND)
    commands = Commands(project, shared(server, tmp_path / "home"))
    path = f"{tmp_path / 'kinds'}:{commands.environment.get('PYTHONPATH', '')}"
    own = {"PLANTED": CANARY, "OUT": str(out), "PYTHONPATH": path}
    own["LINEAGEGRAPH_PASS_ENVIRONMENT"] = '["PLANTED", "OUT"]'
    commands.environment |= own | {"LINEAGEGRAPH_SENSOR_KINDS": '["leaky:Leaky"]'}
    return commands


@pytest.fixture
def client(graph: Graph, settings: Settings, tmp_path: Path) -> Iterator[httpx.Client]:
    own = settings.model_copy(update={"home": tmp_path / "home"})
    server = HttpServer(make_application(graph, own), bind("127.0.0.1", 0))
    server.start()
    with httpx.Client(base_url=server.url, timeout=60) as client:
        yield client
    server.stop()


def leaking_event() -> dict[str, Any]:
    event = run_event("etl", namespace="n")
    facet = {"_producer": "https://x", "_schemaURL": "https://x"}
    event["run"]["facets"] |= {
        "spark_properties": facet | {"properties": {"spark.x.password": CANARY}},
        "environment-properties": facet
        | {"environment-properties": {"env": [{"name": "API_KEY", "value": CANARY}]}},
        "errorMessage": facet
        | {"message": f"password={CANARY}", "programmingLanguage": "x", "stackTrace": CANARY[:0]},
        "args": facet | {"args": ["--token", CANARY, f"https://u:{CANARY}@h"]},
    }
    event["job"]["facets"] = {
        "sql": facet | {"query": f"CREATE USER x PASSWORD '{CANARY}'"},
        "sourceCode": facet | {"language": "python", "sourceCode": f"token = '{CANARY}'"},
    }
    event["inputs"] = [{"namespace": f"postgres://u:{CANARY}@h:5432", "name": "db.public.t"}]
    event["outputs"] = [{"namespace": "s3://b", "name": f"x?sig={CANARY}"}]
    return event


def having(graph: Graph, text: str) -> list[str]:
    """Nodes and edges with a text in a property."""
    rows = graph.query("MATCH (n) RETURN labels(n) AS kind, properties(n) AS own")
    rows += graph.query("MATCH ()-[e]->() RETURN type(e) AS kind, properties(e) AS own")
    return [repr(row) for row in rows if text in repr(row)]


def answers(client: httpx.Client, graph: Graph) -> Iterator[str]:
    """The answers of all GET routes, with names of this graph in their paths."""
    runs = graph.query("MATCH (r:Run) RETURN r.id AS id")
    jobs = graph.query("MATCH (j:Job) RETURN j.namespace AS namespace, j.fqn AS name")
    for path, operations in make_document()["paths"].items():
        if "get" not in operations or "stream" in path or path.endswith("/changes"):
            continue
        for about in jobs if "{" in path else jobs[:1]:
            names = {"namespace": about["namespace"], "job": about["name"], "name": about["name"]}
            for run in runs if "{id}" in path or "{run" in path else runs[:1]:
                filled = path
                for part in [one.split("}")[0] for one in path.split("{")[1:]]:
                    value = names.get(part, run["id"])
                    filled = filled.replace("{" + part + "}", value.replace("/", "%2F"))
                with client.stream("GET", filled) as answer:
                    if "event-stream" not in answer.headers.get("content-type", ""):
                        yield answer.read().decode(errors="replace")


def test_a_planted_secret_is_nowhere_but_in_its_process(
    commands: Commands, client: httpx.Client, graph: Graph, tmp_path: Path
) -> None:
    printed = [commands("sync", ".")]
    assert printed[0].returncode == 0, printed[0].stderr
    printed.append(commands("run", "p"))
    assert client.post("/api/v1/lineage", json=leaking_event()).status_code in (200, 201)
    printed += [commands(*words) for words in (("show", "p"), ("versions", "p"), ("as-was", "p"))]

    out = tmp_path / "out"
    got = (out / "environment").read_text()
    assert got == f"{CANARY} jdbc:postgresql://u:{CANARY}@h/db eu\n"
    assert (out / "spark").read_text() == CANARY

    states = graph.query("MATCH (j:Job)-[:HAS_RUN]->(r) RETURN j.fqn AS job, r.state AS state")
    assert {row["job"]: row["state"] for row in states if row["job"] != "etl"}["p.load"] == (
        "COMPLETED"
    )
    assert having(graph, CANARY) == []
    assert having(graph, "***")
    assert CANARY not in "".join(done.stdout + done.stderr for done in printed)
    texts = list(answers(client, graph))
    assert len(texts) > 50
    assert not [text for text in texts if CANARY in text]

    home = tmp_path / "home"
    files = [path for path in home.rglob("*") if path.is_file() and "tables" not in path.parts]
    private = [path for path in files if CANARY.encode() in path.read_bytes()]
    assert {path.parent for path in private} == {home / "private"}
    modes = {path: stat.S_IMODE(path.stat().st_mode) for path in files}
    assert set(modes.values()) == {0o600}, modes
    folders = [home, *(path for path in home.rglob("*") if path.is_dir())]
    assert {stat.S_IMODE(path.stat().st_mode) for path in folders} == {0o700}, folders


def test_a_rotated_secret_makes_no_version_and_is_used_at_once(
    commands: Commands, tmp_path: Path
) -> None:
    flows = commands.folder / "flows.py"
    flows.write_text(DEFINITION.replace("[load, fail, wait, configured]", "[load]"))
    assert commands("sync", ".").returncode == 0
    assert commands("run", "p").returncode == 0
    assert commands("run", "p", PLANTED="rotated-1").returncode == 0
    assert (tmp_path / "out" / "environment").read_text().startswith("rotated-1 ")
    assert len(json.loads(commands("versions", "p", "--json").stdout)) == 1


def test_a_machine_without_the_secret_refuses_the_run(commands: Commands, tmp_path: Path) -> None:
    flows = commands.folder / "flows.py"
    flows.write_text(DEFINITION.replace("[load, fail, wait, configured]", "[load]"))
    assert commands("sync", ".").returncode == 0
    flows.unlink()
    done = commands("run", "p", LINEAGEGRAPH_HOME=str(tmp_path / "other"))
    assert "is not known on this machine" in done.stdout + done.stderr
    assert not (tmp_path / "out" / "environment").exists()


def test_an_event_that_waits_on_disk_has_no_secret() -> None:
    line = receive(leaking_event(), FacetCheck()).line
    assert CANARY.encode() not in line
    assert b"***" in line
