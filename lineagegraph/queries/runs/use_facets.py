"""The facets of inputs and outputs, as runs reported them in their events."""

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from lineagegraph.graph import Transaction
from lineagegraph.ingest.claims import without
from lineagegraph.model.typed import convert_value, decode_json
from lineagegraph.store.datasets.dataset_versions import list_use_reports
from lineagegraph.store.runs.facets import list_bodies

# A run that reports for days repeats the facets of its data.
_NEWEST_EVENTS = 20
Dataset = tuple[str, str]
Hashes = dict[str, str | None]


class UseFacets(msgspec.Struct, frozen=True):
    """The facets of one run's inputs and outputs, by namespace and name of the dataset."""

    inputs: dict[Dataset, dict[str, msgspec.Raw]] = {}
    outputs: dict[Dataset, dict[str, msgspec.Raw]] = {}

    def present(self) -> "UseFacets":
        """Return them without deleted facets."""
        inputs = {dataset: drop_deleted(facets) for dataset, facets in self.inputs.items()}
        outputs = {dataset: drop_deleted(facets) for dataset, facets in self.outputs.items()}
        return UseFacets(inputs, outputs)


class _Use(msgspec.Struct, rename="camel"):
    namespace: str
    name: str
    input_facets: Hashes | None = None
    output_facets: Hashes | None = None


class _Event(msgspec.Struct):
    inputs: list[_Use] | None = None
    outputs: list[_Use] | None = None


class _Body(msgspec.Struct):
    deleted: bool = msgspec.field(name="_deleted", default=False)


def read_use_facets(
    tx: Transaction, ids: Iterable[str], *, with_claims: bool = True
) -> dict[str, UseFacets]:
    """Return the latest facets of each run's inputs and outputs, deleted ones too, by run.

    Without claims, those that describe a dataset which their sender may not describe are left out.
    """
    said: dict[str, tuple[dict[Dataset, Hashes], dict[Dataset, Hashes]]] = {}
    for report in list_use_reports(tx, ids=sorted(set(ids)), limit=_NEWEST_EVENTS):
        claims = () if with_claims else filter(_is_of_use, report.claims)
        event = _decode(report.body, tuple(claims))
        inputs, outputs = said.setdefault(report.run, ({}, {}))
        for use in event.inputs or ():
            inputs.setdefault((use.namespace, use.name), {}).update(use.input_facets or {})
        for use in event.outputs or ():
            outputs.setdefault((use.namespace, use.name), {}).update(use.output_facets or {})
    every = [hashes for sides in said.values() for side in sides for hashes in side.values()]
    bodies = read_bodies(tx, every)
    return {
        run: UseFacets(*(_facets(side, bodies) for side in sides)) for run, sides in said.items()
    }


def read_bodies(tx: Transaction, some: Iterable[Hashes]) -> dict[str, msgspec.Raw]:
    """Return the bodies of facets by hash."""
    wanted = {hash_ for hashes in some for hash_ in hashes.values() if hash_}
    rows = list_bodies(tx, hashes=sorted(wanted))
    return {row.hash: msgspec.Raw(row.body.encode()) for row in rows}


def drop_deleted(facets: Mapping[str, msgspec.Raw]) -> dict[str, msgspec.Raw]:
    """Return facets without those that their producer deleted."""
    return {name: body for name, body in facets.items() if not _is_deleted(body)}


def named_bodies(hashes: Hashes, bodies: Mapping[str, msgspec.Raw]) -> dict[str, msgspec.Raw]:
    """Return facets by name, in order of their names."""
    return {
        name: bodies[hash_] for name, hash_ in sorted(hashes.items()) if hash_ and hash_ in bodies
    }


def _facets(
    side: dict[Dataset, Hashes], bodies: Mapping[str, msgspec.Raw]
) -> dict[Dataset, dict[str, msgspec.Raw]]:
    return {dataset: named_bodies(hashes, bodies) for dataset, hashes in side.items()}


def _decode(body: str, claims: Sequence[str]) -> _Event:
    if not claims:
        return decode_json(body, into=_Event)
    return convert_value(without(msgspec.json.decode(body), claims), _Event)


def _is_of_use(claim: str) -> bool:
    # Other claims lead into facets, of which a stored event has only hashes.
    return claim.startswith(("$.inputs[", "$.outputs["))


def _is_deleted(body: msgspec.Raw) -> bool:
    # Hardly any facet is deleted, and to decode them all takes a tenth of a large answer's time.
    if b"_deleted" not in bytes(body):
        return False
    try:
        return decode_json(body, into=_Body).deleted
    except msgspec.DecodeError:
        return False
