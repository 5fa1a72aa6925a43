"""The jobs that write tables, and the triggers that start these jobs."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime

import msgspec

from lineagegraph.graph import Graph, Transaction
from lineagegraph.queries.analysis.owners import owners_of
from lineagegraph.queries.triggers.why import ConditionStanding, read_why
from lineagegraph.store.freshness import terms
from lineagegraph.store.freshness.terms import NodeRow

Owners = tuple[str, ...]


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


def find_writers(
    graph: Graph, keys: Sequence[str], most: int = 5
) -> dict[str, tuple[WriterRun, ...]]:
    """Return the jobs that write each dataset, latest run first; a job is its own writer.

    Of each dataset there are at most `most`.
    """
    writing = graph.read(_list_writers, sorted(keys), most)
    jobs = sorted({row.key for rows in writing.values() for row in rows})
    owners = graph.read(owner_names, jobs)
    starting = {row.key: row.ids for row in graph.read(terms.list_starting, keys=jobs)}
    ids = sorted({id_ for some in starting.values() for id_ in some})
    triggers = {id_: _trigger(graph, id_) for id_ in ids}
    found = {
        job.key: WriterRun(
            node=f"job:{job.namespace}:{job.name}",
            name=job.name,
            owners=owners.get(job.key, ()),
            run_id=job.run_id,
            run_state=job.run_state,
            run_at=job.run_at,
            triggers=tuple(triggers[id_] for id_ in starting.get(job.key, ())),
        )
        for rows in writing.values()
        for job in rows
    }
    return {key: tuple(found[job.key] for job in writing[key]) for key in keys}


def owner_names(tx: Transaction, keys: list[str]) -> dict[str, Owners]:
    """Return the names of the owners of jobs and datasets, by key."""
    return {key: owned.owners for key, owned in owners_of(tx, keys, keys).items()}


def _list_writers(tx: Transaction, keys: list[str], most: int) -> dict[str, list[NodeRow]]:
    above: defaultdict[str, set[str]] = defaultdict(set)
    for edge in terms.list_upstream(tx, keys=keys):
        above[edge.key].add(edge.upstream)
    wanted = sorted({*keys, *(key for some in above.values() for key in some)})
    nodes = {row.key: row for row in terms.list_nodes(tx, keys=wanted)}
    return {key: _writers(nodes, key, above[key])[:most] if key in nodes else [] for key in keys}


def _writers(nodes: Mapping[str, NodeRow], key: str, above: Iterable[str]) -> list[NodeRow]:
    if nodes[key].is_job:
        return [nodes[key]]
    jobs = [nodes[one] for one in above if nodes[one].is_job]
    return sorted(jobs, key=lambda row: (str(row.run_at or ""), row.name), reverse=True)


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
