"""Which part of the shards is whose."""

import os
import socket
import time
from collections.abc import Collection, Mapping
from datetime import timedelta
from threading import Lock
from typing import NamedTuple

from lineagegraph.graph import Graph, Transaction
from lineagegraph.model.runs.ids import new_id
from lineagegraph.settings import Settings
from lineagegraph.store.admin import processes
from lineagegraph.store.sensors import sensor_shards
from lineagegraph.store.sensors.sensor_shards import Shard
from lineagegraph.waits.idle import place_sensors

LAST_SECONDS = 3.0
"""How long a process that leaves waits for its threads, and then for the graph."""


def fair_share(shards: int, living: Collection[str], me: str) -> int:
    """Return how many shards a process shall hold; the shares of all make up all shards."""
    ids = sorted({*living, me})
    share, rest = divmod(shards, len(ids))
    return share + (ids.index(me) < rest)


def to_release(mine: Collection[int], share: int) -> list[int]:
    """Return the shards that are too many."""
    return sorted(mine)[share:]


def to_claim(owners: Mapping[int, str | None], mine: Collection[int], share: int) -> list[int]:
    """Return the shards without an owner that are lacking."""
    free = sorted(number for number, owner in owners.items() if owner is None)
    return free[: max(0, share - len(mine))]


class ShardChange(NamedTuple):
    """The shards that this process gained and lost."""

    gained: Collection[int]
    lost: Collection[int]


class Shards:
    """Keeps this process's fair share by lease, with a sign of life in the same transaction."""

    def __init__(self, settings: Settings, heir_of: str = "") -> None:
        self.id = new_id()
        self._heir_of = heir_of
        self.held: dict[int, int] = {}
        self._count = settings.sensor_shards
        self._lease = timedelta(seconds=settings.sensor_lease_seconds)
        self._until = 0.0
        self._since: dict[int, float] = {}
        self._turn = Lock()
        self._is_left = False

    @property
    def is_sure(self) -> bool:
        """Whether no other process can have taken them: after a lease ends, one may."""
        return time.monotonic() < self._until

    def keep(self, graph: Graph) -> ShardChange:
        """Renew the held shards, release the surplus, and claim missing ones."""
        with self._turn:
            return self._renew(graph)

    def _renew(self, graph: Graph) -> ShardChange:
        began = time.monotonic()
        held = graph.write(self._keep)
        self._heir_of = ""
        self._until = began + self._lease.total_seconds()
        before = self.held
        lost = [number for number, epoch in before.items() if held.get(number) != epoch]
        gained = [number for number, epoch in held.items() if before.get(number) != epoch]
        # The loop reads both from another thread: what is held has its time already.
        self._since = self._since | dict.fromkeys(gained, began)
        self.held = held
        return ShardChange(gained, lost)

    def held_for(self, seconds: float) -> dict[int, int]:
        """Return the shards, with their epochs, that have been ours for so long."""
        since = time.monotonic() - seconds
        return {number: epoch for number, epoch in self.held.items() if self._since[number] < since}

    def leave(self, graph: Graph) -> None:
        """Give all of them to others, at once; none is taken afterwards."""
        self._is_left = True
        # Another thread may be taking some; while the graph is away it does not end.
        has_turn = self._turn.acquire(timeout=LAST_SECONDS)
        try:
            graph.write(self._leave)
        finally:
            if has_turn:
                self._turn.release()

    def _leave(self, tx: Transaction) -> None:
        sensor_shards.release_shards(tx, rows=_rows(self.held), owner=self.id)
        processes.delete_process(tx, id=self.id)

    def _keep(self, tx: Transaction) -> dict[int, int]:
        if self._is_left:
            return {}
        if self._heir_of:
            self._bury(tx, self._heir_of)
        self._say_alive(tx)
        living = processes.list_live(tx, kind=processes.SENSORS, within=self._lease, now=None)
        renewed = sensor_shards.set_leases(
            tx, rows=_rows(self.held), owner=self.id, lease=self._lease, now=None
        )
        held = {one.number: one.epoch for one in renewed}
        share = fair_share(self._count, {one.id for one in living}, self.id)
        given_up = {number: held.pop(number) for number in to_release(held, share)}
        sensor_shards.release_shards(tx, rows=_rows(given_up), owner=self.id)
        return held | self._claim(tx, held, share)

    def _bury(self, tx: Transaction, dead: str) -> None:
        """Release the shards of the process that this one replaces, before its lease ends."""
        held = {one.number: one.epoch for one in self._all(tx) if one.owner == dead}
        sensor_shards.release_shards(tx, rows=_rows(held), owner=dead)
        processes.delete_process(tx, id=dead)

    def _claim(self, tx: Transaction, held: Collection[int], share: int) -> dict[int, int]:
        if len(held) >= share:
            return {}
        owners = {one.number: one.owner for one in self._all(tx)}
        numbers = to_claim(owners, held, share)
        claimed = sensor_shards.claim_shards(
            tx, numbers=numbers, owner=self.id, lease=self._lease, now=None
        )
        return {one.number: one.epoch for one in claimed}

    def _all(self, tx: Transaction) -> list[Shard]:
        """Return all shards; sensors move if their number changed."""
        found = sensor_shards.list_shards(tx, now=None)
        if len(found) == self._count:
            return found
        sensor_shards.merge_shards(tx, count=self._count)
        sensor_shards.delete_shards(tx, count=self._count)
        place_sensors(tx, self._count)
        return sensor_shards.list_shards(tx, now=None)

    def _say_alive(self, tx: Transaction) -> None:
        processes.merge_process(
            tx,
            id=self.id,
            kind=processes.SENSORS,
            host=socket.gethostname(),
            pid=os.getpid(),
            address=None,
            now=None,
        )


def _rows(held: dict[int, int]) -> list[dict[str, int]]:
    return [{"number": number, "epoch": epoch} for number, epoch in sorted(held.items())]
