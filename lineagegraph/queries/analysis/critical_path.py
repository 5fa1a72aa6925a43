"""The critical path of a day: the work that determined its last end, and the waits between.

From the work that ended last the path goes back to the work that released it: of all that had to
come before, the one that finished last. Work releases others when it ends, or when they began if
that was earlier: a job that waits for a table does not wait for the rest of its writer's work.
"""

from collections import defaultdict
from collections.abc import Mapping
from datetime import date, datetime

import msgspec

from lineagegraph.graph import Graph
from lineagegraph.queries.analysis.day import read_day
from lineagegraph.queries.analysis.steps import WorkStep, WorkSteps, read_steps
from lineagegraph.queries.find.find import find_node

_WAITS = 20


class Leg(msgspec.Struct, frozen=True, kw_only=True):
    """A piece of work, how long it waited to start, and how long it took, in seconds.

    `after` is the run that released it, and `by` is how: by `data`, a `trigger`, a `dependency`,
    the `order` of tasks, or as a `rerun` or `retry`. `queued` is the part of `waited` during which
    it was already due. `worked` ends when the next leg could begin.
    """

    run: str  # id of the run
    namespace: str | None  # namespace of its job
    job: str  # full name of its job
    state: str  # state of the run
    began: datetime  # start of the run
    ended: datetime  # end of the run
    after: str | None  # run that released it; None for the first leg
    by: str | None  # data, trigger, dependency, order, rerun or retry
    waited: float  # seconds between the release and the start
    queued: float  # seconds of these after it was due
    worked: float  # seconds until the next leg could begin


class CriticalPath(msgspec.Struct, frozen=True):
    """The work that determined a day's last end, in order; `worked` and `waited` are the sums.

    Together they are the time from the first leg's begin to the last one's end.
    """

    day: date
    legs: tuple[Leg, ...]
    worked: float
    waited: float


class _Release(msgspec.Struct, frozen=True, order=True):
    """The time at which a piece of work released another."""

    at: datetime
    ended: datetime
    run: str
    by: str


def read_critical_path(
    graph: Graph, day: date | str | None, zone: str, target: str | None = None
) -> CriticalPath:
    """Return the critical path of the work that began in a day and has ended.

    With a `target`, a job or a dataset, it is the path to its last run, or to its last write.
    """
    wanted = read_day(graph, day, zone)
    node = find_node(graph, target) if target else None
    legs = trace(graph.read(read_steps, wanted, zone, node))
    worked, waited = (sum(getattr(leg, name) for leg in legs) for name in ("worked", "waited"))
    return CriticalPath(wanted, tuple(legs), worked, waited)


def read_waits(graph: Graph, day: date | str | None, zone: str, limit: int = _WAITS) -> list[Leg]:
    """Return the work of a day that waited longest before it started, longest first.

    If no predecessor is known, the wait starts when the run was first known.
    """
    steps = graph.read(read_steps, read_day(graph, day, zone), zone)
    releases = _releases(steps)
    legs = [_leg(step, releases.get(step.run), step.ended) for step in steps.steps.values()]
    waits = [leg for leg in legs if leg.waited > 0]
    return sorted(waits, key=lambda leg: (-leg.waited, leg.began, leg.run))[:limit]


def trace(steps: WorkSteps) -> list[Leg]:
    """Return the critical path through pieces of work."""
    releases = _releases(steps)
    ends = steps.steps if steps.targets is None else steps.targets
    last = max(
        (steps.steps[run] for run in ends), key=lambda step: (step.ended, step.run), default=None
    )
    legs: list[Leg] = []
    until = last.ended if last else None
    while last and until:
        release = releases.get(last.run)
        leg = _leg(last, release, until)
        legs.append(leg if release else msgspec.structs.replace(leg, waited=0.0, queued=0.0))
        last, until = (steps.steps[release.run], release.at) if release else (None, None)
    return legs[::-1]


def _releases(steps: WorkSteps) -> Mapping[str, _Release]:
    """Return for each piece of work the one that released it, if any."""
    found: dict[str, list[_Release]] = defaultdict(list)
    for link in steps.links:
        before, after = steps.steps[link.before], steps.steps[link.after]
        if (before.began, before.run) < (after.began, after.run):
            at = min(before.ended, after.began)
            found[after.run].append(_Release(at, before.ended, before.run, link.kind))
    return {run: max(releases) for run, releases in found.items()}


def _leg(step: WorkStep, release: _Release | None, until: datetime) -> Leg:
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
