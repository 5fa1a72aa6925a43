"""Tasks of one run on several clusters: each with a process, a session and hooks of its own."""

import json
import os
from datetime import timedelta

import msgspec
import pandas as pd
import pytest
from pydantic import SecretStr

from lineagegraph.daemon.remove_clusters import remove_leftover_clusters
from lineagegraph.errors import RunError
from lineagegraph.execution.cancellation import Cancellation
from lineagegraph.freshness.lease import assert_lease
from lineagegraph.model.names.keys import canonical_json
from lineagegraph.model.outbox.routes import Route
from lineagegraph.model.pipelines.definition import Cluster, Pipeline, PythonTask, SqlTask, Task
from lineagegraph.model.runs.ids import new_id
from lineagegraph.settings import Settings
from lineagegraph.store.outbox.notifications import list_notifications
from lineagegraph.store.runs import clusters, launches
from lineagegraph.worker.held_run import run_claimed
from lineagegraph.worker.run_claim import RunClaim
from lineagegraph.worker.worker import WorkerProcessEnvironment
from tests.acceptance.standalone import on_cluster, standalone_cluster
from tests.definitions import define

LOCAL = {"spark.master": "local[1]", "spark.sql.shuffle.partitions": "1"}
LEASE = timedelta(minutes=5)
CODE = """
import json, os
from pathlib import Path

import lineagegraph as lg


def make(asked):
    print("making", asked["name"])
    note("make", asked)
    return {"spark.app.name": "made"}


def remove(asked):
    note("remove", asked)
    if Path(NOTES + ".broken").exists():
        raise RuntimeError("no such cluster")


def note(what, asked):
    with Path(NOTES).open("a") as file:
        file.write(json.dumps([what, asked]) + "\\n")


def read(spark):
    rows = spark.table("gold.rides").count()
    print("rows", rows)
    lg.emit(rows=rows, name=spark.conf.get("spark.app.name"), process=os.getpid())


def adds(spark):
    lg.expand(read, over=[{"x": 1}])
"""

DIES = """
import os, signal
from pathlib import Path

def dies(spark):
    mark = Path(NOTES)
    if not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
"""


class Bench:
    """Carries out runs as a worker does, here."""

    def __init__(self, graph, server, folder):
        self.graph, self.folder = graph, folder
        self.notes = folder / "notes"
        self.settings = Settings(
            home=folder,
            neo4j_uri=server.bolt,
            neo4j_user=server.user,
            neo4j_password=SecretStr(server.password),
            notify=(Route(on=("cluster_left",), to="log:", name="ops"),),
        )

    def run(self, *tasks, on, code=CODE):
        pipeline = Pipeline(
            name="kpi", namespace="default", tasks=tasks, spark=LOCAL, clusters=tuple(on)
        )
        code = f"NOTES = {str(self.notes)!r}\n{code}"
        key, id_ = define(self.graph, pipeline, files={"etl.py": code}), new_id()
        asked = {"job_key": key, "params": None, "only": [], "now": None}
        self.graph.write(launches.merge_queued, run_id=id_, **asked)
        claim = self.graph.write(
            launches.claim_run, id=id_, owner="t", lease=LEASE, claim=None, now=None
        )
        run = RunClaim(self.graph, self.settings, id_, claim.fence)
        run_claimed(run, WorkerProcessEnvironment(self.settings), Cancellation())
        return id_

    def tasks(self, run_id):
        rows = self.graph.query(
            "MATCH (:Run {id: $id})-[:PARENT_OF]->(r:Run)<-[:HAS_RUN]-(j) RETURN"
            " j.simple_name AS name, r.state AS state, r.error AS error, r.emitted AS emitted",
            {"id": run_id},
        )
        return {row["name"]: row for row in rows}

    def noted(self):
        return [json.loads(line) for line in self.notes.read_text().splitlines()]


@pytest.fixture
def bench(graph, server, tmp_path):
    return Bench(graph, server, tmp_path)


def python(name, cluster, after=()):
    work = PythonTask(module="etl", qualname=name, arguments=("spark",))
    return Task(name=name, work=work, cluster=cluster, after=after)


def test_tasks_on_two_clusters_share_tables_and_the_hooks_frame_the_run(bench, graph):
    sql = "SELECT explode(sequence(1, 10)) AS id"
    a = Cluster(name="a", spark=LOCAL)
    b = Cluster(name="b", spark=LOCAL, create="etl:make", destroy="etl:remove")
    id_ = bench.run(
        Task(name="rides", work=SqlTask(sql=sql, target="gold.rides"), cluster="a"),
        python("read", "b", after=("rides",)),
        python("adds", "b", after=("read",)),
        on=(a, b),
    )
    found = bench.tasks(id_)
    assert (found["rides"]["state"], found["read"]["state"]) == ("COMPLETED", "COMPLETED"), found
    assert "expand() does not work in a task on a named cluster" in found["adds"]["error"]
    emitted = json.loads(found["read"]["emitted"])
    assert (emitted["rows"], emitted["name"]) == (10, "made")
    assert emitted["process"] != os.getpid()
    table = bench.folder / "tables" / "gold" / "rides"
    assert len(pd.read_parquet(table)) == 10
    lineage = graph.query(
        "MATCH (d:Dataset {name: $name})-[:HAS_VERSION]->()<-[:WRITES]-(r)"
        "<-[:PARENT_OF*]-(t:Run)<-[:HAS_RUN]-(j {simple_name: 'rides'}) RETURN j.name",
        {"name": str(table)},
    )
    assert lineage
    assert "rows 10" in (bench.folder / "logs" / id_ / "read.log").read_text()
    [(make, asked), (remove, again)] = bench.noted()
    assert (make, remove) == ("make", "remove")
    assert (asked["run_id"], asked["batch"], asked["settings"]) == (id_, "kpi", LOCAL)
    assert (again["created"], again["again"]) == ({"spark.app.name": "made"}, False)
    assert graph.query("MATCH (c:Cluster) RETURN c", {}) == []
    [run] = graph.query("MATCH (r:Run {id: $id}) RETURN r.cost AS cost", {"id": id_})
    cost = json.loads(run["cost"])
    assert len(cost["applications"]) == 2
    assert cost["core_seconds"] == cost["executor_seconds"] > 0


def test_a_cluster_that_cannot_be_made_fails_its_tasks_and_is_removed(bench, graph):
    broken = ("sh", "-c", "echo no quota; exit 3")
    mark = ("sh", "-c", f'echo "$LINEAGEGRAPH_CLUSTER_AGAIN" >> {bench.notes}')
    id_ = bench.run(
        Task(name="one", work=SqlTask(sql="SELECT 1 AS x"), cluster="a"),
        Task(name="own", work=SqlTask(sql="SELECT 1 AS x")),
        on=(
            Cluster(name="a", create=broken, destroy=mark),
            Cluster(name="", create=broken, destroy=mark),
        ),
    )
    for name, cluster in (("one", "a"), ("own", "")):
        assert f"cluster {cluster}: create failed" in bench.tasks(id_)[name]["error"]
    assert "no quota" in (bench.folder / "logs" / id_ / "cluster@a.log").read_text()
    assert bench.notes.read_text() == "false\nfalse\n"
    assert graph.query("MATCH (c:Cluster) RETURN c", {}) == []


def test_a_process_that_dies_fails_its_task_and_the_next_attempt_has_another(bench):
    work = PythonTask(module="etl", qualname="dies", arguments=("spark",))
    task = Task(name="dies", work=work, cluster="a", retries=1)
    id_ = bench.run(task, on=(Cluster(name="a", spark=LOCAL),), code=DIES)
    assert bench.tasks(id_)["dies"]["state"] == "COMPLETED"


def test_what_a_lost_worker_left_is_removed_until_it_works(bench, graph):
    pipeline = Pipeline(name="kpi", namespace="default", tasks=())
    code = f"NOTES = {str(bench.notes)!r}\n{CODE}"
    key, id_ = define(graph, pipeline, files={"etl.py": code}), new_id()
    asked = {"job_key": key, "params": canonical_json({}), "only": [], "now": None}
    graph.write(launches.merge_queued, run_id=id_, **asked)
    claim = graph.write(launches.claim_run, id=id_, owner="t", lease=LEASE, claim=None, now=None)
    [source] = graph.query("MATCH (s:Source) RETURN s.sha256 AS sha256", {})
    graph.write(
        clusters.merge_cluster,
        id="c1",
        run_id=id_,
        fence=claim.fence,
        name="b",
        namespace="default",
        batch="kpi",
        settings="{}",
        destroy=msgspec.json.encode("etl:remove").decode(),
        source=source["sha256"],
        root="/",
        now=None,
    )
    graph.write(clusters.set_created, id="c1", created='{"id": "j-1"}')
    assert remove_leftover_clusters(graph, bench.settings) == 0, "its worker holds it"
    graph.write(assert_lease, id_, claim.fence)
    graph.write(launches.release_run, id=id_)
    with pytest.raises(RunError, match="another worker"):
        graph.write(assert_lease, id_, claim.fence)
    broken = bench.folder / "notes.broken"
    broken.touch()
    assert remove_leftover_clusters(graph, bench.settings) == 0
    [left] = graph.read(clusters.list_left)
    assert (left.name, left.tries) == ("b", 1)
    assert "destroy failed" in left.error
    assert graph.read(list_notifications, limit=9) == []
    for _ in range(2):
        graph.write(clusters.settle_failed, id="c1", error="x", delay=timedelta(0), now=None)
        assert remove_leftover_clusters(graph, bench.settings) == 0
    [told] = graph.read(list_notifications, limit=9)
    assert (told.type, told.channel, told.job) == ("cluster.cluster_left", "ops", "kpi")
    assert "destroy failed" in str(told.message)
    broken.unlink()
    assert remove_leftover_clusters(graph, bench.settings) == 0, "not so soon"
    graph.write(clusters.settle_failed, id="c1", error="x", delay=timedelta(0), now=None)
    assert remove_leftover_clusters(graph, bench.settings) == 1
    assert [(what, told["again"], told["created"]) for what, told in bench.noted()] == [
        ("remove", True, {"id": "j-1"})
    ] * 4


@pytest.mark.soak
def test_tasks_of_one_run_are_on_two_real_clusters(bench, tmp_path, graph):
    with (
        standalone_cluster(tmp_path / "one") as one,
        standalone_cluster(tmp_path / "two") as two,
    ):
        sql = "SELECT id, id % 3 AS k FROM range(100)"
        id_ = bench.run(
            Task(name="rides", work=SqlTask(sql=sql, target="gold.rides"), cluster="one"),
            python("read", "two", after=("rides",)),
            on=(
                Cluster(name="one", spark=on_cluster(one)),
                Cluster(name="two", spark=on_cluster(two)),
            ),
        )
        found = bench.tasks(id_)
        assert {name: row["state"] for name, row in found.items()} == {
            "rides": "COMPLETED",
            "read": "COMPLETED",
        }, found
        assert json.loads(found["read"]["emitted"])["rows"] == 100
        [run] = graph.query("MATCH (r:Run {id: $id}) RETURN r.cost AS cost", {"id": id_})
        each = json.loads(run["cost"])["applications"]
        assert {one_["master"] for one_ in each} == {one, two}
        assert all(one_["executors"] == 1 and one_["executor_seconds"] > 0 for one_ in each)


@pytest.mark.soak
def test_sixty_tasks_are_on_ten_clusters_two_of_them_real(bench, tmp_path):
    with (
        standalone_cluster(tmp_path / "one") as one,
        standalone_cluster(tmp_path / "two") as two,
    ):
        local = LOCAL | {"spark.driver.memory": "512m"}
        on = [Cluster(name=f"c{n}", spark=local) for n in range(8)]
        on += [Cluster(name=f"c{n}", spark=on_cluster(m)) for n, m in ((8, one), (9, two))]
        tasks = [
            Task(
                name=f"t{n}",
                work=SqlTask(sql=f"SELECT {n} AS n FROM range(10)", target=f"gold.t{n}"),
                cluster=f"c{n % 10}",
                after=(f"t{n - 10}",) if n >= 10 else (),
            )
            for n in range(60)
        ]
        id_ = bench.run(*tasks, on=on)
    assert {row["state"] for row in bench.tasks(id_).values()} == {"COMPLETED"}
    assert len(list((bench.folder / "tables" / "gold").glob("t*"))) == 60
