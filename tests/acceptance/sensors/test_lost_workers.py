"""A worker is killed while its pipeline waits for a sensor."""

import subprocess
import sys
from datetime import timedelta
from pathlib import Path

from lineagegraph.graph import Graph
from lineagegraph.model.runs.ids import new_id
from lineagegraph.neo4j_server import ServerAddress
from lineagegraph.queries.find.find import find_job
from lineagegraph.runs.reap import reap_run
from lineagegraph.store.runs import launches
from tests.acceptance.processes import Commands, shared, until
from tests.project import LEASE, Project


def waits(graph: Graph) -> list[object]:
    """When each wait began."""
    rows = graph.query("MATCH ()-[w:WAITS_ON]->(:Sensor) RETURN toString(w.began_at) AS began")
    return [row["began"] for row in rows]


def claimed(graph: Graph, job: str) -> tuple[str, str]:
    """Queue a run and claim it; return its id, and the fence of its worker."""
    run_id, key = new_id(), find_job(graph, job).key
    asked = {"job_key": key, "params": "{}", "only": [], "now": None}
    graph.write(launches.merge_queued, run_id=run_id, **asked)
    claim = graph.write(
        launches.claim_run, id=run_id, owner="killed", lease=LEASE, claim=None, now=None
    )
    assert claim is not None
    return run_id, str(claim.fence)


def test_another_worker_goes_on_with_the_same_wait(
    graph: Graph, server: ServerAddress, tmp_path: Path
) -> None:
    project = Project(tmp_path / "project", graph, tmp_path / "home")
    flag, ran = tmp_path / "flag", tmp_path / "ran"
    project.state(f"""
    before = lg.command("before", ["sh", "-c", "echo before >> {ran}"])
    landed = lg.sensor("file", "landed", path="{flag}", poke_interval="0.2s", after=before)
    after = lg.command("after", ["sh", "-c", "echo after >> {ran}"], after=landed)
    lg.pipeline("p", tasks=[before, landed, after])
    """)
    run_id, fence = claimed(graph, "p")
    commands = Commands(project.folder, shared(server, tmp_path / "home"))
    sensing = commands.start("sensor", "run")
    worker = subprocess.Popen(
        [sys.executable, "-m", "lineagegraph.worker.worker", run_id, fence],
        env=commands.environment,
    )
    until(lambda: waits(graph), 60)
    began = waits(graph)
    worker.kill()
    worker.wait()
    graph.query(
        "MATCH (r:Run {id: $id}) SET r.lease_until = datetime.realtime() - duration('PT1S')",
        {"id": run_id},
        write=True,
    )
    (lost,) = graph.read(launches.due_lost, now=None)
    reap_run(graph, lost, timedelta(0), by_lease=True)
    flag.touch()
    project.carry_out(run_id)
    sensing.terminate()
    sensing.communicate()
    assert project.tasks(run_id) == dict.fromkeys(("after", "before", "landed"), "COMPLETED")
    assert waits(graph) == began
    assert ran.read_text().split() == ["before", "after"]
