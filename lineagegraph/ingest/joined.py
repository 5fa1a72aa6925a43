"""Facts of a batch joined with those of the graph, and the new ones among them."""

import re
from dataclasses import dataclass

from lineagegraph.graph import Transaction
from lineagegraph.ingest.batch import Batch
from lineagegraph.model.names.keys import JobName, canonical_hash
from lineagegraph.model.runs.facts import HEARD_OF, SNAPSHOT, RunFacts, Use, decode_facts
from lineagegraph.model.runs.states import FIRING, EventType, RunState
from lineagegraph.store.runs import declarations, runs
from lineagegraph.store.runs.declarations import KnownDeclaration
from lineagegraph.store.runs.runs import KnownRun

NOTHING = RunFacts()


@dataclass
class JoinedFacts:
    """A run or a declaration: its facts before this batch and after it.

    `job` is the previous job of a run.
    """

    id: str
    is_run: bool
    before: RunFacts
    after: RunFacts
    job_key: str | None
    job: JobName | None = None
    state_before: RunState = RunState.PENDING

    @property
    def name(self) -> tuple[str, str]:
        """The namespace and name that it has of its own."""
        namespace, name = self.after.get("name")
        return namespace, name

    @property
    def is_new(self) -> bool:
        """Whether nothing was known of it: it can have no children yet."""
        return self.before is NOTHING and self.job_key is None

    @property
    def is_renamed(self) -> bool:
        """Whether its own name or its parent is news."""
        return any(self.before.get(part) != self.after.get(part) for part in ("name", "parent"))

    @property
    def is_stub(self) -> bool:
        """Whether it is a run, or a job, that was only heard of."""
        if self.is_run:
            return not self.after.times
        return self.after.said["name"].rank == HEARD_OF

    @property
    def state(self) -> RunState:
        """The state that follows from all that was reported."""
        return self.after.state


def join_runs(tx: Transaction, batch: Batch) -> dict[str, JoinedFacts]:
    """Lock the runs of a batch, in the order of their ids, and join their facts."""
    known = runs.merge_runs(tx, ids=sorted(batch.runs))
    return {row.id: _joined_run(row, batch.runs[row.id]) for row in known}


def join_declarations(tx: Transaction, batch: Batch) -> dict[str, JoinedFacts]:
    """Lock the declarations of a batch, in the order of their keys, and join their facts."""
    known = declarations.merge_declarations(tx, keys=sorted(batch.declarations))
    return {row.key: _joined_declaration(row, batch.declarations[row.key]) for row in known}


def _joined_run(row: KnownRun, facts: RunFacts) -> JoinedFacts:
    before = decode_facts(row.facts, RunFacts) if row.facts else NOTHING
    job = row.job.full_name if row.job else None
    return JoinedFacts(
        row.id, True, before, before | facts, job.key if job else None, job, row.state
    )


def _joined_declaration(row: KnownDeclaration, facts: RunFacts) -> JoinedFacts:
    before = decode_facts(row.facts, RunFacts) if row.facts else NOTHING
    return JoinedFacts(row.key, False, before, before | facts, row.job_key)


# Changes of the data of one stream that are kept apart: each needs a look at all its uses.
_MOST_CHANGES = 100
_HASH = re.compile(r"[0-9a-f]{64}")
# Why a queued run can end without a START: its worker never began it.
_NEVER_BEGAN = {"CANCELLED", "NOT_STARTED"}


def stream_versions(run: JoinedFacts) -> dict[str, str]:
    """Return the versions that a run of a stream had one after the other, each with its first time.

    Its inputs and outputs change while it runs. They follow from the spans of its uses, so the
    order of events has no influence; a dataset counts as used throughout its span.
    """
    facts = run.after
    if not facts.is_streaming or facts.get("version"):
        return {}
    uses = [*facts.inputs.values(), *facts.outputs.values()]
    is_snapshot = facts.get("content_mode") == SNAPSHOT
    times = {use.span.first for use in uses} | (
        {use.span.last for use in uses} if is_snapshot else set()
    )
    found: dict[str, str] = {}
    for at in sorted(times)[-_MOST_CHANGES:]:
        data = [_used_at(some, at, is_snapshot) for some in (facts.inputs, facts.outputs)]
        found.setdefault(canonical_hash([*run.name, *data, facts.get("location")]), at)
    return found


def _used_at(uses: dict[str, Use], at: str, is_snapshot: bool) -> list[str]:
    known = {key: use.span for key, use in uses.items() if use.span.first <= at}
    if not is_snapshot:
        return sorted(known)
    # An event without inputs replaces none: the last one with some counts.
    last = max((min(at, span.last) for span in known.values()), default="")
    return sorted(key for key, span in known.items() if span.last >= last)


def job_version(run: JoinedFacts) -> str | None:
    """Return the hash of a run's version: of our own definition, or else of its observed facts.

    These are complete at its end: its own name, its inputs and outputs, and its code location. A
    run of a stream has a version from its start on. A run that ran nothing, or does not count, has
    none.
    """
    own = run.after.get("version")
    if own and _HASH.fullmatch(own):
        return str(own)
    is_open_stream = run.state is RunState.RUNNING and run.after.is_streaming
    if (run.state not in FIRING and not is_open_stream) or _never_began(run.after):
        return None
    used = run.after.effective
    data = sorted(used.inputs), sorted(used.outputs)
    return canonical_hash([*run.name, *data, run.after.get("location")])


def _never_began(facts: RunFacts) -> bool:
    return EventType.START not in facts.times and facts.get("reason") in _NEVER_BEGAN
