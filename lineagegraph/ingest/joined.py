"""Facts of a batch joined with what the graph knows, and what of it is new."""

from dataclasses import dataclass

from lineagegraph.graph import Transaction
from lineagegraph.ingest.batch import Batch
from lineagegraph.model.facts import RunFacts, decode_facts
from lineagegraph.model.states import RunState, settle_state
from lineagegraph.store import declarations, runs

NOTHING = RunFacts()


@dataclass
class Reporter:
    """A run or a declaration: what was known of it, and what is known with this batch."""

    id: str
    is_run: bool
    before: RunFacts
    after: RunFacts
    job_key: str | None
    state_before: RunState = RunState.PENDING

    @property
    def name(self) -> tuple[str, str]:
        """The namespace and name that it has of its own."""
        namespace, name = self.after.get("name")
        return namespace, name

    @property
    def is_renamed(self) -> bool:
        """Whether its own name or its parent is news."""
        return any(self.before.get(part) != self.after.get(part) for part in ("name", "parent"))

    @property
    def is_stub(self) -> bool:
        """Whether it is a run that was only heard of."""
        return self.is_run and not self.after.times

    @property
    def state(self) -> RunState:
        """The state that follows from all that was reported."""
        return settle_state({kind: span.last for kind, span in self.after.times.items()})


def join_runs(tx: Transaction, batch: Batch) -> dict[str, Reporter]:
    """Lock the runs of a batch, in the order of their ids, and join what is known of them."""
    known = runs.merge_runs(tx, ids=sorted(batch.runs))
    return {
        row.id: _joined(row.id, True, row.facts, batch.runs[row.id], row.job_key, row.state)
        for row in known
    }


def join_declarations(tx: Transaction, batch: Batch) -> dict[str, Reporter]:
    """Lock the declarations of a batch, in the order of their keys, and join what is known."""
    known = declarations.merge_declarations(tx, keys=sorted(batch.declarations))
    return {
        row.key: _joined(row.key, False, row.facts, batch.declarations[row.key], row.job_key)
        for row in known
    }


def _joined(
    id_: str,
    is_run: bool,
    text: str | None,
    facts: RunFacts,
    job_key: str | None,
    state: RunState = RunState.PENDING,
) -> Reporter:
    before = decode_facts(text, RunFacts) if text else NOTHING
    return Reporter(id_, is_run, before, before | facts, job_key, state)
