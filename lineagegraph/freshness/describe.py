"""Terms and ages in words."""

from datetime import datetime

from lineagegraph.freshness.judge import Verdict
from lineagegraph.model.durations import say_seconds
from lineagegraph.model.freshness.terms import DAY, Freshness

_UNITS = (("d", 86400), ("h", 3600), ("m", 60), ("s", 1))


def say_terms(terms: Freshness, zone: str) -> str:
    """Return what terms ask for: `at most 24h old`, `since the start of the day (Asia/Dubai)`."""
    said = []
    if terms.max_age is not None:
        said.append(f"at most {say_seconds(terms.max_age)} old" if terms.max_age else _ANEW)
    if terms.since is not None:
        point = f"the start of the {terms.since}" if terms.since in (DAY, "hour") else terms.since
        said.append(f"since {point} ({terms.zone or zone})")
    return " and ".join(said) or "any success"


def say_age(seconds: float) -> str:
    """Return an age in its two largest units: `1d 3h`."""
    left, parts = max(int(seconds), 0), []
    for unit, size in _UNITS:
        count, left = divmod(left, size)
        if count:
            parts.append(f"{count}{unit}")
    return " ".join(parts[:2]) or "0s"


def say_latest(verdict: Verdict, now: datetime) -> str:
    """Return how old the latest success is."""
    if verdict.latest is None:
        return "never succeeded"
    age = say_age((now - verdict.latest.ended_at).total_seconds())
    return f"last succeeded {age} ago"


_ANEW = "made after this was asked for"
