"""The guard of writes that need the lease of a run."""

from lineagegraph.errors import RunError
from lineagegraph.graph import Transaction
from lineagegraph.store.runs import launches


def assert_lease(tx: Transaction, run_id: str, fence: int) -> None:
    """Lock a run that is still held by `fence`; raise `RunError` if another worker holds it."""
    if not launches.claim_fence(tx, id=run_id, fence=fence):
        raise RunError(f"run {run_id} now has another worker")
