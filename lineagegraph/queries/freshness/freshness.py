"""Freshness of jobs and datasets that have terms, and the cause of staleness."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from math import inf

import msgspec

from lineagegraph.graph import Graph, Transaction
from lineagegraph.model.freshness.standing import FreshState, Judged, judge, judge_unanswered
from lineagegraph.queries.freshness.parts import Parts, read_parts
from lineagegraph.queries.freshness.stale_causes import CauseStep, find_causes
from lineagegraph.store.admin.clock import get_time
from lineagegraph.store.freshness import terms as store
from lineagegraph.store.freshness.terms import TermsRow, ToldPart
from lineagegraph.text import format_age, format_moment, with_ages

# Of a node that nothing is wrong with by its terms, or that has none, causes are looked for too.
_ASKED = Judged(state=FreshState.UNKNOWN)
# A success that is further ahead of the clock has a wrong time.
_AHEAD = timedelta(days=1)


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """A job or dataset with its freshness terms, and how fresh it is by these.

    `path` leads upstream from the node itself to the cause; it is empty without a cause. If the
    terms hold for each value of a partition key, `parts` has the standing of each, with the value
    as `part`, and the node stands like its worst part.
    """

    about: TermsRow
    judged: Judged
    path: tuple[CauseStep, ...] = ()
    part: str | None = None
    parts: "tuple[Standing, ...]" = ()

    @property
    def node(self) -> str:
        """Return the node as `job:NAMESPACE:NAME` or `dataset:NAMESPACE:NAME`."""
        return (
            f"{'job' if self.about.is_job else 'dataset'}:{self.about.namespace}:{self.about.name}"
        )

    @property
    def state(self) -> FreshState:
        """Return the state."""
        return self.judged.state

    @property
    def cause(self) -> CauseStep | None:
        """Return the last step of the path."""
        return self.path[-1] if self.path else None

    @property
    def lapses(self) -> "tuple[Standing, ...]":
        """Return what lapses by itself: its parts, or the node."""
        return self.parts or (self,)


def read_standings(
    graph: Graph,
    zone: str,
    keys: Sequence[str] | None = None,
    now: datetime | None = None,
) -> list[Standing]:
    """Return the freshness of all nodes that have terms, or of those with the keys, by name.

    `zone` applies to terms without a zone of their own.
    """
    return graph.read(_standings, zone, keys, now)


def with_causes(
    graph: Graph, zone: str, standings: Sequence[Standing], now: datetime | None = None
) -> list[Standing]:
    """Return the standings with the path to the cause for each that is not fresh."""

    def work(tx: Transaction) -> list[Standing]:
        bad = {one.about.key: one.judged for one in standings if one.state is not FreshState.FRESH}
        paths = find_causes(tx, bad, _judging(tx, zone, now))
        return [
            msgspec.structs.replace(one, path=paths.get(one.about.key, ())) for one in standings
        ]

    return graph.read(work)


def read_path(
    graph: Graph, zone: str, key: str, now: datetime | None = None
) -> tuple[CauseStep, ...]:
    """Return the path from a job or dataset, with or without terms, to the cause of its state.

    It begins with the node itself, and is empty if there is no cause.
    """

    def work(tx: Transaction) -> tuple[CauseStep, ...]:
        judge_more = _judging(tx, zone, now)
        known = judge_more([key]).get(key)
        asked = known if known and known.state is not FreshState.FRESH else _ASKED
        path = find_causes(tx, {key: asked}, judge_more)[key]
        own = known.state if known else None
        return (msgspec.structs.replace(path[0], state=own), *path[1:]) if path else ()

    return graph.read(work)


def _judging(
    tx: Transaction, zone: str, now: datetime | None
) -> Callable[[list[str]], dict[str, Judged]]:
    """Return what judges nodes by their terms at one time; most nodes have none."""
    at = now or get_time(tx)
    with_terms = set(store.list_keys(tx))

    def judge_nodes(keys: list[str]) -> dict[str, Judged]:
        asked = [key for key in keys if key in with_terms]
        found = _standings(tx, zone, asked, at) if asked else []
        return {one.about.key: one.judged for one in found}

    return judge_nodes


def _standings(
    tx: Transaction, zone: str, keys: Sequence[str] | None, now: datetime | None
) -> list[Standing]:
    wanted = store.list_keys(tx) if keys is None else list(keys)
    at = now or get_time(tx)
    until = at + _AHEAD
    rows = store.list_terms(tx, keys=wanted, until=until)
    parts = read_parts(tx, rows, until)
    found = [_standing(row, parts.get(row.key, {}), at, zone) for row in rows]
    return sorted(found, key=lambda one: one.node)


def _standing(row: TermsRow, parts: Parts, at: datetime, zone: str) -> Standing:
    if not parts:
        judged = judge(row.terms, row.last_at, at, zone, defined=row.set_at)
        failing_since = row.sensor and row.sensor.failing_since
        if failing_since:
            judged = judge_unanswered(judged, failing_since, row.terms)
        return Standing(about=row, judged=judged)
    told = {one.value: one for one in row.told_parts}
    each = [
        msgspec.structs.replace(
            _standing(_part_row(row, last, told.get(value)), {}, at, zone), part=value
        )
        for value, last in parts.items()
    ]
    each.sort(key=lambda one: (_WORST.index(one.state), -_age(one), str(one.part)))
    return msgspec.structs.replace(each[0], part=None, parts=tuple(each))


def _part_row(row: TermsRow, last: datetime | None, told: ToldPart | None) -> TermsRow:
    return msgspec.structs.replace(
        row, last_at=last, told=told and told.told, told_last=told and told.told_last
    )


def _age(one: Standing) -> float:
    return inf if one.judged.age is None else one.judged.age


def describe_parts(one: Standing) -> str:
    """Return which parts of a node are not fresh, and which are: `eu: 3h ago, us fresh`."""
    bad = [part for part in one.parts if part.state is not FreshState.FRESH]
    fresh = [str(part.part) for part in one.parts if part.state is FreshState.FRESH]
    if not bad:
        return ""
    said = [f"{part.part}: {_format_last(part)}" for part in bad[:_NAMED]]
    if len(bad) > _NAMED:
        said.append(f"{len(bad) - _NAMED:,} more")
    if fresh:
        said.append(f"{', '.join(fresh) if len(fresh) <= _NAMED else f'{len(fresh):,}'} fresh")
    return ", ".join(said)


def _format_last(part: Standing) -> str:
    age = part.judged.age
    return "never" if age is None else f"{format_age(age)} ago"


_WORST = (FreshState.STALE, FreshState.UNKNOWN, FreshState.DUE, FreshState.FRESH)
_NAMED = 5
_RUNS = {"FAILED", "KILLED", "SKIPPED", "WAITING"}


def describe_staleness(one: Standing) -> str:
    """Return one line on why something is not fresh or not current; empty if it is."""
    if one.about.outdated_by and one.state is FreshState.FRESH:
        return f"outdated by {', '.join(sorted(one.about.outdated_by))}"
    if one.state is FreshState.FRESH:
        return ""
    return "; ".join(
        filter(None, (describe_parts(one), _describe_sensor(one), _describe_cause(one)))
    )


def _describe_sensor(one: Standing) -> str:
    sensor = one.about.sensor
    if sensor is None:
        return ""
    if sensor.failing_since:
        since = format_moment(sensor.failing_since).removeprefix("at ")
        return f"sensor {sensor.name} fails since {since}: {_first(sensor.error)}"
    if sensor.is_timed is None:
        return f"sensor {sensor.name} has not answered yet"
    return "" if sensor.is_timed else f"sensor {sensor.name} answers without a time"


def _describe_cause(one: Standing) -> str:
    if one.cause is None and one.about.sensor is not None:
        return "" if _describe_sensor(one) else "the source has nothing newer"
    if one.cause is None and one.about.last_at is None:
        return "it has never succeeded" if one.about.is_job else "it was never written"
    if one.cause is None:
        return "no cause found upstream"
    said = describe_step(one.cause, is_self=len(one.path) == 1)
    if len(one.path) < 2:
        return said
    return f"{said}: {' ← '.join(step.name for step in one.path)}"


def describe_step(step: CauseStep, is_self: bool = False) -> str:
    """Return the state of a node as text: the state of its run, or its freshness."""
    name = "its latest run" if is_self else step.name
    if step.run_state in _RUNS:
        verb = {"WAITING": "waits"}.get(step.run_state, f"is {step.run_state}")
        detail = ": ".join(part for part in (step.reason, with_ages(_first(step.message))) if part)
        return f"{name} {verb}" + (f" ({detail})" if detail else "")
    if step.state is FreshState.UNKNOWN:
        return f"{name} has never succeeded"
    return f"{name} is {step.state}"


def _first(message: str | None) -> str:
    return next((line.strip() for line in (message or "").splitlines() if line.strip()), "")
