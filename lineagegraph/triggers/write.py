"""A trigger's rule as nodes and relationships."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

import msgspec

from lineagegraph.errors import NotFound
from lineagegraph.graph import Transaction
from lineagegraph.model.names.keys import canonical_hash, dataset_key, job_key
from lineagegraph.model.triggers.check import check_trigger
from lineagegraph.model.triggers.condition import (
    OnAbsent,
    OnDataset,
    OnFresh,
    OnStatus,
    OnUpstream,
    tag_of,
)
from lineagegraph.model.triggers.constraint import AnyConstraint, NotFailing
from lineagegraph.model.triggers.cron import next_time
from lineagegraph.model.triggers.describe import describe_condition
from lineagegraph.model.triggers.trigger import Overlap, Reset, Trigger
from lineagegraph.model.triggers.trigger_json import encode_trigger
from lineagegraph.store.admin.audit import audited
from lineagegraph.store.sensors import sensors
from lineagegraph.store.triggers import conditions, occurrences, triggers
from lineagegraph.store.triggers.occurrences import TimedCondition
from lineagegraph.store.triggers.triggers import KnownTrigger, TriggerTarget
from lineagegraph.triggers.check_names import check_cycle, check_names
from lineagegraph.triggers.condition_nodes import ConditionNode, make_tree, node_properties
from lineagegraph.triggers.times import TIMED, first_time
from lineagegraph.triggers.watch_sensors import set_poke_intervals, watch_sensors


def trigger_id(starts: str, name: str) -> str:
    """Return the id of the trigger of that name that starts the job with the key `starts`."""
    return canonical_hash(["trigger", starts, name])[:32]


def write_trigger(
    tx: Transaction,
    rule: Trigger,
    *,
    starts: str,
    name: str,
    namespace: str,
    enabled: bool = True,
    origin: str = "definition",
    now: datetime | None = None,
) -> str:
    """Write the rule that starts the job with the key `starts`, and return its id.

    `enabled` counts for a new rule. Unchanged conditions keep their occurrences. The default
    namespace of jobs in conditions is `namespace`. Raises `InvalidRule` for an unusable rule, and
    `TriggerCycle` if it closes a cycle.
    """
    check_trigger(rule)
    id_ = trigger_id(starts, name)
    before = triggers.merge_trigger(tx, id=id_, enabled=enabled, now=now)
    text = encode_trigger(rule)
    if before.rule == text:
        return id_
    check_names(tx, rule, starts=starts, namespace=namespace)
    target = triggers.set_rule(
        tx,
        id=id_,
        job_key=starts,
        properties=_properties(rule, name, namespace, origin, text),
        reset_at=next_reset(rule.reset, before.now),
    )
    if target is None:
        raise NotFound(f"no job with the key {starts}: `lineagegraph jobs` lists them")
    _set_constraints(tx, id_, rule, namespace, before)
    nodes = make_tree(id_, rule.when)
    left = [] if before.is_new else sensors.list_watched_by(tx, trigger_id=id_)
    _set_conditions(tx, id_, nodes, before, now)
    watched = list(_watched_jobs(nodes, target, namespace))
    datasets = list(_watched_datasets(nodes))
    conditions.link_jobs(tx, rows=watched)
    conditions.link_datasets(tx, rows=datasets)
    watch_sensors(tx, id_, nodes, left, namespace=namespace, origin=origin, at=before.now, now=now)
    if (watched or datasets) and not rule.allow_cycle:
        check_cycle(tx, id_, target)
    return id_


def set_trigger(
    tx: Transaction,
    rule: Trigger,
    *,
    starts: str,
    name: str,
    namespace: str,
    origin: str,
    enabled: bool = True,
    now: datetime | None = None,
) -> str:
    """Write a rule by hand: as `write_trigger` does, with an entry in the audit log."""
    with audited(tx, "trigger.set", trigger_id(starts, name)):
        return write_trigger(
            tx,
            rule,
            starts=starts,
            name=name,
            namespace=namespace,
            enabled=enabled,
            origin=origin,
            now=now,
        )


def delete_trigger(tx: Transaction, *, starts: str, name: str, now: datetime | None = None) -> None:
    """Delete a rule by hand, if there is one; its firings stay."""
    id_ = trigger_id(starts, name)
    left = sensors.list_watched_by(tx, trigger_id=id_)
    with audited(tx, "trigger.delete", id_):
        triggers.delete_trigger(tx, id=id_, now=now)
    sensors.settle_demand(tx, ids=left, now=now)


def enable_trigger(
    tx: Transaction,
    *,
    trigger_id: str,
    enabled: bool,
    because: str | None = None,
    now: datetime | None = None,
) -> None:
    """Enable or suspend a rule; scheduled times that came meanwhile are not made up for.

    `because` is the reason of a suspension that no person asked for.
    """
    with audited(tx, f"trigger.{'enable' if enabled else 'suspend'}", trigger_id):
        changed = triggers.set_enabled(tx, id=trigger_id, enabled=enabled, because=because, now=now)
    if changed is not None:
        _set_times(tx, trigger_id, changed.now if enabled else None)
        set_poke_intervals(tx, trigger_id, [], now)


def _set_times(tx: Transaction, trigger_id: str, after: datetime | None) -> None:
    """Set the next times of a rule's conditions, from `after` on; None: they have none."""
    timed = occurrences.list_timed(tx, trigger_id=trigger_id)
    rows: list[dict[str, Any]] = [
        {"condition_id": one.condition_id, "next_at": first_time(one, after) if after else None}
        for one in timed
    ]
    occurrences.set_next(tx, rows=rows)


def next_reset(reset: Reset | None, after: datetime) -> datetime | None:
    """Return the next reset of a rule."""
    return next_time(reset.cron, reset.zone, after) if reset else None


def _properties(rule: Trigger, name: str, namespace: str, origin: str, text: str) -> dict[str, Any]:
    return {
        "name": name,
        "namespace": namespace,
        "origin": origin,
        "description": rule.description,
        "rule": text,
        "text": describe_condition(rule.when),
        "correlate_by": rule.correlate_by,
        "pick": rule.pick.value,
        "catch_up": rule.catch_up.value,
        "overlap": rule.overlap.value,
        "ttl": rule.ttl,
        "reruns": rule.reruns,
        "rerun_delay": rule.rerun_delay,
        "reset_cron": rule.reset.cron if rule.reset else None,
        "reset_zone": rule.reset.zone if rule.reset else None,
        "limited": bool(rule.constraints) or rule.overlap is not Overlap.ALLOW,
        "mapped": bool(rule.arguments),
        "allow_cycle": rule.allow_cycle,
    }


def _set_constraints(
    tx: Transaction, id_: str, rule: Trigger, namespace: str, before: KnownTrigger
) -> None:
    rows = [
        {"id": f"{id_} {position}", "properties": _constraint(constraint, namespace)}
        for position, constraint in enumerate(rule.constraints)
    ]
    if rows or not before.is_new:
        triggers.merge_constraints(tx, trigger_id=id_, constraints=rows)


def _constraint(constraint: AnyConstraint, namespace: str) -> dict[str, Any]:
    stated: dict[str, Any] = msgspec.to_builtins(constraint)
    if isinstance(constraint, NotFailing):
        stated["namespace"] = constraint.namespace or namespace
    return stated | {"kind": tag_of(constraint), "otherwise": constraint.otherwise.value}


def _set_conditions(
    tx: Transaction,
    id_: str,
    nodes: list[ConditionNode],
    before: KnownTrigger,
    now: datetime | None,
) -> None:
    if not before.is_new:
        keep = [node.id for node in nodes]
        conditions.delete_conditions(tx, trigger_id=id_, keep=keep, now=now)
    rows = [_row(node, before.now if before.enabled else None) for node in nodes]
    conditions.merge_conditions(tx, trigger_id=id_, rows=rows, now=now)
    links = [
        {"parent_id": node.id, "id": child.id, "position": position}
        for node in nodes
        for position, child in enumerate(node.operands)
    ]
    conditions.link_operands(tx, rows=links)


def _row(node: ConditionNode, after: datetime | None) -> dict[str, Any]:
    """Return a condition with its next time after a time; None: it has none."""
    properties = node_properties(node)
    timed = TimedCondition(
        node.id, properties["operator"], properties["cron"], properties["zone"], properties["span"]
    )
    next_at = first_time(timed, after) if after and timed.operator in TIMED else None
    return {"id": node.id, "properties": properties, "next_at": next_at}


def _watched_jobs(
    nodes: list[ConditionNode], target: TriggerTarget, namespace: str
) -> Iterable[dict[str, str]]:
    for node in nodes:
        condition = node.condition
        of = condition.of if isinstance(condition, OnFresh | OnAbsent) else condition
        match of:
            case OnStatus():
                where, fqn = of.namespace or namespace, of.job
            case OnUpstream() if of.job:
                where, fqn = of.namespace or namespace, of.job
            case OnUpstream():
                where, fqn = target.namespace, target.fqn
            case _:
                continue
        yield {"id": node.id, "namespace": where, "fqn": fqn, "key": job_key(None, where, fqn)}


def _watched_datasets(nodes: list[ConditionNode]) -> Iterable[dict[str, str]]:
    for node in nodes:
        condition = node.condition
        of = condition.of if isinstance(condition, OnFresh | OnAbsent) else condition
        if isinstance(of, OnDataset):
            key = dataset_key(of.namespace, of.name)
            yield {"id": node.id, "namespace": of.namespace, "name": of.name, "key": key}
