"""Restore runs, declarations and datasets to before an import, with the events of others since."""

from typing import Any

import msgspec

from lineagegraph.admin.imports.images import Images, extract_received, images_end, keys_of
from lineagegraph.graph import Transaction
from lineagegraph.ingest.batch import LEAVE_HIDDEN, Batch, FacetBody
from lineagegraph.ingest.column_facets import list_columns
from lineagegraph.ingest.dependencies import FOLLOWS
from lineagegraph.ingest.received import IN_FLIGHT, list_since
from lineagegraph.ingest.record import NO_NEWS, record
from lineagegraph.ingest.same_data import join_same
from lineagegraph.model.runs.facts import RunFacts
from lineagegraph.store.admin import imports
from lineagegraph.store.datasets import assertions, datasets, names
from lineagegraph.store.runs import declarations, facets, runs


def restore(tx: Transaction, import_id: str, limit: int) -> bool:
    """Restore some nodes; return False if none is left."""
    images = Images.of(imports.list_touched(tx, import_id=import_id, limit=limit))
    keys = keys_of(images)
    if not any(keys.values()):
        return False
    _lock(tx, images)
    images.join(_told_lately(tx, import_id))
    imports.set_jobs_due(tx, runs=keys["runs"], declarations=keys["declarations"])
    imports.set_runs_back(tx, rows=[_run_row(id_, images.runs[id_]) for id_ in keys["runs"]])
    named = {*keys["datasets"], *names.list_next(tx, keys=keys["datasets"])}
    imports.set_datasets_back(tx, datasets=keys["datasets"], declarations=keys["declarations"])
    record(tx, _batch(tx, images), NO_NEWS)
    assertions.set_latest(tx, keys=keys["datasets"])
    join_same(tx, named)
    imports.set_jobs_due(tx, runs=keys["runs"], declarations=keys["declarations"])
    imports.set_restored(tx, import_id=import_id, **keys)
    return True


def delete_columns(tx: Transaction, import_id: str, limit: int) -> bool:
    """Delete columns without a schema from some datasets; return False if none is left."""
    found = Images.of(imports.list_datasets(tx, import_id=import_id, limit=limit)).datasets
    hashes = {hash_ for facts in found.values() if facts for hash_ in facts.schemas}
    bodies = {
        row.hash: msgspec.json.decode(row.body)
        for row in facets.list_bodies(tx, hashes=sorted(hashes))
    }
    rows = [
        {
            "key": key,
            "names": sorted(
                {
                    name
                    for hash_ in (facts.schemas if facts else ())
                    for name, _ in list_columns(bodies[hash_])
                }
            ),
        }
        for key, facts in sorted(found.items())
    ]
    imports.delete_columns(tx, import_id=import_id, rows=rows)
    return bool(rows)


def _lock(tx: Transaction, images: Images) -> None:
    """Lock the nodes: open writes finish first, and later ones find them restored."""
    runs.merge_runs(tx, ids=sorted(images.runs))
    declarations.merge_declarations(tx, keys=sorted(images.declarations))
    rows = [
        {"key": key, "namespace": facts.namespace, "name": facts.name}
        for key, facts in sorted(images.datasets.items())
        if facts
    ]
    datasets.merge_datasets(tx, rows=rows, shown_by=LEAVE_HIDDEN)


def _told_lately(tx: Transaction, import_id: str) -> Batch:
    """Return the facts of events after the images, including those in open transactions then."""
    since = images_end(tx, import_id)
    if since is None:
        return Batch()
    return extract_received(tx, list_since(tx, (since - IN_FLIGHT).isoformat()))


def _run_row(id_: str, facts: RunFacts | None) -> dict[str, Any]:
    known = facts or RunFacts()
    return {
        "id": id_,
        "inputs": sorted(known.inputs),
        "outputs": sorted(known.outputs),
        "version": known.get("version"),
        "parent": known.get("parent"),
    }


def _batch(tx: Transaction, images: Images) -> Batch:
    """Return images as a batch of all their facts, with their facets."""
    batch = Batch(
        runs={key: facts for key, facts in images.runs.items() if facts},
        declarations={key: facts for key, facts in images.declarations.items() if facts},
        datasets={key: facts for key, facts in images.datasets.items() if facts},
        shown_by=LEAVE_HIDDEN,
    )
    told_of = (batch.runs, batch.declarations, batch.datasets)
    hashes = {hash_ for kind in told_of for facts in kind.values() for hash_ in _said_hashes(facts)}
    for row in facets.list_bodies(tx, hashes=sorted(hashes)):
        batch.facets[row.hash] = FacetBody(row.name, msgspec.json.decode(row.body), row.body)
    return batch


def _said_hashes(facts: Any) -> list[str]:
    return [
        stamped.value
        for said, stamped in facts.said.items()
        if ":" in said and not said.startswith(FOLLOWS)
    ]
