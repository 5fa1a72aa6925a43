"""A project of definition files that are synced, and whose runs are carried out in this process."""

from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from textwrap import dedent

from lineagegraph.cli.run.sync import sync_path
from lineagegraph.execution.cancellation import Cancellation
from lineagegraph.graph import Graph
from lineagegraph.model.names.keys import canonical_json
from lineagegraph.model.runs.ids import new_id
from lineagegraph.model.runs.rerun import RerunRequest
from lineagegraph.model.runs.states import RunState
from lineagegraph.queries.find.find import find_job
from lineagegraph.reading.parsed_files import SyncResult
from lineagegraph.reruns.start import start_rerun
from lineagegraph.settings import Settings
from lineagegraph.store.runs import launches
from lineagegraph.worker.held_run import run_claimed
from lineagegraph.worker.run_claim import RunClaim
from lineagegraph.worker.worker import WorkerProcessEnvironment

LEASE = timedelta(minutes=5)


class Project:
    """A folder with the graph that it is synced to."""

    def __init__(self, folder: Path, graph: Graph, home: Path, **settings: object) -> None:
        self.folder = folder
        self.graph = graph
        self.settings = Settings(home=home, **settings)
        folder.mkdir()
        (folder / "lineagegraph.toml").touch()

    def state(self, text: str, file: str = "flows.py") -> None:
        """Write a definition file, and sync it."""
        (self.folder / file).write_text(f"import lineagegraph as lg\n{dedent(text)}")
        found = sync_path(self.graph, self.settings, self.folder / file)
        assert not found.failures, found.failures

    def sync(self, *, take: bool = False) -> SyncResult:
        """Sync the folder."""
        return sync_path(self.graph, self.settings, self.folder, take=take)

    def queue(self, job: str, only: Sequence[str] = (), **params: object) -> str:
        """Queue a run, maybe of some tasks, and return its id."""
        key, id_ = find_job(self.graph, job).key, new_id()
        asked = {"job_key": key, "params": canonical_json(params), "only": list(only), "now": None}
        self.graph.write(launches.merge_queued, run_id=id_, **asked)
        return id_

    def run(self, job: str, only: Sequence[str] = (), **params: object) -> str:
        """Queue a run, carry it out, and return its id."""
        id_ = self.queue(job, only, **params)
        self.carry_out(id_)
        return id_

    def rerun(self, run_id: str, **request: object) -> str:
        """Queue a rerun, carry it out, and return its id."""
        started = start_rerun(self.graph, self.settings, RerunRequest(run=run_id, **request))
        self.carry_out(started.run)
        return started.run

    def carry_out(self, run_id: str) -> RunState:
        """Do what a worker does, here."""
        claim = self.graph.write(
            launches.claim_run, id=run_id, owner="test", lease=LEASE, claim=None, now=None
        )
        assert claim is not None
        run = RunClaim(self.graph, self.settings, run_id, claim.fence)
        return run_claimed(run, WorkerProcessEnvironment(self.settings), Cancellation())

    def tasks(self, run_id: str) -> dict[str, str]:
        """Return the states of a run's tasks by name."""
        rows = self.graph.query(
            "MATCH (:Run {id: $id})-[:PARENT_OF*]->(r:Run)<-[:HAS_RUN]-(j:Job)"
            " RETURN j.simple_name AS name, r.state AS state ORDER BY name",
            {"id": run_id},
        )
        return {row["name"]: row["state"] for row in rows}
