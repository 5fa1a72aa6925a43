"""Write triggers as nodes and relationships."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from lineagegraph.errors import NotFound
from lineagegraph.graph import Transaction
from lineagegraph.model.triggers.check import check_trigger
from lineagegraph.model.triggers.describe import other_namespaces
from lineagegraph.model.triggers.trigger import Trigger
from lineagegraph.model.triggers.trigger_json import encode_trigger
from lineagegraph.store.admin.audit import audited
from lineagegraph.store.sensors import sensors
from lineagegraph.store.triggers import conditions, occurrences, schedules, triggers
from lineagegraph.store.triggers.conditions import SensorLink
from lineagegraph.store.triggers.triggers import KnownTrigger, TriggerTarget
from lineagegraph.triggers.check_cycles import TriggerChains
from lineagegraph.triggers.check_names import check_names
from lineagegraph.triggers.condition_nodes import make_tree
from lineagegraph.triggers.refusals import Refusals, UnusableTriggers, unwrapped
from lineagegraph.triggers.stated import ChangedTrigger, StatedTrigger, trigger_id
from lineagegraph.triggers.stubs import dropping_stubs
from lineagegraph.triggers.times import first_time
from lineagegraph.triggers.watch_sensors import set_poke_intervals, watch_as_before, watch_sensors

SCHEDULE = "schedule"


class Maker(NamedTuple):
    """Whose rights a schedule has: those of a token by its name, or of a caller without one."""

    token: str | None


def write_trigger(
    tx: Transaction,
    rule: Trigger,
    *,
    starts: str,
    name: str,
    namespace: str,
    enabled: bool = True,
    origin: str = "definition",
    checked: bool = True,
    now: datetime | None = None,
) -> str:
    """Write a rule with the values of a `StatedTrigger`, and return its id.

    Unchanged conditions keep their occurrences. Raises `InvalidRule` for an unusable rule, and
    `TriggerCycle` if it closes a cycle; unless `checked`, none of this is checked, and
    conditions go on watching the sensors that they watched.
    """
    stated = StatedTrigger(rule, starts, name, namespace, enabled, origin)
    with unwrapped():
        write_triggers(tx, [stated], now, checked=checked)
    return stated.id


def write_triggers(
    tx: Transaction,
    stated: Sequence[StatedTrigger],
    now: datetime | None = None,
    *,
    checked: bool = True,
) -> dict[str, KnownTrigger]:
    """Write rules, each of another id, as `write_trigger` does; return them as they were, by id.

    Raises `UnusableTriggers`; of several that close a cycle together, for the last one.
    """
    if checked:
        _check_alone(stated)
    before = _lock(tx, stated, now)
    changed = [
        ChangedTrigger(one, before[one.id], make_tree(one.id, one.rule.when))
        for one in stated
        if before[one.id].rule != encode_trigger(one.rule)
    ]
    refusals = Refusals()
    for one in changed if checked else ():
        stating = one.stated
        with refusals.of(stating.starts):
            check_names(tx, stating.rule, starts=stating.starts, namespace=stating.namespace)
    refusals.check()
    targets = _set_rules(tx, changed)
    known = [one for one in changed if not one.before.is_new]
    limited = [one for one in changed if one.stated.rule.constraints or not one.before.is_new]
    triggers.merge_constraints(tx, rows=[one.constraints_row() for one in limited])
    links = {
        one.before.id: conditions.list_sensor_links(tx, trigger_id=one.before.id) for one in known
    }
    jobs = {one.before.id: list(one.job_rows(targets[one.before.id])) for one in changed}
    datasets = {one.before.id: list(one.dataset_rows()) for one in changed}
    with dropping_stubs(tx, [one.before.id for one in known]):
        conditions.delete_conditions(tx, rows=[one.kept_row() for one in known], now=now)
        rows = [row for one in changed for row in one.condition_rows()]
        conditions.merge_conditions(tx, rows=rows, now=now)
        conditions.link_operands(tx, rows=[row for one in changed for row in one.operand_rows()])
        conditions.link_jobs(tx, rows=[row for rows in jobs.values() for row in rows])
        conditions.link_datasets(tx, rows=[row for rows in datasets.values() for row in rows])
    for one in changed:
        with refusals.of(one.stated.starts):
            _watch(tx, one, links.get(one.before.id, []), now, checked=checked)
    refusals.check()
    watching = [one for one in changed if jobs[one.before.id] or datasets[one.before.id]]
    _check_cycles(tx, watching if checked else [], targets)
    return before


def _check_alone(stated: Sequence[StatedTrigger]) -> None:
    refusals = Refusals()
    for one in stated:
        with refusals.of(one.starts):
            check_trigger(one.rule)
    refusals.check()


def _lock(
    tx: Transaction, stated: Sequence[StatedTrigger], now: datetime | None
) -> dict[str, KnownTrigger]:
    """Create or lock triggers, and return them as they were, by id."""
    # Who locks in one order never waits in a circle.
    rows = sorted(({"id": one.id, "enabled": one.enabled} for one in stated), key=_id)
    return {before.id: before for before in triggers.merge_triggers(tx, rows=rows, now=now)}


def _id(row: dict[str, Any]) -> str:
    return str(row["id"])


def _set_rules(tx: Transaction, changed: Sequence[ChangedTrigger]) -> dict[str, TriggerTarget]:
    """Return the jobs that the triggers start, by the triggers' ids."""
    found = triggers.set_rules(tx, rows=[one.rule_row() for one in changed])
    targets = {target.trigger_id: target for target in found}
    missing = [one.stated.starts for one in changed if one.before.id not in targets]
    if missing:
        text = "no job with the key {}: `lineagegraph jobs` lists them"
        raise UnusableTriggers({key: NotFound(text.format(key)) for key in missing})
    return targets


def _check_cycles(
    tx: Transaction, watching: Sequence[ChangedTrigger], targets: Mapping[str, TriggerTarget]
) -> None:
    checked = [one for one in reversed(watching) if not one.stated.rule.allow_cycle]
    chains = TriggerChains(tx, {one.before.id: targets[one.before.id] for one in checked})
    refusals = Refusals()
    for one in checked:
        starts = one.stated.starts
        if starts in refusals:
            continue
        with refusals.of(starts):
            chains.check(one.before.id)
        if starts in refusals:
            # What is refused starts nothing.
            chains.refuse(other.before.id for other in watching if other.stated.starts == starts)
    refusals.check()


def _watch(
    tx: Transaction,
    one: ChangedTrigger,
    before: Sequence[SensorLink],
    now: datetime | None,
    *,
    checked: bool,
) -> None:
    if not checked:
        watch_as_before(tx, one.before.id, one.nodes, before, now)
        return
    watch_sensors(
        tx,
        one.before.id,
        one.nodes,
        sorted({link.sensor_id for link in before}),
        namespace=one.stated.namespace,
        origin=one.stated.origin,
        at=one.before.now,
        now=now,
    )


def set_trigger(
    tx: Transaction,
    rule: Trigger,
    *,
    starts: str,
    name: str,
    namespace: str,
    origin: str,
    enabled: bool = True,
    checked: bool = True,
    maker: Maker | None = None,
    now: datetime | None = None,
) -> str:
    """Write a rule by hand: as `write_trigger` does, with an entry in the audit log.

    A schedule has a new `maker`, or keeps the one that it has.
    """
    with audited(tx, "trigger.set", trigger_id(starts, name)):
        id_ = write_trigger(
            tx,
            rule,
            starts=starts,
            name=name,
            namespace=namespace,
            enabled=enabled,
            origin=origin,
            checked=checked,
            now=now,
        )
        if origin == SCHEDULE:
            reads = other_namespaces(rule, namespace)
            token = maker and maker.token
            schedules.set_maker(tx, id=id_, anew=maker is not None, token=token, reads=reads)
    return id_


def delete_trigger(tx: Transaction, *, starts: str, name: str, now: datetime | None = None) -> None:
    """Delete a rule by hand, if there is one; its firings stay."""
    id_ = trigger_id(starts, name)
    left = sensors.list_watched_by(tx, trigger_id=id_)
    with audited(tx, "trigger.delete", id_), dropping_stubs(tx, [id_]):
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
