"""Datasets at a past time: their columns, facets and last writer then."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from functools import cached_property

import msgspec

from lineagegraph.graph import Transaction
from lineagegraph.ingest.batch import Batch
from lineagegraph.ingest.projection import written_at
from lineagegraph.model.runs.facts import (
    HEARD_OF,
    REPORTED,
    DatasetFacts,
    RunFacts,
    Stamped,
    Use,
    decode_facts,
)
from lineagegraph.queries.datasets.dataset_details import DatasetDetail, schema_columns
from lineagegraph.queries.runs.events import replay
from lineagegraph.queries.runs.run_details import Facets
from lineagegraph.queries.runs.use_facets import drop_deleted
from lineagegraph.store.jobs.details import FieldRow
from lineagegraph.store.lineage.lineage import (
    OpenWrite,
    ReadersAtRow,
    WritersAtRow,
    list_readers_at,
    list_writers_at,
)
from lineagegraph.store.runs.facets import list_bodies


class PastDataset(msgspec.Struct, frozen=True, dict=True):
    """A dataset at a time: facts of runs that reported more later, and facts of all others."""

    at: datetime
    writers: WritersAtRow
    readers: ReadersAtRow
    replayed: Batch

    @cached_property
    def said(self) -> dict[str, Stamped]:
        """Return the latest facet of each name by then, as a hash."""
        return _joined(self.known.said, self.retold.said, self.at)

    @cached_property
    def schema(self) -> str | None:
        """Return the latest schema by then, as a hash; a writer's schema precedes a reader's."""
        stamps = [
            *_joined(self.known.schemas, self.retold.schemas, self.at).values(),
            *_stamps(REPORTED, self.writers.schema),
            *_stamps(HEARD_OF, self.readers.schema),
        ]
        order = (((one.rank, datetime.fromisoformat(one.at), one.value)) for one in stamps)
        latest = max(order, default=None)
        return latest[2] if latest else None

    @cached_property
    def known(self) -> DatasetFacts:
        """Return the facts as stored today."""
        text = self.writers.facts
        return decode_facts(text, DatasetFacts) if text else DatasetFacts("", "")

    @cached_property
    def retold(self) -> DatasetFacts:
        """Return the facts replayed from events."""
        return self.replayed.datasets.get(self.writers.key, DatasetFacts("", ""))

    @property
    def written_at(self) -> datetime | None:
        """Return the time of its last write by then; one of a run that failed is none."""
        return max(self._newest[0], self._newest[2]) if self._newest else None

    @property
    def last_seen(self) -> datetime | None:
        """Return the time of its last use by then."""
        runs = (self.replayed.runs[id_] for id_ in self.readers.open)
        reads = (run.inputs[self.readers.key] for run in runs if self.readers.key in run.inputs)
        writes = (use for _, _, use in self._open_writes())
        times = [datetime.fromisoformat(use.span.last) for use in (*reads, *writes)]
        last = self.writers.last[0] if self.writers.last else None
        return max(filter(None, (last, self.readers.last_seen, *times)), default=None)

    @property
    def version(self) -> str | None:
        """Return the key of the newest version by then."""
        return self._newest[1] if self._newest else None

    @cached_property
    def _newest(self) -> tuple[datetime, str, datetime] | None:
        """Return the newest version by then: since when it is true, its key and its last report."""
        found = [self.writers.version] if self.writers.version else []
        for write, run, use in self._open_writes():
            if at := written_at(run.state, run, use):
                last = datetime.fromisoformat(use.span.last)
                found.append((datetime.fromisoformat(at), write.version, last))
        return max(found, default=None)

    def _open_writes(self) -> Iterator[tuple[OpenWrite, RunFacts, Use]]:
        for write in self.writers.open:
            run = self.replayed.runs[write.run]
            yield write, run, run.outputs[self.writers.key]


def datasets_at(
    tx: Transaction, datasets: list[DatasetDetail], at: datetime
) -> list[DatasetDetail]:
    """Return datasets according to all events up to a time."""
    keys = [one.row.key for one in datasets]
    writers = {row.key: row for row in list_writers_at(tx, keys=keys, at=at)}
    readers = {row.key: row for row in list_readers_at(tx, keys=keys, at=at)}
    runs = {write.run for row in writers.values() for write in row.open}
    runs |= {row.last[1] for row in writers.values() if row.last}
    runs |= {id_ for row in readers.values() for id_ in row.open}
    replayed = replay(tx, runs, at)
    pasts = {key: PastDataset(at, writers[key], readers[key], replayed) for key in keys}
    bodies = _bodies(tx, pasts.values())
    return [_dataset_at(one, pasts[one.row.key], bodies) for one in datasets]


def _dataset_at(one: DatasetDetail, past: PastDataset, bodies: dict[str, str]) -> DatasetDetail:
    row = msgspec.structs.replace(
        one.row,
        fields=_fields(one, past, bodies),
        last_seen=past.last_seen or one.row.first_seen,
        written_at=past.written_at,
        version=past.version,
    )
    facets: Facets = {
        name.partition(":")[2]: msgspec.Raw(bodies[stamp.value].encode())
        for name, stamp in sorted(past.said.items())
    }
    return msgspec.structs.replace(one, row=row, facets=drop_deleted(facets))


def _fields(one: DatasetDetail, past: PastDataset, bodies: dict[str, str]) -> tuple[FieldRow, ...]:
    """Return the columns of then; today's for a dataset that never had a schema."""
    if past.schema is None:
        return () if past.known.schemas else one.row.fields
    tags = {field.name: field.tags for field in one.row.fields}
    return tuple(
        msgspec.structs.replace(field, tags=tags.get(field.name, ()))
        for field in schema_columns(bodies[past.schema])
    )


def _bodies(tx: Transaction, pasts: Iterable[PastDataset]) -> dict[str, str]:
    """Return the bodies of all facets of the datasets, by hash."""
    hashes = {stamp.value for past in pasts for stamp in past.said.values()}
    hashes |= {past.schema for past in pasts if past.schema}
    return {facet.hash: facet.body for facet in list_bodies(tx, hashes=sorted(hashes))}


def _stamps(rank: int, said: tuple[datetime, str] | None) -> list[Stamped]:
    return [Stamped(rank, said[0].isoformat(), said[1])] if said else []


def _joined(
    known: dict[str, Stamped], retold: dict[str, Stamped], at: datetime
) -> dict[str, Stamped]:
    """Return the facets of a time: the stored one if it is from then, else the replayed one."""
    by_then = {
        name: stamp for name, stamp in known.items() if datetime.fromisoformat(stamp.at) <= at
    }
    names = by_then.keys() | retold.keys()
    both = {name: [s for s in (by_then.get(name), retold.get(name)) if s] for name in names}
    return {name: both[name][0] | both[name][-1] for name in names}
