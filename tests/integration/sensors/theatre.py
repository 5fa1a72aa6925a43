"""Runs that wait for sensors, and pokes, at times that the tests say."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from lineagegraph.graph import Graph
from lineagegraph.model.runs.ids import new_id
from lineagegraph.model.waits import WaitTerms
from lineagegraph.sensors import Sensor, make_sensor, sensor_id
from lineagegraph.store.sensors import sensor_shards
from lineagegraph.waits.attempts import settle_timeouts
from lineagegraph.waits.from_graph import settle_from_graph
from lineagegraph.waits.poke import Poke, Settled
from lineagegraph.waits.pokes import settle_pokes
from lineagegraph.waits.standalone import start_wait

SHARDS = 64
T0 = datetime(2026, 3, 1, 12, tzinfo=UTC)


def at(seconds: float) -> datetime:
    """So long after the beginning."""
    return T0 + timedelta(seconds=seconds)


def a_file(name: str = "a") -> Sensor:
    """A sensor that nobody looks at: the tests say what a look came to."""
    return make_sensor("file", {"path": f"/data/{name}"})


def claim_all(graph: Graph, owner: str, seconds: float = 0.0) -> dict[int, int]:
    """Take all shards that are free at a time, and return their epochs."""
    graph.write(sensor_shards.merge_shards, count=SHARDS)
    found = graph.write(
        sensor_shards.claim_shards,
        numbers=list(range(SHARDS)),
        owner=owner,
        lease=timedelta(hours=1),
        now=at(seconds),
    )
    return {one.number: one.epoch for one in found}


@dataclass
class Theatre:
    """One process that holds all shards, and the runs that wait."""

    graph: Graph
    claims: dict[int, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.claims = self.claims or claim_all(self.graph, "one")

    def wait(self, sensor: Sensor, seconds: float = 0.0, **terms: Any) -> str:
        """Let a run of its own begin to wait, and return its id."""
        run_id = new_id()
        self.graph.write(
            start_wait, sensor=sensor, terms=WaitTerms(**terms), run_id=run_id, now=at(seconds)
        )
        return run_id

    def poke(
        self,
        sensor: Sensor,
        is_true: bool | None,
        began: float,
        *,
        settled: float | None = None,
        error: str | None = None,
        value: str | None = None,
    ) -> Settled:
        """Say what a look came to that began at a time, and was settled then or later."""
        found = poke(sensor, is_true, began, error=error, value=value)
        return self.settle([found], began if settled is None else settled)

    def settle(self, pokes: list[Poke], seconds: float) -> Settled:
        """Settle what looks came to."""
        return self.graph.write(settle_pokes, self.claims, pokes, now=at(seconds))

    def pass_time(self, seconds: float) -> Settled:
        """Look for attempts that are over."""
        return self.graph.write(settle_timeouts, self.claims, now=at(seconds))

    def ask_graph(self, seconds: float, since: datetime | None = None) -> Settled:
        """Ask for what the graph answers."""
        return self.graph.write(settle_from_graph, self.claims, since=since, now=at(seconds))

    def state(self, run_id: str) -> str:
        """Return the state of a run's wait."""
        return str(self.of(run_id)["state"])

    def of(self, run_id: str) -> dict[str, Any]:
        """Return what the graph knows of a run's wait."""
        rows = self.graph.query(
            "MATCH (r:Run {id: $id})-[w:WAITS_ON]->() RETURN properties(w) AS w", {"id": run_id}
        )
        found: dict[str, Any] = rows[0]["w"]
        return found

    def run(self, run_id: str) -> dict[str, Any]:
        """Return what the graph knows of a run."""
        rows = self.graph.query("MATCH (r:Run {id: $id}) RETURN properties(r) AS r", {"id": run_id})
        found: dict[str, Any] = rows[0]["r"]
        return found

    def sensor(self, sensor: Sensor) -> dict[str, Any]:
        """Return what the graph knows of a sensor."""
        rows = self.graph.query(
            "MATCH (s:Sensor {id: $id}) RETURN properties(s) AS s", {"id": sensor_id(sensor)}
        )
        found: dict[str, Any] = rows[0]["s"]
        return found


def poke(
    sensor: Sensor,
    is_true: bool | None,
    began: float,
    *,
    error: str | None = None,
    value: str | None = None,
) -> Poke:
    """What a look came to."""
    id_ = sensor_id(sensor)
    return Poke(
        id=id_,
        shard=int(id_, 16) % SHARDS,
        began_at=at(began),
        is_true=is_true,
        error=error,
        value=value,
    )
