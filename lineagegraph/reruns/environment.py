"""The environment that a run ran in, beside the one of this process."""

from lineagegraph.graph import Transaction
from lineagegraph.model.pipelines.environment import (
    Environment,
    EnvironmentChange,
    compare_environments,
)
from lineagegraph.reruns.installed import installed_environment
from lineagegraph.reruns.isolation import OURSELVES
from lineagegraph.store.runs.environments import EnvironmentRow, get_environment


def changed_packages(before: Environment, after: Environment) -> list[EnvironmentChange]:
    """Return the packages that differ, without lineagegraph, which is always today's."""
    return [change for change in compare_environments(before, after) if change.name != OURSELVES]


def describe_change(change: EnvironmentChange) -> str:
    """Return a change in words."""
    if change.before is None:
        return f"{change.name} {change.after} was not installed then"
    if change.after is None:
        return f"{change.name} {change.before} is not installed"
    return f"{change.name} was {change.before} and is {change.after}"


def read_surroundings(
    tx: Transaction, run_id: str
) -> tuple[EnvironmentRow | None, list[EnvironmentChange]]:
    """Return the environment of a run, if it was recorded, and its differences from this one."""
    row = get_environment(tx, run_id=run_id)
    return row, changed_packages(row.read(), installed_environment()) if row else []
