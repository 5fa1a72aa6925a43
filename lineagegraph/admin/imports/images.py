"""Images of runs, declarations and datasets before an import, as facts that join."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from lineagegraph.graph import Transaction
from lineagegraph.ingest.archive import whole_events
from lineagegraph.ingest.batch import Batch
from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.received import IN_FLIGHT
from lineagegraph.model.runs.facts import DatasetFacts, RunFacts, decode_facts, encode_facts
from lineagegraph.store.admin import imports
from lineagegraph.store.admin.imports import Image
from lineagegraph.store.runs import events
from lineagegraph.store.runs.events import ReceivedEvent

RUN, DECLARATION, DATASET = "RUN", "DECLARATION", "DATASET"
_EVENTS = 500


@dataclass
class Images:
    """Facts by key; those of which nothing was known are keys without facts."""

    runs: dict[str, RunFacts | None] = field(default_factory=dict)
    declarations: dict[str, RunFacts | None] = field(default_factory=dict)
    datasets: dict[str, DatasetFacts | None] = field(default_factory=dict)

    @classmethod
    def of(cls, rows: list[Image]) -> "Images":
        """Return images as they were kept."""
        found = cls()
        for row in rows:
            if row.kind == DATASET:
                known = decode_facts(row.facts, DatasetFacts) if row.facts else None
                found.datasets[row.key] = known
            else:
                facts = decode_facts(row.facts, RunFacts) if row.facts else None
                (found.runs if row.kind == RUN else found.declarations)[row.key] = facts
        return found

    def join(self, batch: Batch) -> None:
        """Join the facts of a batch about nodes that have an image."""
        for key in self.runs.keys() & batch.runs.keys():
            self.runs[key] = (self.runs[key] or RunFacts()) | batch.runs[key]
        for key in self.declarations.keys() & batch.declarations.keys():
            known = self.declarations[key] or RunFacts()
            self.declarations[key] = known | batch.declarations[key]
        for key in self.datasets.keys() & batch.datasets.keys():
            new = batch.datasets[key]
            old = self.datasets[key]
            self.datasets[key] = old | new if old else new

    def rows(self) -> list[dict[str, str]]:
        """Return the images of which something is known, as they are kept."""
        kinds = ((RUN, self.runs), (DECLARATION, self.declarations), (DATASET, self.datasets))
        return [
            {"kind": kind, "key": key, "facts": encode_facts(facts)}
            for kind, images in kinds
            for key, facts in sorted(images.items())
            if facts
        ]


def keys_of(facts: Batch | Images) -> dict[str, list[str]]:
    """Return the keys of the nodes of facts, as parameters of statements."""
    return {
        "runs": sorted(facts.runs),
        "declarations": sorted(facts.declarations),
        "datasets": sorted(facts.datasets),
    }


def extract_received(tx: Transaction, received: Iterable[ReceivedEvent]) -> Batch:
    """Return the facts of events, as on receipt: claims are none."""
    received = list(received)
    bodies = whole_events(tx, (event.body for event in received))
    batch = Batch()
    for event, body in zip(received, bodies, strict=True):
        batch.join(extract([body], author=event.author, claims=event.claims or ()))
    return batch


def images_end(tx: Transaction, import_id: str) -> datetime | None:
    """Return the time of the last event in the images; None after an undo."""
    position = imports.get_undo(tx, id=import_id)
    return datetime.fromisoformat(position.after) if position else None


def join_received(tx: Transaction, import_id: str, limit: int) -> bool:
    """Add the facts of other events since to the images, some events at a time; False at the end.

    Facets of these events stay, even if the import brought them first.
    """
    # Whoever makes the position earlier, after the clock was put back, waits for this lock.
    imports.claim_import(tx, id=import_id)
    position = imports.get_undo(tx, id=import_id)
    if position is None:
        return False
    found = events.list_received(tx, after=position.after, after_id=position.after_id, limit=limit)
    if not found:
        return False
    _join_images(tx, import_id, extract_received(tx, found))
    imports.set_undo(tx, id=import_id, after=found[-1].received_at, after_id=found[-1].id)
    return True


def join_deleted(tx: Transaction, since: datetime, run_ids: list[str]) -> None:
    """Add the facts of other events of runs to the images of imports, before they go.

    Who undoes an import after these events were deleted finds their facts in its images. `since` is
    of `claim_all`; facts that an image has already change nothing.
    """
    after, last = (since - IN_FLIGHT).isoformat(), ""
    while found := imports.list_received_of(
        tx, run_ids=run_ids, after=after, after_id=last, limit=_EVENTS
    ):
        batch = extract_received(tx, found)
        for import_id in imports.list_touching(tx, **keys_of(batch)):
            _join_images(tx, import_id, batch)
        last = found[-1].id


def _join_images(tx: Transaction, import_id: str, batch: Batch) -> None:
    images = Images.of(imports.list_images(tx, import_id=import_id, **keys_of(batch)))
    images.join(batch)
    imports.set_images(tx, import_id=import_id, rows=images.rows())
    imports.delete_added(tx, import_id=import_id, hashes=sorted(batch.facets))
