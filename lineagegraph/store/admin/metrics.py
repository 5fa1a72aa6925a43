"""Numbers of the whole graph, for those who watch it."""

from datetime import datetime

import msgspec

from lineagegraph.graph import Transaction, bound
from lineagegraph.model.runs.states import RunState


class RunStateCount(msgspec.Struct, frozen=True):
    """How many runs are in a state."""

    state: RunState
    runs: int


class WorkCounts(msgspec.Struct, frozen=True):
    """Runs that wait for a worker or have one, waits and leases of tasks, and events."""

    queued: int
    queued_since: datetime | None
    claimed: int
    waits: int
    leases: int
    events: int
    now: datetime


class Sensing(msgspec.Struct, frozen=True):
    """Counts of sensors, of those whose last poke failed, and of waits and their sensors."""

    sensors: int
    failing: int
    exclusive: int
    waits: int
    waited_for: int


class Untold(msgspec.Struct, frozen=True):
    """The notifications that wait on a channel."""

    channel: str
    waiting: int
    since: datetime


class IncompleteJob(msgspec.Struct, frozen=True):
    """A job whose newest run has incomplete lineage, and the share that was understood."""

    namespace: str
    name: str
    completeness: float


@bound
def list_states(tx: Transaction, *, states: list[str]) -> list[RunStateCount]: ...


@bound
def get_work(tx: Transaction, *, now: datetime | None) -> WorkCounts: ...


@bound
def get_sensing(tx: Transaction) -> Sensing: ...


@bound
def list_untold(tx: Transaction) -> list[Untold]: ...


@bound
def list_incomplete(tx: Transaction, *, limit: int) -> list[IncompleteJob]: ...
