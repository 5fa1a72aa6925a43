"""Why a table is stale, to the end: writer, trigger, missing event, cause and owners."""

from collections.abc import Iterator
from datetime import tzinfo
from typing import NamedTuple

import msgspec

from lineagegraph.graph import Graph
from lineagegraph.model.freshness.describe import describe_terms
from lineagegraph.model.freshness.standing import FreshState
from lineagegraph.queries.analysis.writers import Owners, WriterRun, find_writers, owner_names
from lineagegraph.queries.find.find import find_node, node_id
from lineagegraph.queries.freshness.freshness import (
    describe_staleness,
    describe_step,
    read_path,
    read_standings,
)
from lineagegraph.queries.freshness.stale_causes import CauseStep
from lineagegraph.text import format_age, format_local


class WhyLink(NamedTuple):
    """A name in a fact, and the view of the page that shows it."""

    text: str
    view: str
    parts: tuple[str, ...]  # of the address of the view


class WhyFact(NamedTuple):
    """One fact about a stale job or dataset; its links are in the order of its text."""

    name: str
    text: str
    links: tuple[WhyLink, ...] = ()


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

    def facts(self, zone: tzinfo | None = None) -> list[WhyFact]:
        """Return the answer in the order in which a person asks; times are in a zone, or local."""
        return list(_facts(self, zone))

    def lines(self) -> list[tuple[str, str]]:
        """Return the facts as names and texts."""
        return [(fact.name, fact.text) for fact in self.facts()]


def find_stale_why(graph: Graph, zone: str, text: str) -> StaleWhy:
    """Return why a job or dataset is stale; `zone` is that of terms without one."""
    found = find_node(graph, text)
    standing = next(iter(read_standings(graph, zone, [found.key])), None)
    path = read_path(graph, zone, found.key)
    cause = find_node(graph, path[-1].node) if path else found
    owners = graph.read(owner_names, [found.key, cause.key])
    if standing is not None:
        standing = msgspec.structs.replace(standing, path=path)
    return StaleWhy(
        node=node_id(found),
        state=standing.state if standing else None,
        age=standing.judged.age if standing else None,
        terms=describe_terms(standing.about.terms) if standing else "",
        why=describe_staleness(standing) if standing else "",
        owners=owners.get(found.key, ()),
        writers=find_writers(graph, [found.key])[found.key],
        path=path,
        cause_owners=owners.get(cause.key, ()) if path else (),
    )


def _facts(one: StaleWhy, zone: tzinfo | None) -> Iterator[WhyFact]:
    state = one.state.value if one.state else "without terms"
    age = f"{format_age(one.age)} old" if one.age is not None else ""
    yield WhyFact("state", ", ".join(part for part in (state, age, one.terms) if part))
    yield WhyFact("owner", _named(one.owners))
    for writer in one.writers:
        yield from _writer_facts(writer, zone)
    if one.path:
        cause = one.path[-1]
        run = f" in run {cause.run_id}" if cause.run_id else ""
        said = describe_step(cause, is_self=len(one.path) == 1)
        links = [_link(cause.node, cause.name)] if len(one.path) > 1 else []
        if cause.run_id:
            links.append(WhyLink(cause.run_id, "run", (cause.run_id,)))
        owner = _named(one.cause_owners)
        yield WhyFact("cause", f"{said}{run}; owner {owner}", tuple(links))
        steps = tuple(_link(step.node, step.name) for step in one.path)
        yield WhyFact("path", " ← ".join(step.name for step in one.path), steps)
    elif one.why:
        yield WhyFact("cause", one.why)


def _writer_facts(writer: WriterRun, zone: tzinfo | None) -> Iterator[WhyFact]:
    job = _link(writer.node, writer.name)
    ran = "never ran"
    if writer.run_at:
        ran = f"{writer.run_state} {format_local(writer.run_at, zone)}"
    yield WhyFact("writer", f"{writer.name}, {ran}; owner {_named(writer.owners)}", (job,))
    if not writer.triggers:
        yield WhyFact("trigger", f"no trigger here starts {writer.name}", (job,))
    for trigger in writer.triggers:
        off = "" if trigger.enabled else " (suspended)"
        named = WhyLink(trigger.name, "triggers", (trigger.name,))
        yield WhyFact("trigger", f"{trigger.name} when {trigger.text}{off}", (named,))
        yield from (WhyFact("missing", text) for text in trigger.missing)


def _link(node: str, name: str) -> WhyLink:
    if node.startswith("job:"):
        namespace = node.removeprefix("job:").removesuffix(f":{name}")
        return WhyLink(name, "job", (name, namespace))
    return WhyLink(name, "lineage", (node, node))


def _named(owners: Owners) -> str:
    return ", ".join(owners) or "unknown"
