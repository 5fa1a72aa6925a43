"""The facts of several events, joined before anything is written."""

from dataclasses import dataclass, field
from typing import Any

from lineagegraph.ingest.facet_text import facet_text
from lineagegraph.model.names.keys import canonical_json, dataset_key, text_hash
from lineagegraph.model.runs.facts import DatasetFacts, RunFacts
from lineagegraph.model.runs.failed_attempts import FailedAttempt

LEAVE_HIDDEN = ""


@dataclass(frozen=True, slots=True)
class FacetBody:
    """A facet as it was sent, and its canonical text."""

    name: str
    body: Any
    text: str

    @property
    def is_deleted(self) -> bool:
        """Whether it deletes the facet of this name."""
        return isinstance(self.body, dict) and self.body.get("_deleted") is True


@dataclass
class Batch:
    """Facts by id or key; declarations are facts of job events, under the job's own name."""

    runs: dict[str, RunFacts] = field(default_factory=dict)  # by id
    declarations: dict[str, RunFacts] = field(default_factory=dict)  # by key of the job's own name
    datasets: dict[str, DatasetFacts] = field(default_factory=dict)  # by key
    facets: dict[str, FacetBody] = field(default_factory=dict)  # by hash
    events: dict[str, dict[str, Any]] = field(default_factory=dict)  # rows of the store, by id
    # attempts of tasks that are made again, in any order
    failed_attempts: list[FailedAttempt] = field(default_factory=list)
    # id of the import that shows what was hidden until it is undone; LEAVE_HIDDEN shows nothing
    shown_by: str | None = None
    # ids of runs whose new parent is below them: known once the batch is recorded
    on_cycle: set[str] = field(default_factory=set)
    # keys of datasets whose names connect too many: known once the batch is recorded
    crowded: set[str] = field(default_factory=set)
    # ids of events that were not known before, if there are targets to forward them to: known once
    # the batch is recorded
    received: list[str] = field(default_factory=list)
    # hashes of facets, by name and the identity of the body, which is held beside
    _hashed: dict[tuple[str, int], tuple[Any, str]] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """How many characters the events and their facets have."""
        facets = sum(len(facet.text) for facet in self.facets.values())
        return facets + sum(len(event["body"]) for event in self.events.values())

    def add_run(self, run_id: str, facts: RunFacts) -> None:
        """Join facts about a run."""
        self.runs[run_id] = self.runs.get(run_id, RunFacts()) | facts

    def add_declaration(self, key: str, facts: RunFacts) -> None:
        """Join the facts of a job event."""
        self.declarations[key] = self.declarations.get(key, RunFacts()) | facts

    def add_dataset(self, facts: DatasetFacts) -> str:
        """Join facts about a dataset and return its key."""
        key = dataset_key(facts.namespace, facts.name)
        known = self.datasets.get(key)
        self.datasets[key] = known | facts if known else facts
        return key

    def add_facet(self, name: str, body: Any) -> str:
        """Keep a facet's body once and return its hash."""
        # An event's facet is asked for several times; the body is held, so its id stays its own.
        known = self._hashed.get((name, id(body)))
        if known:
            return known[1]
        text = canonical_json(body)
        hash_ = text_hash(f"{name}\n{text}")
        self.facets[hash_] = FacetBody(name, body, text)
        self._hashed[name, id(body)] = body, hash_
        return hash_

    def join(self, other: "Batch") -> None:
        """Join the facts of another batch."""
        for run_id, facts in other.runs.items():
            self.add_run(run_id, facts)
        for key, facts in other.declarations.items():
            self.add_declaration(key, facts)
        for dataset in other.datasets.values():
            self.add_dataset(dataset)
        self.facets |= other.facets
        self.failed_attempts += other.failed_attempts
        for id_, row in other.events.items():
            # What one sender may state counts, though it is a claim of another.
            known = self.events.get(id_)
            if known is None or (known["claims"] and not row["claims"]):
                self.events[id_] = row

    def linked_hash(self, hash_: str) -> str | None:
        """Return the hash of a new facet, or None for a deleted one."""
        return None if self.facets[hash_].is_deleted else hash_

    def facet_rows(self) -> list[dict[str, str | None]]:
        """Return the facets as rows for the store, sorted by hash."""
        return [
            {
                "hash": hash_,
                "name": facet.name,
                "body": facet.text,
                "words": facet_text(facet.name, facet.body),
            }
            for hash_, facet in sorted(self.facets.items())
        ]
