"""What a test of batches does again and again."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent

import psutil

from lineagegraph.graph import Graph
from lineagegraph.model.runs.states import FINAL
from lineagegraph.neo4j_server import ServerAddress
from tests.acceptance.processes import Commands, shared, until

HEAD = """
import lineagegraph as lg

def work(name, seconds=0, **rest):
    return lg.command(name, ["sh", "-c", f"echo {name} >> ran.txt; sleep {seconds}"], **rest)
"""


@dataclass
class Yard:
    """Batches, the programs that ran, and the states of runs."""

    commands: Commands
    graph: Graph

    def sync(self, text: str) -> None:
        """State batches; `work(name, seconds)` is a program that notes its name."""
        (self.commands.folder / "batches.py").write_text(HEAD + dedent(text))
        done = self.commands("sync", "batches.py")
        assert done.returncode == 0, done.stderr

    def up(self) -> None:
        """Start a daemon."""
        done = self.commands("up", "--detach", "--only", "daemon")
        assert done.returncode == 0, done.stderr

    def submit(self, batch: str, *words: str) -> None:
        """Queue a run."""
        done = self.commands("run", batch, *words)
        assert done.returncode == 0, done.stderr

    @property
    def ran(self) -> list[str]:
        """The names of the programs that ran, in the order in which they began."""
        file = self.commands.folder / "ran.txt"
        return file.read_text().split() if file.exists() else []

    def states(self, job: str) -> list[str]:
        """Return the states of a job's runs, the oldest first."""
        rows = self.graph.query(
            "MATCH (:Job {fqn: $job})-[:HAS_RUN]->(r:Run) WHERE r.state IS NOT NULL"
            " RETURN r.state AS state ORDER BY r.created_at",
            {"job": job},
        )
        return [row["state"] for row in rows]

    def ended(self, job: str) -> list[str]:
        """Return the states in which a job's runs ended."""
        return [state for state in self.states(job) if state in FINAL]

    def launch(self, job: str) -> str | None:
        """Return how far the launch of a job's only run is."""
        return self._one(job, "r.launch")

    def launches(self, job: str) -> int:
        """Return how often workers took up a job's only run."""
        return int(self._one(job, "r.launches") or 0)

    def parked(self, job: str) -> int:
        """Return how many runs of a job are parked."""
        rows = self.graph.query(
            "MATCH (:Job {fqn: $job})-[:HAS_RUN]->(r:Run {launch: 'PARKED'}) RETURN count(r) AS n",
            {"job": job},
        )
        return int(rows[0]["n"])

    def run_id(self, job: str) -> str:
        """Return the id of a job's only run."""
        return str(self._one(job, "r.id"))

    def deadline(self, job: str) -> str:
        """Return until when a task's only run waits for its only parent."""
        return str(self._one(job, "[(r)-[w:WAITS_ON]->() | toString(w.deadline)][0]"))

    def cost(self, job: str) -> str:
        """Return what a job's only run took of Spark, as JSON."""
        return str(self._one(job, "r.cost"))

    def together(self, *jobs: str) -> bool:
        """Say whether there was a time when the only runs of all these jobs were going on."""
        began = max(str(self._one(job, "toString(r.started_at)")) for job in jobs)
        return began < min(str(self._one(job, "toString(r.ended_at)")) for job in jobs)

    def kill_all(self) -> None:
        """Kill the daemon, the workers and what these run."""
        home = self.commands.environment["LINEAGEGRAPH_HOME"]
        for process in psutil.process_iter():
            with suppress(psutil.Error):
                if process.environ().get("LINEAGEGRAPH_HOME") == home:
                    process.kill()

    def _one(self, job: str, what: str) -> str | None:
        rows = self.graph.query(
            f"MATCH (:Job {{fqn: $job}})-[:HAS_RUN]->(r:Run) RETURN {what} AS found", {"job": job}
        )
        return rows[0]["found"] if rows else None

    def message(self, job: str) -> str:
        """Return why the latest run of a job is as it is."""
        rows = self.graph.query(
            "MATCH (:Job {fqn: $job})-[:HAS_RUN]->(r:Run)"
            " RETURN coalesce(r.message, r.error, '') AS text ORDER BY r.created_at DESC LIMIT 1",
            {"job": job},
        )
        return str(rows[0]["text"]) if rows else ""

    def until(self, job: str, *states: str, seconds: float = 90) -> None:
        """Wait until a job's runs have these states, the oldest first."""
        until(lambda: self.states(job) == list(states), seconds)


@contextmanager
def open_yard(
    server: ServerAddress, graph: Graph, folder: Path, slots: int, **settings: str
) -> Iterator[Yard]:
    """Open a yard in a folder, with quick leases, and take its daemons down at the end."""
    quick = {
        "LINEAGEGRAPH_HEARTBEAT_SECONDS": "1",
        "LINEAGEGRAPH_LEASE_SECONDS": "8",
        "LINEAGEGRAPH_WORKER_SLOTS": str(slots),
    }
    found = Yard(Commands(folder, shared(server, folder / "home") | quick | settings), graph)
    yield found
    found.commands("down")
