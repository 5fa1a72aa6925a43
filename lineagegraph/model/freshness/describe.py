"""Freshness terms as text."""

from lineagegraph.model.freshness.standing import Terms
from lineagegraph.model.freshness.terms import Counts, Dependency, Freshness, WhenNewer, WhenSkipped
from lineagegraph.text import format_duration

_DEFAULT = Dependency(job="")
_NEW_SUCCESS = "a success after this run was asked for"


def describe_freshness(terms: Freshness, zone: str | None = None) -> str:
    """Return terms as a short text: `max age 1d, since day in Asia/Dubai, by the end of its data`.

    `zone` applies if the terms name none.
    """
    zone = terms.zone or zone
    parts = [
        _describe_age(terms.max_age),
        f"since {terms.since}{f' in {zone}' if zone else ''}" if terms.since is not None else "",
        "by the end of its data" if terms.counts is Counts.DATA_END else "",
        "of any partition" if terms.any_partition else "",
        "or while its inputs are unchanged" if terms.unchanged else "",
    ]
    return ", ".join(filter(None, parts)) or "any success"


def describe_terms(terms: Terms) -> str:
    """Return the terms of a job or dataset as a short text: `max age 1d per region`."""
    per = f" per {terms.per}" if terms.per is not None else ""
    by = f" by sensor {terms.sensor}" if terms.sensor is not None else ""
    return describe_freshness(terms.freshness) + per + by


def describe_dependency(dependency: Dependency) -> str:
    """Return the terms of a dependency that differ from the default."""
    skipped, wait, recheck = dependency.when_skipped, dependency.wait, dependency.recheck
    parts = [
        describe_freshness(dependency.freshness),
        "rerun when newer" if dependency.when_newer is WhenNewer.RERUN else "",
        "external" if dependency.external else "",
        f"when skipped: {skipped}" if skipped is not WhenSkipped.BLOCK else "",
        f"waits {format_duration(wait)}" if wait != _DEFAULT.wait else "",
        f"checked every {format_duration(recheck)}" if recheck != _DEFAULT.recheck else "",
    ]
    return ", ".join(filter(None, parts))


def describe_removed(pipeline: str, *, is_withdrawn: bool) -> str:
    """Return why no definition states a job of a pipeline any more."""
    if is_withdrawn:
        return f"is withdrawn: no file defines {pipeline} any more"
    return f"is not a task of {pipeline} any more"


def _describe_age(max_age: float | None) -> str:
    if max_age is None:
        return ""
    return f"max age {format_duration(max_age)}" if max_age else _NEW_SUCCESS
