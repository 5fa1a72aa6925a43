"""Why a table is stale, to the end: writer, trigger, missing event, cause and owners."""

from collections.abc import Iterator
from datetime import datetime

import msgspec

from lineagegraph.graph import Graph, Transaction
from lineagegraph.model.freshness.describe import describe_terms
from lineagegraph.model.freshness.standing import FreshState
from lineagegraph.queries.analysis.owners import owners_of
from lineagegraph.queries.find.find import find_node, node_id
from lineagegraph.queries.freshness.freshness import (
    describe_staleness,
    describe_step,
    read_path,
    read_standings,
)
from lineagegraph.queries.freshness.stale_causes import CauseStep
from lineagegraph.queries.triggers.why import ConditionStanding, read_why
from lineagegraph.store.freshness import terms
from lineagegraph.store.freshness.terms import NodeRow
from lineagegraph.text import format_age

Owners = tuple[str, ...]
_MOST_WRITERS = 5


class StartingTrigger(msgspec.Struct, frozen=True):
    """A trigger that starts a writer, and what is missing for it to fire."""

    name: str
    text: str
    enabled: bool
    missing: tuple[str, ...]


class WriterRun(msgspec.Struct, frozen=True):
    """A job that writes a table, its owners, its latest run, and the triggers that start it."""

    node: str
    name: str
    owners: Owners
    run_id: str | None
    run_state: str | None
    run_at: datetime | None
    triggers: tuple[StartingTrigger, ...]


class StaleWhy(msgspec.Struct, frozen=True):
    """Why a job or dataset is not fresh.

    `path` leads upstream to the cause, which is its last step and has the owners `cause_owners`.
    """

    node: str  # id of the job or dataset
    state: FreshState | None  # its freshness; None without terms
    age: float | None  # seconds since its last success; None if it is unknown
    terms: str  # its terms in words; empty without terms
    why: str  # the reason in one line; empty if it is fresh
    owners: Owners  # who owns it
    writers: tuple[WriterRun, ...]  # the jobs that write it, or the job itself
    path: tuple[CauseStep, ...]  # from it to the cause; empty without a cause
    cause_owners: Owners  # who owns the cause

    @property
    def lines(self) -> list[tuple[str, str]]:
        """The answer as names and texts, in the order in which a person asks."""
        return list(_lines(self))


def find_stale_why(graph: Graph, zone: str, text: str) -> StaleWhy:
    """Return why a job or dataset is stale; `zone` is that of terms without one."""
    found = find_node(graph, text)
    standing = next(iter(read_standings(graph, zone, [found.key])), None)
    path = read_path(graph, zone, found.key)
    cause = find_node(graph, path[-1].node) if path else found
    owners = graph.read(_owners, [found.key, cause.key])
    if standing is not None:
        standing = msgspec.structs.replace(standing, path=path)
    return StaleWhy(
        node=node_id(found),
        state=standing.state if standing else None,
        age=standing.judged.age if standing else None,
        terms=describe_terms(standing.about.terms) if standing else "",
        why=describe_staleness(standing) if standing else "",
        owners=owners.get(found.key, ()),
        writers=tuple(_writer(graph, row) for row in graph.read(_writers, found.key)),
        path=path,
        cause_owners=owners.get(cause.key, ()) if path else (),
    )


def _writers(tx: Transaction, key: str) -> list[NodeRow]:
    (node,) = terms.list_nodes(tx, keys=[key])
    if node.is_job:
        return [node]
    above = {edge.upstream for edge in terms.list_upstream(tx, keys=[key])}
    rows = [row for row in terms.list_nodes(tx, keys=sorted(above)) if row.is_job]
    rows.sort(key=lambda row: str(row.run_at or ""), reverse=True)
    return rows[:_MOST_WRITERS]


def _writer(graph: Graph, row: NodeRow) -> WriterRun:
    return WriterRun(
        node=f"job:{row.namespace}:{row.name}",
        name=row.name,
        owners=graph.read(_owners, [row.key]).get(row.key, ()),
        run_id=row.run_id,
        run_state=row.run_state,
        run_at=row.run_at,
        triggers=tuple(
            _trigger(graph, id_) for id_ in graph.read(terms.list_starting, key=row.key)
        ),
    )


def _trigger(graph: Graph, id_: str) -> StartingTrigger:
    why = read_why(graph, id_)
    trigger = why.trigger.trigger
    missing = [text for cell in why.cells for text in _missing(cell.condition)]
    return StartingTrigger(
        name=trigger.name or trigger.id,
        text=trigger.text or "",
        enabled=trigger.enabled,
        missing=tuple(dict.fromkeys(missing)),
    )


def _missing(one: ConditionStanding) -> Iterator[str]:
    """Yield what the conditions without parts lack, in words."""
    if one.operands:
        for part in one.operands:
            yield from _missing(part)
    elif not one.is_true and one.missing:
        yield f"{one.text}: {one.missing}"


def _owners(tx: Transaction, keys: list[str]) -> dict[str, Owners]:
    return {key: owned.owners for key, owned in owners_of(tx, keys, keys).items()}


def _lines(one: StaleWhy) -> Iterator[tuple[str, str]]:
    state = one.state.value if one.state else "without terms"
    age = f"{format_age(one.age)} old" if one.age is not None else ""
    yield "state", ", ".join(part for part in (state, age, one.terms) if part)
    yield "owner", _named(one.owners)
    for writer in one.writers:
        ran = (
            f"{writer.run_state} {writer.run_at:%Y-%m-%d %H:%M %Z}"
            if writer.run_at
            else "never ran"
        )
        yield "writer", f"{writer.name}, {ran}; owner {_named(writer.owners)}"
        if not writer.triggers:
            yield "trigger", f"no trigger here starts {writer.name}"
        for trigger in writer.triggers:
            off = "" if trigger.enabled else " (suspended)"
            yield "trigger", f"{trigger.name} when {trigger.text}{off}"
            yield from (("missing", text) for text in trigger.missing)
    if one.path:
        cause = one.path[-1]
        run = f" in run {cause.run_id}" if cause.run_id else ""
        said = describe_step(cause, is_self=len(one.path) == 1)
        yield "cause", f"{said}{run}; owner {_named(one.cause_owners)}"
        yield "path", " ← ".join(step.name for step in one.path)
    elif one.why:
        yield "cause", one.why


def _named(owners: Owners) -> str:
    return ", ".join(owners) or "unknown"
