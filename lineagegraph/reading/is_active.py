"""Whether a pipeline is defined still."""

from lineagegraph.errors import RunError
from lineagegraph.graph import Transaction
from lineagegraph.store.pipelines import definition_files


def check_in_force(tx: Transaction, job_key: str) -> None:
    """Raise `RunError` where no file defines a pipeline any more."""
    withdrawn = definition_files.get_withdrawn(tx, job_key=job_key)
    if withdrawn is not None:
        raise RunError(
            f"the definition of {withdrawn.fqn} is gone since {withdrawn.at:%Y-%m-%d %H:%M:%S %Z}: "
            "`lineagegraph sync PATH` reads it where it is now"
        )
