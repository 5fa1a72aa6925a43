"""Tasks that ask at the gate, at times that a test says, and runs of them that end."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from lineagegraph.freshness.candidate import Entering
from lineagegraph.freshness.due_waits import end_due_waits
from lineagegraph.freshness.enter import enter
from lineagegraph.freshness.keep_waits import keep_waits
from lineagegraph.graph import Graph, Transaction
from lineagegraph.ingest.extract import extract
from lineagegraph.model.freshness.terms import TODAY, Counts, Dependency, Freshness
from lineagegraph.model.names.keys import job_key, name_job
from lineagegraph.model.pipelines.entry import Ended, Entry, Start, Waits
from lineagegraph.model.runs.ids import new_id
from lineagegraph.reactions.commit import commit
from lineagegraph.store.freshness import waits
from lineagegraph.store.freshness.waits import Woken
from lineagegraph.store.jobs import jobs
from lineagegraph.store.runs import leases
from tests.events import run_event

NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)
MAX_EVENT_AGE = timedelta(days=36500)


class CountedTransaction:
    """A transaction that notes the first line of each statement."""

    def __init__(self, tx: Transaction, statements: list[str]) -> None:
        self._tx = tx
        self._statements = statements

    def run(self, query: Any, parameters: dict[str, Any] | None = None) -> Any:
        """Run one statement."""
        self._statements.append(str(query).partition("\n")[0])
        return self._tx.run(query, parameters)


class Theatre:
    """Jobs by name, with a clock that the test turns."""

    def __init__(self, graph: Graph, now: datetime = NOON) -> None:
        self.graph = graph
        self.now = now
        self.names: dict[str, str] = {}

    def know(self, *names: str) -> None:
        """Let the graph know jobs."""
        self.names |= {job_key(None, "default", name): name for name in names}
        rows = [
            {"key": job_key(None, "default", name), "namespace": "default", "name": name}
            for name in names
        ]
        rows = [row | {"simple_name": row["name"], "fqn": row["name"]} for row in rows]
        self.graph.write(jobs.merge_jobs, rows=[row | {"parent_key": None} for row in rows])

    def nest(self, name: str, parent: str) -> None:
        """Let the graph know a job below another."""
        below = name_job("default", name, name_job("default", parent))
        self.names[below.key] = below.fqn
        row = jobs.job_row(below, job_key(None, "default", parent))
        self.graph.write(jobs.merge_jobs, rows=[row])
        text = "MATCH (j:Job {key: $key}) SET j.stub = false"
        self.graph.query(text, {"key": below.key}, write=True)

    def go(self, **passed: float) -> None:
        """Let time pass."""
        self.now += timedelta(**passed)

    def task(
        self,
        name: str,
        *needs: Dependency,
        freshness: Freshness = TODAY,
        ended: Mapping[str, Ended] | None = None,
        inside: tuple[str, ...] = (),
        top: str | None = None,
        **said: Any,
    ) -> Entering:
        """Return a task of a run, by default of a new one, submitted now."""
        if top is None:
            self.know(name)
            top = self.queued()
        return Entering(
            root_id=top,
            fence=1,
            job_key=job_key(None, "default", name),
            namespace="default",
            freshness=freshness,
            dependencies=needs,
            inside={one: job_key(None, "default", one) for one in inside},
            ended=ended or {},
            **{"submitted": self.now, "run_id": new_id()} | said,
        )

    def queued(self) -> str:
        """Return a run around a task, which is being carried out."""
        id_ = new_id()
        self.graph.query(
            "CREATE (:Run {id: $id, launch: 'CLAIMED', fence: 1, state: 'RUNNING'})",
            {"id": id_},
            write=True,
        )
        return id_

    def relaunch(self, task: Entering) -> None:
        """Let another worker take the run around a task."""
        self.graph.query(
            "MATCH (r:Run {id: $id}) SET r.fence = r.fence + 1", {"id": task.root_id}, write=True
        )

    def enter(self, task: Entering) -> Entry:
        """Let a task ask, and keep what it waits for."""
        entry = self.graph.write(enter, task, now=self.now)
        if isinstance(entry, Waits):
            self.end(self.names[task.job_key], "OTHER", run_id=task.run_id)
            assert self.graph.write(keep_waits, task, entry, now=self.now)
        return entry

    def execute(self, task: Entering, name: str) -> None:
        """Let a task start and complete at once."""
        assert isinstance(self.enter(task), Start)
        self.end(name, run_id=task.run_id)

    def end(self, name: str, kind: str = "COMPLETE", **said: Any) -> str:
        """Let a run of a job end now, or report something else of it; return its id."""
        return self.commit(run_event(name, kind, at=said.pop("at", self.now), **said))

    def commit(self, event: dict[str, Any]) -> str:
        """Let a run report an event now; return its id."""
        run_id = event["run"]["runId"]

        def write(tx: Transaction) -> None:
            commit(tx, extract([event]), max_event_age=MAX_EVENT_AGE, now=self.now)
            if event["eventType"] in ("START", "OTHER"):
                return
            leases.release_leases(tx, run_ids=[run_id], now=self.now)

        self.graph.write(write)
        return str(run_id)

    def stop_waiting(self, task: Entering) -> None:
        """Do what is done for a task that ended without having run."""
        self.graph.write(leases.release_leases, run_ids=[task.run_id], now=self.now)

    def settle(self) -> set[str]:
        """Go a round over the waits; return the runs around tasks that go on."""
        woken = self.graph.write(end_due_waits, zone="UTC", counts=Counts.END, now=self.now)
        return {one.root_id for one in woken}

    def settle_counting(self) -> tuple[set[str], list[str]]:
        """Go a round over the waits; return who goes on, and the first line of each statement."""
        statements: list[str] = []

        def work(tx: Transaction) -> list[Woken]:
            counted = CountedTransaction(tx, statements)
            return end_due_waits(counted, zone="UTC", counts=Counts.END, now=self.now)

        return {one.root_id for one in self.graph.write(work)}, statements

    def wait_in_bulk(self, parents: list[str], each: int) -> dict[str, list[str]]:
        """Let runs of different submissions wait for each parent; return their ids."""
        roots = {parent: [new_id() for _ in range(each)] for parent in parents}
        ids = [id_ for of in roots.values() for id_ in of]
        text = "UNWIND $ids AS id CREATE (:Run {id: id, launch: 'PARKED'})"
        self.graph.query(text, {"ids": ids}, write=True)
        rows = [
            {
                "run_id": id_,
                "root_id": id_,
                "job_key": job_key(None, "default", parent),
                "kind": "PARENT",
                "lease": None,
                "freshness": '{"since":"day"}',
                "parts": [],
                "submitted_at": self.now - timedelta(seconds=number),
                "recheck": 120.0,
                "wait": 1_800_000_000,
            }
            for parent, of in roots.items()
            for number, id_ in enumerate(of)
        ]
        first = timedelta(seconds=1)
        self.graph.write(waits.merge_waits, rows=rows, first=first, now=self.now)
        return roots

    def is_settled(self, task: Entering) -> bool:
        """Say whether a task is to ask again."""
        return bool(self.graph.read(waits.list_settled, ids=[task.run_id]))
