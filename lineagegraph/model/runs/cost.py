"""Costs of a run on its clusters."""

from collections.abc import Iterable, Mapping
from typing import Any

_SUMS = ("seconds", "executor_seconds", "core_seconds")


def total_cost(applications: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the sums over the Spark applications of a run, and each of them; empty without any."""
    each = [dict(one) for one in applications]
    sums = {name: round(sum(one[name] for one in each), 1) for name in _SUMS}
    return {**sums, "applications": each} if each else {}


def describe_cost(cost: Mapping[str, Any]) -> str:
    """Return a run's cost as one line."""
    count = len(cost.get("applications", ()))
    seconds, executors, cores = (cost.get(name, 0) for name in _SUMS)
    return (
        f"{count} Spark application{'' if count == 1 else 's'}, {seconds} s,"
        f" {executors} executor seconds, {cores} core seconds"
    )
