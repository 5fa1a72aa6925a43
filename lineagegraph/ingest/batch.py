"""The facts of several events, joined before anything is written."""

from dataclasses import dataclass, field
from typing import Any

from lineagegraph.model.canonical import canonical_hash, canonical_json
from lineagegraph.model.facts import DatasetFacts, RunFacts, Stamped
from lineagegraph.model.names import dataset_key

SCHEMA = "dataset:schema"


@dataclass
class Batch:
    """Facts by id or key; declarations are what job events say, under the job's own name.

    `schemas` has every schema that was reported, also those that a later one replaces.
    """

    runs: dict[str, RunFacts] = field(default_factory=dict)
    declarations: dict[str, RunFacts] = field(default_factory=dict)
    datasets: dict[str, DatasetFacts] = field(default_factory=dict)
    schemas: list[tuple[str, Stamped]] = field(default_factory=list)
    facets: dict[str, tuple[str, Any]] = field(default_factory=dict)
    events: dict[str, dict[str, Any]] = field(default_factory=dict)

    def add_run(self, run_id: str, facts: RunFacts) -> None:
        """Join facts about a run."""
        self.runs[run_id] = self.runs.get(run_id, RunFacts()) | facts

    def add_declaration(self, key: str, facts: RunFacts) -> None:
        """Join what a job event says."""
        self.declarations[key] = self.declarations.get(key, RunFacts()) | facts

    def add_dataset(self, facts: DatasetFacts) -> str:
        """Join facts about a dataset and return its key."""
        key = dataset_key(facts.namespace, facts.name)
        known = self.datasets.get(key)
        self.datasets[key] = known | facts if known else facts
        if SCHEMA in facts.said:
            self.schemas.append((key, facts.said[SCHEMA]))
        return key

    def add_facet(self, name: str, body: Any) -> str:
        """Keep a facet's body once and return its hash."""
        hash_ = canonical_hash([name, body])
        self.facets[hash_] = (name, body)
        return hash_

    def facet_rows(self) -> list[dict[str, str]]:
        """Return the facets as rows for the store, sorted by hash."""
        return [
            {"hash": hash_, "name": name, "body": canonical_json(body)}
            for hash_, (name, body) in sorted(self.facets.items())
        ]
