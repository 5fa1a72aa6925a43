"""Reasons for staleness as text."""

from lineagegraph.model.freshness.standing import FreshState
from lineagegraph.queries.freshness.freshness import Standing
from lineagegraph.queries.freshness.stale_causes import CauseStep

_RUNS = {"FAILED", "KILLED", "SKIPPED", "WAITING"}


def say_why(one: Standing) -> str:
    """Return one line on why something is not fresh; empty if it is."""
    if one.state is FreshState.FRESH:
        return ""
    if one.cause is None:
        return "no cause found upstream"
    said = say_step(one.cause, is_self=len(one.path) == 1)
    if len(one.path) < 2:
        return said
    return f"{said}: {' < '.join(step.name for step in one.path)}"


def say_step(step: CauseStep, is_self: bool = False) -> str:
    """Return the state of a node as text: the state of its run, or its freshness."""
    name = "its latest run" if is_self else step.name
    if step.run_state in _RUNS:
        verb = {"WAITING": "waits"}.get(step.run_state, f"is {step.run_state}")
        detail = ": ".join(part for part in (step.reason, _first(step.message)) if part)
        return f"{name} {verb}" + (f" ({detail})" if detail else "")
    if step.state is FreshState.UNKNOWN:
        return f"{name} has never succeeded"
    return f"{name} is {step.state}"


def _first(message: str | None) -> str:
    return next((line.strip() for line in (message or "").splitlines() if line.strip()), "")
