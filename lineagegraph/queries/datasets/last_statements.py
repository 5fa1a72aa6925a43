"""Current column lineage: the last statement of each job about each of its outputs."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, Protocol, TypeVar

import msgspec

from lineagegraph.graph import Transaction
from lineagegraph.ingest.column_facets import list_derivations
from lineagegraph.model.names.keys import dataset_key, field_key
from lineagegraph.model.runs.facts import RunFacts, Use, decode_facts
from lineagegraph.store.lineage.lineage import LastStatement, list_last_statements
from lineagegraph.store.runs.facets import list_bodies

# Keys of the derived column, its source and the job, with type, subtype, description and masking.
Identity = tuple[str, str, str | None, str, str, str, bool]


class StatedDerivation(Protocol):
    """A row with a derivation of a column by a job."""

    @property
    def source(self) -> str: ...
    @property
    def target(self) -> str: ...
    @property
    def job(self) -> str | None: ...
    @property
    def type(self) -> str: ...
    @property
    def subtype(self) -> str | None: ...
    @property
    def description(self) -> str | None: ...
    @property
    def masking(self) -> bool: ...


S = TypeVar("S", bound=StatedDerivation)


class StatedFilter(msgspec.Struct, frozen=True):
    """A filter of column lineage: reported since a time, or by the newest run of each job."""

    latest: bool = False
    since: datetime | None = None


ALL_STATED = StatedFilter()


def last_stated(tx: Transaction, derivations: list[S], datasets: Mapping[str, str]) -> list[S]:
    """Return the derivations that the newest run of their job that wrote the dataset states.

    `datasets` has the dataset of each column. Declarations count for a job without such a run.
    """
    pairs = {(one.job, datasets[one.target]) for one in derivations if one.job}
    current = _current(tx, sorted(pairs))
    return [one for one in derivations if _identity(one) in current]


def _current(tx: Transaction, pairs: list[tuple[str, str]]) -> set[Identity]:
    rows = [{"job": job, "dataset": dataset} for job, dataset in pairs]
    stated = [(row, hash_) for row in list_last_statements(tx, rows=rows) for hash_ in _facets(row)]
    hashes = sorted({hash_ for _, hash_ in stated})
    bodies = {row.hash: msgspec.json.decode(row.body) for row in list_bodies(tx, hashes=hashes)}
    return {one for row, hash_ in stated for one in _identities(row, bodies[hash_])}


def _facets(row: LastStatement) -> list[str]:
    """Return the facets of a run, or of declarations the ones with the latest time."""
    uses = [use for facts in (*row.ran, *row.declared) if (use := _use(facts, row.dataset))]
    if row.ran:
        return [hash_ for use in uses for hash_ in use.columns]
    last = max((span.last for use in uses for span in use.columns.values()), default="")
    return [hash_ for use in uses for hash_, span in use.columns.items() if span.last == last]


def _use(facts: str, dataset: str) -> Use | None:
    return decode_facts(facts, RunFacts).outputs.get(dataset)


def _identities(row: LastStatement, body: Any) -> Iterator[Identity]:
    for one in list_derivations(body):
        source = field_key(dataset_key(one.source_namespace, one.source_dataset), one.source_column)
        target = field_key(row.dataset, one.column)
        how = (one.type, one.subtype, one.description, one.masking)
        yield (target, source, row.job, *how)


def _identity(one: StatedDerivation) -> Identity:
    how = (one.type, one.subtype or "", one.description or "", one.masking)
    return (one.target, one.source, one.job, *how)
