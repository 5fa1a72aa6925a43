"""What determined when the last thing of a day ended: work, and waits between it.

From the work that ended last the path goes back to what let it begin: of all that had to come
before it, what did so last. Work lets others begin when it ends, or when they began, where that
was earlier: who waits for a table need not wait for what its writer does afterwards.
"""

from collections import defaultdict
from collections.abc import Mapping
from datetime import date, datetime

import msgspec

from lineagegraph.graph import Graph
from lineagegraph.queries.analysis.day import read_day
from lineagegraph.queries.analysis.steps import Step, Steps, read_steps

_WAITS = 20


class Leg(msgspec.Struct, frozen=True, kw_only=True):
    """A piece of work, how long it waited for its turn, and how long it took, in seconds.

    `after` is the run that let it begin, and `by` says how: by `data`, a `trigger`, a `dependency`,
    the `order` of tasks, or as a `rerun` or `retry`. Of `waited` it was `queued` for so long: it
    was due already. `worked` ends where the next leg could begin.
    """

    run: str
    namespace: str | None
    job: str
    state: str
    began: datetime
    ended: datetime
    after: str | None
    by: str | None
    waited: float
    queued: float
    worked: float


class CriticalPath(msgspec.Struct, frozen=True):
    """The work that a day's last end hung on, in its order; `worked` and `waited` are the sums.

    Together they are the time from the first leg's begin to the last one's end.
    """

    day: date
    legs: tuple[Leg, ...]
    worked: float
    waited: float


class _Release(msgspec.Struct, frozen=True, order=True):
    """When a piece of work let another begin."""

    at: datetime
    ended: datetime
    run: str
    by: str


def read_critical_path(graph: Graph, day: date | str | None, zone: str) -> CriticalPath:
    """Return the critical path of what began in a day and has ended."""
    wanted = read_day(graph, day, zone)
    legs = trace(graph.read(read_steps, wanted, zone))
    worked, waited = (sum(getattr(leg, name) for leg in legs) for name in ("worked", "waited"))
    return CriticalPath(wanted, tuple(legs), worked, waited)


def read_waits(graph: Graph, day: date | str | None, zone: str, limit: int = _WAITS) -> list[Leg]:
    """Return the work of a day that waited longest for its turn, the longest first.

    Where nothing is known that it came after, it waited since it was known of.
    """
    steps = graph.read(read_steps, read_day(graph, day, zone), zone)
    releases = _releases(steps)
    legs = [_leg(step, releases.get(step.run), step.ended) for step in steps.steps.values()]
    waits = [leg for leg in legs if leg.waited > 0]
    return sorted(waits, key=lambda leg: (-leg.waited, leg.began, leg.run))[:limit]


def trace(steps: Steps) -> list[Leg]:
    """Return the critical path through pieces of work."""
    releases = _releases(steps)
    last = max(steps.steps.values(), key=lambda step: (step.ended, step.run), default=None)
    legs: list[Leg] = []
    until = last.ended if last else None
    while last and until:
        release = releases.get(last.run)
        leg = _leg(last, release, until)
        legs.append(leg if release else msgspec.structs.replace(leg, waited=0.0, queued=0.0))
        last, until = (steps.steps[release.run], release.at) if release else (None, None)
    return legs[::-1]


def _releases(steps: Steps) -> Mapping[str, _Release]:
    """Return for each piece of work what let it begin, if anything did."""
    found: dict[str, list[_Release]] = defaultdict(list)
    for link in steps.links:
        before, after = steps.steps[link.before], steps.steps[link.after]
        if (before.began, before.run) < (after.began, after.run):
            at = min(before.ended, after.began)
            found[after.run].append(_Release(at, before.ended, before.run, link.kind))
    return {run: max(releases) for run, releases in found.items()}


def _leg(step: Step, release: _Release | None, until: datetime) -> Leg:
    free = release.at if release else step.known
    due = max(free, step.known)
    return Leg(
        run=step.run,
        namespace=step.namespace,
        job=step.job,
        state=step.state,
        began=step.began,
        ended=step.ended,
        after=release.run if release else None,
        by=release.by if release else None,
        waited=(step.began - free).total_seconds(),
        queued=(step.began - due).total_seconds(),
        worked=(until - step.began).total_seconds(),
    )
