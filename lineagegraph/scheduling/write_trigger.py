"""A trigger's rule as nodes and relationships."""

from datetime import UTC, datetime
from typing import Any, NamedTuple

from lineagegraph.graph import Transaction
from lineagegraph.model.canonical import canonical_hash
from lineagegraph.model.condition import And, AnyCondition, OnCron, OnDataset, OnStatus, Or
from lineagegraph.model.names import dataset_key, job_key
from lineagegraph.scheduling.cron import next_time
from lineagegraph.store import conditions, triggers


class _Node(NamedTuple):
    id: str
    condition: AnyCondition
    height: int
    operands: tuple["_Node", ...]


def trigger_id(starts: str, name: str) -> str:
    """Return the id of the trigger of that name that starts the job with the key `starts`."""
    return canonical_hash(["trigger", starts, name])[:32]


def write_trigger(
    tx: Transaction,
    *,
    name: str,
    namespace: str,
    starts: str,
    condition: AnyCondition,
    now: datetime | None = None,
) -> str:
    """Write the rule that starts a job, and return its id.

    Conditions that the rule had already keep what occurred for them. A job that a condition
    names is in `namespace` unless it says otherwise.
    """
    id_ = trigger_id(starts, name)
    triggers.merge_trigger(tx, id=id_, name=name, job_key=starts, now=now)
    root = _node(id_, condition, set())
    nodes = _flatten(root)
    conditions.delete_conditions(tx, trigger_id=id_, keep=[node.id for node in nodes])
    rows = [_row(node, now or datetime.now(UTC)) for node in nodes]
    conditions.merge_conditions(tx, rows=rows, now=now)
    links = [{"parent_id": node.id, "id": child.id} for node in nodes for child in node.operands]
    conditions.link_operands(tx, rows=links)
    conditions.link_root(tx, trigger_id=id_, id=root.id)
    conditions.link_jobs(tx, rows=_watched_jobs(nodes, namespace))
    conditions.link_datasets(tx, rows=_watched_datasets(nodes))
    return id_


def delete_trigger(tx: Transaction, *, starts: str, name: str) -> None:
    """Delete a rule; its firings stay."""
    triggers.delete_trigger(tx, id=trigger_id(starts, name))


def enable_trigger(
    tx: Transaction, *, trigger_id: str, enabled: bool, now: datetime | None = None
) -> None:
    """Enable or suspend a rule; scheduled times that came meanwhile are not made up for."""
    triggers.set_enabled(tx, id=trigger_id, enabled=enabled, now=now)
    crons = conditions.list_crons(tx, trigger_id=trigger_id) if enabled else []
    after = now or datetime.now(UTC)
    rows = [{"id": c.id, "next_at": next_time(c.cron, c.zone, after)} for c in crons]
    conditions.set_next(tx, rows=rows)


def say(condition: AnyCondition) -> str:
    """Return a condition in words, as reasons quote it."""
    match condition:
        case OnStatus():
            return f"{condition.job} {' or '.join(condition.statuses)}"
        case OnDataset():
            return f"{condition.namespace}:{condition.name} written"
        case OnCron():
            return f"{condition.cron} ({condition.zone}) due"
        case And():
            return " and ".join(map(_bracketed, condition.operands))
        case Or():
            return " or ".join(map(_bracketed, condition.operands))


def _bracketed(condition: AnyCondition) -> str:
    return f"({say(condition)})" if isinstance(condition, And | Or) else say(condition)


def _node(trigger: str, condition: AnyCondition, taken: set[str]) -> _Node:
    """A node's id follows from what it says, and from how often that was said before it."""
    parts = condition.operands if isinstance(condition, And | Or) else ()
    operands = tuple(_node(trigger, part, taken) for part in parts)
    repeat = 0
    while (id_ := canonical_hash([trigger, say(condition), repeat])[:32]) in taken:
        repeat += 1
    taken.add(id_)
    height = 1 + max(node.height for node in operands) if operands else 0
    return _Node(id_, condition, height, operands)


def _flatten(node: _Node) -> list[_Node]:
    return [node, *(below for operand in node.operands for below in _flatten(operand))]


def _row(node: _Node, now: datetime) -> dict[str, Any]:
    said = node.condition
    cron = said if isinstance(said, OnCron) else None
    return {
        "id": node.id,
        "operator": type(said).__name__.removeprefix("On").upper(),
        "text": say(said),
        "height": node.height,
        "statuses": list(said.statuses) if isinstance(said, OnStatus) else None,
        "cron": cron.cron if cron else None,
        "zone": cron.zone if cron else None,
        "next_at": next_time(cron.cron, cron.zone, now) if cron else None,
    }


def _watched_jobs(nodes: list[_Node], namespace: str) -> list[dict[str, str]]:
    return [
        {
            "id": node.id,
            "namespace": (where := said.namespace or namespace),
            "fqn": said.job,
            "key": job_key(None, where, said.job),
        }
        for node in nodes
        if isinstance(said := node.condition, OnStatus)
    ]


def _watched_datasets(nodes: list[_Node]) -> list[dict[str, str]]:
    return [
        {
            "id": node.id,
            "namespace": said.namespace,
            "name": said.name,
            "key": dataset_key(said.namespace, said.name),
        }
        for node in nodes
        if isinstance(said := node.condition, OnDataset)
    ]
