"""What only the worker may write that holds a run."""

from lineagegraph.errors import RunError
from lineagegraph.graph import Transaction
from lineagegraph.store.runs import launches


def keep_hold(tx: Transaction, run_id: str, fence: int) -> None:
    """Lock a run that is still held by `fence`; raise `RunError` where it is another's by now."""
    if not launches.claim_fence(tx, id=run_id, fence=fence):
        raise RunError(f"run {run_id} is another worker's now")
