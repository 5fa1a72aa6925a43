"""Freshness in words: terms, ages, and why something is not fresh."""

from lineagegraph.model.durations import say_seconds
from lineagegraph.model.freshness.standing import FreshState, Terms
from lineagegraph.model.freshness.terms import Counts
from lineagegraph.queries.freshness.freshness import Standing
from lineagegraph.queries.freshness.stale_causes import Step

_RUNS = {"FAILED", "KILLED", "SKIPPED", "WAITING"}


def say_terms(terms: Terms) -> str:
    """Return terms in a few words: `max age 24h`, `since day in Asia/Dubai`."""
    fresh = terms.freshness
    parts = []
    if fresh.max_age is not None:
        parts.append(f"max age {say_seconds(fresh.max_age)}")
    if fresh.since is not None:
        parts.append(f"since {fresh.since}" + (f" in {fresh.zone}" if fresh.zone else ""))
    if fresh.counts is Counts.DATA_END:
        parts.append("by the end of its data")
    return ", ".join(parts)


def say_age(seconds: float | None) -> str:
    """Return an age as people say it, in its two largest units."""
    if seconds is None:
        return "never"
    if seconds < 60:
        return f"{seconds:.0f} s"
    minutes = int(seconds // 60)
    if minutes < 60:
        return f"{minutes} min"
    if minutes < 48 * 60:
        return f"{minutes // 60} h {minutes % 60} min"
    return f"{minutes // 1440} d {minutes % 1440 // 60} h"


def say_why(one: Standing) -> str:
    """Return in one line why something is not fresh; empty for what is."""
    if one.state is FreshState.FRESH:
        return ""
    if one.cause is None:
        return "nothing upstream is to blame"
    said = say_step(one.cause, is_self=len(one.path) == 1)
    if len(one.path) < 2:
        return said
    return f"{said}: {' < '.join(step.name for step in one.path)}"


def say_step(step: Step, is_self: bool = False) -> str:
    """Return what is wrong with a node: how its run went, or how fresh it is."""
    name = "its latest run" if is_self else step.name
    if step.run_state in _RUNS:
        verb = {"WAITING": "waits"}.get(step.run_state, f"is {step.run_state}")
        detail = ": ".join(part for part in (step.reason, _first(step.message)) if part)
        return f"{name} {verb}" + (f" ({detail})" if detail else "")
    if step.state is FreshState.UNKNOWN:
        return f"{name} never succeeded"
    return f"{name} is {step.state}"


def _first(message: str | None) -> str:
    return next((line.strip() for line in (message or "").splitlines() if line.strip()), "")
