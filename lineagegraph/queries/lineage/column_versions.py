"""Column lineage of versions, from the runs that wrote them, one level of runs at a time."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import msgspec

from lineagegraph.graph import Transaction
from lineagegraph.ingest.column_facets import Derivation, list_derivations
from lineagegraph.model.names.keys import dataset_key
from lineagegraph.model.runs.facts import RunFacts, decode_facts
from lineagegraph.queries.lineage.dataset_versions import read_columns
from lineagegraph.queries.lineage.lineage_graph import LineageGraph
from lineagegraph.store.datasets.dataset_versions import DatasetVersionRow, list_versions
from lineagegraph.store.datasets.names import shown_names
from lineagegraph.store.jobs.details import list_reads
from lineagegraph.store.lineage.lineage import ColumnRow, DatasetRow, DerivationRow
from lineagegraph.store.runs.facets import list_bodies
from lineagegraph.store.runs.runs import list_facts


class _Column(NamedTuple):
    """A column of a version, or of a dataset without a known version."""

    place: str
    name: str

    @property
    def key(self) -> str:
        return f"{self.place}#{self.name}"


class VersionedColumns(msgspec.Struct, frozen=True):
    """A graph of columns, and the versions of its datasets, by dataset key."""

    graph: LineageGraph
    versions: dict[str, str]


def walk_versions(
    tx: Transaction, roots: Iterable[tuple[str, str]], depth: int, limit: int
) -> VersionedColumns:
    """Return the upstream columns of columns of versions, up to `depth` edges away.

    `roots` are keys of versions with names of columns. A run read the version that was current when
    it ran.
    """
    level = {_Column(*root) for root in roots}
    places: dict[str, tuple[str, str]] = {}
    types: dict[_Column, str | None] = dict.fromkeys(sorted(level))
    versions: dict[str, str] = {}
    edges: list[DerivationRow] = []
    for step in range(depth + 1):
        rows = list_versions(tx, keys=sorted({column.place for column in level}))
        columns = read_columns(tx, (row.schema for row in rows))
        for row in rows:
            places[row.key], versions[row.key] = (row.namespace, row.name), row.key
            said = {field.name: field.type for field in columns.get(row.schema or "", ())}
            types |= {c: said.get(c.name) for c in level if c.place == row.key}
        if step == depth or len(types) > limit:
            break
        found = list(_made_from(tx, [row for row in rows if row.run], level))
        edges += [_edge(target, source, how) for target, source, how in found]
        places |= {
            source.place: (how.source_namespace, how.source_dataset) for _, source, how in found
        }
        level = {source for _, source, _ in found} - types.keys()
        types |= dict.fromkeys(sorted(level))
        if not level:
            break
    return VersionedColumns(_graph(places, types, edges, len(types) > limit), versions)


def list_version_columns(
    tx: Transaction, rows: Sequence[DatasetVersionRow]
) -> list[tuple[str, str]]:
    """Return the keys of versions with the names of the columns that they had."""
    columns = read_columns(tx, (row.schema for row in rows))
    found = [(row.key, field.name) for row in rows for field in columns.get(row.schema or "", ())]
    runs = sorted({row.run for row in rows if row.run})
    found += [(row.key, how.column) for row, hows in _stated(tx, rows, runs) for how in hows]
    return list(dict.fromkeys(found))


def _made_from(
    tx: Transaction, rows: list[DatasetVersionRow], level: set[_Column]
) -> Iterator[tuple[_Column, _Column, Derivation]]:
    """Yield columns of versions with the columns that each is made from.

    A run that read several versions of a dataset, such as partitions, made its columns from each.
    """
    runs = sorted({row.run for row in rows if row.run})
    uses = [(use.id, use.dataset, use.version) for use in list_reads(tx, ids=runs) if use.version]
    made = [
        (row, target, how, dataset_key(how.source_namespace, how.source_dataset))
        for row, hows in _stated(tx, rows, runs)
        for how in hows
        if (target := _Column(row.key, how.column)) in level
    ]
    # A facet can name the source by another name than that under which the run read it.
    names = [*(dataset for _, dataset, _ in uses), *(source for *_, source in made)]
    shown = shown_names(tx, names)
    read: dict[tuple[str, str], list[str]] = defaultdict(list)
    for run, dataset, version in uses:
        read[run, shown[dataset]].append(version)
    for row, target, how, source in made:
        for place in read.get((row.run or "", shown[source]), (source,)):
            yield target, _Column(place, how.source_column), how


def _stated(
    tx: Transaction, rows: Iterable[DatasetVersionRow], runs: list[str]
) -> Iterator[tuple[DatasetVersionRow, list[Derivation]]]:
    """Yield versions with the derivations of columns that the runs which wrote them stated."""
    facts = {row.id: decode_facts(row.facts, RunFacts) for row in list_facts(tx, ids=runs)}
    said = [(row, _facets(facts.get(row.run or ""), row.dataset)) for row in rows]
    hashes = sorted({hash_ for _, facets in said for hash_ in facets})
    bodies = {b.hash: msgspec.json.decode(b.body) for b in list_bodies(tx, hashes=hashes)}
    for row, facets in said:
        yield row, [how for hash_ in facets for how in list_derivations(bodies[hash_])]


def _facets(facts: RunFacts | None, dataset: str) -> list[str]:
    use = facts.outputs.get(dataset) if facts else None
    return sorted(use.columns) if use else []


def _edge(target: _Column, source: _Column, how: Derivation) -> DerivationRow:
    return DerivationRow(
        source.key, target.key, None, how.type, how.subtype, how.description, how.masking
    )


def _graph(
    places: dict[str, tuple[str, str]],
    types: dict[_Column, str | None],
    edges: list[DerivationRow],
    cut: bool,
) -> LineageGraph:
    columns: dict[str, list[ColumnRow]] = {}
    for column, kind in types.items():
        columns.setdefault(column.place, []).append(ColumnRow(column.key, column.name, kind))
    known = {column.key for column in types}
    return LineageGraph(
        nodes=tuple(
            DatasetRow(place, *places[place], tuple(columns[place]))
            for place in sorted(columns)
            if place in places
        ),
        edges=(),
        derivations=tuple(
            edge for edge in dict.fromkeys(edges) if {edge.source, edge.target} <= known
        ),
        by_column=True,
        cut=cut,
    )
