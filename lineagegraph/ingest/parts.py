"""Large batches in parts that can be recorded one by one, so that others get their turn."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TypeVar

import msgspec

from lineagegraph.ingest.batch import Batch, FacetBody
from lineagegraph.ingest.column_facets import list_maps, list_sources
from lineagegraph.ingest.lineage_parts import LINEAGE, count_derivations
from lineagegraph.model.runs.facts import DatasetFacts, RunFacts, Stamped, Use

MOST_USES = 500
# So many columns of a schema or derivations take about as long to write as one use.
_COLUMNS_FOR_A_USE = 4
T = TypeVar("T")


class _Piece(NamedTuple):
    """A use of a dataset by a run or a declaration, or a dataset that is only named."""

    dataset: str
    owner: str = ""
    is_run: bool = True
    is_input: bool = True
    use: Use | None = None
    # Whether it comes with all that is known of the dataset.
    is_whole: bool = True

    @property
    def hashes(self) -> set[str]:
        """Return the facets about the columns of the use."""
        return {*self.use.columns, *self.use.schemas} if self.use else set()


def split(batch: Batch) -> list[Batch]:
    """Return the parts of a batch, to be recorded in this order; a small one is its only part.

    The first has the names and parents of the runs, so that a name that cannot be recorded is
    refused before anything is; then come the datasets and their uses, and in the last the times,
    states and the events themselves. Together they give the graph that the batch gives.
    """
    sizes = {hash_: _size(facet) for hash_, facet in batch.facets.items()}
    weighed = [(piece, 1 + sum(sizes[hash_] for hash_ in piece.hashes)) for piece in _pieces(batch)]
    if sum(weight for _, weight in weighed) <= MOST_USES:
        return [batch]
    parts = [_part(batch, some) for some in _groups(weighed)]
    written = {hash_ for part in parts for hash_ in part.facets}
    rest = [hash_ for hash_ in batch.facets if hash_ not in written]
    parts += [Batch(facets=_some(batch, hashes)) for hashes in _slices(rest, MOST_USES)]
    return [_names(batch), *parts, _last(batch)]


def _pieces(batch: Batch) -> Iterator[_Piece]:
    used: set[str] = set()
    for is_run, owners in ((True, batch.runs), (False, batch.declarations)):
        for owner, facts in owners.items():
            for is_input, uses in ((True, facts.inputs), (False, facts.outputs)):
                used |= uses.keys()
                yield from (
                    _Piece(key, owner, is_run, is_input, part, number == 0)
                    for key, use in uses.items()
                    for number, part in enumerate(_by_facet(use))
                )
    yield from (_Piece(key) for key in batch.datasets if key not in used)


def _by_facet(use: Use) -> Iterator[Use]:
    """Yield a use with the first of its facets of column lineage, and for each other a use."""
    columns = list(use.columns.items())
    yield msgspec.structs.replace(use, columns=dict(columns[:1]))
    for hash_, span in columns[1:]:
        yield Use(use.namespace, use.name, use.span, columns={hash_: span})


def _size(facet: FacetBody) -> int:
    if facet.name in LINEAGE:
        return count_derivations(facet.body) // _COLUMNS_FOR_A_USE
    if facet.name == "schema" and isinstance(facet.body, dict):
        return sum(1 for _ in list_maps(facet.body.get("fields"))) // _COLUMNS_FOR_A_USE
    return 0


def _groups(weighed: Iterable[tuple[_Piece, int]]) -> Iterator[list[_Piece]]:
    """Yield the pieces in groups of bounded weight; a heavy piece is one of its own."""
    group, weight = list[_Piece](), 0
    for piece, its in weighed:
        if group and weight + its > MOST_USES:
            yield group
            group, weight = [], 0
        group.append(piece)
        weight += its
    yield group


def _slices(items: Sequence[T], most: int) -> Iterator[Sequence[T]]:
    for start in range(0, len(items), most):
        yield items[start : start + most]


def _part(batch: Batch, pieces: Iterable[_Piece]) -> Batch:
    """Return some uses with their datasets and the facets of both."""
    part = Batch()
    uses: dict[tuple[str, bool], tuple[dict[str, Use], dict[str, Use]]] = {}
    hashes: set[str] = set()
    for piece in pieces:
        dataset = batch.datasets[piece.dataset]
        if not piece.is_whole:
            dataset = DatasetFacts(dataset.namespace, dataset.name)
        part.add_dataset(dataset)
        hashes |= _of_dataset(dataset)
        if piece.use:
            found = uses.setdefault((piece.owner, piece.is_run), ({}, {}))
            same = found[0 if piece.is_input else 1]
            before = same.get(piece.dataset)
            same[piece.dataset] = before | piece.use if before else piece.use
            hashes |= piece.hashes
            for hash_ in piece.use.columns:
                for source in list_sources(batch.facets[hash_].body):
                    part.add_dataset(DatasetFacts(*source))
    for (owner, is_run), (inputs, outputs) in uses.items():
        known = batch.runs if is_run else batch.declarations
        facts = RunFacts(
            heard_at=known[owner].heard_at,
            # Without the parent, whose run another part has.
            said=_only(known[owner].said, "name"),
            inputs=inputs,
            outputs=outputs,
        )
        (part.runs if is_run else part.declarations)[owner] = facts
    part.facets = _some(batch, hashes)
    return part


def _names(batch: Batch) -> Batch:
    """Return the runs and declarations with nothing but their names and parents."""
    return Batch(
        runs={id_: _named(facts) for id_, facts in batch.runs.items()},
        declarations={key: _named(facts) for key, facts in batch.declarations.items()},
    )


def _last(batch: Batch) -> Batch:
    """Return the runs and declarations without their uses, and the events."""
    runs = {id_: _without_uses(facts) for id_, facts in batch.runs.items()}
    declarations = {key: _without_uses(facts) for key, facts in batch.declarations.items()}
    owners = [*runs.values(), *declarations.values()]
    linked = {
        one.value for facts in owners for said, one in facts.said.items() if ":" in said
    } & batch.facets.keys()
    return Batch(runs, declarations, {}, _some(batch, linked), batch.events)


def _named(facts: RunFacts) -> RunFacts:
    return RunFacts(heard_at=facts.heard_at, said=_only(facts.said, "name", "parent"))


def _only(said: dict[str, Stamped], *names: str) -> dict[str, Stamped]:
    return {name: said[name] for name in names if name in said}


def _without_uses(facts: RunFacts) -> RunFacts:
    return msgspec.structs.replace(facts, inputs={}, outputs={})


def _of_dataset(facts: DatasetFacts) -> set[str]:
    return {one.value for one in facts.said.values()} | facts.schemas.keys()


def _some(batch: Batch, hashes: Iterable[str]) -> dict[str, FacetBody]:
    return {hash_: batch.facets[hash_] for hash_ in hashes}
