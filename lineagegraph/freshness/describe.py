"""The latest success in words."""

from datetime import datetime

from lineagegraph.freshness.judge import Verdict
from lineagegraph.text import format_age


def describe_latest(verdict: Verdict, now: datetime) -> str:
    """Return how old the latest success is."""
    if verdict.latest is None:
        return "never succeeded"
    return f"last succeeded {format_age((now - verdict.latest.ended_at).total_seconds())} ago"
