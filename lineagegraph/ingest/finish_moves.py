"""The rest of large moves, a bounded part a transaction."""

from lineagegraph.graph import Transaction
from lineagegraph.ingest.batch import Batch
from lineagegraph.ingest.hierarchy import ADOPTION, adopt, place_below, place_declarations
from lineagegraph.ingest.moves import Moves
from lineagegraph.ingest.record import record_jobs
from lineagegraph.store.jobs import jobs
from lineagegraph.store.runs import runs


def settle(tx: Transaction) -> bool:
    """Continue moving runs to the jobs that follow from their facts.

    Return False if nothing is left to move: then the graph is as if all had been moved at once.
    """
    moves = Moves()
    if run := runs.claim_unsettled(tx):
        if run.id is None or run.after is None:
            return True
        runs.set_unsettled(tx, rows=[{"id": run.id, "after": None}])
        place_below(tx, {run.id: run.after}, moves)
        adopt(tx, moves)
    elif job := jobs.claim_unsettled(tx):
        if job.key is None or job.unsettled is None:
            return True
        jobs.set_unsettled(tx, rows=[{"key": job.key, "unsettled": None}])
        if job.unsettled == ADOPTION:
            moves.touched.add(job.key)
            adopt(tx, moves)
        moves.left.add(job.key)
    else:
        return False
    place_declarations(tx, [], moves)
    record_jobs(tx, Batch(), [], moves)
    return True
