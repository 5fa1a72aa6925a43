"""Terms of freshness in a few words."""

from lineagegraph.model.durations import say_seconds
from lineagegraph.model.freshness.terms import Counts, Dependency, Freshness, WhenSkipped

_USUAL = Dependency(job="")


def say_freshness(terms: Freshness) -> str:
    """Return terms as people say them: `24h`, `since day in Asia/Dubai`, `36h and since hour`."""
    age = [] if terms.max_age is None else [say_seconds(terms.max_age)]
    zone = f" in {terms.zone}" if terms.zone else ""
    since = [] if terms.since is None else [f"since {terms.since}{zone}"]
    data = [" by the end of its data"] if terms.counts is Counts.DATA_END else []
    parts = [", of any partition"] if terms.any_partition else []
    return " and ".join(age + since) + "".join(data + parts)


def say_dependency(one: Dependency) -> str:
    """Return the terms of a dependency, as far as they are not those of every other."""
    said = [
        say_freshness(one.freshness),
        "external" if one.external else "",
        f"when skipped: {one.when_skipped}" if one.when_skipped is not WhenSkipped.BLOCK else "",
        f"waits {say_seconds(one.wait)}" if one.wait != _USUAL.wait else "",
        f"looks every {say_seconds(one.recheck)}" if one.recheck != _USUAL.recheck else "",
    ]
    return ", ".join(filter(None, said))
