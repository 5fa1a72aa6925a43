"""The triggers that a pipeline's definition states."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from datetime import datetime
from typing import NamedTuple

from lineagegraph.errors import InvalidRule
from lineagegraph.graph import Transaction
from lineagegraph.model.pipelines.definition import Pipeline
from lineagegraph.store.triggers import triggers
from lineagegraph.triggers.refusals import Refusals, unwrapped
from lineagegraph.triggers.stated import StatedTrigger
from lineagegraph.triggers.stubs import dropping_stubs
from lineagegraph.triggers.write import write_triggers


class StatedBy(NamedTuple):
    """A pipeline with the key of its job, and the ids of the triggers that it stated before."""

    pipeline: Pipeline
    starts: str
    before: Collection[str] = ()


def write_definitions(
    tx: Transaction, definitions: Iterable[StatedBy], *, now: datetime | None = None
) -> dict[str, dict[str, str]]:
    """Write the triggers that pipelines state, and delete those that they stated before.

    One without a name has the pipeline's; triggers that were made otherwise stay. Returns for each
    job the triggers that no person suspended, each with the reason. Raises `UnusableTriggers`.
    """
    stated, old, refusals = list[StatedTrigger](), set[str](), Refusals()
    for one in definitions:
        with refusals.of(one.starts):
            stated += _stated(one)
        old |= set(one.before)
    refusals.check()
    known = write_triggers(tx, stated, now)
    _delete(tx, old - {one.id for one in stated}, now)
    suspended: dict[str, dict[str, str]] = defaultdict(dict)
    for trigger in stated:
        if reason := known[trigger.id].suspended_because:
            suspended[trigger.starts][trigger.name] = reason
    return suspended


def write_definition(
    tx: Transaction,
    pipeline: Pipeline,
    *,
    starts: str,
    before: Collection[str] = (),
    now: datetime | None = None,
) -> None:
    """Write the triggers of one pipeline, as `write_definitions` does."""
    with unwrapped():
        write_definitions(tx, [StatedBy(pipeline, starts, before)], now=now)


def withdraw_definition(tx: Transaction, *, starts: str, now: datetime | None = None) -> None:
    """Delete the triggers that a pipeline stated: no file defines it any more."""
    _delete(tx, {one.id for one in triggers.list_defined(tx, keys=[starts])}, now)


def _delete(tx: Transaction, ids: set[str], now: datetime | None) -> None:
    with dropping_stubs(tx, ids):
        for id_ in sorted(ids):
            triggers.delete_trigger(tx, id=id_, now=now)


def _stated(one: StatedBy) -> list[StatedTrigger]:
    pipeline = one.pipeline
    names = [rule.name or pipeline.name for rule in pipeline.triggers]
    for name, count in Counter(names).items():
        if count > 1:
            raise InvalidRule(
                f"pipeline {pipeline.name} has {count} triggers called {name!r}: "
                "give each a name of its own"
            )
    return [
        StatedTrigger(rule, one.starts, name, pipeline.namespace)
        for name, rule in zip(names, pipeline.triggers, strict=True)
    ]
