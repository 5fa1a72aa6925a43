"""The packages that a run finds: those of this process, unless a rerun is held to others."""

from lineagegraph.errors import RunError
from lineagegraph.graph import Transaction
from lineagegraph.scheduling.installed import installed_environment
from lineagegraph.scheduling.reruns.surroundings import changed_packages, told
from lineagegraph.store.environments import get_wanted, write_environment


def enter_environment(tx: Transaction, run_id: str) -> None:
    """Note what a run runs in; raise `RunError` where it is held to something else."""
    here = installed_environment()
    wanted = get_wanted(tx, run_id=run_id)
    if wanted and (changes := changed_packages(wanted.read(), here)):
        listed = "; ".join(told(one) for one in changes)
        raise RunError(f"run {run_id} cannot run as it was here: {listed}")
    write_environment(tx, run_id, here)
