"""Terms of freshness in a few words."""

from lineagegraph.model.durations import say_seconds
from lineagegraph.model.freshness import Counts, Freshness


def say_freshness(terms: Freshness) -> str:
    """Return terms as people say them: `24h`, `since day in Asia/Dubai`, `36h and since hour`."""
    age = [] if terms.max_age is None else [say_seconds(terms.max_age)]
    zone = f" in {terms.zone}" if terms.zone else ""
    since = [] if terms.since is None else [f"since {terms.since}{zone}"]
    data = [" by the end of its data"] if terms.counts is Counts.DATA_END else []
    parts = [", of any partition"] if terms.any_partition else []
    return " and ".join(age + since) + "".join(data + parts)
