"""The run that is to run again."""

from collections.abc import Iterable, Mapping
from operator import itemgetter

from lineagegraph.errors import NotFound, RerunRefused
from lineagegraph.graph import Graph, Transaction
from lineagegraph.model.pipelines.definition import Pipeline
from lineagegraph.model.pipelines.expansion import Expansion, expanded
from lineagegraph.model.pipelines.hierarchy import is_in_any, leaves, with_followers
from lineagegraph.model.runs.ids import derived_id
from lineagegraph.model.runs.states import FINAL, SUCCEEDED, RunState
from lineagegraph.model.typed import decode_json
from lineagegraph.store.runs.expansions import read_expansions
from lineagegraph.store.runs.reruns import Original, OutcomeRow, get_original, list_outcomes

# `execution.outcome.EndReason`, which is a room above.
_RULE_NOT_MET = "RULE_NOT_MET"


def read_original(tx: Transaction, run_id: str) -> Original:
    """Return a run that can be repeated: a pipeline's own, which has ended."""
    found = get_original(tx, id=run_id)
    if found is None:
        raise NotFound(f"no run {run_id!r}")
    if found.version is None and found.parent:
        raise RerunRefused(
            f"run {run_id} is a part of run {found.parent}: rerun that one, with --task for a part"
        )
    if found.job_key is None or (found.version is None and found.current_version is None):
        raise RerunRefused(
            f"run {run_id} of {found.job} was not run by lineagegraph: only runs of pipelines that "
            "were synced can run again"
        )
    if found.is_open or found.state not in FINAL:
        raise RerunRefused(f"run {run_id} is {found.state}: wait for its end, or cancel it")
    return found


def namespace_of(graph: Graph, run_id: str) -> str:
    """Return the namespace of a run's job; raise `NotFound` if there is no such run."""
    found = graph.read(get_original, id=run_id)
    if found is None:
        raise NotFound(f"no run {run_id!r}")
    return found.namespace or ""


def pipeline_of(original: Original) -> Pipeline | None:
    """Return the pipeline as it was, if the graph still has it."""
    if original.definition is None:
        return None
    return decode_json(original.definition, into=Pipeline)


def read_outcomes(tx: Transaction, original: Original) -> dict[str, OutcomeRow]:
    """Return how each task ended, by path; a task that never began is not there.

    A run of some tasks has the outcomes of the run that it repeats for the others.
    """
    own, before = _own_outcomes(tx, original), _read_repeated(tx, original)
    if before is None:
        return own
    gone = _dropped(read_added(tx, before), own)
    earlier = read_outcomes(tx, before).items()
    return {path: row for path, row in earlier if not is_in_any(path, gone)} | own


def read_done(tx: Transaction, run_id: str) -> dict[str, OutcomeRow]:
    """Return the ends of tasks that completed before a partial rerun, by path."""
    before = _read_before(tx, run_id)
    outcomes = read_outcomes(tx, before).items() if before else ()
    return {path: row for path, row in outcomes if row.state in SUCCEEDED}


def read_added(tx: Transaction, original: Original) -> tuple[Expansion, ...]:
    """Return the tasks that a run added.

    A run of some tasks has those of the run that it repeats, unless it ran the task that adds them.
    """
    own, before = read_expansions(tx, original.id), _read_repeated(tx, original)
    if before is None:
        return own
    earlier = read_added(tx, before)
    gone = _dropped(earlier, _own_outcomes(tx, original))
    known = {one.behind for one in own}
    # What they added is gone with them.
    kept = [one for one in earlier if one.behind not in known and not is_in_any(one.path, gone)]
    return (*kept, *own)


def _dropped(earlier: Iterable[Expansion], own: Mapping[str, OutcomeRow]) -> list[str]:
    """Return the paths of tasks that were added earlier and that a run of their adder replaces."""
    return [one.path for one in earlier if ".".join(one.behind) in own]


def read_added_before(tx: Transaction, run_id: str) -> tuple[Expansion, ...]:
    """Return the tasks that were added before a partial rerun."""
    before = _read_before(tx, run_id)
    return read_added(tx, before) if before else ()


def _read_before(tx: Transaction, run_id: str) -> Original | None:
    run = get_original(tx, id=run_id)
    return _read_repeated(tx, run) if run else None


def _read_repeated(tx: Transaction, run: Original) -> Original | None:
    """Return the run of which this one repeats some tasks; None if it runs all."""
    return get_original(tx, id=run.rerun_of) if run.only and run.rerun_of else None


def _own_outcomes(tx: Transaction, original: Original) -> dict[str, OutcomeRow]:
    pipeline = pipeline_of(original)
    if pipeline is None:
        return {}
    pipeline = expanded(pipeline, read_expansions(tx, original.id))
    # Where it went on in another launch, what ended in an earlier one stays.
    launches = range(1, original.launches + 1)
    ids = {derived_id(original.id, p, str(n)): (n, p) for n in launches for p in leaves(pipeline)}
    found = sorted(((ids[r.id], r) for r in list_outcomes(tx, ids=sorted(ids))), key=itemgetter(0))
    return {path: row for (_, path), row in found}


def _asked_outcomes(tx: Transaction, original: Original) -> dict[str, OutcomeRow]:
    """Return how tasks ended, without those that a partial rerun was to repeat and did not."""
    own, before = _own_outcomes(tx, original), _read_repeated(tx, original)
    if before is None:
        return own
    gone = _dropped(read_added(tx, before), own)
    earlier = _asked_outcomes(tx, before).items()
    asked = (*original.only, *gone)
    return {path: row for path, row in earlier if not is_in_any(path, asked)} | own


def incomplete(tx: Transaction, original: Original, pipeline: Pipeline) -> list[str]:
    """Return the tasks that the run did not complete, or did not have; none if nothing failed.

    A task whose rule about failures was not met is left out, with those that it kept from running:
    nothing that it follows runs again.
    """
    outcomes, paths = _asked_outcomes(tx, original), leaves(pipeline)
    done = {path for path in paths if path in outcomes and outcomes[path].state in SUCCEEDED}
    skipped = {p for p in paths if p in outcomes and outcomes[p].state is RunState.SKIPPED}
    failed = [path for path in paths if path not in done | skipped]
    if not failed:
        return []
    unmet = [path for path in skipped if outcomes[path].reason == _RULE_NOT_MET]
    left_out = skipped & set(with_followers(pipeline, unmet)) if unmet else set()
    return [path for path in paths if path not in done | left_out]
