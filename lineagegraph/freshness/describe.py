"""The latest success in words."""

from lineagegraph.freshness.judge import Verdict
from lineagegraph.text import format_moment


def describe_latest(verdict: Verdict) -> str:
    """Return the time of the latest success, which `with_ages` shows as an age."""
    if verdict.latest is None:
        return "never succeeded"
    return f"last succeeded {format_moment(verdict.latest.ended_at)}"
