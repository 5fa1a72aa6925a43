"""A trigger that is stated, as the rows of its nodes and relationships."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any, NamedTuple

import msgspec

from lineagegraph.model.names.keys import canonical_hash, dataset_key, job_key
from lineagegraph.model.triggers.condition import (
    AnyCondition,
    OnAbsent,
    OnDataset,
    OnFresh,
    OnStatus,
    OnUpstream,
    leaves_of,
    tag_of,
)
from lineagegraph.model.triggers.constraint import AnyConstraint, NotFailing
from lineagegraph.model.triggers.cron import next_time
from lineagegraph.model.triggers.describe import describe_condition
from lineagegraph.model.triggers.trigger import Overlap, Reset, Trigger
from lineagegraph.model.triggers.trigger_json import encode_trigger
from lineagegraph.store.triggers.occurrences import TimedCondition
from lineagegraph.store.triggers.triggers import KnownTrigger, TriggerTarget
from lineagegraph.triggers.condition_nodes import ConditionNode, node_properties
from lineagegraph.triggers.times import TIMED, first_time

Row = dict[str, Any]


def trigger_id(starts: str, name: str) -> str:
    """Return the id of the trigger of that name that starts the job with the key `starts`."""
    return canonical_hash(["trigger", starts, name])[:32]


def watches_jobs(rule: Trigger) -> bool:
    """Return whether a condition of a rule is about a job."""
    return any(isinstance(_watched(leaf), OnStatus | OnUpstream) for leaf in leaves_of(rule.when))


def next_reset(reset: Reset | None, after: datetime) -> datetime | None:
    """Return the next reset of a rule."""
    return next_time(reset.cron, reset.zone, after) if reset else None


class StatedTrigger(NamedTuple):
    """A rule that starts the job with the key `starts`.

    `enabled` counts for a new one. The default namespace of jobs in conditions is `namespace`.
    """

    rule: Trigger
    starts: str
    name: str
    namespace: str
    enabled: bool = True
    origin: str = "definition"

    @property
    def id(self) -> str:
        """The id of its node."""
        return trigger_id(self.starts, self.name)

    def properties(self) -> Row:
        """Return the properties of its node that follow from the rule."""
        rule = self.rule
        return {
            "name": self.name,
            "namespace": self.namespace,
            "origin": self.origin,
            "description": rule.description,
            "rule": encode_trigger(rule),
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


class ChangedTrigger(NamedTuple):
    """A trigger that is not in the graph as it is stated, with the nodes of its conditions."""

    stated: StatedTrigger
    before: KnownTrigger
    nodes: list[ConditionNode]

    def rule_row(self) -> Row:
        """Return the row of its rule."""
        stated = self.stated
        reset_at = next_reset(stated.rule.reset, self.before.now)
        place = {"id": self.before.id, "job_key": stated.starts}
        return place | {"properties": stated.properties(), "reset_at": reset_at}

    def constraints_row(self) -> Row:
        """Return the row of its limits."""
        constraints = [
            {"id": f"{self.before.id} {position}", "properties": self._constraint(constraint)}
            for position, constraint in enumerate(self.stated.rule.constraints)
        ]
        return {"trigger_id": self.before.id, "constraints": constraints}

    def kept_row(self) -> Row:
        """Return the row of the conditions that it keeps."""
        return {"trigger_id": self.before.id, "keep": [node.id for node in self.nodes]}

    def condition_rows(self) -> Iterator[Row]:
        """Yield its conditions, the root first, with their next times."""
        after = self.before.now if self.before.enabled else None
        for position, node in enumerate(self.nodes):
            row = {"trigger_id": self.before.id, "is_root": position == 0}
            yield row | _condition(node, after)

    def operand_rows(self) -> Iterator[Row]:
        """Yield the links from operators to their operands."""
        for node in self.nodes:
            for position, child in enumerate(node.operands):
                yield {"parent_id": node.id, "id": child.id, "position": position}

    def job_rows(self, target: TriggerTarget) -> Iterator[Row]:
        """Yield the jobs that its conditions watch."""
        for node in self.nodes:
            match _watched(node.condition):
                case OnStatus(namespace=namespace, job=job):
                    where, fqn = namespace or self.stated.namespace, job
                case OnUpstream(namespace=namespace, job=str(job)) if job:
                    where, fqn = namespace or self.stated.namespace, job
                case OnUpstream():
                    where, fqn = target.namespace, target.fqn
                case _:
                    continue
            yield {"id": node.id, "namespace": where, "fqn": fqn, "key": job_key(None, where, fqn)}

    def dataset_rows(self) -> Iterator[Row]:
        """Yield the datasets that its conditions watch."""
        for node in self.nodes:
            match _watched(node.condition):
                case OnDataset(namespace=namespace, name=name):
                    key = dataset_key(namespace, name)
                    yield {"id": node.id, "namespace": namespace, "name": name, "key": key}

    def _constraint(self, constraint: AnyConstraint) -> Row:
        stated: Row = msgspec.to_builtins(constraint)
        if isinstance(constraint, NotFailing):
            stated["namespace"] = constraint.namespace or self.stated.namespace
        return stated | {"kind": tag_of(constraint), "otherwise": constraint.otherwise.value}


def _watched(condition: AnyCondition) -> AnyCondition:
    return condition.of if isinstance(condition, OnFresh | OnAbsent) else condition


def _condition(node: ConditionNode, after: datetime | None) -> Row:
    """Return a condition with its next time after a time; None: it has none."""
    properties = node_properties(node)
    timed = TimedCondition(
        node.id, properties["operator"], properties["cron"], properties["zone"], properties["span"]
    )
    next_at = first_time(timed, after) if after and timed.operator in TIMED else None
    return {"id": node.id, "properties": properties, "next_at": next_at}
