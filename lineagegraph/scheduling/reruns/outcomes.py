"""How the tasks of a run ended, those that it took over from the run that it repeats included."""

from operator import itemgetter

from lineagegraph.graph import Transaction
from lineagegraph.model.expansion import expanded
from lineagegraph.model.follow import leaves
from lineagegraph.model.ids import derived_id
from lineagegraph.model.named_values import values_of
from lineagegraph.model.states import SUCCEEDED
from lineagegraph.scheduling.reruns.original import pipeline_of
from lineagegraph.store.expansions import read_expansions
from lineagegraph.store.reruns import Original, OutcomeRow, get_original, list_outcomes

Done = dict[str, dict[str, object]]


def read_outcomes(tx: Transaction, original: Original) -> dict[str, OutcomeRow]:
    """Return how each task ended, by path; a task that never began is not there."""
    pipeline = pipeline_of(original)
    if pipeline is None:
        return {}
    pipeline = expanded(pipeline, read_expansions(tx, original.id))
    # Where it went on in another launch, what ended in an earlier one stays.
    launches = range(1, original.launches + 1)
    ids = {derived_id(original.id, p, str(n)): (n, p) for n in launches for p in leaves(pipeline)}
    found = sorted(((ids[r.id], r) for r in list_outcomes(tx, ids=sorted(ids))), key=itemgetter(0))
    own = {path: row for (_, path), row in found}
    before = get_original(tx, id=original.rerun_of) if original.rerun_of else None
    if before is None or not original.only:
        return own
    return read_outcomes(tx, before) | own


def read_done(tx: Transaction, run_id: str) -> Done:
    """Return what the tasks emitted that were completed before a partial rerun, by path."""
    run = get_original(tx, id=run_id)
    before = get_original(tx, id=run.rerun_of) if run and run.only and run.rerun_of else None
    if before is None:
        return {}
    outcomes = read_outcomes(tx, before).items()
    return {path: values_of(row.emitted) for path, row in outcomes if row.state in SUCCEEDED}


def incomplete(tx: Transaction, original: Original, paths: tuple[str, ...]) -> list[str]:
    """Return the tasks that the run did not complete, or did not have."""
    outcomes = read_outcomes(tx, original)
    return [path for path in paths if path not in outcomes or outcomes[path].state not in SUCCEEDED]
